"""Exits with their sides, those of the opposite signal among them."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import Book
from bot.reading.compose.entries import reason
from bot.reading.conditions.cond import Cond
from bot.reading.mirror import FLIP, mirror
from bot.reading.nodes import compare, either
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def make_exits(
    rules: list[Rule], traded: set[str], told: Told, book: Book, entries: list[c.Entry]
) -> list[c.Exit]:
    found: list[c.Exit] = []
    mirrors = (
        "mirror" in told.flags
        and len({r.side for r in told.rules if r.act == "enter" and r.parts}) == 1
    )
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
                    when=_turned(rule, side, traded, book, entries, mirrors),
                    reason=reason(rule.said),
                )
            )
    have = {e.side for e in found}
    if found and told.flags & {"mirror"} and len(traded) == 2 and len(have) == 1:
        missing = c.Side("short" if c.Side.LONG in have else "long")
        found += [replace(e, side=missing, when=mirror(e.when, book)) for e in list(found)]
    ignored = "not_opposite" in told.flags or told.settings.ignore_opposite
    if ("opposite" in told.flags or told.settings.on_opposite) and not ignored:
        whole = "opposite_signal" in told.flags or told.settings.on_opposite == "signal"
        events = [replace(e, when=e.when if whole else core(e.when)) for e in entries]
        found += _opposite(events, traded, book)
    for cond in told.settings.exits:
        found += _of_settings(cond, traded)
    return found


def _of_settings(cond: Cond, traded: set[str]) -> list[c.Exit]:
    """One for all, or one for each side where they differ."""
    if cond.other is None:
        return [c.Exit(side=None, when=cond.node, reason="calendar")]
    when = {"long": cond.node, "short": cond.other}
    return [c.Exit(side=c.Side(s), when=when[s], reason="calendar") for s in sorted(traded)]


def _turned(
    rule: Rule, side: str, traded: set[str], book: Book, entries: list[c.Entry], mirrors: bool
) -> c.Condition:
    """The exit of this side: mirrored with its entry, and on the near side of a line it broke."""
    node = _left(rule, side, traded, book)
    if _is_any_cross(rule, entries):
        assert rule.when is not None and rule.when.other is not None  # nosec B101
        return either(rule.when.node, rule.when.other)
    if mirrors and side == "short" and rule.side is None and rule.when and not rule.when.other:
        return mirror(node, book)
    own = [e.when for e in entries if e.side.value == side]
    if rule.when is not None and rule.when.through and any(faded(x, side, node) for x in own):
        assert isinstance(node, c.Compare)  # nosec B101
        return compare(FLIP[node.op], node.left, node.right)
    touches = rule.when is not None and rule.when.touch
    if touches and isinstance(node, c.Compare) and any(broke(x, side, book) for x in own):
        return compare(FLIP[node.op], node.left, node.right)
    return node


def _is_any_cross(rule: Rule, entries: list[c.Entry]) -> bool:
    """ "Exit when it crosses -50": from either side, unless that cross is what enters."""
    if rule.when is None or not rule.when.either or not isinstance(rule.when.node, c.Cross):
        return False
    lines = (rule.when.node.left, rule.when.node.right)
    entering = [core(e.when) for e in entries]
    return not any(isinstance(x, c.Cross) and (x.left, x.right) == lines for x in entering)


def faded(entry: c.Condition, side: str, leave: c.Condition) -> bool:
    """Entered beyond the line that the exit names, against the move: the way back is in favour."""
    if isinstance(entry, c.Every):
        return any(faded(x, side, leave) for x in entry.of)
    if not isinstance(entry, c.Compare) or not isinstance(leave, c.Compare):
        return False
    lines = {entry.right, getattr(entry.right, "left", None)}
    against = entry.op in (("below", "at_most") if side == "long" else ("above", "at_least"))
    return against and entry.left == leave.left and leave.right in lines


def broke(node: c.Condition, side: str, book: Book) -> bool:
    """An entry beyond a band or a high goes with the move, so its way back is an exit."""
    if isinstance(node, c.Every):
        return any(broke(x, side, book) for x in node.of)
    if not isinstance(node, c.Compare | c.Cross) or not isinstance(node.right, c.Series):
        return False
    way = node.op if isinstance(node, c.Compare) else node.direction
    far = ("upper", "highest") if side == "long" else ("lower", "lowest")
    edge = node.right.output in far or book.kind(node.right) in far
    return edge and book.is_price(node.left) and way == ("above" if side == "long" else "below")


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
    """What would enter the other way closes; of an opposite cross, without its filters."""
    found: list[c.Exit] = []
    for entry in entries:
        other = c.Side.SHORT if entry.side is c.Side.LONG else c.Side.LONG
        if other.value in traded:
            found.append(c.Exit(side=other, when=entry.when, reason="the opposite signal"))
        elif len(traded) == 1:
            found.append(
                c.Exit(
                    side=entry.side,
                    when=mirror(entry.when, book),
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
