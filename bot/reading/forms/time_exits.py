"""Exits by the clock: after some bars, at a time, at the end of the day."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES, Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import DAY, DAYS, OUT, bars, clock
from bot.reading.nodes import every
from schemas import contract as c


@form(
    r"(?:or |and |but |,? )?(?:hold(?:ing)?|keep)(?: it| each| every| the| them| positions?| trades?| trade| position)*(?: for| open for| period(?: is)?:?| exactly| time:?)*(?: at most| a max(?:imum)? of| max(?:imum)?| exactly| up to| no (?:longer|more) than)? {n}\s*{span}(?:\s*⟦\d+⟧\s*)?(?:,? then (?:sell|exit|close|get out|leave)(?: it)?)?(?: at most| max(?:imum)?| tops)?"
)
@form(r"time[\s-]*(?:based )?(?:stop|exit|limit|out)(?: is| of| after|:| at| =)*\s*{n}\s*{span}")
@form(
    r"(?:but |and )?(?:never|don't|do not|not) (?:hold|keep|stay in|stay)(?: on to)?(?: it| a trade| the trade| a position| anything)*(?: for)? (?:longer|more) than {n}\s*{span}"
)
@form(r"max(?:imum)?(?: of)? {n}\s*{span} in (?:a |the |each |any )?(?:trade|position)")
@form(r"(?<=, )max(?:imum)? {n}\s*{span}(?=\s*(?:$|[.,;]))")
@form(r"max(?:imum)?(?:imal)?\s*(?:hold(?:ing)?)(?: period| time)?(?: is| of|:| =)*\s*{n}\s*{span}")
@form(
    r"(?:or |and |but |otherwise |else |at the latest |latest )*(?:always |automatically |at the latest )?(?:after|within|in)(?: exactly| at most| a maximum of| max(?:imum)?)? {n}\s*{span}(?: at the latest| in the trade| have passed| max(?:imum)?| later| if nothing else happens| whichever comes 1st| whatever happens| no matter what| regardless| after entry| since entry| of holding)*"
)
@form(
    r"(?:, |or )+(?:max(?:imum)? |at most |at the latest )*{n}\s*{span}(?: max(?:imum)?| at most| at the latest| later)?(?=\s*(?:$|,|\.|⟦|\bor\b|whichever))"
)
@form(r"after [^.;,()]{0,20}\({n}\s*{span}\)")
@form(r"{n}\s*{span} (?:have )?passed")
@form(
    r"{n}\s*{span} (?:after (?:the )?(?:entry|buying|fill|we bought|entering)|later|have passed since (?:the )?entry)"
)
@form(
    r"(?:when|once|if) (?:the )?(?:trade|position|it)(?: is| has been)?(?: open| held| old)?(?: for)? {n}\s*{span}(?: old)?"
)
def _after(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    hold = re.match(r"(?:or |and |but |,? )?(?:hold|keep|time|max)", match[0])
    exits = "exit" in sentence.role or re.search(OUT, sentence.text)
    last = re.search(r"(?:within|in) ", match[0]) and not re.search(
        r"exit|sell|close", sentence.text
    )
    if not hold and (not exits or last) or re.search(r"\b(?:past|last|rsi|high|low)\b", match[0]):
        return False
    before = sentence.text[: match.start()]
    if re.search(r"\b(?:not before|not until|at least|no sooner than|earlier than) ?$", before):
        return False
    if re.match(r"(?:in|within) ", match[0]) and re.search(
        r"\b(?:highest|lowest|highs?|lows?|largest|smallest|narrowest|widest)\b[^,;.]{0,12}$",
        before,
    ):
        return False
    told.exit_after = bars(book, match[1], match[2])
    return True


@form(
    r"(?:whatever|anything|everything|all|any (?:open )?(?:position|trade)s?|a (?:position|trade)|trades?|positions?)[^.,;]{0,40}?\b(?:on|at|by) (?:the )?(?:"
    + DAY
    + r"'s )?{t}(?: bar)? (?:gets?|is|are|will be|must be|has to be|should be) (?:closed|sold|exited|flattened)"
)
@form(
    r"(?:(?:whatever|anything|everything|all|any|positions?|trades?|we|i)\b(?:(?!\d{1,2}:\d{2})[^.,;]){0,40}?)?(?:exit(?:s|ed)?|clos(?:e|es|ed|ing)|get out|out|flat(?:ten)?|sell|sold|leave|liquidate|square[d]? off|go flat|end)\b(?:(?!\b(?:when a|if|above|below|over|under|crosses|sma|ema|vwap|rsi|open|high|low)\b)[^.,;⟦<>]){0,40}?(?:\bon|\bat|\bby|\bbefore|\bwith|\bfrom|\blatest|\bwhen the)\s+(?:the\s+)?(?:close of the\s+|latest\s+)?(?:"
    + DAY
    + r"s?(?:'s)?(?: at| the)?\s+)?{t}(?:\s*(?:bar|candle|close|bar's close|o'clock|et|est|utc|gmt|ny time|new york|sharp|is (?:reached|here|done)))*(?: at the latest)?(?: every day| each day| daily)?"
)
@form(
    r"(?:no open|never hold|not hold|don't hold)(?: positions?| trades?)?[^.,;]{0,20}(?:past|after|beyond|later than) {t}"
)
@form(
    r"(?:the )?{t} (?:bar |candle )?(?:closes|exits|ends) (?:everything|all|the trade|any open position|whatever is open|it)"
)
@form(
    r"(?:^|(?<=[,.:;] )|(?<=\bor ))(?:all )?(?:out|exit|flat)(?: latest| by| at the latest)? {t}(?: bar)?(?! (?:or|to|and|-))"
)
@form(r"or (?:on|at|by)(?: the)? {t}(?: bar)?(?: at the latest| latest)")
@form(r"time exit:?(?: at| on)?(?: the)? {t}(?: bar)?|exit time:? {t}")
def _exit_at(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool | Cond:
    when = clock(next(g for g in match.groups() if g))
    said = match[0] + sentence.text[match.end() :][:25]
    if re.search(r"next (?:morning|day|session|trading day)|following (?:morning|day)", said):
        told.exits.append(Cond(c.Session(start=when, end=when, includes_end=True)))
        return True
    days = [i for i, d in enumerate(DAYS) if re.search(rf"\b{d[:3]}(?:{d[3:]})?s?\b", match[0])]
    if days:
        late = c.Session(start=when, end="23:59", includes_end=True)
        told.exits.append(Cond(every(c.OnDays(weekdays=tuple(days)), late)))
        return True
    told.exit_at = when
    return True


@form(
    r"(?:end|close) of (?:the )?(?:day|session|trading day)|(?:at |on |by )?(?:the )?(?:day's|session's|daily) (?:end|close)|eod|before the (?:session )?close|at the close of trading|at the closing bell|same day|intraday only|overnight"
)
def _end_of_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if MINUTES[book.timeframe] >= 1440 or not (
        re.search(OUT, sentence.text) or "exit" in sentence.role
    ):
        return False
    told.exit_at = "15:30" if book.timeframe in ("M1", "M5", "M15", "M30") else "22:00"
    book.assume(
        "end of the day",
        f"the {told.exit_at} bar",
        "the last bar that can still be filled the same day",
    )
    return True
