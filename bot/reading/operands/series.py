"""Reads indicators by name, with their output, settings and source. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import price
from bot.reading.operands.averages import faster_or_slower
from bot.reading.operands.settings import arrange, settings
from schemas import contract as c
from schemas.indicators import KINDS


def indicator(cur: Cursor) -> c.Operand | None:
    if which := cur.take("which"):
        return faster_or_slower(cur, str(which.value))
    if band := cur.take("band"):
        kind = cur.book.channel or "bollinger"
        return _banded(cur, kind, str(band.value))
    cur.take("prev"), cur.take("last")
    numbers: list[float] = []
    while cur.is_stretch() and len(numbers) < 3:
        token = cur.peek()
        value = token.value.value if isinstance(token.value, Amount) else float(str(token.value))
        unit = token.value.unit if isinstance(token.value, Amount) else ""
        numbers.append(float(cur.book.bars(value, unit)) if unit not in ("", "bars") else value)
        cur.at += 1
        cur.take("slash")
    cur.take("minus")
    named = cur.take("ind")
    if named is None or not isinstance(named.value, tuple):
        return None
    kind, output = str(named.value[0]), str(named.value[1])
    if (output == "" or kind in CHANNELS) and (band := cur.take("band")):
        output = str(band.value)
    after = settings(cur, kind)
    if output == "" and (band := cur.take("band")):
        output = str(band.value)
    numbers = after if after else numbers
    if output == "":
        return None
    source = (
        _source(cur)
        if kind in (*AVERAGES, "highest", "lowest", "rsi", "roc", "stdev", "zscore")
        else None
    )
    if kind in CHANNELS:
        cur.book.channel = cur.book.channel or kind
    if not numbers and cur.peek().text == "over" and isinstance(cur.peek(1).value, Amount):
        place = cur.at
        cur.at += 1
        numbers = settings(cur, kind)
        cur.back_to(cur.at if numbers else place)
    if (kind, output, len(numbers)) == ("stochastic", "d", 1):
        told = cur.book.given.get(kind) or KINDS[kind].parameters
        values: dict[str, float] | None = {**told, "signal": numbers[0]}
        return cur.book.series(kind, output, values)
    values = _values(kind, output, numbers) if numbers else _one_given(cur.book, kind)
    if isinstance(source, c.Series):
        return cur.book.series(kind, output, values, of=source)
    if kind == "donchian":
        return replace(cur.book.series(kind, output, values), shift=1)
    field = source.field if isinstance(source, c.Price) else c.PriceField.CLOSE
    return cur.book.series(kind, output, values, field)


def _values(kind: str, output: str, numbers: list[float]) -> dict[str, float]:
    """ "Kijun-sen (26)": one number of Ichimoku is that line's own."""
    if kind == "ichimoku" and len(numbers) == 1:
        own = {output: numbers[0]} if output in KINDS[kind].parameters else {}
        return {**KINDS[kind].parameters, **own}
    return arrange(kind, numbers)


def _one_given(book: Book, kind: str) -> dict[str, float] | None:
    """ "the EMA" after "EMA 20" was named once: that one."""
    if kind in AVERAGES:
        same = [a for a in book.averages if book.kind(a) == kind]
        if len({a.indicator for a in same}) == 1:
            return {p.name: p.value for p in book.used[same[0].indicator].parameters}
    return None


def _banded(cur: Cursor, kind: str, output: str) -> c.Operand:
    found = cur.book.series(kind, output)
    return replace(found, shift=1) if kind == "donchian" else found


def _source(cur: Cursor) -> c.Operand | None:
    """ "of the volume", "of the highs", "of OBV"."""
    place = cur.at
    if not cur.take("of"):
        return None
    field = cur.take("price")
    if field:
        return price(str(field.value), 0)
    inner = cur.take("ind")
    if (
        inner
        and isinstance(inner.value, tuple)
        and inner.value[0] in ("obv", "rsi", "atr", "macd", "roc")
    ):
        return cur.book.series(str(inner.value[0]), str(inner.value[1]))
    cur.back_to(place)
    return None
