"""What two contracts do differently, in the lines of their sheets. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from schemas import contract as c
from schemas.sheet import print_sheet, rules_of
from schemas.sheet.kinds import kind_of, side_of


@dataclass(frozen=True, slots=True)
class Change:
    """A statement and what took its place; one of them is empty where it is new, or gone."""

    old: str
    new: str


def changes(old: c.Contract, new: c.Contract) -> tuple[Change, ...]:
    """Rules, risk, costs and market; not names, summaries and reasons, which trade nothing."""
    before, after = _lines(old), _lines(new)
    gone = [text for text in before if text not in after]
    return tuple(_paired(gone, [text for text in after if text not in before]))


def _paired(gone: list[str], came: list[str]) -> Iterator[Change]:
    """A statement stands beside the one of its kind and side."""
    left = list(came)
    for text in gone:
        same = [x for x in left if kind_of(x) == kind_of(text)]
        sided = [x for x in same if side_of(x) == side_of(text)] or same
        if sided:
            left.remove(sided[0])
        yield Change(text, sided[0] if sided else "")
    yield from (Change("", text) for text in left)


def _lines(contract: c.Contract) -> list[str]:
    """Its sheet, where one meaning has one spelling."""
    rules = rules_of(contract)
    one_sided = len({e.side for e in rules.entries}) == 1
    if one_sided and all(e.limit is None for e in rules.entries):
        risk = replace(
            rules.risk,
            stops=tuple(map(_from_close, rules.risk.stops)),
            targets=tuple(map(_from_close, rules.risk.targets)),
        )
        rules = replace(rules, risk=risk)
    return print_sheet(rules).splitlines()


def _from_close(level: c.Level) -> c.Level:
    """Where one side is traded, the close times 0.95 is a distance of 5 %, and so for all."""
    match level.price:
        case c.Arithmetic(
            op="multiply",
            left=c.Price(field=c.PriceField.CLOSE, shift=0),
            right=c.Constant(value=times),
        ) if times != 1.0:
            far = c.Distance(unit="percent", amount=round(abs(times - 1) * 100, 6))
            return c.Level(side=None, distance=far)
    return replace(level, side=None)
