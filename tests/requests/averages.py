"""Arrays over bars: shifts, crosses, windows and averages. NaN while warming up."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.requests.bars import Floats, Mask

Level = Floats | float


def shift(x: Floats, bars: int = 1) -> Floats:
    out = np.full(len(x), np.nan)
    out[bars:] = x[: len(x) - bars]
    return out


def before(mask: Mask, bars: int = 1) -> Mask:
    out = np.zeros(len(mask), np.bool_)
    out[bars:] = mask[: len(mask) - bars]
    return out


def above(x: Floats, level: Level) -> Mask:
    """Crosses above: the previous bar at or below, this bar beyond."""
    level = np.broadcast_to(level, x.shape).astype(np.float64)
    return (x > level) & (shift(x) <= shift(level))


def below(x: Floats, level: Level) -> Mask:
    level = np.broadcast_to(level, x.shape).astype(np.float64)
    return (x < level) & (shift(x) >= shift(level))


def turns(state: Mask) -> Mask:
    """True on the first bar of a state."""
    return state & ~before(state)


def in_a_row(mask: Mask, bars: int) -> Mask:
    return lowest(mask.astype(np.float64), bars) > 0.5


def within(mask: Mask, bars: int) -> Mask:
    return highest(mask.astype(np.float64), bars) > 0.5


def _windowed(x: Floats, length: int, what: str) -> Floats:
    out = np.full(len(x), np.nan)
    windows = sliding_window_view(x, length)
    out[length - 1 :] = getattr(windows, what)(axis=1)
    return out


def highest(x: Floats, length: int) -> Floats:
    """Of the last bars, this one included."""
    return _windowed(x, length, "max")


def lowest(x: Floats, length: int) -> Floats:
    return _windowed(x, length, "min")


def prior_high(x: Floats, length: int) -> Floats:
    """Of the previous bars, this one left out."""
    return shift(highest(x, length))


def prior_low(x: Floats, length: int) -> Floats:
    return shift(lowest(x, length))


def sma(x: Floats, length: int) -> Floats:
    return _windowed(x, length, "mean")


def deviation(x: Floats, length: int, sample: bool = False) -> Floats:
    out = _windowed(x, length, "std")
    return out * np.sqrt(length / (length - 1)) if sample else out


def wma(x: Floats, length: int) -> Floats:
    out = np.full(len(x), np.nan)
    weights = np.arange(1.0, length + 1.0)
    out[length - 1 :] = sliding_window_view(x, length) @ weights / weights.sum()
    return out


def ema(x: Floats, length: int, seed: str = "mean") -> Floats:
    """Seeded with the mean of the first values, or with the first value."""
    return _smooth(x, length, 2.0 / (length + 1.0), seed)


def dema(x: Floats, length: int) -> Floats:
    once = ema(x, length)
    return 2.0 * once - ema(once, length)


def tema(x: Floats, length: int) -> Floats:
    once = ema(x, length)
    twice = ema(once, length)
    return 3.0 * (once - twice) + ema(twice, length)


def wilder(x: Floats, length: int) -> Floats:
    return _smooth(x, length, 1.0 / length, "mean")


def average(x: Floats, length: int, kind: str) -> Floats:
    return {"wilder": wilder, "sma": sma, "ema": ema}[kind](x, length)


def _smooth(x: Floats, length: int, weight: float, seed: str) -> Floats:
    out = np.full(len(x), np.nan)
    start = int(np.argmin(np.isnan(x)))
    if seed == "mean":
        value, start = float(x[start : start + length].mean()), start + length - 1
    else:
        value = float(x[start])
    out[start] = value
    for i, new in enumerate(x[start + 1 :].tolist(), start + 1):
        value += weight * (new - value)
        out[i] = value
    return out
