"""Joins conditions: AND binds closer than OR. Pure."""

from __future__ import annotations

from bot.reading.conditions.cond import Cond, earlier
from bot.reading.forms.form import Wrap
from bot.reading.nodes import either, every
from schemas import contract as c

Parts = list[tuple[str, Cond]]


def join(parts: Parts) -> Cond:
    """AND binds closer than OR; what follows ", and" or "only if" holds for all."""
    groups: list[list[Cond]] = [[]]
    always: list[Cond] = []
    has_or = any(link == "or" for link, _ in parts)
    for link, found in parts:
        if link == "or":
            groups.append([found])
        elif link in ("also", "only") and has_or:
            always.append(found)
        else:
            groups[-1].append(found)
    return _all([_any([_all(g) for g in groups if g]), *always])


def _all(conds: list[Cond]) -> Cond:
    return _combined(conds, every) if len(conds) > 1 else conds[0]


def _any(conds: list[Cond]) -> Cond:
    return _combined(conds, either) if len(conds) > 1 else conds[0]


def _combined(conds: list[Cond], how: object) -> Cond:
    assert callable(how)  # nosec B101
    node = how(*(x.node for x in conds))
    other = how(*(x.other or x.node for x in conds)) if any(x.other for x in conds) else None
    return Cond(node, other, any(x.either for x in conds), any(x.bearish for x in conds))


def wrapped(node: c.Condition, wrap: Wrap) -> c.Condition:
    if wrap.kind == "within":
        return c.Within(bars=wrap.bars, of=node)
    if wrap.kind == "row":
        return c.InARow(bars=wrap.bars, of=node)
    return every(node, c.Never(of=earlier(node, 1)))


def negated(found: Cond) -> Cond:
    return Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)
