"""Targets as a multiple of the risk, and stops moved to break-even."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form
from schemas import contract as c


@form(
    r"(?:risk[\s/:-]*(?:to[\s-]*)?reward|rr|r:r|r/r|reward[\s/:-]*(?:to[\s-]*)?risk|crv)(?: ratio)?(?: of| is|:| =)*\s*{n}\s*(?:[:/]|to)\s*{n}|(?:risk[\s/:-]*(?:to[\s-]*)?reward|rr|r:r|reward[\s/:-]*(?:to[\s-]*)?risk)(?: ratio)?(?: of| is|:| =)*\s*{n}|{n}\s*(?::|to)\s*1 (?:reward|rr|r/r|risk)[\w\s/:-]*"
)
def _ratio(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if match[1] and match[2]:
        a, b = float(match[1]), float(match[2])
        told.ratio = max(a, b) / min(a, b) if min(a, b) else None
    else:
        told.ratio = float(match[3] or match[4])
    return True


@form(
    r"(?:target|take[\s-]*profit|tp)(?: is| at| of|:| =)* (?:{n} (?:times|x) |)(?:the |my )?(?:initial |stop )?(?:risk|stop distance|distance (?:of|to) the stop|stop size|distance to stop)(?: distance)?(?: x {n})?|{n} (?:times|x) (?:the |my )?(?:initial )?(?:risk|stop distance)(?: as (?:the )?(?:target|take profit|tp))?"
)
def _times_risk(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.ratio = float(next((g for g in match.groups() if g), "1"))
    return True


@form(
    r"(?:target|take[\s-]*profit|tp)(?: is| at| of|:| =)* {n} ?(?::|to) ?1(?! ?(?:atr|%|pip|point|:))"
)
def _to_one(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.ratio = float(match[1])
    return True


DISTANCE = r"\+?(?:{n}\s*(%|percent|pips?|points?|r|atrs?|x atr|times (?:the )?atr|times the (?:initial )?risk|x risk)(?:\s*\((\d+)\))?|(?:an? |the )?(?:initial )?()(risk|stop distance)())"
EVEN = r"(?:(?:move|set|put|bring|shift|raise|moves|moved|goes|trail|pull)s? )?(?:the |my |its )?(?:stop(?:[\s-]*loss)?|sl)?(?: is| gets| goes)?(?: moved| set| raised| shifted)?(?: up)? ?(?:to |at )?(?:break[\s-]*even|be(?= (?:after|once|at|when))|(?:the )?entry(?: price)?|cost)"


@form(EVEN + r"[^.;\d]{0,50}?" + DISTANCE + r"[^.;,]{0,40}")
@form(
    r"(?:once|when|after|as soon as|if|at)[^.;\d]{0,50}?"
    + DISTANCE
    + r"[^.;]{0,50}?(?:(?:move|set|put|bring|shift|raise)s? )?(?:the |my )?(?:stop(?:[\s-]*loss)?|sl)?[^.;]{0,20}?(?:to |at )(?:break[\s-]*even|(?:the )?entry(?: price)?|cost)(?:\s*\([^)]*\)|(?:[:,-]| -) (?:from then on|after that|then|i\.e\.)[^.;]*|[^.;,:]{0,30})"
)
def _break_even(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not re.search(r"stop|sl\b|break|\bbe\b", match[0]):
        return False
    sentence.only = bool(re.match(r"\W*break[\s-]*even", sentence.text))
    return _to_entry(match, told, book)


@form(
    r"(?:after|once|when|as soon as) (?:there (?:was|is) )?(?:a )?(?:bar |candle )?clos(?:e|es|ed)(?: that)?(?: is| was| of)?(?: at least)? "
    + DISTANCE
    + r"(?: or more)? (?:above|beyond|over|in profit|better than|in (?:my|our) favou?r)[^.;,]{0,30}, (?:i |we |then )*(?:get out|exit|leave|close it|sell|(?:any|a|every|each) (?:later |further |following )?close)[^.;]{0,60}?(?:at or below|at or beyond|back (?:at|to|below)|below|worse than) (?:the |my |our )?entry(?: price)?(?: (?:closes|exits|ends)[^.;,]{0,30})?"
)
def _back_at_entry(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """What a stop at break-even does, said as what closes."""
    return _to_entry(match, told, book)


def _to_entry(match: re.Match[str], told: Settings, book: Book) -> bool:
    told.break_even = _even_distance(match[1], match[2] or "", match[3], book)
    return True


def _even_distance(amount: str, unit: str, length: str | None, book: Book) -> c.Distance:
    if not unit:
        return c.Distance(unit="r", amount=1.0)
    value = float(amount)
    if unit in ("%", "percent"):
        return c.Distance(unit="percent", amount=value)
    if unit.startswith("pip"):
        return c.Distance(unit="pips", amount=value)
    if unit.startswith("point"):
        return c.Distance(unit="price", amount=value)
    if "atr" in unit:
        atr = book.series("atr", "value", {"length": float(length)} if length else None)
        return c.Distance(unit="atr", amount=value, indicator=atr.indicator)
    return c.Distance(unit="r", amount=value)
