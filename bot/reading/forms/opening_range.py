"""What the opening range is: its first bars, or hours of the clock."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES, Book
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import INCLUDED, clock


@form(
    r"(?:the )?opening range(?: is| =|:)?(?: the)?(?: high(?:/| and | & )low (?:of )?)?[^.;]{0,30}?(?:1st|first) (\d+|hour|half hour|\d+ minutes|bar)?\s*(bars?|candles?|minutes?|mins?|hours?|hour|half[\s-]hour)?(?: of (?:the )?(?:session|day|trading))?(?:\s*\([^)]*\))?"
)
@form(
    r"(?:the )?(?:opening )?range (?:is|=|:|means) (?:the )?(?:high(?:/| and | & |-)low (?:of )?)(?:the )?(?:1st|first)?\s*(\d+)?\s*(bars?|candles?|minutes?|mins?|hours?|hour|half[\s-]hour)(?: of (?:the )?(?:session|day|trading))?(?:\s*\([^)]*\))?"
)
@form(
    r"(?:the )?1st[\s-](?:(\d+)[\s-])?(bars?|candles?|minutes?|mins?|hours?|half[\s-]hour)(?:'s)? range(?:\s*\([^)]*\))?"
)
@form(
    r"(?:the )?(?:opening )?range ?(?:is|=|:|means) ?(?:the )?(?:1st|first) (\d+) (bars?|candles?|minutes?|mins?|hours?)(?: of (?:the )?(?:session|day|trading))?(?:\s*\([^)]*\))?"
)
@form(r"(?:the )?(\d+)[\s-]*(minutes?|mins?|min|bars?|hours?)\s*(?:opening range|orb)")
@form(
    r"(?:the )?(?:opening range|orb)(?: breakout)?[ ,:(]*(\d+)[\s-]*(minutes?|mins?|min|bars?|hours?)\)?"
)
def _opening_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.match(r"\s*(?:stamped |from |between )?\d{1,2}:\d", sentence.text[match.end() :]):
        return False
    count, unit = match[1] or "1", match[2] or "bars"
    size = {"m": 1, "h": 60}.get(unit[0], MINUTES[book.timeframe])
    words = f"{count} {unit}"
    minutes = (
        30
        if "half" in words
        else 60
        if count == "hour"
        else int(re.sub(r"\D", "", count) or 1) * size
    )
    book.given["opening_range"] = {"start": -1, "minutes": float(minutes)}
    return bool(
        re.search(r"range (?:is|=|:|means)|range[^.;]{0,30}1st|1st[^.;]{0,30}range", match[0])
    )


@form(
    r"(?:the )?(?:asian|asia|overnight|morning|opening|london|session)?\s*range(?: is| =|:| from| between| of| runs from)*\s*(?:the )?(?:high(?:/| and |-)low |highest high and (?:the )?lowest low )?(?:of |from |between |bars |stamped |the )*{t}\s*(?:to|and|-|until)\s*{t}(?: bars?)?("
    + INCLUDED
    + r")?"
)
def _clock_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    start, end = (int(x[:2]) * 60 + int(x[3:]) for x in (clock(match[1]), clock(match[2])))
    end += MINUTES[book.timeframe] if match[3] or "bars" in match[0] else 0
    book.given["opening_range"] = {"start": float(start), "minutes": float(end - start)}
    return True


@form(r"(?:opening )?range (?:is|=|:) (?:the )?(?:1st|{t}) (?:bar|candle)(?: only)?")
def _one_bar_range(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    book.given["opening_range"] = {"start": -1, "minutes": float(MINUTES[book.timeframe])}
    return True
