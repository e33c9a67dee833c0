"""Adding to a position by a rule of its own: every so far from the last entry."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.nodes import number, times
from schemas import contract as c


@form(
    r"(?:and |then |we |i )*(?:add|buy|short|sell)(?:s|ing)? (?:another|one more|1 more|one|1|an additional|an extra|an?|to the position)?(?: (?:unit|position|lot|one|share|contract))?s? ?(?:of the same size )?(?:each time|every time|whenever|when|if|for every|for each|once)(?: the| a)? ?(?:price|it|we|close|market|bar)? ?(?:closes?|rises?|moves?|is|goes|falls?|drops?|gains?)? ?(?:by )?(at least |more than )?{n}\s*(?:x |times )?(?:the )?(%|percent|pips?|points?|atr)(?:\s*\((\d+)\))? (above|below|higher than|lower than|under|over|in (?:my|our|its) favou?r from|beyond) (?:the |my |our )?(?:(?:entry |fill )?price of (?:the |my )?)?(?:last|previous|most recent|latest|prior) (?:entry|fill|buy|unit|position|add|one)(?: price| level)?(?:'s entry(?: price)?)?"
)
def _adds(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    paid, amount, unit = c.Held(field="entry_price"), float(match[2]), match[3]
    if unit in ("%", "percent"):
        step: c.Operand = times(paid, amount / 100.0)
    elif unit == "atr":
        atr = book.series("atr", "value", {"length": float(match[4])} if match[4] else None)
        step = atr if amount == 1 else times(atr, amount)
    else:
        step = number(amount * (book.pip if unit.startswith("pip") else 1.0))
    told.add_step = step
    told.add_way = -1 if match[5] in ("below", "lower than", "under") else 1
    told.add_strict = bool(match[1]) and "more" in match[1]
    return True
