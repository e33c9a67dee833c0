"""How far the price moves: ranges, true ranges and the channels that are made of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from strategies.pieces.averages import ema, rma, sma
from strategies.pieces.oscillators import highest, lowest, stdev


def bar_range(high: pd.Series[float], low: pd.Series[float]) -> pd.Series[float]:
    """High minus low."""
    return high - low


def true_range(
    high: pd.Series[float], low: pd.Series[float], close: pd.Series[float]
) -> pd.Series[float]:
    """The range with the close before; none on the first bar."""
    before = close.shift(1)
    return pd.Series(np.maximum(high, before) - np.minimum(low, before), index=close.index)


def atr(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    length: int,
    average: Callable[[pd.Series[float], int], pd.Series[float]] = rma,
) -> pd.Series[float]:
    """Average true range."""
    return average(true_range(high, low, close), length)


def bollinger(series: pd.Series[float], length: int, width: float) -> tuple[pd.Series[float], ...]:
    """Lower, middle and upper band, %b (0 at the lower, 1 at the upper) and the bandwidth."""
    middle, reach = sma(series, length), width * stdev(series, length)
    lower, upper = middle - reach, middle + reach
    span = upper - lower
    return lower, middle, upper, (series - lower) / span.where(span > 0.0), span / middle


def donchian(
    high: pd.Series[float], low: pd.Series[float], length: int
) -> tuple[pd.Series[float], pd.Series[float], pd.Series[float]]:
    """Lowest low, their middle, highest high of the last bars, this one included."""
    lower, upper = lowest(low, length), highest(high, length)
    return lower, (lower + upper) / 2.0, upper


def keltner(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    length: int,
    width: float,
    atr_length: int,
    average: Callable[[pd.Series[float], int], pd.Series[float]] = rma,
) -> tuple[pd.Series[float], pd.Series[float], pd.Series[float]]:
    """EMA of the close, and ATRs below and above it."""
    middle, reach = ema(close, length), width * atr(high, low, close, atr_length, average)
    return middle - reach, middle, middle + reach
