"""Reads crosses: named ones, two averages by their lengths, as in code, and breaks of a channel."""

from __future__ import annotations

from bot.reading.book import AVERAGES, CHANNELS, Book
from bot.reading.candles import named_cross
from bot.reading.conditions.cond import Cond
from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import above, price
from bot.reading.operands.operand import operand
from bot.reading.operands.settings import arrange, settings
from schemas import contract as c


def named(cur: Cursor) -> Cond | None:
    if token := cur.take("named"):
        node = named_cross(str(token.value), cur.book)
        if isinstance(node, c.Cross):
            cur.book.pair = (node.left, node.right)
        settings(cur, "macd")
        return Cond(node, bearish=token.value == "death_cross")
    if found := _channel_break(cur):
        return found
    if cur.peek().kind == "cross" and cur.peek(1).kind == "lp":
        return _called(cur)
    if token := cur.take("bullish_cross"):
        pair = cur.book.pair or implied_pair(cur.book)
        if pair is None:
            return None
        cur.book.pair = pair
        return Cond(cross(pair, str(token.value)), bearish=token.value == "below")
    return None


def _channel_break(cur: Cursor) -> Cond | None:
    """ "Donchian 20 breakout", "opening range breakout": either side of it."""
    start, token = cur.at, cur.peek()
    if token.kind == "range":
        cur.at += 1
        if cur.take_value("break", None):
            top, low = (cur.book.series("opening_range", o) for o in ("high", "low"))
            return Cond(above(price("close"), top), above(low, price("close")), either=True)
    kind = str(token.value[0]) if token.kind == "ind" and isinstance(token.value, tuple) else ""
    if kind in CHANNELS and isinstance(token.value, tuple) and token.value[1] == "":
        cur.at += 1
        numbers = settings(cur, kind)
        if cur.take_value("break", None):
            values = arrange(kind, numbers) if numbers else None
            back = 1 if kind == "donchian" else 0
            upper, lower = (
                cur.book.series(kind, o, values, shift=back) for o in ("upper", "lower")
            )
            return Cond(above(price("close"), upper), above(lower, price("close")), either=True)
    cur.back_to(start)
    return None


def _called(cur: Cursor) -> Cond | None:
    """crossover(close, ema(close, 10)), as in code."""
    word = cur.take("cross")
    cur.take("lp")
    left = operand(cur)
    cur.take("comma")
    right = operand(cur)
    if left is None or right is None or not cur.take("rp"):
        return None
    direction = "below" if word and word.value == "below" else "above"
    cur.book.pair, cur.book.subject, cur.book.object = (left, right), left, right
    return Cond(cross((left, right), direction), bearish=direction == "below")


def implied_pair(book: Book) -> tuple[c.Operand, c.Operand] | None:
    """What a cross is of when nobody says: the two averages, or MACD and its signal."""
    if len(book.averages) >= 2:
        fast, slow = sorted(book.averages[:2], key=book.length)
        return fast, slow
    if "macd" in book.given or any(i.kind == "macd" for i in book.used.values()):
        return book.series("macd", "line"), book.series("macd", "signal")
    if any(i.kind == "stochastic" for i in book.used.values()) or "stochastic" in book.given:
        return book.series("stochastic", "k"), book.series("stochastic", "d")
    return None


def cross(pair: tuple[c.Operand, c.Operand], direction: str) -> c.Cross:
    return c.Cross(
        direction="above" if direction == "above" else "below", left=pair[0], right=pair[1]
    )


def named_lengths(cur: Cursor) -> Cond | None:
    """ "15 crosses above 45", after EMA 15 and EMA 45 were named."""
    first, word, second = (cur.peek(n) for n in range(3))
    if not (first.kind == second.kind == "num" and word.kind == "cross"):
        return None
    by_length = {cur.book.length(a): a for a in cur.book.averages}
    if first.value not in by_length or second.value not in by_length:
        return None
    cur.at += 3
    pair = (by_length[float(str(first.value))], by_length[float(str(second.value))])
    cur.book.pair, cur.book.subject, cur.book.object = pair, pair[0], pair[1]
    return either_way(cur.book, pair, str(word.value) if word.value else "")


def two_lengths(cur: Cursor) -> tuple[c.Series, c.Series] | None:
    """ "EMA 9/21", "9/21 EMA", "EMA 9 and 21", "50 and 200 day SMA"."""
    numbers: list[float] = []
    word = cur.take("ind", "average")
    opened = bool(cur.take("lp"))
    while cur.is_stretch() and len(numbers) < 2:
        token = cur.peek()
        value = token.value.value if isinstance(token.value, Amount) else float(str(token.value))
        numbers.append(value)
        cur.at += 1
        if len(numbers) < 2 and not cur.take("slash", "and", "comma", "minus", "times"):
            break
    if opened:
        cur.take("rp")
    word = word or cur.take("ind", "average")
    kind = str(word.value[0]) if word and isinstance(word.value, tuple) else cur.book.average
    if word is None or kind not in AVERAGES or len(numbers) != 2:
        return None
    fast, slow = (cur.book.series(kind, "value", {"length": n}) for n in sorted(numbers))
    cur.book.pair = (fast, slow)
    return fast, slow


def pair_crosses(cur: Cursor, first: c.Operand, second: c.Operand) -> Cond:
    cur.book.pair = (first, second)
    cur.book.subject, cur.book.object = first, second
    token = cur.take("cross", "bullish_cross")
    direction = str(token.value) if token and token.value else ""
    return either_way(cur.book, (first, second), direction)


def either_way(book: Book, pair: tuple[c.Operand, c.Operand], direction: str) -> Cond:
    if direction:
        return Cond(cross(pair, direction), bearish=direction == "below")
    return Cond(cross(pair, "above"), cross(pair, "below"), either=True)
