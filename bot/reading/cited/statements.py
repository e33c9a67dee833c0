"""The statements of a sheet with what a sentence must share with one to be its origin. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from schemas import contract as c
from schemas.indicators import KINDS
from schemas.sheet import Rules, print_sheet
from schemas.sheet.kinds import kind_of, side_of
from schemas.sheet.names import NAME_OF
from schemas.sheet.printer import Printer

NAMES = frozenset(NAME_OF.values())
PRICES = ("open", "high", "low", "close", "volume")
_CALL = re.compile(r"\b([a-z_0-9]+)(?:\(([^()]*)\))?(?:\[\d+\])?")
_NUMBER = re.compile(r"(?<![\w.:])-?\d+(?:\.\d+)?(?![\w:]|\.\d)")
_CLOCK = re.compile(r"\b(\d\d):(\d\d)\b")


@dataclass(frozen=True, slots=True)
class Atom:
    """One condition, or one level: its words as the sheet prints them.

    `settings` are the numbers of its indicators, `constants` all others.
    """

    text: str
    names: frozenset[str]
    prices: frozenset[str]
    settings: frozenset[float]
    constants: frozenset[float]
    clocks: frozenset[int]
    calls: tuple[tuple[str, str, frozenset[float]], ...] = ()
    """Each indicator: as it is printed, its name, its settings."""

    @property
    def numbers(self) -> frozenset[float]:
        return self.settings | self.constants


@dataclass(frozen=True, slots=True)
class Line:
    """`kind` is its first word, or the two that tell it from others; `atoms` are its conditions."""

    text: str
    kind: str
    atoms: tuple[Atom, ...]
    side: str = ""


def lines(rules: Rules) -> tuple[Line, ...]:
    """Every statement of the canonical sheet, in its order."""
    signals = _signals(rules)
    return tuple(
        signals.get(text) or Line(text, kind_of(text), (atom(text),), side_of(text))
        for text in print_sheet(rules).splitlines()
    )


def _signals(rules: Rules) -> dict[str, Line]:
    """The statements with conditions, which are cited one by one."""
    say, found = Printer(rules), dict[str, Line]()
    for entry in rules.entries:
        at = f" at limit {say.operand(entry.limit)}" if entry.limit is not None else ""
        text = f"enter {entry.side}{at} when {say.condition(entry.when)}"
        atoms = [atom(say.condition(x)) for x in _flat(entry.when)]
        atoms += [atom(f"limit {say.operand(entry.limit)}")] if entry.limit is not None else []
        found[text] = Line(text, "enter", tuple(atoms), str(entry.side))
    for leave in rules.exits:
        side = f" {leave.side}" if leave.side else ""
        text = f"exit{side} when {say.condition(leave.when)}"
        atoms = [atom(say.condition(x)) for x in _flat(leave.when)]
        found[text] = Line(text, "exit", tuple(atoms), str(leave.side or ""))
    return found


def _flat(condition: c.Condition) -> Iterator[c.Condition]:
    if isinstance(condition, c.Every | c.Either):
        for part in condition.of:
            yield from _flat(part)
    else:
        yield condition


def atom(text: str) -> Atom:
    calls = tuple(
        (f"{found[1]}({found[2]})", found[1], _numbers(found[2]))
        for found in _CALL.finditer(text)
        if found[1] in NAMES and found[2]
    )
    names = {x[1] for x in _CALL.finditer(text) if x[1] in NAMES}
    settings, rest = {n for _, _, inside in calls for n in inside}, text
    while (inner := re.sub(r"\b(?!and\b|or\b|not\b|in\b)[a-z_0-9]+\([^()]*\)", " ", rest)) != rest:
        settings |= _numbers(rest) - _numbers(inner)
        rest = inner
    clocks = frozenset(int(h) * 60 + int(m) for h, m in _CLOCK.findall(text))
    plain = re.sub(r"\[\d+\]", " ", rest)
    prices = frozenset(x for x in PRICES if re.search(rf"\b{x}\b", text))
    return Atom(text, frozenset(names), prices, frozenset(settings), _numbers(plain), clocks, calls)


def _numbers(text: str) -> frozenset[float]:
    return frozenset(abs(float(x)) for x in _NUMBER.findall(text))


def label(name: str) -> str:
    """Of an indicator, as books call it."""
    kind = next(kind for (kind, _), spelt in NAME_OF.items() if spelt == name)
    return KINDS[kind].label.lower()
