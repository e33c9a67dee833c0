"""Reads plain numbers, unless they are the length of what follows. Pure."""

from __future__ import annotations

from bot.reading.book import AVERAGES
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import number
from schemas import contract as c


def constant(cur: Cursor) -> c.Operand | None:
    sign = cur.take("minus", "plus")
    if cur.take("zero"):
        return number(0)
    token = cur.peek()
    value: float | None = None
    if token.kind == "num" and isinstance(token.value, float):
        if sign is None and _names_length(cur):
            return None
        value = token.value
    elif isinstance(token.value, Amount) and token.value.unit in ("percent", "price", "money"):
        subject = cur.book.subject
        of_price = subject is not None and (
            cur.book.is_price(subject) or cur.book.is_height(subject)
        )
        if token.value.unit == "percent" and of_price:
            return None
        value = token.value.value
    if value is None:
        return None
    cur.at += 1
    return number(-value if sign and sign.kind == "minus" else value)


def _names_length(cur: Cursor) -> bool:
    """ "200 SMA", "9/21 EMA", "20 highest": the number belongs to what follows."""
    following = cur.peek(1)
    if following.kind == "slash":
        return cur.peek(2).kind == "num" and cur.peek(3).kind in ("ind", "average")
    if following.kind == "ind" and isinstance(following.value, tuple):
        after = cur.peek(2)
        kind = following.value[0]
        own = after.kind == "lp" and cur.peek(3).kind in ("num", "amount")
        return (
            kind
            in (
                *AVERAGES,
                "rsi",
                "atr",
                "roc",
                "cci",
                "adx",
                "momentum",
                "donchian",
                "williams_r",
                "bollinger",
                "stdev",
                "mfi",
                "keltner",
                "zscore",
                "stochastic",
            )
            and not own
        )
    return following.kind in ("average", "highest", "lowest")
