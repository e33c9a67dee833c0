"""Reads averages without a name, of the volume, and the faster of two. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import AVERAGES
from bot.reading.cursor import Cursor
from bot.reading.nodes import price
from bot.reading.operands.settings import in_brackets, settings, stretch_of
from schemas import contract as c


def average(cur: Cursor) -> c.Operand | None:
    """A moving average without a name, an average of the volume, or "its 20-day average"."""
    own = cur.take("its")
    cur.take("prev"), cur.take("last")
    length = cur.stretch() if cur.is_stretch() else None
    volume = cur.take_value("price", "volume")
    if volume and cur.take("its"):
        pass
    if volume and length is None and cur.is_stretch():
        length = cur.stretch()
    word = cur.take("average")
    if word is None and cur.peek().kind == "ind" and _is_average(cur.peek().value):
        if not (volume or own):
            return None
        word = cur.take("ind")
        kind = str(word.value[0]) if word and isinstance(word.value, tuple) else "sma"
    else:
        kind = cur.book.average if not volume else "sma"
    if word is None:
        return None
    cur.take("of") if cur.peek(1).value == "volume" else None
    volume = cur.take_value("price", "volume") or volume
    given = in_brackets(cur)
    after, excludes = stretch_of(cur)
    length = length or (int(given[0]) if given else None) or after
    length = length or (cur.stretch() if cur.peek().kind == "num" else None)
    values = {"length": float(length)} if length else None
    if volume or cur.book.subject == price("volume", 0):
        kind = "sma"
        return replace(
            cur.book.series("sma", "value", values or {"length": 20.0}, c.PriceField.VOLUME),
            shift=int(excludes),
        )
    if volume or (own and cur.book.subject == price("volume", 0)):
        return cur.book.series(
            "sma" if kind not in AVERAGES else kind,
            "value",
            values or {"length": 20.0},
            c.PriceField.VOLUME,
        )
    subject = cur.book.subject
    if own and isinstance(subject, c.Series) and not cur.book.is_price(subject):
        named = word.kind == "ind" and kind in AVERAGES
        return cur.book.series(kind if named else "sma", "value", values, of=subject)
    if values is None and cur.book.averages:
        return cur.book.averages[-1]
    return cur.book.series(kind, "value", values)


def _is_average(value: object) -> bool:
    return isinstance(value, tuple) and value[0] in AVERAGES


def faster_or_slower(cur: Cursor, speed: str) -> c.Operand | None:
    """ "the fast one": of the averages named so far."""
    numbers = settings(cur, "ema")
    word = cur.take("average", "ind")
    numbers = numbers or settings(cur, "ema")
    if numbers:
        named = str(word.value[0]) if word and isinstance(word.value, tuple) else cur.book.average
        return cur.book.series(
            named if named in AVERAGES else cur.book.average, "value", {"length": numbers[0]}
        )
    if len(cur.book.averages) < 2:
        return None
    ordered = sorted(cur.book.averages[:2], key=cur.book.length)
    return ordered[0] if speed == "fast" else ordered[-1]
