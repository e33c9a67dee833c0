"""Where the reference has stop and target after the fill, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from sandbox.levels import after_fill, told
from sandbox.reference import Reference
from sandbox.taken import taken
from sandbox.warmup import first_judged
from schemas import contract as c
from tests.agents.making import CLOSE, HIGH, LONG, LOW, SHORT, above, at, contract, enter, far, ind
from tests.agents.running import known, played, source_of
from tests.agents.table import CONTRACTS

BAR = (100.0, 104.0, 98.0, 100.0)
"""Decided at 100; the true range, and so the ATR of one bar, is 6."""
CASES: dict[str, tuple[c.Side, list[c.Level], list[c.Level], float, tuple[float, float]]] = {
    "percent, gap up": (
        LONG, [at(far("percent", 5), base="fill")], [at(far("percent", 10), base="fill")], 110.0,
        (104.5, 121.0)),
    "percent from the signal": (
        LONG, [at(far("percent", 5))], [at(far("percent", 10))], 110.0, (95.0, 110.0)),
    "price, gap down": (
        LONG, [at(far("price", 3), base="fill")], [at(far("price", 4), base="fill")], 90.0,
        (87.0, 94.0)),
    "pips, short": (
        SHORT, [at(far("pips", 20), base="fill")], [at(far("pips", 50), base="fill")], 110.0,
        (112.0, 105.0)),
    "atr of the signal bar": (
        SHORT, [at(far("atr", 1, "atr"), base="fill")], [at(far("atr", 2, "atr"), base="fill")],
        90.0, (96.0, 78.0)),
    "R of a stop from the fill": (
        LONG, [at(far("percent", 10), base="fill")], [at(far("r", 2), base="fill")], 110.0,
        (99.0, 132.0)),
    "R of a stop at a price, from the fill": (
        LONG, [at(price=LOW)], [at(far("r", 2), base="fill")], 101.0, (98.0, 107.0)),
    "R of a stop at a price, from the signal": (
        LONG, [at(price=LOW)], [at(far("r", 2))], 101.0, (98.0, 104.0)),
    "the nearer of one that moves and one that does not": (
        SHORT, [at(far("percent", 10), base="fill"), at(price=HIGH)], [], 90.0,
        (99.0, float("nan"))),
    "not above zero: where it was": (
        LONG, [at(far("price", 95), base="fill")], [], 90.0, (5.0, float("nan"))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name: str) -> None:
    side, stops, targets, fill, expected = CASES[name]
    entry = enter(side, above(CLOSE, 1))
    made = contract("x", (ind("atr", "atr", length=1),), (entry,), pip_size=0.1,
                    stops=tuple(stops), targets=tuple(targets))  # fmt: skip
    df = pd.DataFrame([BAR, BAR], columns=["Open", "High", "Low", "Close"],
                      index=pd.bdate_range("2024-01-01", periods=2)).assign(Volume=1.0)  # fmt: skip
    assert after_fill(Reference(made, df), entry, 1, fill) == pytest.approx(expected, nan_ok=True)


def test_an_order_says_the_shortest_distance_of_each_kind() -> None:
    entry = enter(LONG, above(CLOSE, 1))
    stops = (at(far("percent", 5), base="fill"), at(far("percent", 3), base="fill"),
             at(far("price", 9), base="fill"), at(far("percent", 1)), at(price=LOW))  # fmt: skip
    made = contract("x", (), (entry,), stops=stops)
    df = pd.DataFrame([BAR], columns=["Open", "High", "Low", "Close"],
                      index=pd.bdate_range("2024-01-01", periods=1)).assign(Volume=1.0)  # fmt: skip
    assert told(Reference(made, df), entry, 0) == {
        "sl_percent": 3.0, "sl_distance": 9.0, "sl_fixed": 99.0,
    }  # fmt: skip


@pytest.mark.parametrize("level", ["sl", "tp"])
def test_a_position_whose_level_was_not_moved_is_found(level: str) -> None:
    made, df = CONTRACTS["fill_percent"], known("D1").iloc[:900]
    run, reference = played(made, source_of(made), df), Reference(made, df)
    start = first_judged(reference)
    late = [n for n, t in enumerate(run.trades) if t.signal_idx >= start]
    assert taken(reference, run, start) == [] and late
    trades = list(run.trades)
    one = trades[late[0]]
    trades[late[0]] = one._replace(sl=1.0) if level == "sl" else one._replace(tp=1.0)
    found = taken(reference, replace(run, trades=trades), start)
    assert {(bar, rule) for bar, rule, _ in found} >= {
        (trades[late[0]].signal_idx, "level_differs")
    }
