"""Gaps at the open, and moves of some percent in one bar."""

from __future__ import annotations

import re

from bot.reading.book import MINUTES, Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.nodes import at_least, compare, number, price, times
from schemas import contract as c


@form(
    r"(?:the )?(?:market |price |stock |it |today |day )?(?:gaps?|gapped|opens? with a gap|gapping)\s*(up|down|higher|lower)(?:\s*(?:by|of|at the open|on the open))*\s*(?:(?:(?:more than|over|at least|>=?|by more than|by at least|greater than|above|exceeding)\s*)?{n}\s*(%|percent|pips?|points?))?(?: or more)?(?: (?:from|below|above|vs|versus|over|under|against|relative to|compared to|than) (?:the )?(?:yesterday's|previous|prior|last|previous day's|prior day's|previous bar's)? ?(close|high|low))?"
)
@form(
    r"(?:the )?(?:market |price |stock |it |today )?opens?\s*(?:at least |more than |over |by )*()(?:{n}\s*(%|percent|pips?|points?))\s*(?:or more )?(below|above|lower than|higher than|under|over) (?:the )?(?:yesterday's|previous|prior|last|previous day's|prior day's|previous bar's|prev) (?:last )?(close|high|low)"
)
def _gap(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    groups = match.groups()
    way, amount, unit = groups[0], groups[1], groups[2] or ""
    level = groups[-1] or "close"
    if not way:
        way = "up" if groups[3] in ("above", "higher than", "over") else "down"
    up = way in ("up", "higher")
    intraday = MINUTES[book.timeframe] < 1440
    before: c.Operand = book.series("prior_day", level) if intraday else price(level, 1)
    opened: c.Operand = book.series("this_day", "open") if intraday else price("open")
    value = float(amount) if amount else 0.0
    sign = 1 if up else -1
    if unit in ("%", "percent"):
        limit: c.Operand = times(before, round(1 + sign * value / 100, 12))
    elif value:
        step = number(value * (book.pip if unit.startswith("pip") else 1.0))
        limit = c.Arithmetic(op="add" if up else "subtract", left=before, right=step)
    else:
        limit = before
    least = re.search(r"at least|>=|or more", match[0])
    op = ("at_least" if up else "at_most") if least else ("above" if up else "below")
    book.subject = opened
    return Cond(compare(op, opened, limit), bearish=not up)


@form(
    r"(?:the )?(?:close |price |it )?(?:is |was |closes |closed )?(?:at least |more than |over )*(?:down|drops?|dropped|falls?|fell|loses|lost|declines?|decreases?)\s*(?:by )?(?:at least |more than |over )*{n}\s*(?:%|percent)(?: or more)? (?:in (?:a|one|a single|1) (?:day|bar|session)|on the day|from (?:the )?(?:previous|prior|yesterday's|last) close|day over day|versus yesterday|from yesterday(?:'s close)?|in the last (?:day|bar)|today|vs (?:the )?(?:previous|prior|yesterday's) close)"
)
def _fell(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    limit = times(price("close", 1), round(1 - float(match[1]) / 100, 12))
    return Cond(c.Compare(op="at_most", left=price("close"), right=limit), bearish=True)


@form(
    r"(?:the )?(?:close |price |it )?(?:is |was |closes |closed )?(?:at least |more than |over )*(?:up|rises?|rose|gains?|gained|climbs?|increases?|jumps?)\s*(?:by )?(?:at least |more than |over )*{n}\s*(?:%|percent)(?: or more)? (?:in (?:a|one|a single|1) (?:day|bar|session)|on the day|from (?:the )?(?:previous|prior|yesterday's|last) close|day over day|versus yesterday|from yesterday(?:'s close)?|in the last (?:day|bar)|today|vs (?:the )?(?:previous|prior|yesterday's) close)"
)
def _rose(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    limit = times(price("close", 1), round(1 + float(match[1]) / 100, 12))
    return Cond(at_least(price("close"), limit))
