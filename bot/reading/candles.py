"""Named candles and crosses, each as the comparisons that define it. Pure."""

from __future__ import annotations

from collections.abc import Callable

from bot.reading.book import Book
from bot.reading.nodes import (
    above,
    at_least,
    body,
    bottom,
    crossing,
    every,
    green,
    minus,
    number,
    price,
    red,
    span,
    times,
    top,
)
from schemas import contract as c


def _middle(back: int) -> c.Operand:
    total = c.Arithmetic(op="add", left=price("open", back), right=price("close", back))
    return c.Arithmetic(op="divide", left=total, right=number(2))


def _narrowest(bars: int, book: Book) -> c.Condition:
    """Narrower than each of the bars before it in the stretch."""
    ranges = book.series("range", values={})
    least = book.series("lowest", values={"length": bars - 1}, of=ranges, shift=1)
    return above(least, ranges)


PATTERNS: dict[str, Callable[[], c.Condition]] = {
    "bullish_engulfing": lambda: every(
        red(1), green(), at_least(price("close", 1), price("open")),
        at_least(price("close"), price("open", 1)),
    ),
    "bearish_engulfing": lambda: every(
        green(1), red(), at_least(price("open"), price("close", 1)),
        at_least(price("open", 1), price("close")),
    ),
    "hammer": lambda: every(
        at_least(minus(bottom(), price("low")), times(body(), 2)),
        at_least(body(), minus(price("high"), top())),
        above(span(), number(0)),
    ),
    "shooting_star": lambda: every(
        at_least(minus(price("high"), top()), times(body(), 2)),
        at_least(body(), minus(bottom(), price("low"))),
        above(span(), number(0)),
    ),
    "doji": lambda: every(at_least(times(span(), 0.1), body()), above(span(), number(0))),
    "inside_bar": lambda: every(
        above(price("high", 1), price("high")), above(price("low"), price("low", 1))
    ),
    "outside_bar": lambda: every(
        above(price("high"), price("high", 1)), above(price("low", 1), price("low"))
    ),
    "morning_star": lambda: every(
        red(2), above(body(2), times(span(2), 0.5)), above(times(body(2), 0.5), body(1)),
        green(), above(price("close"), _middle(2)),
    ),
    "evening_star": lambda: every(
        green(2), above(body(2), times(span(2), 0.5)), above(times(body(2), 0.5), body(1)),
        red(), above(_middle(2), price("close")),
    ),
    "three_white_soldiers": lambda: every(
        green(2), green(1), green(), above(price("close", 1), price("close", 2)),
        above(price("close"), price("close", 1)),
    ),
    "three_black_crows": lambda: every(
        red(2), red(1), red(), above(price("close", 2), price("close", 1)),
        above(price("close", 1), price("close")),
    ),
    "bullish_harami": lambda: every(
        red(1), green(), above(price("open", 1), price("close")),
        above(price("open"), price("close", 1)),
    ),
    "bearish_harami": lambda: every(
        green(1), red(), above(price("close", 1), price("open")),
        above(price("close"), price("open", 1)),
    ),
    "piercing_line": lambda: every(
        red(1), green(), above(price("close", 1), price("open")),
        above(price("close"), _middle(1)), above(price("open", 1), price("close")),
    ),
    "dark_cloud": lambda: every(
        green(1), red(), above(price("open"), price("close", 1)),
        above(_middle(1), price("close")), above(price("close"), price("open", 1)),
    ),
    "bullish_marubozu": lambda: every(green(), at_least(body(), times(span(), 0.95))),
    "bearish_marubozu": lambda: every(red(), at_least(body(), times(span(), 0.95))),
    "bullish_reversal": lambda: every(
        above(price("low", 1), price("low")), above(price("close"), price("close", 1))
    ),
    "bearish_reversal": lambda: every(
        above(price("high"), price("high", 1)), above(price("close", 1), price("close"))
    ),
}  # fmt: skip
BEARISH = {"bearish_engulfing", "shooting_star", "evening_star", "three_black_crows",
           "bearish_harami", "dark_cloud", "bearish_marubozu", "bearish_reversal"}  # fmt: skip


def candle(name: str, book: Book) -> c.Condition:
    if name in ("nr7", "nr4"):
        return _narrowest(int(name[2:]), book)
    words = name.replace("_", " ")
    book.assume(f"the candle {words}", "as written out in the rule", "the usual definition")
    return PATTERNS[name]()


def named_cross(name: str, book: Book) -> c.Condition:
    kind, short, long = book.golden
    fast = book.series(kind, values={"length": short})
    slow = book.series(kind, values={"length": long})
    return crossing("above" if name == "golden_cross" else "below", fast, slow)
