"""Reads highs and lows of a stretch of bars, or since the entry. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import Book
from bot.reading.cursor import Cursor
from bot.reading.lexer import Token
from bot.reading.operands.series import indicator
from bot.reading.operands.settings import stretch_of
from schemas import contract as c


def extreme(cur: Cursor) -> c.Operand | None:
    """Highest high of the previous 20 days, 20-day low, high of the last 5 bars."""
    opened, own = cur.at, False
    if cur.peek().kind == "its" and (
        cur.is_stretch(1) or cur.peek(1).kind in ("highest", "lowest")
    ):
        cur.at += 1
        own = True
    without = bool(cur.take("prev"))
    cur.take("last")
    before = cur.stretch() if cur.is_stretch() else None
    cur.take("new")
    word = cur.take("highest", "lowest")
    if word is not None and cur.peek().kind == "ind":
        inner = indicator(cur)
        length, excludes = stretch_of(cur)
        if not isinstance(inner, c.Series) or not (length or before):
            return None
        found = cur.book.series(
            word.kind, "value", {"length": float(length or before or 1)}, of=inner
        )
        return replace(found, shift=1) if excludes or without else found
    if own and word is not None and (of_it := _own_extreme(cur, word, before, without)):
        return of_it
    field = cur.take("price")
    if field is None or field.value == "volume" and word is None:
        return None
    name = str(field.value)
    if word is None and name not in ("high", "low"):
        return _of_them_all(cur, opened, field)
    if held := _held(cur, name, word.kind if word else ""):
        return held
    if word is None and before is None and cur.is_stretch() and cur.peek(1).kind == "ago":
        return None  # "the high 3 bars ago" is the high of one bar
    length, excludes = stretch_of(cur)
    length = length or before
    if length is None:
        return None
    up = (word.kind == "highest") if word else name == "high"
    return _channel(cur.book, up, name, length, without or excludes)


def _own_extreme(cur: Cursor, word: Token, before: int | None, without: bool) -> c.Series | None:
    """ "OBV above its highest value of the previous 20 bars"."""
    subject = cur.book.subject
    if (
        not isinstance(subject, c.Series)
        or cur.book.is_price(subject)
        or cur.peek().kind == "price"
    ):
        return None
    length, excludes = stretch_of(cur)
    if not (length or before):
        return None
    values = {"length": float(length or before or 1)}
    found = cur.book.series(word.kind, "value", values, of=replace(subject, shift=0))
    return replace(found, shift=1) if excludes or without else found


def _of_them_all(cur: Cursor, opened: int, field: Token) -> c.Operand | None:
    """ "lower than the closes of the previous 5 days": than the lowest of them."""
    word = cur.tokens[opened - 1] if opened else None
    if field.text != "closes" or word is None or word.value not in ("above", "below"):
        return None
    length, _ = stretch_of(cur)
    return (
        None if length is None else _channel(cur.book, word.value == "above", "close", length, True)
    )


def _channel(book: Book, up: bool, field: str, length: int, without: bool) -> c.Series:
    kind = "highest" if up else "lowest"
    found = book.series(kind, "value", {"length": length}, c.PriceField(field))
    return replace(found, shift=1) if without else found


def _held(cur: Cursor, name: str, word: str) -> c.Operand | None:
    if not cur.take("since_entry"):
        return None
    up = word == "highest" or (not word and name == "high")
    if name == "close":
        return c.Held(field="highest_close" if up else "lowest_close")
    return c.Held(field="highest_high" if up else "lowest_low")
