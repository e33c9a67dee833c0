"""Reads prices of this bar or an earlier one, and things of a bar: its range, body, wicks."""

from __future__ import annotations

from bot.reading.book import MINUTES
from bot.reading.cursor import Cursor
from bot.reading.nodes import body, bottom, minus, number, price, span, top
from schemas import contract as c

OPENING = ("range", "opening range", "orb", "height of the range", "range's height", "range height",
           "size of the range", "range size", "width of the range", "range's size")  # fmt: skip
"""What the range is called where a request speaks of an opening range."""


def price_named(cur: Cursor) -> c.Operand | None:
    """A price of this bar or of an earlier one: "yesterday's high", "the open of the bar before"."""
    if cur.peek().kind == "candle" and cur.peek(1).kind == "price":
        cur.at += 1
    if cur.take("last_week"):
        field = cur.take("price")
        return cur.book.series("prior_week", str(field.value)) if field else None
    if (
        cur.peek().kind == "its"
        and cur.peek(1).value in ("high", "low")
        and "opening_range" in cur.book.given
    ):
        cur.at += 1
        field = cur.take("price")
        return cur.book.series("opening_range", str(field.value)) if field else None
    back = cur.take("back", "now")
    if back is not None and cur.peek().kind == "it" and cur.peek(1).kind == "price":
        cur.at += 1
    if back is None and cur.peek().kind in ("prev", "last") and cur.peek(1).kind == "price":
        back = cur.take("prev", "last")
    if cur.take("typical"):
        total = c.Arithmetic(
            op="add",
            left=c.Arithmetic(op="add", left=price("high", 0), right=price("low", 0)),
            right=price("close", 0),
        )
        return c.Arithmetic(op="divide", left=total, right=number(3))
    if cur.take("median"):
        return c.Arithmetic(
            op="divide",
            left=c.Arithmetic(op="add", left=price("high", 0), right=price("low", 0)),
            right=number(2),
        )
    field = cur.take("price")
    if field is None:
        return None
    name = str(field.value)
    if name == "open" and cur.peek().kind == "price" and cur.peek().value == "close":
        return None
    place = cur.at
    if back is None and cur.take("of"):
        back = cur.take("back", "now")
        if back is None and cur.take("candle"):
            return price(name, 0)
        if back is None and cur.take("last_week"):
            return cur.book.series("prior_week", name)
        if back is None and cur.is_stretch() and cur.peek(1).kind == "ago":
            steps = cur.stretch() or 1
            cur.at += 1
            return price(name, steps)
        if back is None:
            cur.back_to(place)
    if back is None or back.kind == "now":
        return price(name, 0)
    is_day = any(w in back.text for w in ("day", "session"))
    if _intraday(cur) and is_day and back.value == 1:
        return cur.book.series("prior_day", name) if name != "volume" else None
    return price(name, int(str(back.value)) if back.kind == "back" else 1)


def of_a_bar(cur: Cursor) -> c.Operand | None:
    """The lower of the two candles' lows; the bar's range and body."""
    if cur.take("entry_price"):
        return c.Held(field="entry_price")
    if cur.peek().kind in ("range_high", "range_low", "range_mid"):
        word = cur.take("range_high", "range_low", "range_mid")
        high, low = (cur.book.series("opening_range", o) for o in ("high", "low"))
        if word and word.kind == "range_mid":
            total = c.Arithmetic(op="add", left=high, right=low)
            return c.Arithmetic(op="divide", left=total, right=number(2))
        return high if word and word.kind == "range_high" else low
    if cur.take("day_open"):
        return cur.book.series("this_day", "open") if _intraday(cur) else price("open", 0)
    if word := cur.take("range"):
        of_opening = "opening_range" in cur.book.given and word.text in OPENING
        if of_opening:
            return minus(*(cur.book.series("opening_range", o) for o in ("high", "low")))
        return span()
    if cur.take("body"):
        return body()
    if cur.take("ibs"):
        return c.Arithmetic(
            op="divide", left=minus(price("close", 0), price("low", 0)), right=span()
        )
    if cur.take("lower_wick"):
        return minus(bottom(), price("low", 0))
    if cur.take("upper_wick"):
        return minus(price("high", 0), top())
    if cur.peek().kind == "ha" and cur.peek(1).kind == "price":
        cur.at += 1
        field = cur.take("price")
        return cur.book.series("heikin_ashi", str(field.value)) if field else None
    back = cur.peek()
    if back.kind == "back" and cur.peek(1).kind == "range":
        cur.at += 2
        if _intraday(cur) and any(w in back.text for w in ("day", "session")):
            return minus(*(cur.book.series("prior_day", o) for o in ("high", "low")))
        return span(int(str(back.value)))
    if back.kind == "back" and cur.peek(1).kind == "body":
        cur.at += 2
        return body(int(str(back.value)))
    word = cur.take("lower_of", "higher_of")
    if word:
        for _ in range(6):
            field = cur.take("price")
            if field and field.value in ("high", "low", "open", "close"):
                now, before = (price(str(field.value), n) for n in (0, 1))
                if word.kind == "lower_of":
                    return c.Arithmetic(op="minimum", left=now, right=before)
                return c.Arithmetic(op="maximum", left=now, right=before)
            cur.at += 1
    return None


def _intraday(cur: Cursor) -> bool:
    return MINUTES[cur.book.timeframe] < 1440
