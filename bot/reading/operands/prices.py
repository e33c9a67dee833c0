"""Reads prices of this bar or an earlier one, and things of a bar: its range, body, wicks."""

from __future__ import annotations

from collections.abc import Callable

from bot.reading.book import MINUTES
from bot.reading.cursor import Cursor
from bot.reading.nodes import body, bottom, minus, number, price, span, top
from bot.reading.operands.settings import stretch_of
from schemas import contract as c

OPENING = ("range", "opening range", "orb", "height of the range", "range's height", "range height",
           "size of the range", "range size", "width of the range", "range's size")  # fmt: skip
"""What the range is called where a request speaks of an opening range."""


def price_named(cur: Cursor) -> c.Operand | None:
    """A price of this bar or of an earlier one: "yesterday's high", "the open of the bar before"."""
    if cur.peek().kind == "candle" and cur.peek(1).kind == "price":
        cur.at += 1
    if cur.peek().kind == "its" and cur.peek(1).value in ("open", "close"):
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
    if day := cur.take("day_high", "day_low"):
        name = day.kind.removeprefix("day_")
        return cur.book.series("this_day", name) if _intraday(cur) else price(name, 0)
    if (height := _height(cur)) is not None:
        return height
    if cur.take("mid_of"):
        return _middle(cur)
    if cur.take("ibs"):
        return c.Arithmetic(
            op="divide", left=minus(price("close", 0), price("low", 0)), right=span()
        )
    if cur.peek().kind == "ha" and cur.peek(1).kind == "price":
        cur.at += 1
        field = cur.take("price")
        return cur.book.series("heikin_ashi", str(field.value)) if field else None
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


HEIGHTS: dict[str, Callable[[int], c.Operand]] = {
    "body": body,
    "lower_wick": lambda back: minus(bottom(back), price("low", back)),
    "upper_wick": lambda back: minus(price("high", back), top(back)),
}


def _height(cur: Cursor) -> c.Operand | None:
    """A bar's range, body or wick: "the previous bar's body", "the range of the bar before"."""
    start = cur.at
    bar = cur.take("back", "now") if cur.peek(1).kind in ("range", *HEIGHTS) else None
    word = cur.take("range", *HEIGHTS)
    if word is None:
        cur.back_to(start)
        return None
    if word.kind == "range" and bar is None and (wide := _of_bars(cur)) is not None:
        return wide
    if bar is None and cur.peek().kind == "of" and cur.peek(1).kind in ("back", "now"):
        cur.at += 1
        bar = cur.take("back", "now")
    back = int(str(bar.value)) if bar and bar.kind == "back" else 0
    if word.kind != "range":
        return HEIGHTS[word.kind](back)
    if back and _intraday(cur) and bar and any(w in bar.text for w in ("day", "session")):
        return minus(*(cur.book.series("prior_day", o) for o in ("high", "low")))
    if not back and "opening_range" in cur.book.given and word.text in OPENING:
        return minus(*(cur.book.series("opening_range", o) for o in ("high", "low")))
    return span(back)


def _of_bars(cur: Cursor) -> c.Operand | None:
    """ "the range of the last 10 bars": from their lowest low to their highest high."""
    place = cur.at
    length, without = stretch_of(cur)
    if length is None or place == cur.at or cur.tokens[place].kind not in ("of", "cmp"):
        cur.back_to(place)
        return None
    values, back = {"length": float(length)}, int(without)
    high = cur.book.series("highest", "value", values, c.PriceField.HIGH, shift=back)
    return minus(high, cur.book.series("lowest", "value", values, c.PriceField.LOW, shift=back))


def _middle(cur: Cursor) -> c.Operand | None:
    """The middle of a bar, or of its body."""
    bar = cur.take("back", "now")
    whole = cur.take("body", "range", "candle")
    if bar is None and cur.take("of"):
        bar = cur.take("back", "now")
    if bar is None and whole is None:
        return None
    back = int(str(bar.value)) if bar and bar.kind == "back" else 0
    ends = ("open", "close") if whole and whole.kind == "body" else ("high", "low")
    total = c.Arithmetic(op="add", left=price(ends[0], back), right=price(ends[1], back))
    return c.Arithmetic(op="divide", left=total, right=number(2))


def _intraday(cur: Cursor) -> bool:
    return MINUTES[cur.book.timeframe] < 1440
