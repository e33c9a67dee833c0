"""Averages that remember: each value is a step from the one before towards the newest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sandbox.oracle.windows import Floats, sma, unknown

Average = Callable[[Floats, int], Floats]


def stepped(values: Floats, length: int, step: float) -> Floats:
    """Begins as the plain mean of the first `length` known values, on the bar of the last of them.
    An unknown value after that leaves it as it was."""
    found, known = unknown(len(values)), np.flatnonzero(~np.isnan(values))
    if not 1 <= length <= len(known):
        return found
    first = int(known[length - 1])
    average = float(values[known[:length]].mean())
    found[first] = average
    for bar, value in enumerate(values[first + 1 :].tolist(), first + 1):
        average += 0.0 if value != value else step * (value - average)
        found[bar] = average
    return found


def ema(values: Floats, length: int) -> Floats:
    return stepped(values, length, 2.0 / (length + 1.0))


def rma(values: Floats, length: int) -> Floats:
    return stepped(values, length, 1.0 / length)


def dema(values: Floats, length: int) -> Floats:
    once = ema(values, length)
    return 2.0 * once - ema(once, length)


def tema(values: Floats, length: int) -> Floats:
    once = ema(values, length)
    twice = ema(once, length)
    return 3.0 * once - 3.0 * twice + ema(twice, length)


def macd(values: Floats, fast: int, slow: int, signal: int) -> tuple[Floats, ...]:
    line = ema(values, fast) - ema(values, slow)
    average = ema(line, signal)
    return line, average, line - average


SMOOTHINGS: dict[str, Average] = {
    **dict.fromkeys(("", "wilder", "rma", "smma"), rma),
    **dict.fromkeys(("simple", "sma"), sma),
    **dict.fromkeys(("exponential", "ema"), ema),
}
