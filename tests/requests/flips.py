"""Indicators that turn between up and down: Supertrend and the parabolic SAR."""

import numpy as np

from tests.requests.bars import Bars, Floats, Ints
from tests.requests.indicators import atr


def supertrend(
    bars: Bars, length: int = 10, width: float = 3.0, kind: str = "wilder", against: str = "last"
) -> Ints:
    """1 up, -1 down. A close is compared with the last bar's band, or with this bar's."""
    middle, spread = (bars.high + bars.low) / 2.0, width * atr(bars, length, kind)
    upper, lower = (middle + spread).tolist(), (middle - spread).tolist()
    close, out = bars.close.tolist(), np.zeros(len(middle), np.int64)
    start = int(np.argmin(np.isnan(spread)))
    out[start] = 1
    for i in range(start + 1, len(close)):
        top, bottom = upper[i - 1], lower[i - 1]
        if close[i - 1] <= top:
            upper[i] = min(upper[i], top)
        if close[i - 1] >= bottom:
            lower[i] = max(lower[i], bottom)
        if against == "this":
            top, bottom = upper[i], lower[i]
        out[i] = _side(int(out[i - 1]), close[i] > top, close[i] < bottom)
    return out


def _side(before: int, over: bool, under: bool) -> int:
    if before < 0 and over:
        return 1
    return -1 if before > 0 and under else before


def psar(bars: Bars, step: float = 0.02, cap: float = 0.2, kind: str = "two bars") -> Ints:
    """1 when the dots are below the price, -1 above.

    Wilder left open how the dots keep out of the range of the last bars: "two bars" limits the next
    dot by this bar and the last, also after a turn; "before" limits it by the last two before the
    turn is tested; "after" once it was; "last" likewise by one of them; "free" never.
    """
    if kind == "two bars":
        return _wilder_sar(bars.high, bars.low, step, cap)
    high, low, out = bars.high.tolist(), bars.low.tolist(), np.zeros(len(bars.high), np.int64)
    up, dot, best, speed = True, low[0], high[0], step
    for i in range(1, len(high)):
        ahead, behind, nearer = (high, low, min) if up else (low, high, max)
        side = 1.0 if up else -1.0
        last = (behind[max(i - 2, 0)], behind[i - 1])
        dot += speed * (best - dot)
        if kind == "before":
            dot = nearer(dot, *last)
        if side * (behind[i] - dot) < 0:
            up, dot, best, speed = not up, best, behind[i], step
        else:
            if side * (ahead[i] - best) > 0:
                best, speed = ahead[i], min(speed + step, cap)
            if kind == "after":
                dot = nearer(dot, *last)
            elif kind == "last":
                dot = next((b for b in last if side * (b - dot) < 0), dot)
        out[i] = 1 if up else -1
    return out


def _wilder_sar(high: Floats, low: Floats, step: float, cap: float) -> Ints:
    """Shorts are longs of the mirrored prices, so one set of rules serves both."""
    out = np.zeros(len(high), np.int64)
    fell, rose = low[0] - low[1], high[1] - high[0]
    side = -1 if fell > 0 and fell > rose else 1
    dot, best, speed = (low[0], high[1], step) if side > 0 else (-high[0], -low[1], step)
    for i in range(1, len(high)):
        far, near = (high, low) if side > 0 else (-low, -high)
        last = max(i - 1, 1)
        if near[i] <= dot:
            side = -side
            far, near = -near, -far
            dot = min(-best, near[last], near[i])
            best, speed = far[i], step
        elif far[i] > best:
            best, speed = far[i], min(speed + step, cap)
        dot = min(dot + speed * (best - dot), near[last], near[i])
        out[i] = side
    return out
