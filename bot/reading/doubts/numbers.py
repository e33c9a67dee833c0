"""A number in a rule that the contract does not have was lost on the way: asked about."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from decimal import Decimal

from bot.reading import replies
from bot.reading.rules.told import Told
from schemas import contract as c

_NUMBER = re.compile(r"(?<![\w.:/$-])-?(\d+(?:\.\d+)?)(?![\w:]|\.\d|/)(?:[\s-]*([a-z%]+))?")
_STRETCH = re.compile(r"minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|sessions?")
_BARS = {"week": (4, 7), "month": (18, 31), "year": (240, 366)}
"""About so many daily bars."""
_IN_A_ROW = re.compile(
    r"\b(\d+) (?:\w+ )?(?:in a row|straight|consecutively)|\b(\d+) consecutive\b"
)
_TRIVIAL = {0.0, 1.0}
"""Nearly every rule has them, said or not."""


def lost_number(contract: c.Contract, told: Told) -> str | None:
    """The first of them, in the words around it."""
    known = set(_known((contract.entries, contract.exits, contract.risk, contract.indicators)))
    shown = repr((contract.entries, contract.exits))
    for rule in told.rules:
        row = _IN_A_ROW.search(rule.said)
        if row and "InARow(" not in shown and "shift=" not in shown:
            return replies.lost_number(row[0], rule.said)
        for found in _NUMBER.finditer(rule.said):
            value = float(found[1])
            if value not in _TRIVIAL and not _has(known, value, found[2] or ""):
                return replies.lost_number(found[0].strip(), rule.said)
    return None


def _has(known: set[float], value: float, unit: str) -> bool:
    near = {value, value - 1, value + 1}
    ratios = {x for part in (value / 100, value / 10_000) for x in (part, 1 + part, 1 - part)}
    if any(abs(x - y) < 1e-9 for x in known for y in near | ratios):
        return True
    if not _STRETCH.fullmatch(unit):
        return False
    low, high = next((span for word, span in _BARS.items() if unit.startswith(word)), (0, 0))
    finer = unit.startswith(("min", "h"))  # the bars may be longer than the unit
    counted = any(x > 1 and (x % value == 0 or finer and value % x == 0) for x in known)
    return counted or any(low <= x / value <= high for x in known)


def _known(node: object) -> Iterator[float]:
    """Every number in it, a clock's hours and minutes too."""
    match node:
        case bool():
            return
        case int() | float() | Decimal():
            yield abs(float(node))
        case str():
            yield from (
                float(x) for x in re.findall(r"\d+", node) if len(node) == 5 and ":" in node
            )
        case tuple():
            for x in node:
                yield from _known(x)
        case _ if dataclasses.is_dataclass(node):
            for x in dataclasses.fields(node):
                yield from _known(getattr(node, x.name))
