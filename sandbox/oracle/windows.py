"""Indicators of the last `length` bars, this one included. Unknown before there are so many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Reduce = Callable[[Floats], Floats]


def unknown(count: int) -> Floats:
    return np.full(count, np.nan, dtype=np.float64)


def before(values: Floats, bars: int) -> Floats:
    """The value of so many bars ago."""
    found = unknown(len(values))
    if bars < len(values):
        found[bars:] = values[: len(values) - bars]
    return found


def ratio(above: Floats, below: Floats, where_zero: float = np.nan) -> Floats:
    """A division whose answer is `where_zero` where the lower part is zero."""
    zero = below == 0.0
    return np.where(zero, where_zero, above / np.where(zero, 1.0, below))


def over(values: Floats, length: int, reduce: Reduce) -> Floats:
    """`reduce` turns a row per bar, oldest value first, into a number per bar."""
    found = unknown(len(values))
    if 1 <= length <= len(values):
        rows = np.lib.stride_tricks.sliding_window_view(values, length)
        found[length - 1 :] = reduce(rows)
    return found


def mean(rows: Floats) -> Floats:
    """Exact where all values are the same."""
    first = rows[:, :1]
    return np.asarray(first[:, 0] + (rows - first).sum(axis=1) / rows.shape[1])


def sma(values: Floats, length: int) -> Floats:
    return over(values, length, mean)


def wma(values: Floats, length: int) -> Floats:
    """Weight 1 for the oldest bar up to `length` for this one."""
    weights = np.arange(1.0, length + 1.0)
    return over(values, length, lambda rows: (rows * weights).sum(axis=1) / weights.sum())


def hma(values: Floats, length: int) -> Floats:
    """Hull: half the length and its square root are rounded down."""
    half, root = max(1, length // 2), max(1, int(np.sqrt(length)))
    return wma(2.0 * wma(values, half) - wma(values, length), root)


def vwma(close: Floats, volume: Floats, length: int) -> Floats:
    return ratio(sma(close * volume, length), sma(volume, length))


def highest(values: Floats, length: int) -> Floats:
    return over(values, length, lambda rows: rows.max(axis=1))


def lowest(values: Floats, length: int) -> Floats:
    return over(values, length, lambda rows: rows.min(axis=1))


def stdev(values: Floats, length: int) -> Floats:
    """Of the population: divided by `length`."""

    def spread(rows: Floats) -> Floats:
        away = rows - mean(rows)[:, None]
        return np.asarray(np.sqrt((away * away).sum(axis=1) / length))

    return over(values, length, spread)


def zscore(values: Floats, length: int) -> Floats:
    return ratio(values - sma(values, length), stdev(values, length))


def roc(values: Floats, length: int) -> Floats:
    old = before(values, length)
    return ratio(100.0 * (values - old), old)


def momentum(values: Floats, length: int) -> Floats:
    return values - before(values, length)


def bollinger(values: Floats, length: int, width: float) -> tuple[Floats, ...]:
    middle, away = sma(values, length), width * stdev(values, length)
    lower, upper = middle - away, middle + away
    percent = ratio(values - lower, upper - lower)
    return lower, middle, upper, percent, ratio(upper - lower, middle)


def donchian(high: Floats, low: Floats, length: int) -> tuple[Floats, ...]:
    lower, upper = lowest(low, length), highest(high, length)
    return lower, (lower + upper) / 2.0, upper
