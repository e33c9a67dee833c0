"""Indicators of the day so far: each begins anew with the first bar of a date."""

from __future__ import annotations

import numpy as np

from sandbox.oracle.days import Times, day_number, minute, spans
from sandbox.oracle.windows import Floats, ratio, unknown


def this_day(open_: Floats, high: Floats, low: Floats, times: Times) -> tuple[Floats, ...]:
    found = tuple(unknown(len(times)) for _ in range(3))
    for span in spans(day_number(times)) if len(times) else ():
        found[0][span] = open_[span][0]
        found[1][span] = np.maximum.accumulate(high[span])
        found[2][span] = np.minimum.accumulate(low[span])
    return found


def vwap(high: Floats, low: Floats, close: Floats, volume: Floats, times: Times) -> Floats:
    """Typical prices weighted with their volume."""
    money, found = (high + low + close) / 3.0 * volume, unknown(len(times))
    for span in spans(day_number(times)) if len(times) else ():
        found[span] = ratio(np.cumsum(money[span]), np.cumsum(volume[span]))
    return found


def opening_range(
    high: Floats, low: Floats, times: Times, start: int, minutes: int
) -> tuple[Floats, Floats]:
    """High and low of the bars stamped from `start` (-1: the day's first bar) for `minutes`; known
    from the first bar stamped after them."""
    top, bottom, clock = unknown(len(times)), unknown(len(times)), minute(times)
    for span in spans(day_number(times)) if len(times) else ():
        at = clock[span]
        begin = at[0] if start < 0 else start
        inside, after = (at >= begin) & (at < begin + minutes), at >= begin + minutes
        if inside.any():
            top[span] = np.where(after, high[span][inside].max(), np.nan)
            bottom[span] = np.where(after, low[span][inside].min(), np.nan)
    return top, bottom
