"""The indicators that judge: the same values as those in strategies, and blind to none of their
faults."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from sandbox import market
from sandbox.oracle import INDICATORS
from sandbox.oracle.averages import SMOOTHINGS
from sandbox.oracle.days import CALENDAR
from sandbox.reference import COUNTS
from schemas.indicators import KINDS
from strategies.pieces import averages, days
from tests.agents.running import differences, known, source_of
from tests.sandbox.indicator_faults import FAULTS, USED
from tests.strategies.piecework import arguments, find, series
from tests.strategies.test_pieces import OTHER, TALIB

Floats = NDArray[np.floating[Any]]
TALIB_BEGINS_OTHERWISE = {"macd": 150, "adx": 250}
"""TA-Lib begins the fast average of MACD with the slow one, and ADX with one bar less in its
first sums: bars after which that is forgotten."""
FIRST = ("length", "window", "tenkan", "fast")
SHORT = {n: {p: 3.0 for p in FIRST if p in k.parameters} for n, k in KINDS.items()}
SMOOTHED = [name for name, kind in KINDS.items() if kind.smoothing]
PIECES = {"simple": averages.sma, "exponential": averages.ema}


@cache
def tables() -> dict[str, pd.DataFrame]:
    """Ties, holidays, weekends and too few bars among them."""
    around_the_clock = market.market("H4", 300, 12, "2020-01-01")
    around_the_clock.index = pd.date_range("2020-01-01", periods=300, freq="4h")
    sparse = market.market("M15", 700, 13, "2021-01-04").sample(500, random_state=1).sort_index()
    return {
        "days": market.market("D1", 600, 5, "2019-01-01"), "weeks": known("W1").iloc[:300],
        "hours": known("H1").iloc[:500], "minutes": known("M15").iloc[:500], "sparse": sparse,
        "around the clock": around_the_clock, "coarse": sparse.round(1),
        "cheap": market.strange("D1", 3)[1].iloc[:80], "few": known("D1").iloc[:10],
    }  # fmt: skip


def oracle(
    kind: str, df: pd.DataFrame, given: Mapping[str, float], smoothing: str = ""
) -> tuple[Floats, ...]:
    about = KINDS[kind]
    reads = ["close"] if about.reads == "source" else about.reads.split(", ")
    times = pd.DatetimeIndex(df.index)
    columns = [times if n == "day" else df[n.capitalize()].to_numpy(dtype=float) for n in reads]
    settings = [
        float(v) if n in COUNTS else int(v) for n, v in {**about.parameters, **given}.items()
    ]
    average = [SMOOTHINGS[smoothing]] if about.smoothing else []
    made = INDICATORS[kind](*columns, *settings, *average)
    return made if isinstance(made, tuple) else (made,)


def assert_same(one: Any, other: Any) -> None:
    """The rolling deviation of pandas is good for eight digits, all else for eleven."""
    np.testing.assert_allclose(np.asarray(one, dtype=float), other, rtol=1e-7, atol=1e-9)


def test_every_kind_is_written_twice_and_has_one_written_meaning() -> None:
    assert list(INDICATORS) == list(KINDS)
    assert [name for name, kind in KINDS.items() if not kind.definition] == []


@pytest.mark.parametrize("kind", KINDS)
def test_it_equals_the_piece_on_every_bar(kind: str) -> None:
    for df in tables().values():
        for given in ({}, OTHER.get(kind, {}), SHORT[kind]):
            found = oracle(kind, df, given)
            assert len(found) == len(KINDS[kind].outputs)
            for one, piece in zip(found, series(kind, df, **given), strict=True):
                assert_same(piece, one)


@pytest.mark.parametrize("smoothing", PIECES)
@pytest.mark.parametrize("kind", SMOOTHED)
def test_it_equals_the_piece_with_another_smoothing(kind: str, smoothing: str) -> None:
    for df in tables().values():
        made = find(kind)(*arguments(kind, df), PIECES[smoothing])
        pieces = made if isinstance(made, tuple) else (made,)
        for one, piece in zip(oracle(kind, df, {}, smoothing), pieces, strict=True):
            assert_same(piece, one)


@pytest.mark.parametrize("kind", [name for name, k in KINDS.items() if k.reads == "source"])
def test_it_equals_the_piece_where_values_are_unknown(kind: str) -> None:
    df = known("D1").iloc[:300].copy()
    df.iloc[[0, 1, 5, 60, 61, 200], 3] = np.nan
    for one, piece in zip(oracle(kind, df, {}), series(kind, df), strict=True):
        assert_same(piece, one)


@pytest.mark.parametrize("kind", TALIB)
def test_it_equals_talib(kind: str) -> None:
    df = known("D1")
    theirs = TALIB[kind](*(df[c].to_numpy(dtype=float) for c in
                           ("Open", "High", "Low", "Close", "Volume")))  # fmt: skip
    for one, other in zip(oracle(kind, df, {}), theirs if isinstance(theirs, tuple) else (theirs,),
                          strict=False):  # fmt: skip
        both = np.flatnonzero(~np.isnan(one) & ~np.isnan(other))
        start = max(int(both[0]), TALIB_BEGINS_OTHERWISE.get(kind, 0))
        np.testing.assert_allclose(one[start:], other[start:], rtol=1e-7, atol=1e-7)


def test_the_calendar_is_that_of_the_pieces() -> None:
    pieces = {
        "minute": days.minute_of_day, "weekday": days.weekday, "day": days.day_of_month,
        "month": days.month_of_year, "bar_of_day": days.bar_of_day,
        "trading_day": days.trading_day,
    }  # fmt: skip
    assert set(CALENDAR) == set(pieces)
    for df in tables().values():
        times = pd.DatetimeIndex(df.index)
        for name, piece in pieces.items():
            assert_same(piece(times, df.index), CALENDAR[name](times))


@pytest.mark.parametrize("name", sorted({name for name, _, _ in FAULTS}))
def test_a_right_strategy_is_accepted(name: str) -> None:
    made = USED[name]
    run, found = differences(made, source_of(made), known(made.timeframe).iloc[:800])
    assert found == [] and run.trades


@pytest.mark.parametrize(("name", "right", "wrong"), FAULTS)
def test_a_fault_in_an_indicator_is_found_by_what_the_strategy_decides(
    name: str, right: str, wrong: str
) -> None:
    made, source = USED[name], source_of(USED[name])
    assert right in source
    _, found = differences(made, source.replace(right, wrong), known(made.timeframe).iloc[:800])
    assert found
