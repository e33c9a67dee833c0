"""Reads candles by name or colour, new highs and lows, and chains such as A > B > C."""

from __future__ import annotations

from bot.reading.candles import BEARISH, candle
from bot.reading.conditions.cond import Cond, earlier
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import compare, every, green, price, red
from bot.reading.operands.operand import operand
from schemas import contract as c


def shown(cur: Cursor) -> Cond | None:
    back = cur.take("back", "now")
    steps = int(str(back.value)) if back and back.kind == "back" else 0
    if back and cur.peek().text == "is a" and cur.peek(1).kind == "candle":
        cur.at += 1
    if token := cur.take("candle"):
        cur.book.shown.add(str(token.value))
        node = cur.book.defined.get(str(token.value)) or candle(str(token.value), cur.book)
        return Cond(earlier(node, steps), bearish=token.value in BEARISH)
    token = cur.take("color")
    if token is None and back is not None:
        cur.take("price")
        token = cur.take("trend")
    if token is None:
        return None
    up = token.value == "above"
    return Cond(green(steps) if up else red(steps), bearish=not up)


def new_extreme(cur: Cursor) -> Cond | None:
    """ "makes a new 20-day high": beyond every one of the bars before."""
    place = cur.at
    own = operand(cur) if cur.peek().kind == "ind" else None
    if own is not None:
        while cur.peek().text in ("makes", "make", "made", "sets", "reaches", "hits", "at"):
            cur.at += 1
        if not isinstance(own, c.Series) or cur.peek().kind not in ("new", "amount"):
            return None
    fresh = cur.take("new")
    near = cur.is_stretch() and cur.peek(1).kind in ("price", "highest", "lowest", "new")
    if not fresh and not near:
        return None
    length = cur.stretch() if cur.is_stretch() else None
    fresh = cur.take("new") or fresh
    word = cur.take("highest", "lowest")
    closing = None
    if cur.peek().kind == "price" and cur.peek(1).kind == "price":
        closing = cur.take("price")
    field = cur.take("price")
    if field is None or field.value not in ("high", "low", "close"):
        return None
    if length is None:
        cur.take("of"), cur.take("prev"), cur.take("last")
        length = cur.stretch() if cur.is_stretch() else None
    if length is None or not (fresh or word or _ends(cur)):
        cur.back_to(place)
        return None
    if closing and closing.value in ("high", "low") and field.value == "close":
        closing, field = field, closing  # "a 10 day high close"
    up = word.kind == "highest" if word else field.value == "high"
    of = "close" if closing or field.value == "close" else ("high" if up else "low")
    kind = "highest" if up else "lowest"
    if isinstance(own, c.Series):
        limit = cur.book.series(kind, "value", {"length": length}, of=own, shift=1)
    else:
        limit = cur.book.series(kind, "value", {"length": length}, c.PriceField(of), shift=1)
        own = price("close")
    cur.book.subject, cur.book.object = own, limit
    return Cond(c.Compare(op="above" if up else "below", left=own, right=limit), bearish=not up)


def _ends(cur: Cursor) -> bool:
    return cur.peek().kind in (
        "end",
        "comma",
        "then",
        "enter",
        "exit",
        "slot",
        "lp",
        "rp",
        "side",
        "sell",
    )


def chain(cur: Cursor) -> Cond | None:
    """EMA(5) > EMA(13) > EMA(50)."""
    first = operand(cur)
    parts: list[c.Condition] = []
    left = first
    while left is not None:
        if left is not first and isinstance(cur.peek(1).value, Amount):
            break  # "above the average by more than 1%"
        sign = cur.take("cmp")
        right = operand(cur) if sign else None
        if sign is None or right is None:
            break
        parts.append(compare(str(sign.value), left, right))
        left = right
        if cur.peek().kind != "cmp" or isinstance(cur.peek(1).value, Amount):
            break
    return Cond(every(*parts)) if len(parts) > 1 else None
