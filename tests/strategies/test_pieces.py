"""The pieces agree with TA-Lib and with plain loops, see no later bar, and bear any bars."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import talib
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import market
from sandbox.intake import check
from schemas.indicators import KINDS
from strategies.pieces import averages, days, oscillators, ranges, signals, trends
from tests.sandbox.wrong_and_right import BODY
from tests.strategies.piecework import plain, series

WARM = 300
Array = np.ndarray[Any, np.dtype[np.float64]]


@cache
def known(timeframe: str) -> pd.DataFrame:
    return market.known(timeframe)


TALIB: dict[str, Callable[[Array, Array, Array, Array, Array], Any]] = {
    "sma": lambda o, h, x, c, v: talib.SMA(c, 20),
    "ema": lambda o, h, x, c, v: talib.EMA(c, 20),
    "wma": lambda o, h, x, c, v: talib.WMA(c, 20),
    "dema": lambda o, h, x, c, v: talib.DEMA(c, 20),
    "tema": lambda o, h, x, c, v: talib.TEMA(c, 20),
    "highest": lambda o, h, x, c, v: talib.MAX(c, 20),
    "lowest": lambda o, h, x, c, v: talib.MIN(c, 20),
    "stdev": lambda o, h, x, c, v: talib.STDDEV(c, 20),
    "roc": lambda o, h, x, c, v: talib.ROC(c, 10),
    "momentum": lambda o, h, x, c, v: talib.MOM(c, 10),
    "rsi": lambda o, h, x, c, v: talib.RSI(c, 14),
    "macd": lambda o, h, x, c, v: talib.MACD(c, 12, 26, 9),
    "bollinger": lambda o, h, x, c, v: talib.BBANDS(c, 20, 2.0, 2.0)[::-1],
    "atr": lambda o, h, x, c, v: talib.ATR(h, x, c, 14),
    "true_range": lambda o, h, x, c, v: talib.TRANGE(h, x, c),
    "stochastic": lambda o, h, x, c, v: talib.STOCH(h, x, c, 14, 3, slowd_period=3),
    "cci": lambda o, h, x, c, v: talib.CCI(h, x, c, 20),
    "williams_r": lambda o, h, x, c, v: talib.WILLR(h, x, c, 14),
    "mfi": lambda o, h, x, c, v: talib.MFI(h, x, c, v, 14),
    "adx": lambda o, h, x, c, v: (
        talib.ADX(h, x, c, 14), talib.PLUS_DI(h, x, c, 14), talib.MINUS_DI(h, x, c, 14)),
    "aroon": lambda o, h, x, c, v: talib.AROON(h, x, 25)[::-1],
    "psar": lambda o, h, x, c, v: talib.SAR(h, x, 0.02, 0.2),
    "obv": lambda o, h, x, c, v: talib.OBV(c, v),
}  # fmt: skip


@pytest.mark.parametrize("timeframe", ["D1", "M15"])
@pytest.mark.parametrize("kind", TALIB)
def test_a_piece_equals_talib(kind: str, timeframe: str) -> None:
    df = known(timeframe)
    arrays = [df[c].to_numpy(dtype=float) for c in ("Open", "High", "Low", "Close", "Volume")]
    theirs = TALIB[kind](*arrays)
    theirs = theirs if isinstance(theirs, tuple) else (theirs,)
    for ours, other in zip(series(kind, df), theirs, strict=False):
        np.testing.assert_allclose(ours.to_numpy()[WARM:], other[WARM:], rtol=1e-6, atol=1e-9)


def test_the_stochastic_rsi_equals_talib() -> None:
    close = known("D1")["Close"]
    k, d = oscillators.stochastic_rsi(close, 14, 14, 1, 3)
    theirs = talib.STOCHRSI(close.to_numpy(dtype=float), 14, 14, 3)
    for ours, other in zip((k, d), theirs, strict=True):
        np.testing.assert_allclose(ours.to_numpy()[WARM:], other[WARM:], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("timeframe", ["D1", "M15", "W1"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_piece_equals_plain_loops_on_every_bar(kind: str, timeframe: str) -> None:
    df = known(timeframe).iloc[:420]
    ours, loops = series(kind, df), plain(kind, df)
    assert len(ours) == len(KINDS[kind].outputs)
    for one, two in zip(ours, loops, strict=True):
        np.testing.assert_allclose(one.to_numpy(), two.to_numpy(), rtol=1e-7, atol=1e-7)
        assert one.index.equals(df.index)
    empty = timeframe != "M15" and kind == "opening_range"  # one bar a day: never complete
    assert empty or all(one.notna().sum() > 50 for one in ours)


OTHER = {
    "opening_range": {"start": 600.0, "minutes": 45.0},
    "hma": {"length": 9.0},
    "psar": {"step": 0.01, "cap": 0.1},
    "supertrend": {"length": 7.0, "width": 1.5},
    "ichimoku": {"tenkan": 5.0, "kijun": 10.0, "senkou": 20.0, "shift": 10.0},
    "bollinger": {"length": 10.0, "width": 1.0},
}


@pytest.mark.parametrize("kind", OTHER)
def test_parameters_count(kind: str) -> None:
    df = known("M15").iloc[:300]
    usual = series(kind, df)
    for one, two, was in zip(series(kind, df, **OTHER[kind]), plain(kind, df, **OTHER[kind]), usual,
                             strict=True):  # fmt: skip
        np.testing.assert_allclose(one.to_numpy(), two.to_numpy(), rtol=1e-7, atol=1e-7)
        assert not one.equals(was)


@pytest.mark.parametrize("average", [averages.sma, averages.ema])
def test_another_smoothing_is_another_average(average: Any) -> None:
    df = known("D1")
    high, low, close = df["High"], df["Low"], df["Close"]
    change = close.diff()
    gain, loss = average(change.clip(lower=0.0), 14), average(-change.clip(upper=0.0), 14)
    pd.testing.assert_series_equal(
        oscillators.rsi(close, 14, average), 100.0 - 100.0 / (1.0 + gain / loss), check_names=False
    )
    reach = average(ranges.true_range(high, low, close), 10)
    pd.testing.assert_series_equal(ranges.atr(high, low, close, 10, average), reach)
    upper = ranges.keltner(high, low, close, 20, 2.0, 10, average)[2]
    pd.testing.assert_series_equal(upper, averages.ema(close, 20) + 2.0 * reach)
    assert not trends.adx(high, low, close, 14, average)[0].equals(
        trends.adx(high, low, close, 14)[0]
    )
    assert not trends.supertrend(high, low, close, 10, 3.0, average)[1].equals(
        trends.supertrend(high, low, close, 10, 3.0)[1]
    )


@st.composite
def bars(draw: st.DrawFn) -> pd.DataFrame:
    """Bars as rough as they come: flat ones, gaps, no volume, one or many a day."""
    count = draw(st.integers(2, 70))
    body = st.floats(1.0, 200.0, allow_nan=False).map(lambda x: round(x, 2))
    rows = draw(st.lists(st.tuples(body, body, st.floats(0, 5), st.floats(0, 5),
                                   st.sampled_from([0.0, 1.0, 5e5])),
                         min_size=count, max_size=count))  # fmt: skip
    first, last, over, under, volume = (np.array(x, dtype=float) for x in zip(*rows, strict=True))
    step = draw(st.sampled_from(["1D", "7D", "4h", "15min"]))
    return pd.DataFrame(
        {"Open": first, "High": np.maximum(first, last) + over,
         "Low": np.maximum(np.minimum(first, last) - under, 0.5), "Close": last, "Volume": volume},
        index=pd.date_range("2024-02-26 09:30", periods=count, freq=step),
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(df=bars(), data=st.data())
def test_a_value_does_not_change_when_later_bars_do(
    kind: str, df: pd.DataFrame, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(df) - 1))
    lengths = {
        n: 5.0 for n in KINDS[kind].parameters if n in ("length", "window", "slow", "senkou")
    }
    other = df.copy()
    other.iloc[cut:] = df.iloc[cut:].to_numpy()[::-1] * 1.7
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole, past, changed = (series(kind, x, **lengths) for x in (df, df.iloc[:cut], other))
    for a, b, c in zip(whole, past, changed, strict=True):
        np.testing.assert_allclose(a.to_numpy()[:cut], b.to_numpy(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(a.to_numpy()[:cut], c.to_numpy()[:cut], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 120])
def test_flat_bars_and_few_bars_neither_crash_nor_warn(kind: str, count: int) -> None:
    index = pd.date_range("2024-01-01", periods=count, freq="1h")
    columns = ("Open", "High", "Low", "Close")
    df = pd.DataFrame({**dict.fromkeys(columns, 100.0), "Volume": 0.0}, index=index)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for made in series(kind, df):
            assert len(made) == count and not np.isinf(made.to_numpy()).any()


def test_the_calendar_counts_bars_and_trading_days() -> None:
    times = pd.DatetimeIndex(
        ["2024-01-31 09:00", "2024-01-31 10:00", "2024-02-01 09:00", "2024-02-05 09:00",
         "2024-02-05 10:00"]
    )  # fmt: skip
    index = pd.RangeIndex(5)
    assert days.bar_of_day(times, index).tolist() == [1, 2, 1, 1, 2]
    assert days.trading_day(times, index).tolist() == [1, 1, 1, 2, 2]
    assert days.minute_of_day(times, index).tolist() == [540, 600, 540, 540, 600]
    assert days.weekday(times, index).tolist() == [2, 2, 3, 0, 0]
    assert days.day_of_month(times, index).tolist() == [31, 31, 1, 5, 5]
    assert days.month_of_year(times, index).tolist() == [1, 1, 2, 2, 2]
    assert days.day_number(times).tolist() == [0, 0, 1, 2, 2]
    assert days.week_number(times).tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("name", ["Date", "Time", "Datetime"])
def test_times_are_the_index_or_a_column(name: str) -> None:
    df = known("M15").iloc[:50]
    columned = df.reset_index(names=name)
    assert days.stamps(df).equals(pd.DatetimeIndex(df.index))
    assert days.stamps(columned).tolist() == pd.DatetimeIndex(df.index).tolist()


def test_signals_mean_what_they_say() -> None:
    left, right = pd.Series([1.0, 2.0, 3.0, 2.0, 1.0, np.nan]), pd.Series([2.0] * 6)
    assert signals.crosses_above(left, right).tolist() == [False, False, True, False, False, False]
    assert signals.crosses_below(left, 2.0).tolist() == [False, False, False, False, True, False]
    rule = pd.Series([True, True, False, True])
    assert signals.in_a_row(rule, 2).tolist() == [False, True, False, False]
    assert signals.within(rule, 2).tolist() == [True, True, True, True]
    assert signals.lesser(left, 2.0).tolist()[:5] == [1.0, 2.0, 2.0, 2.0, 1.0]
    assert signals.greater(left, right).tolist()[:5] == [2.0, 2.0, 3.0, 2.0, 2.0]
    minute = pd.Series([0.0, 599.0, 600.0, 899.0, 900.0])
    assert signals.in_session(minute, 600, 900).tolist() == [False, False, True, True, False]
    assert signals.in_session(minute, 900, 600).tolist() == [True, True, False, False, True]


def test_the_intake_accepts_every_piece() -> None:
    from bot.agents.pieces import FILES, IMPORTS, library, text_of

    assert set(FILES) >= {"averages", "oscillators", "ranges", "trends", "days", "signals"}
    head = "from __future__ import annotations\n" + "\n".join(IMPORTS.values())
    source = f"{head}\n\n{text_of(library())}\n{BODY.format(prepare='pass', entries='pass')}"
    assert check(source.encode(), None) == ()
