"""Our indicators against TA-Lib's values, and small cases worked out by hand."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.requests import averages, indicators
from tests.requests.bars import Bars, bars_of, first_decision
from tests.requests.flips import psar, supertrend
from tests.requests.market import SCALES, market

ROOT = Path(__file__).parents[2]
EXPECTED = json.loads((ROOT / "fixtures/indicators/expected.json").read_text())["values"]


def aapl() -> Bars:
    frame = pd.read_csv(ROOT / "fixtures/sample_aapl.csv", index_col=0, parse_dates=True)
    return bars_of(frame)


OURS = {
    "rsi": lambda b, n: indicators.rsi(b.close, n),
    "sma": lambda b, n: averages.sma(b.close, n),
    "atr": lambda b, n: indicators.atr(b, n),
    "highest": lambda b, n: averages.highest(b.high, n),
    "lowest": lambda b, n: averages.lowest(b.low, n),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_values_are_those_of_talib(name: str) -> None:
    kind, length = name.split("_")
    ours = OURS[kind](aapl(), int(length))
    for bar, value in EXPECTED[name].items():
        assert ours[int(bar)] == pytest.approx(value, rel=1e-7), bar


def test_a_cross_needs_the_other_side_or_equal_before() -> None:
    x = np.array([1.0, 2.0, 3.0, 2.0, 1.0, 2.0])
    assert averages.above(x, 2.0).tolist() == [False, False, True, False, False, False]
    assert averages.below(x, 2.0).tolist() == [False, False, False, False, True, False]


def test_averages_by_hand() -> None:
    x = np.array([1.0, 2.0, 6.0, 3.0])
    assert averages.wma(x, 3)[2] == pytest.approx((1 + 4 + 18) / 6)
    assert averages.ema(x, 3)[2:].tolist() == pytest.approx([3.0, 3.0])
    assert averages.ema(x, 3, "first").tolist() == pytest.approx([1.0, 1.5, 3.75, 3.375])
    assert averages.prior_high(x, 2)[3] == 6.0
    assert averages.prior_low(x, 2)[3] == 2.0


def test_days_and_weeks_before() -> None:
    b = market("H1")["trending"]
    high, low, close = indicators.earlier(b.date, b)
    monday, tuesday = b.date == b.date[0], b.date == b.date[0] + 1
    assert np.isnan(high[monday]).all()
    assert set(high[tuesday]) == {b.high[monday].max()}
    assert set(low[tuesday]) == {b.low[monday].min()}
    assert set(close[tuesday]) == {b.close[monday][-1]}
    week = indicators.earlier(b.week, b)[0]
    assert set(week[b.week == b.week[0] + 1]) == {b.high[b.week == b.week[0]].max()}
    assert set(b.weekday[np.append(False, np.diff(b.week) > 0)]) == {0}


def test_the_vwap_restarts_each_day() -> None:
    b = market("M15")["gappy"]
    first = indicators.first_of_day(b)
    assert indicators.vwap(b)[first] == pytest.approx(b.typical[first])
    day = b.date == b.date[700]
    paid = (b.typical * b.volume)[day].sum() / b.volume[day].sum()
    assert indicators.vwap(b)[day][-1] == pytest.approx(paid)


@pytest.mark.parametrize("kind", ["two bars", "before", "after", "last", "free"])
def test_turning_indicators_turn_both_ways(kind: str) -> None:
    b = market("D1")["trending"]
    assert set(psar(b, kind=kind)[300:]) == {1, -1}
    assert set(supertrend(b)[300:]) == {1, -1}


@pytest.mark.parametrize("timeframe", SCALES)
def test_the_market_is_the_same_each_time_and_has_no_ties(timeframe: str) -> None:
    for b in market(timeframe).values():
        assert (b.low <= np.minimum(b.open, b.close)).all()
        assert (b.high >= np.maximum(b.open, b.close)).all()
        assert (b.open[1:] != b.close[:-1]).all() and (b.high > b.low).all()
        assert b.frame.index.is_monotonic_increasing and b.frame.index.is_unique
        assert first_decision(b) >= 300
    again = market.__wrapped__(timeframe)
    assert all(market(timeframe)[name].frame.equals(b.frame) for name, b in again.items())
