"""Reads stops, targets, trailing stops and limit prices: a distance, or a price of the chart."""

from __future__ import annotations

from dataclasses import dataclass

from bot.reading.anchors import anchor, mark, price_beside
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import UNITS, away
from bot.reading.operands.operand import operand
from schemas import contract as c


@dataclass(frozen=True)
class Put:
    """One level as it was read. `side` None is both; `sided` says that it is for a long as told."""

    kind: str
    side: str | None
    distance: c.Distance | None = None
    price: c.Operand | None = None
    mark: str = "close"
    after: c.Distance | None = None


def level(cur: Cursor, side: str | None) -> Put | None:
    """ "stop 2%", "2 ATR stop", "target at the middle band", "trailing stop of 3 ATR"."""
    start = cur.at
    for read in (_word_first, _distance_first):
        found = read(cur, side)
        if found is not None:
            cur.read.update(range(start, cur.at))
            return found
        cur.back_to(start)
    return None


def _word_first(cur: Cursor, side: str | None) -> Put | None:
    word = cur.take("trail", "stop", "target", "limit")
    if word is None:
        return None
    kind = word.kind
    if kind == "trail":
        cur.take("stop")
    side = _own_side(cur) or side
    while (
        cur.peek().kind in ("then", "of", "from", "comma", "lp", "it", "minus", "which")
        or cur.peek().text in ("below", "under", "above", "over", "beneath")
        and not _is_distance(cur)
    ):
        if cur.peek().kind in ("comma", "lp") and not _is_distance(cur, 1):
            break
        cur.at += 1
        if cur.done():
            return None
    return _what(cur, kind, _own_side(cur) or side)


def _own_side(cur: Cursor) -> str | None:
    place = cur.at
    token = cur.take("side")
    if token is None:
        cur.back_to(place)
        return None
    cur.take("then")
    return str(token.value)


def _is_distance(cur: Cursor, ahead: int = 0) -> bool:
    token = cur.peek(ahead)
    if isinstance(token.value, Amount):
        return token.value.unit in UNITS
    if token.kind != "num":
        return False
    following = cur.peek(ahead + 1)
    following = cur.peek(ahead + 2) if following.kind == "times" else following
    if isinstance(following.value, Amount) and following.value.unit in ("bars", "days"):
        following = cur.peek(ahead + 3)
    return following.kind == "ind" and following.value == ("atr", "value") or following.text == "n"


def _distance_first(cur: Cursor, side: str | None) -> Put | None:
    """ "2% stop", "a 25 pip stop loss", "3 ATR trailing stop"."""
    distance = _distance(cur)
    if distance is None:
        return None
    cur.take("minus")
    word = cur.take("trail", "stop", "target")
    if word is None:
        return None
    if word.kind == "trail":
        cur.take("stop")
    anchor(cur)
    return _put(cur, word.kind, side, distance)


def _distance(cur: Cursor) -> c.Distance | None:
    cur.take("plus"), cur.take("minus") if _is_distance(cur, 1) else None
    token = cur.peek()
    if isinstance(token.value, Amount) and token.value.unit in UNITS:
        size = cur.book.tick if token.value.unit == "ticks" else 1.0
        if not size or not token.value.value:
            return None
        cur.at += 1
        return away(token.value.unit, token.value.value * size)
    if not _is_distance(cur):
        return None
    amount = float(str(token.value))
    cur.at += 1
    cur.take("times")
    if cur.peek().text == "n":
        cur.at += 1
        atr: c.Operand | None = cur.book.series(
            "atr", "value", None if "atr" in cur.book.given else {"length": 20.0}
        )
    else:
        atr = operand(cur)
    if not isinstance(atr, c.Series) or amount <= 0:
        return None
    return c.Distance(unit="atr", amount=amount, indicator=atr.indicator)


def _what(cur: Cursor, kind: str, side: str | None) -> Put | None:
    """A distance with what it is counted from, or a price."""
    place = cur.at
    distance = _distance(cur)
    if distance is not None:
        beside = anchor(cur) if kind != "trail" else None
        if beside is not None:
            sign, base = beside
            return Put(kind, side, price=price_beside(cur, base, distance, sign))
        if kind == "limit":
            return None
        return _put(cur, kind, side, distance)
    cur.back_to(place)
    if cur.take("other_side") and cur.take("range"):
        low, high = (cur.book.series("opening_range", o) for o in ("low", "high"))
        return Put(kind, "long", price=low) if side != "short" else Put(kind, "short", price=high)
    cur.back_to(place)
    if cur.take("other_side") and _is_a_bar(cur):
        return Put(kind, "long", price=c.Price(field=c.PriceField.LOW, shift=_bars_back(cur)))
    cur.back_to(place)
    if cur.peek().kind in ("if", "end", "and", "exit", "enter"):
        return None
    price = operand(cur)
    if price is not None and cur.book.is_height(price) and kind in ("stop", "target"):
        return _by_height(cur, kind, side, price)
    if price is None or not _is_level(cur, price):
        return None
    return Put(kind, side, price=price)


def _is_a_bar(cur: Cursor) -> bool:
    """ "the other side of the bar", "of the inside bar", "of the previous bar"."""
    return cur.peek().kind in ("candle", "now", "back", "end", "comma", "rp", "and", "slot")


def _bars_back(cur: Cursor) -> int:
    back = cur.take("back")
    cur.take("candle", "now", "range")
    return int(str(back.value)) if back else 0


def _by_height(cur: Cursor, kind: str, side: str | None, height: c.Operand) -> Put | None:
    """ "target 1.5 times the range": so far from the close, or from what is named."""
    way = (1 if kind == "target" else -1) * (-1 if side == "short" else 1)
    beside = anchor(cur)
    base: c.Operand = c.Price(field=c.PriceField.CLOSE)
    if beside is not None:
        way, base = beside
    where = c.Arithmetic(op="add" if way > 0 else "subtract", left=base, right=height)
    return Put(kind, side, price=where)


def _is_level(cur: Cursor, price: c.Operand) -> bool:
    """A price that an order can rest at: no height of a bar, no number of ATRs."""
    if isinstance(price, c.Constant):
        return price.value >= 10 or price.value > 0 and price.value != int(price.value)
    span = (
        isinstance(price, c.Arithmetic)
        and price.op == "subtract"
        and isinstance(price.left, c.Price)
        and isinstance(price.right, c.Price)
    )
    return not span and cur.book.is_price(price)


def _put(cur: Cursor, kind: str, side: str | None, distance: c.Distance) -> Put:
    if kind != "trail":
        return Put(kind, side, distance)
    return Put(kind, side, distance, mark=mark(cur))
