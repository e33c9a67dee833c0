"""Hours in which no trade may open: late on one weekday, at the ends of a session."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES, Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import DAY, DAYS, clock
from bot.reading.nodes import every
from schemas import contract as c


@form(
    r"(?:and |but )?(?:no|never|don't take|do not take)(?: any)?(?: new)? (?:entr(?:y|ies)|trades?|positions?|longs?|shorts?) (?:on (?:a )?)?(?:the )?("
    + DAY
    + r")s?(?:'s)?,? (from|after|past|before)\s+(?:the )?{t}(?: bar)?(?: on(?:wards)?)?(\s*\([^)]*\))?"
)
@form(
    r"(?:and |but )?(?:no|never|don't take|do not take)(?: any)?(?: new)? (?:entr(?:y|ies)|trades?|positions?|longs?|shorts?) ()(from|after|past|before)\s+(?:the )?{t}(?: bar)?(?: on(?:wards)?)? on (?:a )?("
    + DAY
    + r")s?"
)
def _not_on_day(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "No new trades on Fridays after 16:00"."""
    day, when = match[1] or match[4], clock(match[3])
    started = match[2] == "from" or bool(re.search(r"\bfrom\b", match[4] or ""))
    if match[2] == "before":
        hours = c.Session(start="00:00", end=when)
    else:
        hours = c.Session(start=when, end="23:59", includes_end=True)
    node: c.Condition = every(c.OnDays(weekdays=(DAYS.index(day),)), hours)
    if match[2] == "after" and not started:
        exact = c.Session(start=when, end=when, includes_end=True)
        node = every(node, c.Never(of=exact))
    told.filters.append(Cond(c.Never(of=node)))
    return True


_OFF = r"(?:no (?:new )?(?:entr(?:y|ies)|trades?)|don't (?:trade|enter)|do not (?:trade|enter)|skip|avoid|ignore|not)"
_LONG = r"(?:(\d+) (minutes?|mins?|bars?|candles?|hours?)|(half[\s-]?(?:an )?hour|hour))"


@form(
    rf"{_OFF}(?: in| during| within)? the 1st {_LONG}(?:(?:,? (?:and|or|nor)) (?:in |during )?(?:the )?last {_LONG})?(?: of (?:the |each |every )?(?:session|day|trading day|morning))?(?:\s*\({{t}} ?(?:-|to) ?{{t}}\))?"
)
def _not_at_ends(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "Don't trade the first 30 minutes or the last hour of the session"."""
    opens, closes = clock(match[7] or "09:30"), clock(match[8] or "16:00")
    if not match[7]:
        book.assume("the session", f"{opens} to {closes}", "no hours were given")
    start = _minute(opens) + _stretch(match[1], match[2], match[3], book)
    end = "23:59"
    if match[4] or match[6]:
        end = _stamp(_minute(closes) - _stretch(match[4], match[5], match[6], book))
    hours = c.Session(start=_stamp(start), end=end, includes_end=end == "23:59")
    told.filters.append(Cond(hours))
    return True


def _minute(when: str) -> int:
    return int(when[:2]) * 60 + int(when[3:])


def _stamp(minute: int) -> str:
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"


def _stretch(count: str, unit: str, named: str, book: Book) -> int:
    """In minutes."""
    if named:
        return 30 if "half" in named else 60
    size = {"m": 1, "h": 60}.get(unit[0], MINUTES[book.timeframe])
    return int(count) * size
