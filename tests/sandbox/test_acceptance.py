"""The contract's own meaning: worked out apart from the strategy, and held against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sandbox import market
from sandbox.acceptance import Held, accept
from sandbox.reference import Reference
from schemas import codec
from schemas.contract import (
    Compare,
    Condition,
    Constant,
    Contract,
    Either,
    Every,
    InARow,
    Never,
    OnDays,
    Price,
    PriceField,
    Session,
    Side,
    Within,
)
from simbroker.broker import SimBroker
from simbroker.causality import positions_by_bar
from simbroker.decisions import Decision, ask
from simbroker.terms import Terms
from tests.strategies.examples import CFG, NAMES, ROOT, module

DF = market.known("D1")


def contract(name: str) -> Contract:
    return codec.load(Contract, (ROOT / "strategies" / name / "contract.json").read_bytes())


def decided(name: str) -> tuple[list[Decision], Held]:
    """Asked about every bar with a made-up long and short."""
    broker = SimBroker(Terms.read(dict(CFG)))
    for at, row in zip(DF.index, DF.itertuples(), strict=True):
        broker.step_bar(pd.Series({"Open": row.Open, "High": row.High, "Low": row.Low,
                                   "Close": row.Close}, name=at))  # fmt: skip
    held = positions_by_bar(broker.run(), DF)
    strategy = module(name).Strategy(dict(CFG))
    indicators = strategy.prepare_indicators(DF)
    return [ask(strategy, DF, indicators, i, held[i]) for i in range(len(DF))], held


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_do_what_their_contracts_say(name: str) -> None:
    decisions, held = decided(name)
    assert accept(contract(name), DF, decisions, held, "bars") == []
    assert sum(bool(d.entry) for d in decisions) > 5 and sum(bool(d.exits) for d in decisions) > 5


FAULTS = ("late", "missing", "other side", "other size", "no stop", "stays")


@pytest.mark.parametrize(
    ("name", "fault"),
    [(n, f) for n in NAMES for f in FAULTS if f != "no stop" or contract(n).risk.stops],
)
def test_a_strategy_that_differs_is_found(name: str, fault: str) -> None:
    decisions, held = decided(name)
    spoilt = {
        "late": [Decision(), *decisions[:-1]],
        "missing": [replace(d, entry=()) for d in decisions],
        "other side": [replace(d, entry=_turned(d)) for d in decisions],
        "other size": [replace(d, entry=_sized(d, "20.0")) for d in decisions],
        "no stop": [replace(d, entry=tuple(x for x in d.entry if x[0] != "sl")) for d in decisions],
        "stays": [replace(d, exits=()) for d in decisions],
    }[fault]
    found = accept(contract(name), DF, spoilt, held, "the known bars")
    assert found and all(f.bar is not None and "the known bars" in f.message for f in found)


def _turned(d: Decision) -> tuple[tuple[str, str], ...]:
    other = {"BUY": "SELL", "SELL": "BUY"}
    return tuple((k, other.get(v, v)) if k == "action" else (k, v) for k, v in d.entry)


def _sized(d: Decision, volume: str) -> tuple[tuple[str, str], ...]:
    return tuple((k, volume) if k == "volume" else (k, v) for k, v in d.entry)


def close_above(value: float) -> Compare:
    return Compare(op="above", left=Price(field=PriceField.CLOSE), right=Constant(value=value))


def test_conditions_mean_what_they_say() -> None:
    df = pd.DataFrame(
        {c: [1.0, 3.0, 5.0, 5.0, 1.0] for c in ("Open", "High", "Low", "Close", "Volume")},
        index=pd.date_range("2024-01-05 09:00", periods=5, freq="24h"),
    )
    r = Reference(contract(NAMES[0]), df)
    above = close_above(2.0)
    table: dict[Condition, list[int]] = {
        above: [0, 1, 1, 1, 0],
        Never(of=above): [1, 0, 0, 0, 1],
        InARow(bars=2, of=above): [0, 0, 1, 1, 0],
        Within(bars=2, of=above): [0, 1, 1, 1, 1],
        Every(of=(above, close_above(4.0))): [0, 0, 1, 1, 0],
        Either(of=(above, Never(of=close_above(0.0)))): [0, 1, 1, 1, 0],
        OnDays(weekdays=(5, 6)): [0, 1, 1, 0, 0],
        Session(start="09:00", end="09:00", includes_end=True): [1, 1, 1, 1, 1],
        Session(start="08:00", end="09:00"): [0, 0, 0, 0, 0],
    }
    for condition, expected in table.items():
        assert r.holds(condition).astype(int).tolist() == expected, condition


def test_no_entry_rule_for_a_side_means_no_entry() -> None:
    assert not Reference(contract("rsi_mean_reversion"), DF).entries(Side.SHORT).any()


def test_the_bars_are_the_same_everywhere_and_unseen_ones_are_not() -> None:
    assert market.known("D1").equals(market.known("D1"))
    assert not market.unseen("D1", 1).equals(market.unseen("D1", 2))
    for timeframe in ("M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"):
        df = market.known(timeframe)
        assert len(df) == market.COUNT and df.index.is_monotonic_increasing
        assert np.isfinite(df.to_numpy()).all() and (df["High"] >= df["Low"]).all()
