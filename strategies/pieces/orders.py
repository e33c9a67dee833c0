"""Whether an order can be placed: its prices are known and on the right sides."""

from __future__ import annotations


def fits(action: str, low: float, high: float, stop: float | None, target: float | None) -> bool:
    """Whether a broker takes these levels for an order that fills between `low` and `high`."""
    side = 1.0 if action == "BUY" else -1.0
    worst, best = (low, high) if action == "BUY" else (high, low)
    if stop is not None and not (stop > 0.0 and side * (stop - best) <= 0.0):
        return False
    if target is not None and not (target > 0.0 and side * (target - worst) >= 0.0):
        return False
    return stop is None or target is None or side * (target - stop) > 0.0
