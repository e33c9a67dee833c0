"""Indicators made of how far bars reach: true range and what stands on it."""

from __future__ import annotations

import numpy as np

from sandbox.oracle.averages import Average, ema
from sandbox.oracle.windows import Floats, before, ratio, unknown


def bar_range(high: Floats, low: Floats) -> Floats:
    return high - low


def true_range(high: Floats, low: Floats, close: Floats) -> Floats:
    """Wilder: the bar's range, widened to the close before; unknown on the first bar."""
    old = before(close, 1)
    return np.maximum(high, old) - np.minimum(low, old)


def atr(high: Floats, low: Floats, close: Floats, length: int, average: Average) -> Floats:
    return average(true_range(high, low, close), length)


def keltner(
    high: Floats, low: Floats, close: Floats,
    length: int, width: float, atr_length: int, average: Average,
) -> tuple[Floats, ...]:  # fmt: skip
    """The exponential average of the close, and so many ATR around it."""
    middle, away = ema(close, length), width * atr(high, low, close, atr_length, average)
    return middle - away, middle, middle + away


def adx(
    high: Floats, low: Floats, close: Floats, length: int, average: Average
) -> tuple[Floats, ...]:
    """Wilder: of a bar's reach above the high before and below the low before only the larger
    counts; both are averaged and divided by the averaged true range."""
    rise, fall = high - before(high, 1), before(low, 1) - low
    start = np.isnan(rise)
    plus = np.where(start, np.nan, np.where((rise > fall) & (rise > 0.0), rise, 0.0))
    minus = np.where(start, np.nan, np.where((fall > rise) & (fall > 0.0), fall, 0.0))
    reach = atr(high, low, close, length, average)
    above = 100.0 * ratio(average(plus, length), reach)
    below = 100.0 * ratio(average(minus, length), reach)
    apart = 100.0 * ratio(np.abs(above - below), above + below)
    return average(apart, length), above, below


def supertrend(
    high: Floats, low: Floats, close: Floats, length: int, width: float, average: Average
) -> tuple[Floats, Floats]:
    """Two bands around the middle of the bar. The lower one never falls while the close before is
    above it, the upper one never rises while the close before is below it; the trend turns when a
    close is beyond the other side's band of the bar before. The line is the band of the trend."""
    reach = width * atr(high, low, close, length, average)
    middle = (high + low) / 2.0
    direction, line = unknown(len(close)), unknown(len(close))
    lower = upper = way = np.nan
    for bar in range(len(close)):
        if np.isnan(reach[bar]):
            continue
        bottom, top = middle[bar] - reach[bar], middle[bar] + reach[bar]
        if np.isnan(way):
            lower, upper, way = bottom, top, 1.0
        else:
            if close[bar] < lower if way > 0.0 else close[bar] > upper:
                way = -way
            old = close[bar - 1]
            lower = max(bottom, lower) if old >= lower else bottom
            upper = min(top, upper) if old <= upper else top
        direction[bar], line[bar] = way, lower if way > 0.0 else upper
    return direction, line
