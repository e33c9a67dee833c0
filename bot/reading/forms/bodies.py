"""Where a bar closes in its range, and how its body lies to the one before."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.nodes import above, at_least, bottom, every, price, times, top
from schemas import contract as c


@form(
    r"closes? (?:is |was )?(?:back )?in (?:the )?(upper|lower|top|bottom) (half|third|3rd|quarter|{n}\s*%) of (?:its|the|that)(?: own)?(?: day's| bar's| daily| candle's)?(?: high-low)? range|closes? (?:near|close to) its (high|low)"
)
def _part_of_range(
    match: re.Match[str], sentence: Sentence, told: Settings, book: Book
) -> Cond | bool:
    if match[4]:
        return False
    share = {"half": 0.5, "third": 1 / 3, "3rd": 1 / 3, "quarter": 0.25}.get(match[2]) or float(
        match[3]
    ) / 100
    span = c.Arithmetic(op="subtract", left=price("high"), right=price("low"))
    up = match[1] in ("upper", "top")
    level = c.Arithmetic(
        op="add", left=price("low"), right=times(span, round(1 - share if up else share, 12))
    )
    return Cond(
        c.Compare(op="at_least" if up else "at_most", left=price("close"), right=level),
        bearish=not up,
    )


@form(
    r"(?:its |the )?body (?:covers|engulfs|contains) (?:the )?(?:whole |entire )?(?:previous|prior|yesterday's)(?: candle's| bar's)? body|(?:covers|engulfs) (?:the )?(?:whole |entire )?(?:previous|prior|yesterday's)(?: candle's| bar's)? body"
)
def _engulfs(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(every(at_least(top(), top(1)), at_least(bottom(1), bottom())))


@form(
    r"(?:(?:whose|its|today's|with(?: its| the)?) )?(?:open and (?:the )?close|close and (?:the )?open)(?: are| is| both| lie| of today)* (?:inside|within)(?: of)? (?:the )?(?:yesterday's|previous|prior|body of the previous)(?: day's| candle's| bar's| candle| bar| day)?(?: real)?(?: body)?"
)
@form(
    r"(?:today's |its |the |whole )*body (?:is |lies |sits )?(?:completely |fully |entirely )?(?:inside|within) (?:the )?(?:yesterday's|previous|prior)(?: candle's| bar's)? body"
)
def _inside_body(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(every(at_least(top(1), top()), at_least(bottom(), bottom(1))))


@form(
    r"(?:today's |the |its |this bar's )?range (?:\([^)]*\) )?(?:is )?(smaller|narrower|less|lower|tighter|larger|bigger|wider|greater|higher) than (?:the ranges? of )?(?:each|any|all|every one|every)? ?(?:of )?(?:the )?(?:ranges? of )?(?:the )?(?:previous|prior|last|preceding) {n} (?:days|bars|candles)(?:'s?)?(?: ranges?)?"
)
def _against_ranges(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    """ "Smaller than each of the previous 6 days' ranges"."""
    ranges, small = (
        book.series("range", values={}),
        match[1] in ("smaller", "narrower", "less", "lower", "tighter"),
    )
    kind = "lowest" if small else "highest"
    edge = book.series(kind, values={"length": float(match[2])}, of=ranges, shift=1)
    return Cond(above(edge, ranges) if small else above(ranges, edge))
