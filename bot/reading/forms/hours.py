"""Hours in which trades may open."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import INCLUDED, T, clock
from schemas import contract as c


def _window(start: str, end: str, inclusive: bool) -> Cond:
    return Cond(c.Session(start=start, end=end, includes_end=inclusive))


@form(
    r"no (?:new )?(?:entr(?:y|ies)|trades?) before (?:the )?{t}(?: bar)?,? (?:or|and|nor) (?:none )?(after|from) (?:the )?{t}(?: bar)?(?: on(?:wards)?)?"
)
def _neither(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window(clock(match[1]), clock(match[3]), match[2] == "after"))
    return True


_TIMES = r"{t}(?:\s*(?:,|and|or|, and|, or)\s*(?:the )?{t})*"


def _stamps(text: str) -> c.Condition:
    stamps = [clock(x) for x in re.findall(T, text)]
    nodes = [c.Session(start=x, end=x, includes_end=True) for x in stamps[:20]]
    return nodes[0] if len(nodes) == 1 else c.Either(of=tuple(nodes))


@form(
    r"no (?:new )?(?:entr(?:y|ies)|trades?|positions?) (?:on|in|at|during) (?:the )?{t}(?: bar)? or later"
)
def _none_later(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window("00:00", clock(match[1]), False))
    return True


@form(
    r"(?:but |and )?(?:no|never|skip|not)(?: any)?(?: new)? ?(?:entr(?:y|ies)|trades?|positions?|signals?|trading|buying)?(?: on| in| at| during)?(?: the)?(?: bars)? (?:from|between) {t} (?:up to and including|up to|to|and|until|-|through) (?:the )?{t}(?: bars?)?("
    + r"\s*\(?(?:both )?includ\w+[^).]*\)?"
    + r")?"
)
def _not_between(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    inclusive = bool(match[3]) or "including" in match[0]
    told.filters.append(
        Cond(
            c.Never(
                of=c.Session(start=clock(match[1]), end=clock(match[2]), includes_end=inclusive)
            )
        )
    )
    return True


@form(
    r"(?:but |and )?no (?:new )?(?:entr(?:y|ies)|trades?|positions?) (?:on|in|at|during) (?:the )?"
    + _TIMES
    + r"(?: bars?)?"
)
def _not_stamped(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(Cond(c.Never(of=_stamps(match[0]))))
    return True


@form(
    r"(?:only )?(?:on |at )?(?:the )?bars? (?:stamped )?{t}(?:(?:,| and|, and| or|, or) (?:the )?{t})+(?: bars?)?(?: only)?"
)
def _stamped(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(Cond(_stamps(match[0])))
    return True


@form(
    r"no (?:new )?entries (?:from there on|after that|from then on|from that bar on)|(?:and )?nothing new (?:after that|from then on)"
)
def _none_after_exit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.until_exit = True
    return True


@form(
    r"(?:but |and )*(?:only |trade |trades |entries |entry |enter |signals |take |on |in |during |bars |stamped |the |with |session |hours |time |times |a |timestamps? |valid |allowed |open |us |regular |cash )*(?:between|from|:)?\s*(?:the )?{t}(?: bar)?\s*(?:to|and|-|until|till|through|thru|up to)\s*(?:the )?{t}(?: bars?)?("
    + INCLUDED
    + r")?(?: (?:utc|gmt|et|est|ny time|new york time|local time|server time|exchange time))?(?: only)?"
)
def _between(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    before = sentence.text[: match.start()]
    only = re.match(r"(?:but |and )*only ", match[0])
    if not only and re.search(r"opening range|range (?:is|=|:|of)|\brange\b[^.]*$", before):
        return False
    inclusive = bool(match[3]) or bool(re.search(r"\bthr(?:ough|u)\b|\d bar\b", match[0]))
    if re.search(r"\b(?:no|not|never|avoid|skip|don't|without)\b[^,;.:]{0,25}$", before):
        return False
    told.filters.append(_window(clock(match[1]), clock(match[2]), inclusive))
    return True


@form(
    r"(?:only |on |bars |stamped |entries |trade |and )*(?:at |after |from )?{t} or later,? (?:and|but) (?:strictly )?before {t}"
)
@form(
    r"(?:only |on |bars |stamped |entries |trade )*(?:after|from|starting) {t},? (?:and|but) (?:not after|no later than|until|before) {t}"
)
def _from_before(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window(clock(match[1]), clock(match[2]), False))
    return True


@form(
    r"(?:and |but )?(?:no|never|don't take|do not take|not|without|stop)(?: any)?(?: new)? ?(?:entr(?:y|ies)|trades?|positions?|longs?|shorts?|buys?|signals?|entering|trading|buying|taking trades|enter)?\s*(from|after|past|later than|before|until|on or after|earlier than)\s+(?:the )?{t}(?: bar)?(?: on(?:wards?)?| any ?more)?"
)
@form(
    r"(?:last|latest) (?:entry|entries|trade|signal)s?(?: is| at| on| bar|:| the)*\s*()(?:the )?{t}(?: bar)?"
)
def _no_entries(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    word, when = match[1], clock(match[2])
    if word in ("before", "until", "earlier than"):
        told.filters.append(_window(when, "23:59", True))
    elif word in ("from", "on or after", "past"):
        told.filters.append(_window("00:00", when, False))
    else:
        told.filters.append(_window("00:00", when, True))
    return True


@form(
    r"(?:but |and )?only (?:on bars |bars |entries |trade |enter |buy |in bars )*(?:stamped )?(before|after|from|until|up to|at or after|starting)(?: the)? {t}(?: bar)?(?: or later)?(?:\s*\([^)]*(?:includ|is the last)[^)]*\))?"
)
@form(r"(?:only |on |bars |stamped )*(){t} or later")
def _one_sided(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if match[1] in ("before", "until", "up to"):
        told.filters.append(
            _window("00:00", clock(match[2]), bool(re.search("includ|is the last", match[0])))
        )
    else:
        told.filters.append(_window(clock(match[2]), "23:59", True))
    return True


@form(
    r"(?:^|(?<=[.;:] ))\W*(?:only )?(from|after) (?:the )?{t}(?: bar)?(?: on(?:wards?)?(?=[:,]? )|(?=, (?:if|when|buy|go|the 1st|a|the) ))"
)
def _from_on(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "From 10:30 on: ..." before rules of entry."""
    if re.search(
        r"\b(?:exit|flat|closed?|out)\b(?! (?:above|below))", sentence.text[match.end() :][:25]
    ):
        return False
    told.filters.append(_window(clock(match[2]), "23:59", True))
    return True


@form(r"(?<=, )(?:and |but )?(before|until) (?:the )?{t}(?: bar)?(?=\s*(?:$|[,;.)]))")
def _before(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "Go long when ..., before 15:00"."""
    if re.search(r"\b(?:exit|sell|out|leave|cover|flat|closed?)\b", sentence.text[: match.start()]):
        return False
    told.filters.append(_window("00:00", clock(match[2]), False))
    return True


@form(r"(?<=range high )(after) {t}|(?<=range low )(after) {t}")
def _from_then(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.filters.append(_window(clock(match[2] or match[4]), "23:59", True))
    return True


@form(r"(?:only )?(?:on |in |during |at )?(?:the )?{t} (?:bar|candle)(?: only)?")
def _at_bar(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    if re.search(r"\brange (?:is|=|:)|opening range|1st \d+ (?:bars|candles)", sentence.text):
        return False
    return Cond(
        c.Session(start=clock(match[1]), end=clock(match[1]), includes_end=True), calendar=True
    )


SESSIONS = {"london": ("07:00", "16:00"), "new york": ("13:00", "21:00"), "ny": ("13:00", "21:00"),
            "us": ("13:00", "21:00"), "asian": ("00:00", "07:00"), "asia": ("00:00", "07:00"),
            "tokyo": ("00:00", "07:00"), "european": ("07:00", "16:00")}  # fmt: skip


@form(
    r"(?:only )?(?:in|during|within|inside|for) (?:the )?(london|new york|ny|asian|asia|tokyo|european|us)(?: trading)? (?:session|hours|open)(?: only)?(?!\s*(?:\(|⟦|from|between|\d))"
)
def _session(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    start, end = SESSIONS[match[1]]
    book.assume(
        f"the {match[1]} session", f"{start} to {end} of the data's clock", "no hours were given"
    )
    told.filters.append(_window(start, end, False))
    return True
