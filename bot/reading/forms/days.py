"""Weekdays, days of the month and months in which trades may open."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES, Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import DAYS
from bot.reading.nodes import at_least, compare, every, number
from schemas import contract as c

WEEKDAY = r"(?:mon(?:day)?s?|tue(?:s|sday|sdays)?|wed(?:nesday)?s?|thu(?:r|rs|rsday|rsdays)?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?)"


_LATER = r"(?: of (?:the )?(?:calendar )?month)?(?: is)?(?: at least| >=| on or after| from)?(?: the)? (\d{1,2})(?:st|nd|rd|th)?(?: or (?:later|more|higher|after))?"


@form(
    r"(?:(?:at |on )?(?:the )?close of )?(?:on )?(?:the )?1st (?:trading )?(?:bar|day|session)(?: of (?:the|each|every|a|the new|the next|a new) month)? (?:whose|with|where|on which)(?: the)?(?: a)?(?: calendar)? day(?:[\s-]of[\s-](?:the[\s-])?month)?"
    + _LATER
)
@form(
    r"(?:(?:at |on )?(?:the )?close of )?(?:on )?(?:the )?1st (?:trading )?(?:bar|day|session)(?: of (?:the|each|every|a|the new|the next|a new) month)? (?:on or after|from) the (\d{1,2})(?:st|nd|rd|th)?(?: of (?:the|each|every) month)?"
)
@form(
    r"on the (\d{1,2})(?:st|nd|rd|th)?(?: of (?:the|each|every) month)? or (?:the )?(?:1st trading day|next trading day|1st day) (?:after (?:it|that)|thereafter)"
)
def _first_from_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    """The first bar of a month on or after a day: the bar before was earlier, or in the last month."""
    day, before = c.Calendar(field="day"), c.Calendar(field="day", shift=1)
    start = number(int(match[1]))
    new = c.Either(of=(compare("below", before, start), compare("above", before, day)))
    return Cond(every(at_least(day, start), new))


_OF_MONTH = r"(?:the )?(?:calendar day(?: of the month)?|day[\s-]of[\s-](?:the[\s-])?month|day of the calendar month)"


@form(
    rf"(?:(?<=when )|(?<=once )|(?<=[^y] if )|(?<=^if )){_OF_MONTH} (?:is )?between (?:the )?(\d+)(?:st|nd|rd|th)? (?:and|to) (?:the )?(\d+)(?:st|nd|rd|th)?(?: \(?inclu\w+\)?)?"
)
def _between_days(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    day = c.Calendar(field="day")
    return Cond(every(at_least(day, number(int(match[1]))), at_least(number(int(match[2])), day)))


@form(
    rf"(?:(?<=when )|(?<=once )|(?<=[^y] if )|(?<=^if )){_OF_MONTH} (?:is )?(?:(at least|>=|on or after|above|>|after|at most|<=|up to|below|<|before) )?(?:the )?(\d+)(?:st|nd|rd|th)?( or (?:later|more|higher|above|after)| or (?:less|earlier|lower|before))?"
)
def _when_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    """A rule of its own, where the day of the month is what is waited for."""
    words = {"at least": "at_least", ">=": "at_least", "on or after": "at_least", "above": "above",
             ">": "above", "after": "above", "at most": "at_most", "<=": "at_most",
             "up to": "at_most", "below": "below", "<": "below", "before": "below"}  # fmt: skip
    op = words.get(match[1] or "", "equal")
    if match[3]:
        late = re.search(r"later|more|higher|above|after", match[3])
        op = "at_least" if late else "at_most"
    return Cond(compare(op, c.Calendar(field="day"), number(int(match[2]))))


@form(
    r"(?:only )?(?:if )?(?:the )?day of (?:the )?month (?:is )?(before|up to|at most|<=|<|under|after|at least|>=|>|no later than)?\s*(?:the )?(\d+)(?:st|nd|rd|th)?( or (?:less|earlier|lower|before|below)| or (?:later|more|higher|above|after))?"
)
def _day_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    word, late = match[1] or "", (match[3] or "").split()[-1:]
    day, limit = c.Calendar(field="day"), number(int(match[2]))
    if word in ("before", "<", "under"):
        op = "below"
    elif word in ("after", ">"):
        op = "above"
    elif (
        word in ("at least", ">=")
        or late
        and late[0] in ("later", "more", "higher", "above", "after")
    ):
        op = "at_least"
    elif word or late:
        op = "at_most"
    else:
        op = "equal"
    told.filters.append(Cond(compare(op, day, limit)))
    return True


@form(
    r"(?:on |every |each |at |only |only on |trade |entries |no trades?(?: on)? |not on |never on |except(?: on)? |no entr(?:y|ies)(?: on)? |no new trades?(?: on)? |don't trade(?: on)? |do not trade(?: on)? |skip |avoid |but not on |but |never (?:buy|trade|enter) on |no longs? on |nothing on |no buying on |no new positions?(?: on)? |no positions?(?: on)? )*(?:the |an? )?("
    + WEEKDAY
    + r")(?:'s)?(?:\s*(?:,|and|or|to|-|through|till|until|, and|/|&)\s*(?:on )?(?:an? |the )?("
    + WEEKDAY
    + r")(?:'s)?)?(?:\s*(?:,|and|or|, and)\s*(?:on )?("
    + WEEKDAY
    + r"))?(?: only| close| closes| bars?| open| session| evening| night)*"
)
def _weekdays(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    named = [_weekday(g) for g in match.groups() if g]
    text = match[0]
    if len(named) == 2 and re.search(r"\b(?:to|through|till|until)\b|-", text):
        first, last = named
        named = (
            list(range(first, last + 1)) if first <= last else [*range(first, 7), *range(last + 1)]
        )
    days = tuple(sorted(set(named)))
    not_on = re.match(
        r"(?:but )?(?:no |not |never |except|don't|do not|skip|avoid|but not|nothing)", text
    )
    if not_on:
        node: c.Condition = c.Never(of=c.OnDays(weekdays=days))
        told.filters.append(Cond(node))
        return True
    if re.search(r"only", text) or re.search(r"(?:to|through|-)\s*" + WEEKDAY, text):
        told.filters.append(Cond(c.OnDays(weekdays=days)))
        return True
    return Cond(c.OnDays(weekdays=days), calendar=True)


def _weekday(word: str) -> int:
    return next(i for i, d in enumerate(DAYS) if d.startswith(word.rstrip("s")[:3]))


@form(
    r"(?:only )?(?:on |in )?(?:the )?1st (?:trading )?day of (?:the|each|every|a) month|(?:only )?on the 1st of (?:the|each) month"
)
def _first_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(c.Compare(op="equal", left=c.Calendar(field="trading_day"), right=number(1)))


@form(r"(?:on |after )?(?:the )?(\d+)(?:st|nd|rd|th) trading day of (?:the|each|every|a) month")
def _nth_of_month(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    return Cond(
        c.Compare(op="equal", left=c.Calendar(field="trading_day"), right=number(int(match[1])))
    )


@form(
    r"(?<!open of )(?<!high of )(?<!low of )(?:(?:only )?(?:on|at|with) )?(?:the )?(?:close of )?(?:the |that )?(?:day's )?(1st|2nd|3rd|\d+th) (?:\d+[\s-]?(?:min(?:ute)?s?|hour) )?(?:bar|candle) of (?:the|each|every|a) (?:day|session)(?: only)?"
)
def _bar_of_day(
    match: re.Match[str], sentence: Sentence, told: Settings, book: Book
) -> Cond | bool:
    if re.search(r"range", sentence.text) or MINUTES[book.timeframe] >= 1440:
        return False
    which = number(int(re.sub(r"\D", "", match[1])))
    return Cond(c.Compare(op="equal", left=c.Calendar(field="bar_of_day"), right=which))


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
          "october", "november", "december")  # fmt: skip
MONTH = r"(january|february|march|april|may|june|july|august|september|october|november|december)"


@form(
    r"(?:only |not |no trades |never |except |skip |avoid |no entries |but not )*(?:in|during|from|between)\s*(?:the months? (?:of )?)?"
    + MONTH
    + r"(?:\s*(to|through|-|until|and|or|,)\s*"
    + MONTH
    + r")?(?: only)?"
)
def _months(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    first = MONTHS.index(match[1]) + 1
    last = MONTHS.index(match[3]) + 1 if match[3] else first
    month = c.Calendar(field="month")
    if match[3] and match[2] in ("and", "or", ",") and "between" not in match[0]:
        node: c.Condition = c.Either(
            of=tuple(c.Compare(op="equal", left=month, right=number(m)) for m in (first, last))
        )
    elif first <= last:
        node = every(at_least(month, number(first)), at_least(number(last), month))
    else:
        node = c.Either(of=(at_least(month, number(first)), at_least(number(last), month)))
    not_in = re.match(r"(?:not|no |never|except|skip|avoid|but not)", match[0])
    told.filters.append(Cond(c.Never(of=node) if not_in else node))
    return True
