"""Adding to a position by a rule of its own: "add one unit each time it closes 2% above the last entry"."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.nodes import compare, number, times
from schemas import contract as c

_WHAT = r"(?:add|(?:buy|open|take) (?:another|one more|1 more|a further|an additional|more))(?: (?:another|one|1|a|an|more|further|additional|2nd|to it|to the (?:position|trade|winner)))*(?: (?:unit|position|lot|contract|share|tranche|entry|trade|long|one))?s?"
_EACH = r"(?:each time|every time|whenever|when|if|once|as soon as|for every|for each|at every|at each|every|each|after every|after each)"
_FROM = r"(?:(?:than|of|from|the|price|entry price|fill price|my|our|its|last|latest|previous|most recent|prior|newest|first|1st|original|initial) )*(?:entry|fill|buy|add|addition|position|unit|trade|one)(?:'s)?(?: (?:entry|fill|buy))?(?: price| level)?"


@form(
    rf"(?:and |then |we |i )*{_WHAT},? {_EACH}[^.;%\d]{{0,60}}?{{n}}\s*(%|percent|pips?|points?|(?:x |times )?(?:the )?atr)(?:\s*\(?(\d+)\)?)?(?: or more)?(?: further)? (?:(above|below|higher|lower|over|under|up|down) {_FROM}|(in (?:my |our |the )?(?:favou?r|profit)|against (?:me|us|the position)))"
)
def _adding(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.search(r"\b(?:initial|original|1st|first) ", match[0]):
        return False
    away = _away(match, book)
    with_trade = (match[4] or match[5]).startswith(("above", "higher", "over", "up", "in "))
    told.adds = Cond(_beyond(away, with_trade), _beyond(away, not with_trade))
    return True


def _away(match: re.Match[str], book: Book) -> c.Operand:
    """The step from the last entry, as a price difference."""
    amount, unit = float(match[1]), match[2]
    if unit in ("%", "percent"):
        return times(c.Held(field="entry_price"), round(amount / 100, 12))
    if "atr" in unit:
        atr = book.series("atr", "value", {"length": float(match[3])} if match[3] else None)
        return times(atr, amount) if amount != 1 else atr
    return number(amount * (book.pip if unit.startswith("pip") else 1.0))


def _beyond(away: c.Operand, up: bool) -> c.Condition:
    entry = c.Held(field="entry_price")
    level = c.Arithmetic(op="add" if up else "subtract", left=entry, right=away)
    return compare("at_least" if up else "at_most", c.Price(field=c.PriceField.CLOSE), level)
