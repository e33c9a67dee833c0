"""What a contract must be beyond its form, and what is nobody's to choose in it. Pure."""

from __future__ import annotations

import dataclasses
import keyword
import re
from collections.abc import Iterator
from dataclasses import replace

from bot.agents.clean import clean
from bot.agents.interface import DATA_MODELS, EXCEPTIONS, INTERFACE
from bot.agents.tree import one_base
from schemas.contract import (
    Contract,
    Distance,
    Held,
    Indicator,
    Level,
    Parameter,
    Series,
    Side,
)
from schemas.indicators import KINDS
from schemas.work import WorkOrder

NAME = re.compile(r"[a-z][a-z0-9_]{1,60}")


def settled(contract: Contract, order: WorkOrder) -> Contract:
    """With its owner, a folder of its own, the usual values and the fixed interface.

    Examples are computed from bars, which a writer has not seen, so none of its own are kept.
    """
    own = f"_{order.issue}"
    name = contract.name.removesuffix(own)[:80] + own
    if order.contract is not None and order.tried:  # it was live: its folder and tags go on
        name = order.contract.name
    named = replace(
        contract,
        workflow_id=order.workflow_id,
        correlation_id=order.correlation_id,
        name=name,
        indicators=tuple(_complete(i) for i in contract.indicators),
        interface=INTERFACE,
        data_models=DATA_MODELS,
        exceptions=EXCEPTIONS,
        examples=(),
    )
    return replace(named, test_skeleton=_skeleton(named))


def problems(contract: Contract) -> tuple[str, ...]:
    """What keeps it from being built and judged, in words that say where."""
    return (
        *_misnamed(contract),
        *(p for n, _ in enumerate(contract.indicators) for p in _indicator(contract, n)),
        *_series(contract),
        *_levels(contract),
        *_held(contract),
    )


def _held(contract: Contract) -> Iterator[str]:
    """What is added to a position may look at the newest one; the first entry has none."""
    if contract.risk.max_positions > 1:
        return
    for n, entry in enumerate(contract.entries):
        for node in _nodes(entry):
            if isinstance(node, Held):
                yield f"entry {n}: {node.field} exists only while a position is open"


def _complete(indicator: Indicator) -> Indicator:
    kind = KINDS.get(indicator.kind)
    if kind is None:
        return indicator
    given = {p.name for p in indicator.parameters}
    usual = tuple(
        Parameter(name=n, value=float(v)) for n, v in kind.parameters.items() if n not in given
    )
    smoothing = indicator.smoothing or kind.smoothing
    return replace(indicator, parameters=(*indicator.parameters, *usual), smoothing=smoothing)


def _misnamed(contract: Contract) -> Iterator[str]:
    if not NAME.fullmatch(contract.name) or keyword.iskeyword(contract.name):
        yield f"name: {contract.name!r} is no folder; use a-z, 0-9 and _, and begin with a letter"
    ids = [i.id for i in contract.indicators]
    yield from (f"indicators: {i!r} is there twice" for i in sorted({*ids}) if ids.count(i) > 1)


def _indicator(contract: Contract, n: int) -> Iterator[str]:
    indicator = contract.indicators[n]
    kind, where = KINDS.get(indicator.kind), f"indicator {indicator.id!r}"
    if kind is None:
        yield f"{where}: there is no kind {indicator.kind!r}"
        return
    names = [p.name for p in indicator.parameters]
    for name in sorted({*names}):
        if name not in kind.parameters:
            known = ", ".join(kind.parameters) or "none"
            yield f"{where}: {indicator.kind} has no parameter {name!r}, only: {known}"
        elif names.count(name) > 1:
            yield f"{where}: {name!r} is given twice"
    if indicator.of and indicator.of.indicator not in {i.id for i in contract.indicators[:n]}:
        yield f"{where}: {indicator.of.indicator!r} must be defined before it"
    if indicator.of and kind.reads != "source":
        yield f"{where}: {indicator.kind} reads {kind.reads}, not another indicator"


def _series(contract: Contract) -> Iterator[str]:
    kinds = {i.id: KINDS.get(i.kind) for i in contract.indicators}
    for node in dict.fromkeys(x for x in _nodes(contract) if isinstance(x, Series)):
        kind = kinds.get(node.indicator)
        if node.indicator not in kinds:
            yield f"a rule uses {node.indicator!r}, which is not among the indicators"
        elif kind and node.output not in kind.outputs:
            known = ", ".join(kind.outputs)
            yield f"{node.indicator!r} has no output {node.output!r}, only: {known}"


def _levels(contract: Contract) -> Iterator[str]:
    atrs = {i.id for i in contract.indicators if i.kind == "atr"}
    for node in dict.fromkeys(x for x in _nodes(contract.risk) if isinstance(x, Level | Distance)):
        if isinstance(node, Level) and (node.distance is None) == (node.price is None):
            yield "a stop or target is either a distance or a price"
        if isinstance(node, Level) and node.base == "fill" and node.price is not None:
            yield "a stop or target at a price is not measured from the fill: leave `base` out"
        if isinstance(node, Distance) and node.unit == "atr" and node.indicator not in atrs:
            yield "a distance in ATR must name an indicator of kind atr"
    if not all(one_base(contract.risk, side) for side in Side):
        yield "a target in R is measured from what its stop is measured from: give both one `base`"
    kind = contract.risk.sizing.kind
    if kind in ("risk_percent", "risk_cash") and not contract.risk.stops:
        yield f"sizing: {kind} needs a stop"


def _nodes(part: object) -> Iterator[object]:
    yield part
    if dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from _nodes(getattr(part, field.name))
    elif isinstance(part, tuple):
        for child in part:
            yield from _nodes(child)


def _skeleton(contract: Contract) -> str:
    """One test to write for each rule."""
    rules = [(f"{e.side}_entry", e.reason) for e in contract.entries]
    rules += [(f"{e.side or 'any'}_exit", e.reason) for e in contract.exits]
    tests = [
        f"def test_{name}_{n}() -> None:\n    ...  # {' '.join(clean(reason, 100).split())}\n"
        for n, (name, reason) in enumerate(rules, 1)
    ]
    return "\n\n".join(tests)
