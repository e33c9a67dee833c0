"""Puts a condition, a phrase after it or a level where it belongs in its sentence."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.conditions.cond import Cond, earlier, reaches
from bot.reading.conditions.condition import condition
from bot.reading.forms.form import Wrap
from bot.reading.levels import Put
from bot.reading.nodes import green, red
from bot.reading.rules.join import Parts, join, wrapped
from bot.reading.rules.line import ROLES, Line, action_follows, acts_now
from bot.reading.rules.told import Rule, Told
from schemas import contract as c

MOVING = (*AVERAGES, *CHANNELS, "vwap", "ichimoku")
"""A target on one of these moves with it, so it is looked at on each close."""


_WAS_BEFORE = re.compile(r"\b(?:was|were|had been)\b[^,.;]* before\b")
ENDS = ("and", "comma", "end", "then", "enter", "rp", "or", "slot", "but")


def restated(line: Line) -> bool:
    """ "(close < open)" after a rule says it again: the exact words win over a new high's name."""
    cur, start = line.cur, line.cur.at
    was_read = start > 0 and (start - 1 in cur.read or _is_condition(line, start - 1))
    if not line.last or not was_read:
        return False
    if cur.peek(1).kind in (
        "only",
        "if",
        "and",
        "or",
        "side",
        "unless",
        "slot",
        "not",
        "enter",
        "exit",
        "reverse",
        "mirror",
        "both",
        "opposite",
    ):
        return False
    end = next((i for i in range(start, len(cur.tokens)) if cur.tokens[i].kind == "rp"), None)
    if end is None:
        return False
    if cur.tokens[start - 1].kind == "candle" and (own := _own_candle(line, end)):
        line.last[-1] = (line.last[-1][0], replace(line.last[-1][1], node=own.node))
        cur.read.update(range(start, end + 1))
        cur.back_to(end + 1)
        return True
    cur.at += 1
    found = condition(cur)
    whole = found is not None and cur.at == end
    if found is not None and whole and _is_loose(line.last[-1][1], cur.book):
        line.last[-1] = (line.last[-1][0], found)
    if whole or not any(t.kind in EXACT for t in cur.tokens[start:end]):
        cur.read.update(range(start, end + 1))
    cur.back_to(end + 1)
    return True


EXACT = ("num", "amount")
"""What a rule in brackets has; without it they only explain."""


def _is_loose(found: Cond, book: Book) -> bool:
    """A new high, a touch, a slope: words that what follows in brackets makes exact."""
    node = found.node
    if found.touch:
        return True
    if not isinstance(node, c.Compare):
        return False
    now, then = node.left, node.right
    slope = isinstance(now, c.Series) and isinstance(then, c.Series)
    slope = slope and (book.kind(now), _name(now)) == (book.kind(then), _name(then))
    return slope or book.kind(node.right) in ("highest", "lowest")


def _name(node: c.Operand) -> tuple[str, str]:
    return (node.indicator, node.output) if isinstance(node, c.Series) else ("", "")


def _own_candle(line: Line, end: int) -> Cond | None:
    """ "hammer (lower wick at least 2x the body, upper wick under 0.3x)": theirs, not ours."""
    cur, start = line.cur, line.cur.at
    parts: Parts = []
    cur.at += 1
    while cur.at < end:
        found = _in_definition(line)
        if found is None:
            break
        parts.append(("", found))
        while cur.take("and", "comma"):
            pass
    whole = bool(parts) and cur.at == end
    cur.back_to(start)
    named = start - 3 if start > 2 and cur.tokens[start - 2].text == "is a" else start - 2
    before = cur.tokens[named] if named >= 0 else None
    steps = int(str(before.value)) if before and before.kind == "back" else 0
    return Cond(earlier(join(parts).node, steps)) if whole else None


def _in_definition(line: Line) -> Cond | None:
    """One condition of a candle; "green" alone is its colour."""
    cur = line.cur
    if token := cur.take("slot"):
        slot = line.slots[int(str(token.value))]
        return slot if isinstance(slot, Cond) else None
    if cur.peek().kind == "trend" and cur.peek(1).kind in ("comma", "and", "rp"):
        up = cur.peek().value == "above"
        cur.at += 1
        return Cond(green() if up else red(), bearish=not up)
    return condition(cur)


def group(line: Line, told: Told) -> bool:
    """ "(A or B)": one condition, whatever stands beside it."""
    cur, start = line.cur, line.cur.at
    cur.at += 1
    parts: Parts = []
    link = ""
    while True:
        if token := cur.take("and", "or"):
            link = token.kind
        found = condition(cur)
        if found is None:
            break
        parts.append((link, found))
        link = ""
        if cur.take("rp"):
            if len(parts) > 1:
                add(line, told, join(parts))
                cur.read.update(range(start, cur.at))
                return True
            break
    cur.back_to(start)
    return False


def wrap(line: Line, wrap: Wrap) -> None:
    """What a phrase after a condition makes of it: within some bars, in a row, for the first time."""
    parts = line.last
    if not parts:
        return
    link, found = parts[-1]
    node = wrapped(found.node, wrap)
    other = wrapped(found.other, wrap) if found.other else None
    parts[-1] = (link, replace(found, node=node, other=other))


def looked_back(line: Line) -> bool:
    """ "RSI was below 40 on the previous bar": the condition that was just read, a bar before."""
    cur = line.cur
    after = cur.peek(1).kind
    read = cur.at - 1 in cur.read or _is_condition(line, cur.at - 1)
    if not line.last or not read or after not in ENDS:
        return False
    link, found = line.last[-1]
    if cur.peek().kind == "ago" and not _WAS_BEFORE.search(line.text):
        return False
    steps = int(str(cur.peek().value)) if cur.peek().kind == "back" else _row_before(line.last)
    other = earlier(found.other, steps) if found.other else None
    line.last[-1] = (link, replace(found, node=earlier(found.node, steps), other=other))
    cur.read.add(cur.at)
    cur.at += 1
    return True


def _is_condition(line: Line, at: int) -> bool:
    """A slot that holds a condition, or a phrase about the one before it."""
    token = line.cur.tokens[at] if at >= 0 else None
    if token is None or token.kind != "slot":
        return False
    return isinstance(line.slots[int(str(token.value))], Cond | Wrap)


def _row_before(parts: Parts) -> int:
    """ "above it on 3 days in a row, and below it before": before those days."""
    before = parts[-2][1].node if len(parts) > 1 else None
    return before.bars if isinstance(before, c.InARow) else 1


def put_level(line: Line, told: Told, put: Put) -> None:
    if put.price is not None:
        line.cur.book.object = put.price
    if put.kind == "limit" and line.rule is not None:
        line.rule.limit = put.price
    elif (
        put.kind == "target"
        and line.cur.book.kind(put.price) in MOVING
        and not _is_of_this_bar(line)
    ):
        if not any(t.kind == "exit" for t in line.cur.tokens[line.cur.at :]):
            assert put.price is not None  # nosec B101
            told.rules.append(Rule("exit", put.side, [("", reaches(put.price))], line.text))
    else:
        told.puts.append(put)
    line.link, line.paused = "", False


def _is_of_this_bar(line: Line) -> bool:
    """ "the middle band of the signal bar": the value that it has then, for good."""
    ahead = 1 if line.cur.peek().kind == "of" else 0
    token = line.cur.peek(ahead)
    return token.kind == "now" and "signal" in token.text


def add(line: Line, told: Told, found: Cond) -> None:
    link, paused = line.link, line.paused
    line.link, line.paused = "", False
    leaving = line.rule is not None and line.rule.act in ("exit", "sell") and line.rule.parts
    if link == "if" and paused and leaving and line.opened and not action_follows(line):
        link = "or"  # "leave when A, when B, or after 20 bars"
    if link in ("unless", "not"):
        found = Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)
        link = "only" if link == "unless" else "and"
    if line.filter_side:
        told.filters.append((line.filter_side, found))
        line.filter_side = None
        return
    rule = line.rule
    if link == "mean" and line.last:
        line.last[-1] = (line.last[-1][0], found)
    elif rule is not None and not rule.parts:
        _part(line, rule.parts, "", found)
    elif link == "only" and rule is not None:
        for made in line.made:
            if made.act != "exit" or made is rule:
                _part(line, made.parts, "only", found)
    elif link == "only" and not line.pending and _holds_for_all(line, told):
        _part(line, line.always, "", found)
    elif rule is not None and _belongs(line, found, link, paused):
        _part(line, rule.parts, link, found)
    else:
        _part(line, line.pending, link, found)


def _holds_for_all(line: Line, told: Told) -> bool:
    """ "Only if ...": of the whole request, or of the entries that were told under this heading."""
    if line.role == "entry":
        return line.rule is None and any(r.act == "enter" and r.parts for r in told.rules)
    return line.role not in ROLES and line.act is None


def _belongs(line: Line, found: Cond, link: str, paused: bool) -> bool:
    """Is this condition the last action's, or the next one's?"""
    if found.calendar and not link and not line.pending:
        return True
    if link == "if" and paused and not line.opened and _acts_later(line):
        return False
    if link == "if" and not paused and _next_has_its_own(line):
        return True
    if line.opened and (link in ("and", "also") or (link == "if" and not acts_now(line))):
        return True
    return (line.opened or link in ("if", "and", "also")) and not action_follows(line)


def _next_has_its_own(line: Line) -> bool:
    """ "short when B, cover when C": C is told after the next action, so B is this one's."""
    kinds = [t.kind for t in line.cur.tokens[line.cur.at : line.cur.at + 3]]
    acts = ("enter", "exit", "sell", "side")
    return len(kinds) == 3 and kinds[0] == "comma" and kinds[1] in acts and kinds[2] == "if"


def _acts_later(line: Line) -> bool:
    """ "if A buy, if B and C short": what follows another "if" is the next action's."""
    rest = line.cur.tokens[line.cur.at :]
    return any(t.kind in ("enter", "exit", "sell", "side") for t in rest)


def _part(line: Line, parts: Parts, link: str, found: Cond) -> None:
    if found.soft and any(_pierced(x.node, found.node) for _, x in parts):
        found = _held(found)
    parts.append((link, found))
    line.last = parts


def _pierced(before: c.Condition, node: c.Condition) -> bool:
    """ "The low touches the line and it closes back above": on one bar, so no cross of closes."""
    return (
        isinstance(before, c.Compare)
        and isinstance(node, c.Cross)
        and isinstance(before.left, c.Price)
        and before.left.field in ("high", "low")
        and (before.right, before.left.shift) == (node.right, 0)
    )


def _held(found: Cond) -> Cond:
    node = found.node
    if not isinstance(node, c.Cross):
        return found
    return replace(found, node=c.Compare(op=node.direction, left=node.left, right=node.right))
