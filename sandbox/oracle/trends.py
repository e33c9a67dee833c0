"""Parabolic SAR, Ichimoku, on-balance volume and Heikin-Ashi."""

from __future__ import annotations

import numpy as np

from sandbox.oracle.windows import Floats, before, highest, lowest, unknown


def psar(high: Floats, low: Floats, step: float, cap: float) -> tuple[Floats, Floats]:
    """Wilder's stop and reverse: it moves towards the extreme of the trend, faster with each new
    extreme, never into the two bars before; where a bar reaches it, it turns. The first bar only
    says where it begins: at its low, or at its high where the second bar falls further than it
    rises."""
    sar, way = unknown(len(high)), unknown(len(high))
    if len(high) < 2:
        return sar, way
    fell, rose = low[0] - low[1], high[1] - high[0]
    up = not (fell > 0.0 and fell > rose)
    at, extreme = (low[0], high[1]) if up else (high[0], low[1])
    speed = step
    for bar in range(1, len(high)):
        if bar > 1:
            at = at + speed * (extreme - at)
        near = slice(max(min(bar, 2) - 1, bar - 2), bar)
        at = min(at, low[near].min()) if up else max(at, high[near].max())
        if (low[bar] <= at) if up else (high[bar] >= at):
            at = max(extreme, high[bar]) if up else min(extreme, low[bar])
            up, speed = not up, step
            extreme = high[bar] if up else low[bar]
        elif (high[bar] > extreme) if up else (low[bar] < extreme):
            extreme = high[bar] if up else low[bar]
            speed = min(cap, speed + step)
        sar[bar], way[bar] = at, 1.0 if up else -1.0
    return sar, way


def ichimoku(
    high: Floats, low: Floats, tenkan: int, kijun: int, senkou: int, shift: int
) -> tuple[Floats, ...]:
    """Middles of the last bars; the spans were worked out `shift` bars ago."""

    def middle(length: int) -> Floats:
        return (highest(high, length) + lowest(low, length)) / 2.0

    fast, slow = middle(tenkan), middle(kijun)
    return fast, slow, before((fast + slow) / 2.0, shift), before(middle(senkou), shift)


def obv(close: Floats, volume: Floats) -> Floats:
    """Starts at the first bar's volume; volume is added on a higher close, taken off on a lower."""
    signs = np.sign(np.diff(close, prepend=-np.inf))
    return np.asarray(np.cumsum(signs * volume))


def heikin_ashi(open_: Floats, high: Floats, low: Floats, close: Floats) -> tuple[Floats, ...]:
    """The close is the mean of the four prices, the open the middle of the body before."""
    end = (open_ + high + low + close) / 4.0
    begin = unknown(len(close))
    for bar in range(len(close)):
        begin[bar] = (begin[bar - 1] + end[bar - 1]) / 2 if bar else (open_[0] + close[0]) / 2
    return begin, np.maximum(high, np.maximum(begin, end)), np.minimum(
        low, np.minimum(begin, end)), end  # fmt: skip
