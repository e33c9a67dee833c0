"""Oscillators and windows of one series or of the bars. A range of zero gives NaN, no warning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view

from strategies.pieces.averages import ema, rma, sma


def highest(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Highest of the last bars, this one included."""
    return series.rolling(length).max()


def lowest(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Lowest of the last bars, this one included."""
    return series.rolling(length).min()


def stdev(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Standard deviation of the population."""
    return series.rolling(length).std(ddof=0)


def zscore(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Standard deviations away from the mean."""
    spread = stdev(series, length)
    return (series - sma(series, length)) / spread.where(spread > 0.0)


def roc(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Rate of change in percent."""
    return 100.0 * (series / series.shift(length) - 1.0)


def momentum(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Difference to the value `length` bars before."""
    return series - series.shift(length)


def rsi(
    series: pd.Series[float],
    length: int,
    average: Callable[[pd.Series[float], int], pd.Series[float]] = rma,
) -> pd.Series[float]:
    """Relative strength index, 0 to 100."""
    change = series.diff()
    rise = change.clip(lower=0.0)
    gain, loss = average(rise, length), average(rise - change, length)
    both = gain + loss
    return 100.0 * gain / both.where(both > 0.0)


def stochastic_rsi(
    series: pd.Series[float], length: int, window: int, smooth: int, signal: int
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Where the RSI stands in its own range, 0 to 100: %K and %D. A range of rounding is none."""
    strength = rsi(series, length)
    low, high = lowest(strength, window), highest(strength, window)
    span = high - low
    k = sma(100.0 * (strength - low) / span.where(span > 1e-9), smooth)
    return k, sma(k, signal)


def macd(
    series: pd.Series[float], fast: int, slow: int, signal: int
) -> tuple[pd.Series[float], pd.Series[float], pd.Series[float]]:
    """Difference of two EMAs, the EMA of it, and the difference of these two."""
    line = ema(series, fast) - ema(series, slow)
    average = ema(line, signal)
    return line, average, line - average


def stochastic(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    length: int,
    smooth: int,
    signal: int,
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Slow stochastic, 0 to 100: %K and %D."""
    bottom, top = lowest(low, length), highest(high, length)
    span = top - bottom
    k = sma(100.0 * (close - bottom) / span.where(span > 0.0), smooth)
    return k, sma(k, signal)


def williams_r(
    high: pd.Series[float], low: pd.Series[float], close: pd.Series[float], length: int
) -> pd.Series[float]:
    """Williams %R, -100 to 0."""
    top = highest(high, length)
    span = top - lowest(low, length)
    return -100.0 * (top - close) / span.where(span > 0.0)


def cci(
    high: pd.Series[float], low: pd.Series[float], close: pd.Series[float], length: int
) -> pd.Series[float]:
    """Commodity channel index of the typical price."""
    typical = (high + low + close) / 3.0
    mean = sma(typical, length)
    away = np.full(len(typical), np.nan)
    if len(typical) >= length:
        windows = sliding_window_view(typical.to_numpy(dtype=float), length)
        middle = mean.to_numpy(dtype=float)[length - 1 :]
        away[length - 1 :] = np.abs(windows - middle[:, None]).mean(axis=1)
    deviation = pd.Series(away, index=close.index)
    return (typical - mean) / (0.015 * deviation.where(deviation > 0.0))


def mfi(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    volume: pd.Series[float],
    length: int,
) -> pd.Series[float]:
    """Money flow index, 0 to 100."""
    typical = (high + low + close) / 3.0
    flow, change = typical * volume, typical.diff()
    up = flow.where(change > 0.0, 0.0).where(change.notna()).rolling(length).sum()
    down = flow.where(change < 0.0, 0.0).where(change.notna()).rolling(length).sum()
    both = up + down
    return 100.0 * up / both.where(both > 0.0)


def obv(close: pd.Series[float], volume: pd.Series[float]) -> pd.Series[float]:
    """On-balance volume, from the first bar's volume on."""
    signs = pd.Series(np.sign(close.diff()), index=close.index)
    return (signs.fillna(1.0) * volume).cumsum()
