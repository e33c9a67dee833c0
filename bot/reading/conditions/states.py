"""What is said of one series alone: positive, rising, oversold, green. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import AVERAGES
from bot.reading.conditions.cond import Cond, bars_before, earlier
from bot.reading.conditions.crosses import cross
from bot.reading.cursor import Cursor
from bot.reading.mirror import FLIP
from bot.reading.nodes import compare, every, green, number, red
from schemas import contract as c

OVER = {
    "rsi": 70.0,
    "stochastic": 80.0,
    "stochastic_rsi": 80.0,
    "mfi": 80.0,
    "williams_r": -20.0,
    "cci": 100.0,
}
UNDER = {
    "rsi": 30.0,
    "stochastic": 20.0,
    "stochastic_rsi": 20.0,
    "mfi": 20.0,
    "williams_r": -80.0,
    "cci": -100.0,
}


TRENDING = (*AVERAGES, "macd", "obv", "vwap", "supertrend", "psar", "heikin_ashi")
"""What is called bullish when it rises. An oscillator in an uptrend is no rule."""


def state(cur: Cursor, left: c.Operand, kind: str, value: str) -> Cond | None:
    """What is said of a series alone: positive, rising, oversold, green."""
    book, of = cur.book, cur.book.kind(left)
    if kind in ("flip", "trend") and of == "heikin_ashi":
        opened, closed = (book.series("heikin_ashi", o) for o in ("open", "close"))
        colour = compare(value, closed, opened)
        turned = every(colour, c.Never(of=earlier(colour, 1)))
        return Cond(turned if kind == "flip" else colour, bearish=value == "below")
    if kind in ("flip", "trend") and of in ("supertrend", "psar"):
        direction = book.series(of, "direction")
        zero = number(0)
        node: c.Condition = (
            cross((direction, zero), value) if kind == "flip" else compare(value, direction, zero)
        )
        return Cond(node, bearish=value == "below")
    if kind == "sign":
        return Cond(compare(value, left, number(0)), bearish=value == "below")
    if kind == "sign_cross":
        book.pair = (left, number(0))
        return Cond(cross((left, number(0)), value), bearish=value == "below")
    if kind == "extreme":
        if of not in OVER:
            return None
        level = OVER[of] if value == "above" else UNDER[of]
        book.assume(
            f"{of} oversold and overbought", f"{UNDER[of]:g} and {OVER[of]:g}", "the usual levels"
        )
        return Cond(compare(value, left, number(level)), bearish=value == "above")
    if kind == "trend" and isinstance(left, c.Price):
        return Cond(green() if value == "above" else red(), bearish=value == "below")
    if kind == "trend" and of not in TRENDING:
        return None
    steps, in_a_row = 1, 0
    if cur.is_stretch() and cur.peek(1).kind == "ago":
        steps = cur.stretch() or 1
        cur.at += 1
    elif cur.is_stretch() and kind == "slope":
        in_a_row = cur.stretch() or 1
    now, before = left, bars_before(left, steps)
    rising: c.Condition = compare(value, now, before)
    if kind == "flip":
        turned = compare(FLIP[value], bars_before(left, 1), bars_before(left, 2))
        not_before = replace(turned, op="at_most" if value == "above" else "at_least")
        return Cond(every(rising, not_before), bearish=value == "below")
    if in_a_row:
        rising = c.InARow(bars=in_a_row, of=rising)
    return Cond(rising, bearish=value == "below")
