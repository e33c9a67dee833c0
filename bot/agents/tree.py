"""Walks over a contract: which nodes it has, and what an indicator is made of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator

from schemas import contract as c
from schemas.indicators import KINDS

ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv, "minimum": min, "maximum": max,
}  # fmt: skip
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "above": operator.gt, "below": operator.lt, "at_least": operator.ge, "at_most": operator.le,
    "equal": operator.eq,
}  # fmt: skip
SIGNS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equal": "=="}
TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "=="}
Node = c.Operand | c.Condition
WHOLE = {
    "length", "window", "smooth", "signal", "fast", "slow", "atr_length", "tenkan", "kijun",
    "senkou", "shift", "start", "minutes",
}  # fmt: skip
"""Parameters that count bars or minutes."""
SMOOTHINGS = {
    "wilder": "rma", "rma": "rma", "smma": "rma", "simple": "sma", "sma": "sma",
    "exponential": "ema", "ema": "ema",
}  # fmt: skip
"""How people call an average -> the piece that it is."""


def nodes(root: Node) -> Iterator[Node]:
    """The node and everything below it."""
    yield root
    match root:
        case c.Compare() | c.Cross() | c.Arithmetic():
            yield from nodes(root.left)
            yield from nodes(root.right)
        case c.Every() | c.Either():
            for inner in root.of:
                yield from nodes(inner)
        case c.Never() | c.InARow() | c.Within():
            yield from nodes(root.of)


def constant(node: c.Operand) -> float | None:
    """The number that it always is, if it is one."""
    if isinstance(node, c.Constant):
        return float(node.value)
    if not isinstance(node, c.Arithmetic):
        return None
    left, right = constant(node.left), constant(node.right)
    if left is None or right is None or (node.op == "divide" and not right):
        return None
    return ARITHMETIC[node.op](left, right)


def asks_position(root: Node) -> bool:
    """Whether it depends on an open position."""
    return any(isinstance(n, c.Held) for n in nodes(root))


def roots(contract: c.Contract) -> Iterator[tuple[str, Node]]:
    """Every tree of the contract, and where it stands."""
    for n, entry in enumerate(contract.entries, 1):
        yield f"entry {n}", entry.when
        if entry.limit is not None:
            yield f"the limit of entry {n}", entry.limit
    for n, leave in enumerate(contract.exits, 1):
        yield f"exit {n}", leave.when
    for name, levels in (("stop", contract.risk.stops), ("target", contract.risk.targets)):
        for n, level in enumerate(levels, 1):
            if level.price is not None:
                yield f"{name} {n}", level.price
    for found in contract.indicators:
        if found.of is not None:
            yield f"indicator {found.id}", found.of


def parameters(found: c.Indicator) -> dict[str, float]:
    """All of the kind's parameters in their order, given or usual."""
    given = {p.name: p.value for p in found.parameters}
    return {name: given.get(name, usual) for name, usual in KINDS[found.kind].parameters.items()}


def sides(contract: c.Contract) -> list[c.Side]:
    """The sides that it enters, long first."""
    return [side for side in c.Side if any(e.side is side for e in contract.entries)]


def levels_of(levels: tuple[c.Level, ...], side: c.Side) -> list[c.Level]:
    return [level for level in levels if level.side in (side, None)]


def remembers(contract: c.Contract) -> bool:
    """Whether an entry depends on earlier trades or on positions that are open."""
    risk = contract.risk
    asks = any(asks_position(e.when) for e in contract.entries)
    return bool(asks or risk.cooldown_bars or risk.max_entries_per_day or risk.max_positions > 1)


KEYS = {
    "limit": "price", "stop": "sl", "target": "tp",
    "stop_percent": "sl_percent", "stop_distance": "sl_distance", "stop_fixed": "sl_fixed",
    "target_percent": "tp_percent", "target_distance": "tp_distance", "target_r": "tp_r",
    "target_fixed": "tp_fixed",
}  # fmt: skip
"""A price or a distance of ours -> its key in an order; the last seven are measured from the
fill, see `simbroker/from_fill.py`."""


def from_fill(levels: list[c.Level], unit: str) -> list[float]:
    """The amounts of the distances of this unit that are measured from the fill."""
    return [x.distance.amount for x in levels
            if x.base == "fill" and x.distance is not None and x.distance.unit == unit]  # fmt: skip


def fixed(levels: list[c.Level]) -> list[c.Level]:
    """Those that stay where they are, beside others that are measured from the fill."""
    staying = [x for x in levels if x.base == "signal"]
    return staying if len(staying) < len(levels) else []


def measures_from_fill(contract: c.Contract) -> bool:
    return any(x.base == "fill" for x in (*contract.risk.stops, *contract.risk.targets))


def one_base(risk: c.Risk, side: c.Side) -> bool:
    """R is the distance to the stop. Where the stop is a price, it is that from either base."""
    in_r = {x.base for x in levels_of(risk.targets, side)
            if x.distance is not None and x.distance.unit == "r"}  # fmt: skip
    stops = {x.base for x in levels_of(risk.stops, side) if x.distance is not None}
    return not in_r or len(in_r | stops) == 1


def keys_from_fill(contract: c.Contract) -> list[str]:
    """Which of the seven keys its orders may have."""
    found: set[str] = set()
    risk = contract.risk
    for key, levels in (("sl", risk.stops), ("tp", risk.targets)):
        for given in (levels_of(levels, side) for side in sides(contract)):
            units = {x.distance.unit for x in given if x.base == "fill" and x.distance is not None}
            found |= {f"{key}_{u}" if u in ("percent", "r") else f"{key}_distance" for u in units}
            found |= {f"{key}_fixed"} if fixed(given) else set()
    return [key for key in KEYS.values() if key in found]
