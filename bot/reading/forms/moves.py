"""Moves of some percent over several bars, and prices that lie close together."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import N, bars
from bot.reading.nodes import at_least, compare, minus, number, price, times
from schemas import contract as c


@form(
    r"(?:the )?(?:\d+ |last 2 |both )?(?:consecutive )?(lows|highs|closes|opens)(?: are| being| lie)? (?:with)?in {n}\s*(%|percent|pips?|points?) of (?:each other|one another)"
)
def _alike(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    """ "Two lows within 0.1% of each other": this bar's and the one before."""
    field, unit = match[1].removesuffix("s"), match[3]
    now, before = price(field), price(field, 1)
    ends = (c.Arithmetic(op=op, left=now, right=before) for op in ("maximum", "minimum"))
    apart = minus(*ends)
    value = float(match[2])
    if unit in ("%", "percent"):
        return Cond(at_least(times(before, round(value / 100, 12)), apart))
    return Cond(at_least(number(value * (book.pip if unit.startswith("pip") else 1.0)), apart))


_MOVED = r"(?P<down>down|drops?|dropped|falls?|fell|fallen|loses?|lost|declines?|declined)|(?P<up>up|rises?|rose|risen|gains?|gained|climbs?|climbed|rallies|rallied)"


@form(
    rf"(?:the )?(?:market |price |stock |it |close |index )?(?:is |was |has |have |closes )?(?P<least>at least |more than |over )?(?:{_MOVED}) (?:by )?(?P<more>at least |more than |over )?{{n}}\s*(?:%|percent)(?P<or_more> or more)? (?:in|over|within|during|across) (?:the )?(?:last |past |previous )?{{n}} (?:trading )?(days|bars|candles|sessions|hours|weeks)(?: or less)?(?:\s*\((?:close|from|vs|versus|compared)[^)]*\))?"
)
def _moved(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    """ "Fell 5% or more over the last 5 days": the close against the close then."""
    if "or less" in match[0]:
        return False
    amounts = [g for g in match.groups() if g and re.fullmatch(N, g)]
    span_ = [g for g in match.groups() if g][-1]
    up = bool(match["up"])
    then = price("close", bars(book, amounts[1], span_))
    limit = times(then, round(1 + (1 if up else -1) * float(amounts[0]) / 100, 12))
    strict = any(
        "more than" in (match[x] or "") or "over" in (match[x] or "") for x in ("least", "more")
    )
    op = ("above" if up else "below") if strict else ("at_least" if up else "at_most")
    return Cond(compare(op, price("close"), limit), bearish=not up)
