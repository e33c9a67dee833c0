"""Exits by the clock that ask how the trade stands: "if it is not in profit after 5 bars"."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import N, bars
from bot.reading.nodes import at_least, compare, every, number, price
from schemas import contract as c

_WINS = r"(?:in (?:the )?(?:profit|plus|money|green)|profitable|winning|ahead|above (?:the |my )?entry(?: price)?|up|positive|showing a profit)"
_LOSES = r"(?:in (?:a )?(?:the )?(?:loss|red|minus)|losing|under ?water|below (?:the |my )?entry(?: price)?|down|negative)"
_LEAVE = r"(?:,? (?:then )?(?:exit|close|sell|cover|leave|get out|we are out|i am out|out)(?: it| the trade| the position| then)?)?"


@form(
    r"(?:,? ?(?:but|and) )?(?:not|never|no exit|no sooner than|only) (?:before|until|earlier than|sooner than|after)(?: at least)? {n}\s*{span}(?: have passed| has passed| in the trade| after (?:the )?entry| of holding)?"
)
@form(
    r"(?:,? ?(?:but|and) )(?:i |we )?(?:hold|keep)(?: it| the trade)?(?: for)? (?:at least|a minimum of|min\.?(?:imum)?) {n}\s*{span}"
)
def _at_the_earliest(
    match: re.Match[str], sentence: Sentence, told: Settings, book: Book
) -> Cond | bool:
    """ "Sell when RSI > 65, but not before 3 days have passed"."""
    if not _is_after_an_exit(sentence.text[: match.start()], sentence.role):
        return False
    return Cond(at_least(c.Held(field="bars"), number(bars(book, match[1], match[2]))))


@form(
    r"(?:,? ?but )?(?:only )?(?:if|when|while|provided|as long as) (?:it is |it's |i'm |i am |we are |we're |the (?:trade|position) is )?(?:in profit|profitable|in the green|in the plus)"
    r"|(?:,? ?but )?only (?:at a profit|in profit)"
)
def _in_profit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    """ "Sell when RSI > 65, but only if in profit"."""
    if not _is_after_an_exit(sentence.text[: match.start()], sentence.role):
        return False
    now, paid = price("close"), c.Held(field="entry_price")
    return Cond(compare("above", now, paid), compare("below", now, paid))


def _is_after_an_exit(before: str, role: str) -> bool:
    """An exit with a condition of its own stands before these words, in this sentence."""
    leaves = role.endswith("exit") or re.search(
        r"\b(?:sell|exit|close|cover|leave|get out)\b", before
    )
    return bool(
        leaves and re.search(r"[<>]|\b(?:above|below|over|under|cross\w*|turns?|flips?)\b", before)
    )


@form(
    rf"(?:if|when) (?:the |a )?(?:trade|position|it|we|i)?(?: still)? ?(?:is|are|am|isn't|aren't)?(?: still)?(?: (?P<not>not|n't|no longer))?(?: yet)? ?(?:(?P<wins>{_WINS})|(?P<loses>{_LOSES}))(?: yet)? (?:after|within|in) {{n}}\s*{{span}}{_LEAVE}"
)
@form(
    rf"(?:exit|close|sell|cover|leave|get out|out)(?: it| the trade| the position)? (?:after|at) {{n}}\s*{{span}} (?:if|when|unless) (?:the )?(?:trade|position|it|we|i)? ?(?:is|are|am|isn't|aren't)?(?: still)?(?: (?P<not>not|n't))?(?: yet)? ?(?:(?P<wins>{_WINS})|(?P<loses>{_LOSES}))(?: by then| then| yet)?"
)
def _after_if(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "If it is not in profit after 5 bars, exit": the clock and the entry price together."""
    numbered = [g for g in match.groups() if g]
    at = next(i for i, g in enumerate(numbered) if re.fullmatch(N, g))
    turned = bool(match["not"] or "n't" in match[0]) != ("unless" in match[0])
    losing = bool(match["wins"]) == turned
    held = at_least(c.Held(field="bars"), number(bars(book, numbered[at], numbered[at + 1])))
    now, paid = price("close"), c.Held(field="entry_price")
    strict = bool(match["loses"]) and not turned or bool(match["wins"]) and not turned
    down = compare("below" if strict else "at_most", now, paid)
    up = compare("above" if strict else "at_least", now, paid)
    one, other = (down, up) if losing else (up, down)
    told.exits.append(Cond(every(held, one), every(held, other)))
    return True
