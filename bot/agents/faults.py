"""What is wrong with a contract, in sentences: what cannot be meant, and so cannot be written."""

from __future__ import annotations

from collections.abc import Iterator

from bot.agents.tree import (
    SMOOTHINGS,
    WHOLE,
    asks_position,
    constant,
    levels_of,
    nodes,
    one_base,
    roots,
    sides,
)
from schemas import contract as c
from schemas.indicators import KINDS


class Unwritable(ValueError):
    """The contract cannot be written as code; says what to change in it."""


def faults(contract: c.Contract) -> list[str]:
    """Every fault once, in the order of the contract."""
    found = [
        *_indicators(contract),
        *_references(contract),
        *_loops(contract),
        *_divisions(contract),
        *_position(contract),
        *_distances(contract),
        *_levels(contract),
    ]
    return list(dict.fromkeys(found))


def refuse_faults(contract: c.Contract) -> None:
    wrong = faults(contract)
    if wrong:
        raise Unwritable("; ".join(wrong))


def _indicators(contract: c.Contract) -> Iterator[str]:
    seen: set[str] = set()
    for found in contract.indicators:
        if found.id in seen:
            yield f"two indicators have the id {found.id}: give each its own"
        seen.add(found.id)
        kind = KINDS.get(found.kind)
        if kind is None:
            yield f"indicator {found.id} has the unknown kind {found.kind}"
            continue
        for parameter in found.parameters:
            if parameter.name not in kind.parameters:
                known = ", ".join(kind.parameters) or "none"
                yield f"{found.id}: {found.kind} has no parameter {parameter.name}, only {known}"
            else:
                yield from _value(found, parameter)
        if found.of is not None and kind.reads != "source":
            yield f"{found.id}: {found.kind} reads the bars and cannot be taken of another series"
        yield from _smoothing(found)


def _value(found: c.Indicator, parameter: c.Parameter) -> Iterator[str]:
    name, value = parameter.name, parameter.value
    lowest = {"start": -1.0, "shift": 0.0}.get(name, 1.0)
    if name in WHOLE and (value != int(value) or not lowest <= value <= 100_000):
        yield f"{found.id}: {name} must be a whole number from {int(lowest)} on, not {value:g}"
    elif name not in WHOLE and value <= 0.0:
        yield f"{found.id}: {name} must be above zero, not {value:g}"


def _smoothing(found: c.Indicator) -> Iterator[str]:
    if not found.smoothing:
        return
    takes = bool(KINDS[found.kind].smoothing)
    if not takes:
        yield f"{found.id}: {found.kind} has one way of smoothing; leave {found.smoothing!r} out"
    elif found.smoothing.lower() not in SMOOTHINGS:
        yield f"{found.id}: smoothing is Wilder, simple or exponential, not {found.smoothing!r}"


def _references(contract: c.Contract) -> Iterator[str]:
    known = {i.id: KINDS.get(i.kind) for i in contract.indicators}
    for where, root in roots(contract):
        for node in nodes(root):
            if not isinstance(node, c.Series):
                continue
            if node.indicator not in known:
                yield f"{where} names {node.indicator}, which is no indicator of the contract"
                continue
            kind = known[node.indicator]
            if kind is not None and node.output not in kind.outputs:
                outputs = ", ".join(kind.outputs)
                yield f"{where}: {node.indicator} has no output {node.output}, only {outputs}"


def _loops(contract: c.Contract) -> Iterator[str]:
    of = {i.id: i.of.indicator for i in contract.indicators if i.of is not None}
    for start in of:
        name, steps = start, 0
        while name in of and steps <= len(of):
            name, steps = of[name], steps + 1
        if steps > len(of):
            yield f"indicator {start} is made of itself"


def _divisions(contract: c.Contract) -> Iterator[str]:
    for where, root in roots(contract):
        for node in nodes(root):
            if isinstance(node, c.Arithmetic) and node.op == "divide" and constant(node.right) == 0:
                yield f"{where} divides by zero"


def _position(contract: c.Contract) -> Iterator[str]:
    for where, root in roots(contract):
        rule = where.startswith(("entry", "exit"))
        if not rule and asks_position(root):
            yield f"{where} reads the open position, which an order does not have yet"
    asking = any(asks_position(e.when) for e in contract.entries)
    if contract.reverse and asking:
        yield "an entry that reads the open position cannot reverse it: write an exit for it"


def _distances(contract: c.Contract) -> Iterator[str]:
    risk, known = contract.risk, {i.id: i for i in contract.indicators}
    used = [("stop", x.distance) for x in risk.stops]
    used += [("target", x.distance) for x in risk.targets]
    used += [("trailing", x.distance) for x in risk.trailing]
    used += [("trailing", x.starts_after) for x in risk.trailing]
    used += [("break-even", risk.break_even_after)]
    for where, far in used:
        if far is None:
            continue
        if far.unit == "atr" and far.indicator not in known:
            yield f"the {where} counts in ATRs but names no indicator of the contract"
        elif far.unit == "atr" and far.indicator and _outputs(known[far.indicator]) > 1:
            yield f"the {where} counts in {far.indicator}, which has more than one output"
        if far.unit == "r" and where == "stop":
            yield "a stop cannot be counted in R: R is the distance to the stop"
        if far.unit == "r" and not all(levels_of(risk.stops, s) for s in sides(contract)):
            yield f"the {where} counts in R, but not every side has a stop"
        if far.unit == "percent" and where in ("stop", "trailing") and far.amount >= 100.0:
            yield f"the {where} is {far.amount:g}% away: give less than 100%"


def _outputs(found: c.Indicator) -> int:
    return len(KINDS[found.kind].outputs) if found.kind in KINDS else 1


def _levels(contract: c.Contract) -> Iterator[str]:
    risk = contract.risk
    for name, levels in (("stop", risk.stops), ("target", risk.targets)):
        for level in levels:
            if (level.distance is None) == (level.price is None):
                yield f"a {name} needs either a distance or a price"
            if level.base == "fill" and level.price is not None:
                yield f"a {name} at a price is not measured from the fill"
    if not all(one_base(risk, side) for side in sides(contract)):
        yield "a target in R is measured from what its stop is measured from: give both one base"
    stopped = all(levels_of(risk.stops, side) for side in sides(contract))
    if risk.sizing.kind in ("risk_percent", "risk_cash") and not stopped:
        yield "the size is a risk, but not every side has a stop: add one or change the size"
    if risk.sizing.amount <= 0:
        yield "the size must be above zero"
