"""Where a contract's stops and targets are once the fill is known, and what its orders say of it.

Worked out from the contract alone: nothing of the broker's own arithmetic is used here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandbox.reference import Reference, Unknown
from schemas import contract as c

KEYS = ("sl_percent", "sl_distance", "sl_fixed", "tp_percent", "tp_distance", "tp_r", "tp_fixed")


def after_fill(r: Reference, entry: c.Entry, bar: int, fill: float) -> tuple[float, float]:
    """Stop and target of a position that was decided on this bar; NaN where there is none."""
    risk, way = r.contract.risk, 1.0 if entry.side is c.Side.LONG else -1.0
    before = {name: float(s.iloc[bar]) for name, s in r.prices(entry).items()}
    signal = before.get("price", float(r.df["Close"].iloc[bar]))
    stop = target = math.nan
    stops, targets = _of(risk.stops, entry.side), _of(risk.targets, entry.side)
    if stops:
        found = [_price(r, x, bar, fill, signal, -way, math.nan) for x in stops]
        stop = _if_above_zero(max(found) if way > 0.0 else min(found), before["sl"])
    if targets:
        found = [_price(r, x, bar, fill, signal, way, stop) for x in targets]
        target = _if_above_zero(min(found) if way > 0.0 else max(found), before["tp"])
    return stop, target


def _of(levels: Sequence[c.Level], side: c.Side) -> list[c.Level]:
    return [x for x in levels if x.side in (side, None)]


def _if_above_zero(level: float, before: float) -> float:
    return level if level > 0.0 else before


def _price(
    r: Reference, level: c.Level, bar: int, fill: float, signal: float, away: float, stop: float
) -> float:
    if level.price is not None:
        return float(r.operand(level.price).iloc[bar])
    base, far = fill if level.base == "fill" else signal, level.distance
    if far is None:
        raise Unknown("a level without a distance")
    if far.unit == "percent":
        return base + away * base * far.amount / 100.0
    if far.unit == "r":
        return base + away * far.amount * abs(base - stop)
    return base + away * float(r.reach(far).iloc[bar])


def told(r: Reference, entry: c.Entry, bar: int) -> dict[str, float]:
    """The keys of an order of this bar that measure from the fill; of several the nearest."""
    found: dict[str, float] = {}
    risk, way = r.contract.risk, 1.0 if entry.side is c.Side.LONG else -1.0
    if not any(x.base == "fill" for x in (*risk.stops, *risk.targets)):
        return found
    before = {name: float(s.iloc[bar]) for name, s in r.prices(entry).items()}
    signal = before.get("price", float(r.df["Close"].iloc[bar]))
    for key, levels, away in (("sl", risk.stops, -way), ("tp", risk.targets, way)):
        given = _of(levels, entry.side)
        moving = [x for x in given if x.base == "fill"]
        for level in moving:
            if level.distance is None:
                raise Unknown("a level without a distance")
            name, much = _measured(r, level.distance, bar)
            found[f"{key}_{name}"] = min(found.get(f"{key}_{name}", math.inf), much)
        staying = [_price(r, x, bar, signal, signal, away, before.get("sl", math.nan))
                   for x in given if x.base != "fill"]  # fmt: skip
        if moving and staying:
            found[f"{key}_fixed"] = min(staying) if away > 0.0 else max(staying)
    return found


def _measured(r: Reference, far: c.Distance, bar: int) -> tuple[str, float]:
    if far.unit in ("percent", "r"):
        return far.unit, far.amount
    return "distance", float(r.reach(far).iloc[bar])
