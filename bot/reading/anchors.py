"""What a stop or a target is counted from: the close, another price, the best since the entry."""

from __future__ import annotations

from bot.reading.cursor import Cursor
from bot.reading.nodes import number, times
from bot.reading.operands.operand import operand
from schemas import contract as c


def mark(cur: Cursor) -> str:
    """ "... from the highest high since entry": a high, else the close."""
    rest = [cur.peek(n) for n in range(12)]
    words = " ".join(
        t.text for t in rest[: next((i for i, t in enumerate(rest) if t.kind == "slot"), 12)]
    )
    extreme = any(
        w in words
        for w in ("highest high", "highest price", "high since", "peak", "lowest low", "high water")
    )
    closes = "highest close" in words or "lowest close" in words or "best close" in words
    skip = 0
    while cur.peek(skip).kind in (
        "cmp",
        "from",
        "highest",
        "lowest",
        "price",
        "since_entry",
        "of",
        "word",
        "it",
        "new",
        "last",
    ):
        skip += 1
    if extreme or closes:
        cur.at += skip
    return "extreme" if extreme and not closes else "close"


def anchor(cur: Cursor) -> tuple[int, c.Operand] | None:
    """What the distance is counted from. None is the close that is decided on, or the entry."""
    place = cur.at
    word = cur.take("cmp", "from")
    if word is None:
        return None
    if cur.peek().kind == "it" and cur.peek(1).kind not in ("price", "ind"):
        cur.at += 1
        return None
    if cur.take("entry_price") or cur.take_value("enter", None):
        sign = {"above": 1, "below": -1}.get(str(word.value))
        return (sign, c.Price(field=c.PriceField.CLOSE)) if sign else None
    base = operand(cur)
    if base is None or isinstance(base, c.Constant | c.Held):
        if base is None:
            cur.back_to(place + 1 if word.kind == "cmp" else place)
        return None
    if base == c.Price(field=c.PriceField.CLOSE):
        while cur.peek().kind in ("of", "now", "back") or cur.peek().text in ("breakout",):
            cur.at += 1
        if word.kind != "cmp":
            return None
        return (1, base) if word.value == "above" else (-1, base)
    return (1 if word.value == "above" else -1), base


def price_beside(cur: Cursor, base: c.Operand, distance: c.Distance, sign: int) -> c.Operand:
    if distance.unit == "percent":
        return times(base, round(1.0 + sign * distance.amount / 100.0, 12))
    step: c.Operand
    if distance.unit == "atr":
        atr = c.Series(indicator=str(distance.indicator))
        step = atr if distance.amount == 1 else times(atr, distance.amount)
    else:
        step = number(distance.amount * (cur.book.pip if distance.unit == "pips" else 1.0))
    return c.Arithmetic(op="add" if sign > 0 else "subtract", left=base, right=step)
