"""The trading part of a contract: all that a sheet says, and nothing else. One form for each."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from schemas import contract as c
from schemas.sheet.book import Book, renamed, used_in
from schemas.sheet.names import MINUTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    symbol: str
    timeframe: Any
    indicators: tuple[c.Indicator, ...]
    entries: tuple[c.Entry, ...]
    exits: tuple[c.Exit, ...]
    risk: c.Risk
    costs: c.Costs
    reverse: bool
    pip_size: float


def rules_of(contract: c.Contract) -> Rules:
    """What the contract says, in its one form."""
    return canonical(Rules(**{f.name: getattr(contract, f.name) for f in fields(Rules)}))


def put_into(contract: c.Contract, rules: Rules) -> c.Contract:
    """The same contract with these rules."""
    return replace(contract, **{f.name: getattr(rules, f.name) for f in fields(Rules)})


def canonical(rules: Rules) -> Rules:
    """Indicators are named by what they are, in the order of their use; the reason of a rule is
    what the sheet says of it. So two sheets of the same statements have the same rules."""
    from schemas.sheet.printer import said_of  # the printer prints canonical rules

    rules = _without_lone_groups(rules)
    if not rules.risk.cooldown_bars:
        rules = replace(rules, risk=replace(rules.risk, cooldown_after="exit"))
    if rules.risk.exit_at is not None and _no_fill_at(rules.timeframe, rules.risk.exit_at):
        rules = _exit_by_rule(rules)
    if len({e.side for e in rules.entries}) < 2:
        rules = replace(rules, reverse=False)  # there is no other side to go to
    book, names = Book(), dict[str, str]()
    known = {i.id: i for i in rules.indicators}
    for name in used_in((rules.entries, rules.exits, rules.risk)):
        _enter(name, known, book, names)
    changed = {n: renamed(getattr(rules, n), names) for n in ("entries", "exits", "risk")}
    named = replace(rules, indicators=tuple(book.indicators), **changed)
    return replace(
        named,
        entries=tuple(replace(e, reason=said_of(e.when, named)) for e in named.entries),
        exits=tuple(replace(x, reason=said_of(x.when, named)) for x in named.exits),
    )


def _no_fill_at(timeframe: str, decided: str) -> bool:
    """No time of day says when it is filled: daily bars, all bars, or one that ends on the next
    day."""
    each = MINUTES.get(timeframe)
    hours, minutes = decided.split(":")
    minute = int(hours) * 60 + int(minutes)
    return each is None or minute == 0 or minute + each > 1440


def _exit_by_rule(rules: Rules) -> Rules:
    """There a time of day is a rule like any other."""
    hours, minutes = str(rules.risk.exit_at).split(":")
    then = c.Constant(value=float(int(hours) * 60 + int(minutes)))
    late = c.Compare(op="at_least", left=c.Calendar(field="minute"), right=then)
    leave = c.Exit(side=None, when=late, reason="-")
    return replace(rules, exits=(*rules.exits, leave), risk=replace(rules.risk, exit_at=None))


def _enter(name: str, known: dict[str, c.Indicator], book: Book, names: dict[str, str]) -> None:
    """What an indicator is made of comes before it."""
    if name in names:
        return
    found = known[name]
    if found.of is not None:
        _enter(found.of.indicator, known, book, names)
        found = replace(found, of=replace(found.of, indicator=names[found.of.indicator]))
    names[name] = book.add(found)


def _without_lone_groups(part: Any) -> Any:
    """A group of one condition is that condition; a shift of a group is none of it."""
    if isinstance(part, tuple):
        return tuple(_without_lone_groups(x) for x in part)
    if isinstance(part, c.Every | c.Either) and len(part.of) == 1:
        return _without_lone_groups(part.of[0])
    if not hasattr(part, "__dataclass_fields__"):
        return part
    changed = {n: _without_lone_groups(getattr(part, n)) for n in part.__dataclass_fields__}
    return replace(part, **changed)
