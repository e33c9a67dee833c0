"""The numbers, hours and days that a contract has, by the part that they stand in. Pure."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from schemas import contract as c


@dataclass(frozen=True)
class Values:
    """`entries` and `exits` have the settings of the indicators that they name; `risk` is stops,
    targets, size and counts; `told` is what the assumptions say of the person's numbers."""

    entries: frozenset[float]
    exits: frozenset[float]
    risk: frozenset[float]
    costs: frozenset[float]
    told: frozenset[float]

    @property
    def conditions(self) -> frozenset[float]:
        return self.entries | self.exits

    @property
    def all(self) -> frozenset[float]:
        return self.conditions | self.risk | self.costs | self.told


def values(contract: c.Contract) -> Values:
    def of(part: object) -> frozenset[float]:
        return frozenset(_numbers((part, _named(contract, part))))

    told = " ".join(a.topic for a in contract.assumptions if a.topic != "left out")
    spans = [x for i in contract.indicators if i.kind == "opening_range" for x in _numbers(i)]
    return Values(
        of(contract.entries),
        of(contract.exits),
        of(contract.risk) | _held(contract),
        of((contract.costs, contract.pip_size)),
        frozenset([*_written(told), *(x / bar for x in spans for bar in (5, 15, 30, 60))]),
    )


COUNTED = re.compile(
    r"(?:trading )?(?:bar|day|candle|close|week|session|hour|period|high|low|red|green|up|down|one)s?|closing|white|black|consecutive|more|straight|in|inside|higher|lower|quiet|of|previous|prior"
)
TICKS = (0.00001, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)


def has(known: frozenset[float], value: float, unit: str) -> bool:
    """In any spelling: 3% as 0.03, 1.03 or 0.97; three days as three bars or one more or less."""
    spelt = {value}
    if unit in ("%", "percent", "pct", "per"):
        spelt |= {value / 100, 1 + value / 100, 1 - value / 100}
    elif unit.startswith(("bp", "basis")):
        spelt |= {value / 100, value / 10_000, 1 + value / 10_000, 1 - value / 10_000}
    elif unit.startswith(("tick", "pip")):
        spelt |= {value * tick for tick in TICKS}
    elif COUNTED.fullmatch(unit):
        spelt |= {value - 1, value + 1}
    if any(abs(x - y) < 1e-9 for x in known for y in spelt):
        return True
    return _stretch(known, value, unit)


_BARS = {"week": (4, 7), "month": (18, 31), "year": (240, 366)}
"""About so many daily bars."""


def _stretch(known: frozenset[float], value: float, unit: str) -> bool:
    """A span of time that was turned into a number of bars."""
    if (
        not re.fullmatch(r"(?:minute|min|hour|hr|h|day|week|month|year|session)s?", unit)
        or not value
    ):
        return False
    low, high = next((span for word, span in _BARS.items() if unit.startswith(word)), (0, 0))
    finer = unit.startswith(("min", "h"))
    counted = any(x > 1 and (x % value == 0 or finer and value % x == 0) for x in known)
    return counted or any(0 < low <= x / value <= high for x in known)


_COUNTS = re.compile(
    r"\b(?:bars|shift|exit_after_bars|cooldown_bars)=(\d+)"
    r"|field='bars'.{0,80}?Constant\(value=(\d+)"
    r"|kind='(?:roc|momentum)'.{0,200}?value=(\d+)"
)


def counts(contract: c.Contract) -> frozenset[float]:
    """How many bars back, in a row or since the fill: no length of an average among them."""
    found = _COUNTS.findall(
        repr((contract.entries, contract.exits, contract.risk, contract.indicators))
    )
    return frozenset(float(x) for row in found for x in row if x) | _held(contract)


def _held(contract: c.Contract) -> frozenset[float]:
    """A position that is left after ten bars is closed at the open that follows the ninth."""
    after = contract.risk.exit_after_bars
    return frozenset() if after is None else frozenset({after + 1.0})


def clocks(contract: c.Contract) -> frozenset[int]:
    """Every minute of the day that a rule names."""
    shown = repr((contract.entries, contract.exits, contract.risk))
    found = {int(h) * 60 + int(m) for h, m in re.findall(r"'(\d\d):(\d\d)'", shown)}
    minutes = re.findall(r"field='minute'.{0,60}?Constant\(value=(\d+)", shown)
    return frozenset(found | {int(x) for x in minutes})


def _named(contract: c.Contract, part: object) -> list[c.Indicator]:
    """The indicators that a part names, and those that they are made of."""
    every = {i.id: i for i in contract.indicators}
    wanted, found = set(re.findall(r"indicator='([^']+)'", repr(part))), list[c.Indicator]()
    while wanted:
        about = every.get(wanted.pop())
        if about is not None and about not in found:
            found.append(about)
            wanted |= {about.of.indicator} if about.of else set()
    return found


def _written(text: str) -> Iterator[float]:
    yield from (float(x) for x in re.findall(r"\d+(?:\.\d+)?", text))


def _numbers(node: object) -> Iterator[float]:
    match node:
        case bool():
            return
        case int() | float() | Decimal():
            yield abs(float(node))
        case str():
            return
        case tuple() | list():
            for x in node:
                yield from _numbers(x)
        case _ if dataclasses.is_dataclass(node):
            if isinstance(node, c.OnDays):
                return  # a day of the week is no number
            for field in dataclasses.fields(node):
                yield from _numbers(getattr(node, field.name))
