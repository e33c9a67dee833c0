"""Whether an order can be placed: its prices are known and on the right sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.base_adapter import OrderRequest


def fits(action: str, low: float, high: float, stop: float | None, target: float | None) -> bool:
    """Whether a broker takes these levels for an order that fills between `low` and `high`."""
    side = 1.0 if action == "BUY" else -1.0
    worst, best = (low, high) if action == "BUY" else (high, low)
    if stop is not None and not (stop > 0.0 and side * (stop - best) <= 0.0):
        return False
    if target is not None and not (target > 0.0 and side * (target - worst) >= 0.0):
        return False
    return stop is None or target is None or side * (target - stop) > 0.0


def from_fill(
    order: OrderRequest, side: float, fill: float, stop: float, target: float
) -> tuple[float, float]:
    """Stop and target once the fill is known; `stop` and `target` are those before, NaN is none."""
    percent, away, other = order.get("sl_percent"), order.get("sl_distance"), order.get("sl_fixed")
    far = [x for x in (percent and fill * percent / 100.0, away) if x]
    if far:
        level = fill - side * min(far)
        level = other if other and side * (other - level) > 0.0 else level
        stop = level if level > 0.0 else stop
    percent, away, other = order.get("tp_percent"), order.get("tp_distance"), order.get("tp_fixed")
    times = order.get("tp_r")
    far = [x for x in (percent and fill * percent / 100.0, away) if x]
    far += [times * abs(fill - stop)] if times else []
    if far:
        level = fill + side * min(far)
        level = other if other and side * (level - other) > 0.0 else level
        target = level if level > 0.0 else target
    return stop, target
