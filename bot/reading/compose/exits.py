"""Exits with their sides, those of the opposite signal among them."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import Book
from bot.reading.compose.entries import reason
from bot.reading.mirror import mirror
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def make_exits(
    rules: list[Rule], traded: set[str], told: Told, book: Book, entries: list[c.Entry]
) -> list[c.Exit]:
    found: list[c.Exit] = []
    special = {r.side for r in rules if r.side}
    for rule in rules:
        assert rule.when is not None  # nosec B101
        if rule.side is None and special and any(r.said == rule.said and r.side for r in rules):
            continue
        for side in [rule.side] if rule.side else sorted(traded):
            if side not in traded:
                continue
            found.append(
                c.Exit(
                    side=c.Side(side),
                    when=_left(rule, side, traded, book),
                    reason=reason(rule.said),
                )
            )
    have = {e.side for e in found}
    if found and told.flags & {"mirror"} and len(traded) == 2 and len(have) == 1:
        missing = c.Side("short" if c.Side.LONG in have else "long")
        found += [replace(e, side=missing, when=mirror(e.when, book)) for e in list(found)]
    ignored = "not_opposite" in told.flags or told.settings.ignore_opposite
    if ("opposite" in told.flags or told.settings.on_opposite) and not ignored:
        found += _opposite(entries, traded, book)
    for cond in told.settings.exits:
        found.append(c.Exit(side=None, when=cond.node, reason="calendar"))
    return found


def _left(rule: Rule, side: str, traded: set[str], book: Book) -> c.Condition:
    node = _exit_node(rule, side, traded, book)
    return softened(node, book) if len(rule.parts) == 1 and rule.parts[0][1].soft else node


def softened(node: c.Condition, book: Book) -> c.Condition:
    """To leave when the close "falls below" a line, being below it is enough."""
    if isinstance(node, c.Cross) and book.is_price(node.left) and book.is_price(node.right):
        return c.Compare(op=node.direction, left=node.left, right=node.right)
    return node


def _exit_node(rule: Rule, side: str, traded: set[str], book: Book) -> c.Condition:
    assert rule.when is not None  # nosec B101
    if side == "short":
        if rule.when.other is not None:
            return rule.when.node if rule.when.either else rule.when.other
        if rule.side is None and len(traded) == 2:
            return rule.when.node
        return rule.when.node
    return rule.when.other if rule.when.either and rule.when.other else rule.when.node


def _opposite(entries: list[c.Entry], traded: set[str], book: Book) -> list[c.Exit]:
    """What would enter the other way, without its filters, closes."""
    found: list[c.Exit] = []
    for entry in entries:
        other = c.Side.SHORT if entry.side is c.Side.LONG else c.Side.LONG
        if other.value in traded:
            found.append(c.Exit(side=other, when=core(entry.when), reason="the opposite signal"))
        elif len(traded) == 1:
            found.append(
                c.Exit(
                    side=entry.side,
                    when=mirror(core(entry.when), book),
                    reason="the opposite signal",
                )
            )
    return found


def core(node: c.Condition) -> c.Condition:
    """The event of a rule: its cross, without the states that only filter it."""
    if isinstance(node, c.Every):
        crosses = [x for x in node.of if isinstance(x, c.Cross)]
        if crosses:
            return crosses[0]
    return node
