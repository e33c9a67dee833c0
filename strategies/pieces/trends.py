"""Indicators of a trend: some carry a state from bar to bar and are loops over plain floats."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view

from strategies.pieces.averages import rma
from strategies.pieces.oscillators import highest, lowest
from strategies.pieces.ranges import atr, true_range


def adx(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    length: int,
    average: Callable[[pd.Series[float], int], pd.Series[float]] = rma,
) -> tuple[pd.Series[float], pd.Series[float], pd.Series[float]]:
    """Average directional index, +DI and -DI."""
    up, down = high.diff(), -low.diff()
    rises = up.where((up > down) & (up > 0.0), 0.0).where(up.notna())
    falls = down.where((down > up) & (down > 0.0), 0.0).where(down.notna())
    span = average(true_range(high, low, close), length)
    plus = 100.0 * average(rises, length) / span.where(span > 0.0)
    minus = 100.0 * average(falls, length) / span.where(span > 0.0)
    both = plus + minus
    return average(100.0 * (plus - minus).abs() / both.where(both > 0.0), length), plus, minus


def aroon(
    high: pd.Series[float], low: pd.Series[float], length: int
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Aroon up and down, 0 to 100: how long ago the highest high and the lowest low were."""
    up, down = np.full(len(high), np.nan), np.full(len(low), np.nan)
    if len(high) > length:
        highs = sliding_window_view(high.to_numpy(dtype=float), length + 1)[:, ::-1]
        lows = sliding_window_view(low.to_numpy(dtype=float), length + 1)[:, ::-1]
        up[length:] = 100.0 * (length - highs.argmax(axis=1)) / length
        down[length:] = 100.0 * (length - lows.argmin(axis=1)) / length
    return pd.Series(up, index=high.index), pd.Series(down, index=low.index)


def supertrend(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    length: int,
    width: float,
    average: Callable[[pd.Series[float], int], pd.Series[float]] = rma,
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Direction (1 up, -1 down) and line. A close beyond the band of the bar before turns it."""
    reach, middle = width * atr(high, low, close, length, average), (high + low) / 2.0
    tops, bottoms = (middle + reach).tolist(), (middle - reach).tolist()
    closes = close.tolist()
    direction, line = [np.nan] * len(closes), [np.nan] * len(closes)
    for i in range(1, len(closes)):
        if tops[i] != tops[i]:
            continue
        if direction[i - 1] != direction[i - 1]:
            direction[i], line[i] = 1.0, bottoms[i]
            continue
        top, bottom = tops[i - 1], bottoms[i - 1]
        if tops[i] >= top and closes[i - 1] <= top:
            tops[i] = top
        if bottoms[i] <= bottom and closes[i - 1] >= bottom:
            bottoms[i] = bottom
        direction[i] = direction[i - 1]
        if direction[i - 1] < 0.0 and closes[i] > top:
            direction[i] = 1.0
        elif direction[i - 1] > 0.0 and closes[i] < bottom:
            direction[i] = -1.0
        line[i] = bottoms[i] if direction[i] > 0.0 else tops[i]
    return pd.Series(direction, index=close.index), pd.Series(line, index=close.index)


def psar(
    high: pd.Series[float], low: pd.Series[float], step: float, cap: float
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Parabolic SAR, and its direction after each bar: 1 is below the price, -1 above."""
    highs, lows = high.tolist(), low.tolist()
    sar, direction = [np.nan] * len(highs), [np.nan] * len(highs)
    if len(highs) > 1:
        fall = lows[0] - lows[1]
        side = -1.0 if fall > 0.0 and fall > highs[1] - highs[0] else 1.0
        level, best = (lows[0], highs[1]) if side > 0.0 else (highs[0], lows[1])
        speed = step
        for i in range(1, len(highs)):
            before = i - 1 if i > 1 else 1
            near, far = (lows, highs) if side > 0.0 else (highs, lows)
            if side * (near[i] - level) <= 0.0:
                side, speed = -side, step
                level = side * min(side * best, side * far[before], side * far[i])
                best = near[i]
                near, far = far, near
                sar[i] = level
            else:
                sar[i] = level
                if side * (far[i] - best) > 0.0:
                    best, speed = far[i], min(speed + step, cap)
            level = level + speed * (best - level)
            level = side * min(side * level, side * near[before], side * near[i])
            direction[i] = side
    return pd.Series(sar, index=high.index), pd.Series(direction, index=high.index)


def ichimoku(
    high: pd.Series[float],
    low: pd.Series[float],
    tenkan: int,
    kijun: int,
    senkou: int,
    shift: int,
) -> tuple[pd.Series[float], ...]:
    """Tenkan, Kijun, and the two edges of the cloud that is drawn under the current bar."""
    fast, base = ((highest(high, length) + lowest(low, length)) / 2.0 for length in (tenkan, kijun))
    slow = (highest(high, senkou) + lowest(low, senkou)) / 2.0
    return fast, base, ((fast + base) / 2.0).shift(shift), slow.shift(shift)


def heikin_ashi(
    first: pd.Series[float],
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
) -> tuple[pd.Series[float], ...]:
    """Heikin-Ashi open, high, low, close."""
    closes = (first + high + low + close) / 4.0
    opens = closes.shift(1)
    opens.iloc[:1] = (first.iloc[:1] + close.iloc[:1]) / 2.0
    opens = opens.ewm(alpha=0.5, adjust=False).mean()
    highs = pd.Series(np.maximum(high, np.maximum(opens, closes)), index=close.index)
    lows = pd.Series(np.minimum(low, np.minimum(opens, closes)), index=close.index)
    return opens, highs, lows, closes
