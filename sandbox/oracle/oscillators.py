"""Indicators that move between two ends: where the price is, or which way it went."""

from __future__ import annotations

import numpy as np

from sandbox.oracle.averages import Average, rma
from sandbox.oracle.windows import Floats, before, highest, lowest, mean, over, ratio, sma, unknown

NOTHING = 1e-9
"""An RSI that moves less than this between bars stands still: the rest is rounding."""


def rsi(values: Floats, length: int, average: Average) -> Floats:
    """Wilder: the share of the average gain in the average gain and loss, from 0 to 100."""
    change = values - before(values, 1)
    gain = average(np.where(np.isnan(change), np.nan, np.maximum(change, 0.0)), length)
    loss = average(np.where(np.isnan(change), np.nan, np.maximum(-change, 0.0)), length)
    return 100.0 * ratio(gain, gain + loss)


def place(values: Floats, low: Floats, high: Floats) -> Floats:
    """0 at the low, 100 at the high."""
    return 100.0 * ratio(values - low, high - low)


def stochastic_rsi(
    values: Floats, length: int, window: int, smooth: int, signal: int
) -> tuple[Floats, ...]:
    index = rsi(values, length, rma)
    low, high = lowest(index, window), highest(index, window)
    k = sma(np.where(high - low > NOTHING, place(index, low, high), np.nan), smooth)
    return k, sma(k, signal)


def stochastic(
    high: Floats, low: Floats, close: Floats, length: int, smooth: int, signal: int
) -> tuple[Floats, ...]:
    k = sma(place(close, lowest(low, length), highest(high, length)), smooth)
    return k, sma(k, signal)


def williams_r(high: Floats, low: Floats, close: Floats, length: int) -> Floats:
    """0 at the highest high, -100 at the lowest low."""
    return place(close, lowest(low, length), highest(high, length)) - 100.0


def cci(high: Floats, low: Floats, close: Floats, length: int) -> Floats:
    """Lambert: the typical price's distance from its mean, in 0.015 mean absolute deviations."""
    typical = (high + low + close) / 3.0

    def deviation(rows: Floats) -> Floats:
        return np.asarray(np.abs(rows - mean(rows)[:, None]).mean(axis=1))

    return ratio(typical - sma(typical, length), 0.015 * over(typical, length, deviation))


def mfi(high: Floats, low: Floats, close: Floats, volume: Floats, length: int) -> Floats:
    """Money of the bars whose typical price rose, as a share of that of all that moved."""
    typical = (high + low + close) / 3.0
    change, money = typical - before(typical, 1), typical * volume
    change_known = ~np.isnan(change)
    rose = np.where(change_known, np.where(change > 0.0, money, 0.0), np.nan)
    fell = np.where(change_known, np.where(change < 0.0, money, 0.0), np.nan)
    up, down = sma(rose, length), sma(fell, length)
    return 100.0 * ratio(up, up + down)


def aroon(high: Floats, low: Floats, length: int) -> tuple[Floats, Floats]:
    """How lately the highest high and the lowest low of `length` + 1 bars were; of equal ones the
    newest counts."""
    up, down = unknown(len(high)), unknown(len(high))
    for bar in range(length, len(high)):
        highs, lows = high[bar - length : bar + 1][::-1], low[bar - length : bar + 1][::-1]
        up[bar] = 100.0 * (length - int(np.argmax(highs))) / length
        down[bar] = 100.0 * (length - int(np.argmin(lows))) / length
    return up, down
