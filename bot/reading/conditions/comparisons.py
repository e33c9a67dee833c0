"""Reads an operand and what is said about it: above, between, 3% below, the lowest of 60 bars."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.reading.book import AVERAGES
from bot.reading.conditions.cond import Cond
from bot.reading.conditions.crosses import named_lengths, pair_crosses, two_lengths
from bot.reading.conditions.relations import build, relation
from bot.reading.conditions.states import state
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import above, at_least, compare, every, number, price, span, times
from bot.reading.operands.operand import operand
from schemas import contract as c

MORE = re.compile(r"more than|at least|>|exceed")
"""Before the amount by which one line is beyond another."""
HARD = re.compile(r"cross|through|thru|from|turn|x above|x below")


def compared(cur: Cursor) -> Cond | None:
    """An operand, then what is said about it."""
    if named := named_lengths(cur):
        return named
    left = _lone_series(cur)
    if left is None:
        return None
    first, second = left, None
    place = cur.at
    if between := cur.take("slash", "and", "comma", "times"):
        second = operand(cur)
        averages = {cur.book.kind(left), cur.book.kind(second)} <= set(AVERAGES)
        if between.text == "x" and second is not None and averages:
            return pair_crosses(cur, first, second)
        if second is None or cur.peek().kind not in ("cross", "bullish_cross"):
            cur.back_to(place)
            second = None
    if second is not None:
        return pair_crosses(cur, first, second)
    cur.take("not") if cur.peek(1).kind == "end" else None
    return _said(cur, left)


def _lone_series(cur: Cursor) -> c.Operand | None:
    """An operand, or the two lengths of "9/21 EMA", or a Heikin-Ashi candle."""
    place = cur.at
    if cur.peek().kind == "ha" and cur.peek(1).kind in ("flip", "trend"):
        cur.at += 1
        return cur.book.series("heikin_ashi", "close")
    pair = two_lengths(cur)
    if pair is not None:
        return (
            pair[0]
            if cur.peek().kind in ("cross", "bullish_cross", "end", "comma", "slot", "lp")
            else None
        )
    cur.back_to(place)
    if cur.peek().kind == "it" and cur.peek(1).kind not in (
        "ind",
        "average",
        "price",
        "its",
        "band",
    ):
        cur.at += 1
        return _meant_by_it(cur)
    found = operand(cur)
    if isinstance(found, c.Constant):
        return None
    if cur.peek().kind == "lp" and not isinstance(found, c.Price):
        _skip_aside(cur)
    verb = cur.peek()
    if verb.kind == "it" and cur.peek(1).kind in ("cmp", "cross", "break"):
        cur.at += 1
    if isinstance(found, c.Series) and verb.kind == "price" and verb.text.startswith("close"):
        cur.at += 1
    return found


def _meant_by_it(cur: Cursor) -> c.Operand | None:
    """ "it flips": what flips. "it closes above": the close. Else what was spoken of."""
    book, following = cur.book, cur.peek()
    if following.kind in ("flip", "trend") and book.flipper and not _is_turning(cur):
        return book.series(book.flipper, "direction")
    if following.text.startswith("clos") and _is_of_a_bar(book.subject):
        return price("close")
    return book.subject if book.subject != book.object else price("close")


def _is_turning(cur: Cursor) -> bool:
    """Spoken of and no price: an average or an oscillator turns by itself."""
    subject = cur.book.subject
    return isinstance(subject, c.Series) and cur.book.kind(subject) != cur.book.flipper


def _is_of_a_bar(node: c.Operand | None) -> bool:
    return isinstance(node, c.Price) and node.field in ("high", "low", "open")


def _skip_aside(cur: Cursor) -> None:
    """Brackets after a name that compare nothing explain it."""
    ahead = 1
    while cur.peek(ahead).kind not in ("rp", "end"):
        if cur.peek(ahead).kind in ("cmp", "cross", "break", "slot", "side", "if", "revert"):
            return
        ahead += 1
    if cur.peek(ahead).kind == "rp":
        cur.at += ahead + 1


def _said(cur: Cursor, left: c.Operand) -> Cond | None:
    book, token = cur.book, cur.peek()
    cur.take("now")
    negated = bool(cur.take("not"))
    token = cur.peek()
    if negated and cur.take("zero"):
        return Cond(above(left, number(0)))
    if isinstance(token.value, Amount) or token.kind == "num":
        return _aside(cur, left)
    if token.kind in ("sign", "sign_cross", "flip", "trend", "slope", "extreme"):
        cur.at += 1
        found = state(cur, left, token.kind, str(token.value))
    elif token.kind == "between":
        cur.at += 1
        low, high = operand(cur), None
        if cur.take("and", "minus"):
            high = operand(cur)
        if low is None or high is None:
            return None
        found = Cond(every(at_least(left, low), at_least(high, left)))
    elif (
        token.kind in ("highest", "lowest")
        or token.kind == "its"
        and cur.peek(1).kind
        in (
            "highest",
            "lowest",
        )
    ):
        cur.take("its")
        found = _of_stretch(cur, left)
    elif token.kind in ("cross", "break", "cmp", "revert", "other_side", "outside", "inside"):
        cur.at += 1
        cur.take("of") if token.kind == "revert" else None
        found = relation(cur, left, token.kind, token.value)
        if found is not None and token.kind == "cross" and not HARD.search(token.text):
            found = replace(found, soft=True)
        left = book.subject if book.subject is not None else left
    else:
        return None
    if found is None:
        return None
    book.subject = left
    if left not in book.compared:
        book.compared.append(left)
    found = _by_how_much(cur, or_more(cur, found))
    if negated:
        return Cond(c.Never(of=found.node), c.Never(of=found.other) if found.other else None)
    return found


def _of_stretch(cur: Cursor, left: c.Operand) -> Cond | None:
    """ "the bandwidth is the lowest of the last 60 bars"."""
    word = cur.take("highest", "lowest")
    cur.take("price"), cur.take("of"), cur.take("prev"), cur.take("last")
    length = cur.stretch() if cur.is_stretch() else None
    if word is None or length is None:
        return None
    if left == span():
        left = cur.book.series("range", values={})
    if isinstance(left, c.Series) and left.shift == 0:
        limit = cur.book.series(word.kind, "value", {"length": length}, of=left)
    elif isinstance(left, c.Price) and left.shift == 0:
        limit = cur.book.series(word.kind, "value", {"length": length}, left.field)
    else:
        return None
    op = "at_least" if word.kind == "highest" else "at_most"
    return Cond(compare(op, left, limit), bearish=op == "at_most")


def _by_how_much(cur: Cursor, found: Cond) -> Cond:
    """ "lower than the close 4 days ago by 3% or more"."""
    more_than = cur.peek().value in ("above", "at_least") and bool(MORE.search(cur.peek().text))
    ahead = int(more_than)
    node, amount = found.node, cur.peek(ahead).value
    if (
        not isinstance(node, c.Compare)
        or not isinstance(amount, Amount)
        or amount.unit != "percent"
        or cur.peek(ahead + 1).kind in ("cmp", "of")
    ):
        return found
    if (
        isinstance(node.right, c.Constant)
        or node.op not in ("above", "below")
        or cur.peek(ahead + 1).kind in ("stop", "target")
    ):
        return found
    at_least = more_than and cur.peek().value == "at_least"
    cur.at += 1 + ahead
    more = cur.take("or_more") or at_least
    up = node.op == "above"
    limit = times(node.right, round(1 + (1 if up else -1) * amount.value / 100, 12))
    if more:
        return Cond(replace(node, op="at_least" if up else "at_most", right=limit))
    return Cond(replace(node, right=limit))


def or_more(cur: Cursor, found: Cond) -> Cond:
    """ "50 or higher": the level itself counts."""
    word = cur.take("or_more", "or_less")
    node = found.node
    if word is None or not isinstance(node, c.Compare):
        return found
    return Cond(replace(node, op="at_least" if word.kind == "or_more" else "at_most"))


def _aside(cur: Cursor, left: c.Operand) -> Cond | None:
    """ "3% below the average": at least so far below it. "10% or less of the range"."""
    share, more = cur.peek().value, cur.peek(1).kind
    if isinstance(share, Amount) and more in ("or_less", "or_more") and cur.peek(2).kind == "of":
        cur.at += 3
        whole = operand(cur)
        if whole is None:
            return None
        limit = times(whole, share.value / 100.0)
        op = "at_most" if more == "or_less" else "at_least"
        return Cond(compare(op, left, limit))
    if isinstance(share, float) and more in ("or_less", "or_more"):
        cur.at += 2
        op = "at_most" if more == "or_less" else "at_least"
        return Cond(compare(op, left, number(share)))
    ahead = 1
    while cur.peek(ahead).kind in ("times", "ind", "lp", "rp", "num", "or_more") and ahead < 7:
        ahead += 1
    word = cur.peek(ahead)
    if word.kind != "cmp" or word.value not in ("above", "below"):
        return None
    right = operand(cur)
    if right is None or isinstance(right, c.Constant):
        return None
    op = "at_most" if word.value == "below" else "at_least"
    return build(cur.book, left, "cmp", op, right)
