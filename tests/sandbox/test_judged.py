"""From which bar on a strategy is judged, which bars are left out, and what cannot be judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sandbox.acceptance import Held, accept
from sandbox.reference import Reference
from sandbox.rounding import undecided
from sandbox.warmup import first_judged
from schemas import contract as c
from simbroker.causality import positions_by_bar
from simbroker.decisions import Decision, ask
from tests.agents.making import (
    CLOSE,
    HIGH,
    LONG,
    above,
    at,
    compare,
    contract,
    enter,
    held,
    ind,
    of,
    up,
)
from tests.agents.running import known, load, played, settings, source_of
from tests.agents.table import CONTRACTS

DF = known("D1").iloc[:800]


def crossing(kind: str, **given: Any) -> c.Contract:
    return contract("x", (ind("line", kind, **given),), (enter(LONG, up(CLOSE, "line")),))


def answers(made: c.Contract, df: pd.DataFrame) -> tuple[list[Decision], Held]:
    run = played(made, source_of(made), df)
    asked = positions_by_bar(run, df)
    strategy = load(source_of(made)).Strategy(settings(made))
    indicators = strategy.prepare_indicators(df.copy())
    return [ask(strategy, df, indicators, i, asked[i]) for i in range(len(df))], asked


STARTS = {
    "no indicator": (contract("x", (), (enter(LONG, above(CLOSE, 100)),)), 0, 0),
    "a window": (crossing("sma", length=40), 39, 39),
    "two windows": (CONTRACTS["channel_break"], 19, 19),
    "Wilder's average of 3": (crossing("rma", length=3), 30, 70),
    "Wilder's average of 14": (crossing("rma", length=14), 120, 299),
    "a slow average": (crossing("ema", length=250), 300, 300),
    "a window longer than that": (crossing("sma", length=400), 399, 399),
    "never known": (crossing("sma", length=900), 0, 0),
}


@pytest.mark.parametrize("name", STARTS)
def test_judging_begins_where_the_series_of_the_contract_are_known_and_settled(name: str) -> None:
    made, first, last = STARTS[name]
    assert first <= first_judged(Reference(made, DF)) <= last


def test_the_wrong_way_on_early_bars_alone_is_found() -> None:
    made = CONTRACTS["channel_break"]
    decisions, asked = answers(made, DF)
    assert accept(made, DF, decisions, asked, "bars") == []
    turned = [
        replace(d, entry=tuple((k, "SELL" if v == "BUY" else v) for k, v in d.entry))
        for d in decisions[:290]
    ]
    found = accept(made, DF, [*turned, *decisions[290:]], asked, "bars")
    assert found and all(f.bar is not None and f.bar < 290 for f in found)


def test_neither_answer_to_a_tie_of_sums_is_wrong() -> None:
    made, df = crossing("sma", length=3), DF.copy()
    df.iloc[400:410, :4] = 123.4567
    tie = undecided(Reference(made, df), made.entries[0].when)
    assert set(np.flatnonzero(tie)) >= set(range(403, 410)) and tie.mean() < 0.05
    decisions, asked = answers(made, df)
    order = next(d.entry for d in decisions if d.entry)
    for bar, wrong in ((405, False), (407, False), (415, True)):
        assert not decisions[bar].entry
        changed = [*decisions[:bar], replace(decisions[bar], entry=order), *decisions[bar + 1 :]]
        assert bool(accept(made, df, changed, asked, "bars")) is wrong


def test_prices_that_are_read_off_the_bars_have_no_ties_to_leave_out() -> None:
    rule = compare(HIGH, "at_least", "top")
    made = contract("x", (ind("top", "highest", "high", length=5),), (enter(LONG, rule),))
    reference = Reference(made, DF)
    assert not undecided(reference, made.entries[0].when).any()
    assert reference.entries(LONG).sum() > 50


UNCLEAR = {
    "no such kind": (contract("x", (ind("line", "nonsense"),), (enter(LONG, up(CLOSE, "line")),)),
                     "line.value, which no indicator gives"),
    "no such indicator": (contract("x", (), (enter(LONG, up(CLOSE, "line")),)),
                          "line.value, which no indicator gives"),
    "no such setting": (crossing("sma", width=2), "a setting of line that sma does not have"),
    "no such smoothing": (contract("x", (ind("line", "rsi", smoothing="soft"),),
                                   (enter(LONG, above("line", 50)),)), "the smoothing soft"),
    "made of itself": (contract("x", (ind("line", "sma", of=of("line")),),
                                (enter(LONG, up(CLOSE, "line")),)), "made of itself"),
    "a stop that reads the position": (
        contract("x", (), (enter(LONG, above(CLOSE, 100)),),
                 stops=(at(price=held("entry_price")),)), "only an open position has"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNCLEAR)
def test_a_contract_that_cannot_be_worked_out_fails_with_its_reason(name: str) -> None:
    made, reason = UNCLEAR[name]
    nothing = [Decision()] * len(DF)
    found = accept(made, DF, nothing, [()] * len(DF), "the known bars")
    assert found[0].rule == "contract_unclear" and reason in found[0].message
    assert "the known bars" in found[0].message and "/revise" in found[0].fix
