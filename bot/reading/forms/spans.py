"""What follows a condition: within some bars, on several in a row, for the first time."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, Wrap, form
from bot.reading.forms.patterns import bars


@form(
    r"(?:on |in |at |during |over )*(?:at least (?:1|one) of |any of |one of |some ?time (?:in|during|within) |at some point (?:in|during|within) |(?:at )?any time (?:in|during|within) |within |at any point in )(?:the |these )*(?:last |past |previous |most recent )*{n}\s*{span}(?:\s*\([^)]*\))?"
)
@form(r"(?:in|during|over) the (?:last|past|previous) {n}\s*{span}(?:\s*\([^)]*\))?")
def _within(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap | bool:
    before = sentence.text[: match.start()]
    if re.match(r" of (?:the|an?|it|that|its)\b| after\b", sentence.text[match.end() :]):
        return False
    if re.search(r"\bno (?:new )?(?:trade|entry|signal|position|exit|cross)\w* $", before):
        return False
    if re.search(r"never happen|hasn't|has not|nothing happen|not happen|doesn't happen", before):
        return False
    if re.search(
        r"(?:high|low|close|highest|lowest|average|volume|range|range of|exit|out|sell)\s*(?:of|set|reached|seen|made|it)?\s*$",
        before,
    ):
        return False
    return Wrap("within", bars(book, match[1], match[2]))


@form(
    r"(?:on|for|at|of)? ?(?:the )?(?:last )?{n} (?:consecutive|straight|successive) (?:bars|candles|days|closes|sessions|times)|(?:on |for )?(?:at least )?(?:the last )?{n} (?:bars|candles|days|closes|sessions|times) (?:in a row|running|in succession|straight|consecutively)|for (?:at least )?{n} (?:bars|candles)(?! (?:at most|max))"
)
def _in_a_row(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap | bool:
    before = sentence.text[: match.start()]
    if not re.search(
        r"above|below|over|under|[<>]|positive|negative|rising|falling|risen|fallen|rises|falls",
        before,
    ):
        return False
    if re.search(
        r"\b(?:rising|falling|risen|fallen|rises|falls|increasing|decreasing)\b[^,;]{0,6}$", before
    ):
        return Wrap("row", int(float(next(g for g in match.groups() if g))))
    if re.search(r"\b(?:hold|exit|sell|close[sd]?|out|wait)\b[^,;]{0,12}$", before):
        return False
    return Wrap("row", int(float(next(g for g in match.groups() if g))))


@form(
    r"for the 1st time (?:that|this|in the|of the|on the|each) (?:day|session)|for the 1st time today"
)
def _first_of_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """The first such bar of a day: one entry a day, on the state."""
    told.day_limit = told.day_limit or 1
    return True


@form(
    r"(?:1st )?(?:becomes?|turns?|became|is) (?:newly )?true(?: for the 1st time)?(?:\s*\([^)]*\))?|for the 1st time(?: after[^,.;]*)?|\(?(?:it|this|that) was not (?:true|the case|so) (?:on|at) the (?:bar|day|candle) before\)?|(?:and|but) (?:it |they |this |that )?(?:was not|wasn't|were not|weren't) (?:so |true |stacked |aligned |there |the case |like that )?(?:on )?the (?:bar|day|candle) before|(?:after|and|but|when|while)(?: the)? (?:previous|prior|last|bar before|one before|candle before|day before|previous bar|previous close|previous candle|previous day|prior bar|yesterday|previous 1|previous one|prior one)(?: (?:one|bar|candle|close|day))? (?:did not|didn't|was not|wasn't|had not|hadn't)(?! \w+ (?:above|below|over|under))"
)
def _edge(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Wrap:
    return Wrap("edge")
