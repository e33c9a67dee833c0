"""Reads conditions without a left side: of the thing spoken of before, or of the close."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.conditions.comparisons import or_more
from bot.reading.conditions.cond import Cond, bars_before
from bot.reading.conditions.crosses import either_way, implied_pair
from bot.reading.conditions.relations import build, cloud, is_far_below, when_before
from bot.reading.conditions.states import state
from bot.reading.cursor import Cursor
from bot.reading.mirror import FLIP
from bot.reading.nodes import compare, either, every, number, price
from bot.reading.operands.operand import operand
from schemas import contract as c

WORDS = ("above", "below", "over", "under")
"""After "EMA 9 crosses above EMA 21: long": "below: short" is a cross as well."""


def elliptic(cur: Cursor) -> Cond | None:
    """No left side: the one spoken of before, or the close where a price is meant."""
    token, book, start = cur.peek(), cur.book, cur.at
    if token.kind == "both_of" and cur.peek(1).kind in ("ind", "average"):
        return _both_of(cur)
    if token.text == "either" and cur.peek(1).kind in ("sign", "cmp"):
        return _either_of(cur)
    if token.kind == "both_of" and book.pair is not None and cur.peek(1).kind in ("cmp", "sign"):
        word = cur.peek(1)
        cur.at += 2
        limit = number(0) if word.kind == "sign" else operand(cur)
        if limit is None:
            return None
        return Cond(every(*(compare(str(word.value), x, limit) for x in book.pair)))
    if token.kind == "cloud" and cur.peek(1).kind in ("trend", "color"):
        way = str(cur.peek(1).value)
        cur.at += 2
        spans = (book.series("ichimoku", x) for x in ("span_a", "span_b"))
        return Cond(compare(way, *spans), bearish=way == "below")
    if token.kind == "word" and token.text in book.names:
        cur.at += 1
        return book.names[token.text]
    if (
        token.kind in ("flip", "trend")
        and book.flipper
        and book.kind(book.subject) not in ("supertrend", "psar")
    ):
        cur.at += 1
        return state(cur, book.series(book.flipper, "direction"), token.kind, str(token.value))
    if token.kind in ("sign_cross", "flip", "sign", "extreme", "slope", "trend") and isinstance(
        book.subject, c.Series
    ):
        cur.at += 1
        return state(cur, book.subject, token.kind, str(token.value))
    if token.kind not in ("cross", "break", "cmp", "revert", "other_side", "inside", "between"):
        return None
    cur.at += 1
    cur.take("of") if token.kind == "revert" else None
    if cur.take("cloud"):
        return cloud(cur, price("close"), token.kind, str(token.value))
    place = cur.at
    steps = when_before(cur)
    if steps and book.subject is not None and token.kind == "cmp":
        return build(book, book.subject, "cmp", token.value, bars_before(book.subject, steps))
    value = token.value
    if token.kind == "cmp" and value in ("above", "at_least") and is_far_below(cur):
        value = FLIP[str(value)]
    right = operand(cur)
    if token.kind == "cross" and right is None:
        pair = book.pair or implied_pair(book)
        if pair is None:
            return None
        return either_way(book, pair, str(token.value) if token.value else "")
    if (
        right is None
        and token.kind == "cmp"
        and token.text.replace(" ", "").isalpha()
        and book.subject is not None
        and book.object is not None
    ):
        crossed = book.pair == (book.subject, book.object) and token.text in WORDS
        kind = "cross" if crossed else "cmp"
        return build(book, book.subject, kind, token.value, book.object)
    if right is None:
        cur.back_to(place)
        return None
    own = book.subject
    left: c.Operand = price("close")
    if isinstance(right, c.Series) and (book.kind(right), right.output) == ("macd", "signal"):
        return build(book, book.series("macd", "line"), token.kind, token.value, right)
    if isinstance(right, c.Series) and (book.kind(right), right.output) == ("stochastic", "d"):
        return build(book, replace(right, output="k"), token.kind, token.value, right)
    if isinstance(right, c.Constant):
        if own is None or token.kind == "between" or _names_another(cur, start):
            return None
        left = own
    elif not book.is_price(right) and own is not None and own != right:
        left = own
    if left == right:
        return None
    found = or_more(cur, build(book, left, token.kind, value, right))
    closes = token.kind == "cross" and token.text.startswith("clos")
    return replace(found, soft=True) if closes else found


SUBJECTS = ("word", "target", "stop", "range", "gap")


def _names_another(cur: Cursor, at: int) -> bool:
    """ "and the spread is above 2": a thing that we do not know, and not the one before."""
    before = cur.tokens[at - 1] if at else None
    said = cur.tokens[at - 2] if at > 1 else None
    if before is None or before.kind not in SUBJECTS or at - 1 in cur.read:
        return False
    return said is None or said.kind in ("if", "and", "or", "only", "unless", "comma", "not", "to")


def _either_of(cur: Cursor) -> Cond | None:
    """ "If either is negative": of the last two things that were compared."""
    two = cur.book.compared[-2:]
    word = cur.peek(1)
    cur.at += 2
    limit = number(0) if word.kind == "sign" else operand(cur)
    if len(two) < 2 or limit is None:
        return None
    return Cond(either(*(compare(str(word.value), x, limit) for x in two)))


def _both_of(cur: Cursor) -> Cond | None:
    """ "both %K and %D below 20"."""
    cur.at += 1
    first = operand(cur)
    second = operand(cur) if cur.take("and") else None
    word = cur.take("cmp")
    limit = operand(cur) if word else None
    if first is None or second is None or word is None or limit is None:
        return None
    return Cond(every(*(compare(str(word.value), x, limit) for x in (first, second))))
