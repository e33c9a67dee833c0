"""Reads what is compared: prices, indicators, highs and lows, sums and shares of them. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.cursor import Cursor
from bot.reading.lexer import Amount
from bot.reading.nodes import number, times
from bot.reading.operands.averages import average
from bot.reading.operands.constants import constant
from bot.reading.operands.extremes import extreme
from bot.reading.operands.prices import of_a_bar, price_named
from bot.reading.operands.series import indicator
from schemas import contract as c


def operand(cur: Cursor) -> c.Operand | None:
    """The longest thing from here that has a value on every bar, or None."""
    start = cur.at
    left = _factor(cur)
    while left is not None:
        place = cur.at
        sign = cur.take("plus", "minus")
        if sign is None:
            break
        right = _step(cur) or _factor(cur)
        if right is None or (isinstance(right, c.Constant) and not cur.book.is_price(left)):
            cur.back_to(place)
            break
        left = c.Arithmetic(op="add" if sign.kind == "plus" else "subtract", left=left, right=right)
    if left is None:
        cur.back_to(start)
    return left


def _step(cur: Cursor) -> c.Operand | None:
    """ "... minus 2 pips"."""
    token = cur.peek()
    if not isinstance(token.value, Amount) or token.value.unit not in (
        "pips",
        "price",
        "ticks",
        "money",
    ):
        return None
    size = {"pips": cur.book.pip, "ticks": cur.book.tick}.get(token.value.unit, 1.0)
    if not size or cur.peek(1).kind in ("cmp", "stop", "target", "trail"):
        return None
    cur.at += 1
    return number(token.value.value * size)


def _factor(cur: Cursor) -> c.Operand | None:
    """A base, or a number of times a base: "1.5 x the average", "80% of the high"."""
    start = cur.at
    if cur.peek().kind == "lp":
        cur.at += 1
        inner = operand(cur)
        if inner is not None and cur.take("rp"):
            return inner
        cur.back_to(start)
    amount = cur.peek().value
    apart = isinstance(amount, Amount) and amount.unit in ("pips", "price")
    if (apart or _is_atrs(cur)) and (beside := _beside(cur)):
        return beside
    if _is_atrs(cur) and _is_multiple(cur):
        count = float(str(cur.peek().value))
        cur.at += 1
        cur.take("times")
        base = _base(cur)
        if base is not None:
            return times(base, count) if count != 1 else base
        cur.back_to(start)
    if cur.peek().kind == "num" and cur.peek(1).kind == "times":
        value = cur.peek().value
        cur.at += 2
        cur.take("of")
        base = _base(cur)
        if base is not None and isinstance(value, float):
            return _beside_height(cur, times(base, value))
        cur.back_to(start)
    if isinstance(amount, Amount) and amount.unit == "percent":
        if cur.peek(1).kind == "or_more" and cur.peek(2).kind == "cmp":
            cur.tokens.insert(cur.at, cur.tokens.pop(cur.at + 1))
            cur.at += 1
        following = cur.peek(1)
        if following.kind == "of":
            cur.at += 2
            base = _base(cur)
            if base is not None and not isinstance(base, c.Constant):
                return times(base, amount.value / 100.0)
            cur.back_to(start)
        if following.kind == "cmp" and following.value in ("above", "below"):
            cur.at += 2
            base = _once(cur) or _base(cur) or _spoken_of(cur)
            if base is not None and not isinstance(base, c.Constant):
                step = amount.value / 100.0 * (1 if following.value == "above" else -1)
                return times(base, round(1.0 + step, 12))
            cur.back_to(start)
    base = _base(cur)
    if base is not None and cur.peek().kind == "times" and cur.peek(1).kind == "num":
        value = cur.peek(1).value
        cur.at += 2
        return times(base, float(str(value)))
    return base


def _beside_height(cur: Cursor, height: c.Operand) -> c.Operand:
    """ "0.5 x yesterday's range above the open": so far from it."""
    place = cur.at
    side = cur.take_value("cmp", "above", "below") if cur.book.is_height(height) else None
    base = _base(cur) if side else None
    if side is None or base is None or not cur.book.is_price(base) or cur.book.is_height(base):
        cur.back_to(place)
        return height
    return c.Arithmetic(op="add" if side.value == "above" else "subtract", left=base, right=height)


def _once(cur: Cursor) -> c.Operand | None:
    """ "5% higher than 20 bars ago": what is spoken of, as it was then."""
    subject = cur.book.subject
    if not (
        cur.is_stretch() and cur.peek(1).kind == "ago" and isinstance(subject, c.Price | c.Series)
    ):
        return None
    steps = cur.stretch() or 1
    cur.at += 1
    return replace(subject, shift=subject.shift + steps)


def _is_atrs(cur: Cursor) -> bool:
    ahead = 1 if cur.peek().kind == "num" else 0
    ahead += 1 if ahead and cur.peek(ahead).kind == "times" else 0
    token = cur.peek(ahead)
    return bool(ahead) and token.kind == "ind" and token.value == ("atr", "value")


def _is_multiple(cur: Cursor) -> bool:
    """ "2.5 ATR(22)" is a number of ATRs; "14 ATR" is an ATR of 14 bars."""
    value = float(str(cur.peek().value))
    own = any(cur.peek(n).kind == "lp" for n in (2, 3))
    return cur.peek(1).kind == "times" or own or value != int(value) or value <= 6


def _beside(cur: Cursor) -> c.Operand | None:
    """ "2 ATR below the low", "10 pips above the high": a price beside another."""
    start, amount = cur.at, cur.peek().value
    if isinstance(amount, Amount):
        cur.at += 1
        step: c.Operand = number(amount.value * (cur.book.pip if amount.unit == "pips" else 1.0))
    else:
        value = float(str(amount))
        cur.at += 1
        cur.take("times")
        atr = _base(cur)
        if atr is None:
            cur.back_to(start)
            return None
        step = times(atr, value) if value != 1 else atr
    side = cur.take_value("cmp", "above", "below")
    base = (_base(cur) or _spoken_of(cur)) if side else None
    if side is None or base is None or not cur.book.is_price(base):
        cur.back_to(start)
        return None
    return c.Arithmetic(op="add" if side.value == "above" else "subtract", left=base, right=step)


def _spoken_of(cur: Cursor) -> c.Operand | None:
    """ "15 pips above its open, sell if more than 15 pips below": below that open."""
    found = cur.book.object
    ends = cur.peek().kind in ("end", "comma", "then", "enter", "sell", "side")
    return found if ends and isinstance(found, c.Price | c.Series) else None


def _base(cur: Cursor) -> c.Operand | None:
    start = cur.at
    for read in (constant, extreme, of_a_bar, average, indicator, price_named, _pronoun):
        found = read(cur)
        if found is not None:
            return _shifted(cur, found)
        cur.back_to(start)
    return None


def _pronoun(cur: Cursor) -> c.Operand | None:
    if cur.peek().kind == "it" and cur.peek(1).kind in ("ind", "average", "price", "band"):
        cur.at += 1
        return _base(cur)
    if cur.take("it"):
        return cur.book.object if cur.book.object is not None else cur.book.subject
    return None


def _is_same(cur: Cursor, found: c.Series) -> bool:
    """ "RSI above RSI yesterday" is one value then and now; "below the band yesterday" was so then."""
    subject = cur.book.subject
    named = isinstance(subject, c.Series) and subject.indicator == found.indicator
    return named or cur.peek().text.endswith("'s") or cur.peek(1).kind in ("price", "body")


def _shifted(cur: Cursor, found: c.Operand) -> c.Operand:
    """ "... 5 bars ago", "... of the bar before"."""
    place = cur.at
    steps: int | None = None
    if cur.is_stretch() and cur.peek(1).kind == "ago":
        steps = cur.stretch()
        cur.at += 1
    elif cur.peek().kind == "back" and isinstance(found, c.Series) and _is_same(cur, found):
        steps = int(str(cur.peek().value))
        cur.at += 1
    elif cur.peek().kind == "of" and cur.peek(1).kind == "back":
        cur.at += 1
        steps = int(str(cur.peek().value))
        cur.at += 1
    if steps == 1 and cur.book.kind(found) == "donchian":
        return found  # it leaves this bar out already
    if steps is None or not isinstance(found, c.Price | c.Series):
        cur.back_to(place)
        return found
    return replace(found, shift=found.shift + steps)
