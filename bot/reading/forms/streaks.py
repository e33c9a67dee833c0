"""Several bars in a row that close up or down."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.candles import candle
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.nodes import above, at_least, bottom, every, price, top
from schemas import contract as c


@form(
    r"{n} (?:days|bars|candles) in a row (?:close|closes|closed|closing) (higher|lower)(?: than (?:on )?the (?:day|bar|candle|one) before)?"
)
def _days_in_a_row(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    node = _one_of_streak(match[2], "closes")
    return Cond(c.InARow(bars=int(float(match[1])), of=node), bearish=match[2] == "lower")


@form(
    r"(?:after |on |with )?(?:{n} (?:consecutive |straight |successive )?(inside|outside) (?:bars|days|candles)(?: in a row| running| straight| back to back)?)"
)
def _inside_in_a_row(
    match: re.Match[str], sentence: Sentence, told: Settings, book: Book
) -> Cond | bool:
    name = f"{match[2]}_bar"
    node = book.defined.get(name) or candle(name, book)
    book.shown.add(name)
    return Cond(c.InARow(bars=max(1, int(float(match[1]))), of=node))


STREAK = r"(?:(lower|higher|down|up|red|green|bearish|bullish|losing|winning|falling|rising|black|white)\s*(?:daily |weekly )?(closes?|closing prices?|days?|bars?|candles?|highs?|lows?|sessions?|closings?))"


def _one_of_streak(word: str, what: str) -> c.Condition:
    up = word in ("higher", "up", "green", "bullish", "winning", "rising", "white")
    if what.startswith(("high", "low")):
        field = "high" if what.startswith("high") else "low"
        left, right = price(field), price(field, 1)
    elif word in ("red", "green", "bullish", "bearish", "black", "white"):
        left, right = price("close"), price("open")
    else:
        left, right = price("close"), price("close", 1)
    return above(left, right) if up else c.Compare(op="below", left=left, right=right)


@form(
    r"(?:after |on |with |there (?:are|were|have been) |we (?:get|have|see|had) |makes? )?(?:{n} |)(?:consecutive |straight |successive )?"
    + STREAK
    + r"(?: in a row| consecutively| straight| running| back to back)?(?: for {n} (?:days|bars|candles|sessions)(?: in a row| straight)?)?"
)
def _streak(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    count = match[1] or match[4]
    if not count:
        return False
    node = _one_of_streak(match[2], match[3])
    up = isinstance(node, c.Compare) and node.op == "above"
    return Cond(c.InARow(bars=max(1, int(float(count))), of=node), bearish=not up)


@form(
    r"(?:on |at |with )?(?:the |an? )?(?:1st |next )?(up|down|higher|lower)[\s-](?:close|day)s?(?! than)(?:\s*\([^)]*\bclose[^)]*\))?|(?:closes|closed|close) (up|down)(?! (?:for |on )?(?:at least )?\d)(?: on the day)?"
)
def _one_close(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    """An up close is one above the close before; a colour tells close and open apart."""
    word = match[1] or match[2]
    if re.search(
        r"close\w* ?[<>]=? ?(?:the )?open|below (?:the |its )?open|above (?:the |its )?open",
        match[0],
    ):
        return Cond(
            c.Compare(
                op="above" if word in ("up", "higher") else "below",
                left=price("close"),
                right=price("open"),
            ),
            bearish=word in ("down", "lower"),
        )
    return Cond(_one_of_streak(word, "closes"), bearish=word in ("down", "lower"))


@form(
    r"(?:price |market |it |stock )?(?:closes?|closed|is|has closed|falls|fell|rises|rose|has been|goes|went|drops|dropped)\s*(lower|higher|down|up|red|green)(?: for| on)?(?: at least)? {n} (?:consecutive |straight |successive )?(?:days|bars|candles|sessions|times)(?: in a row| straight| running| consecutively)?"
)
def _streak_verb(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    node = _one_of_streak(match[1], "closes")
    return Cond(
        c.InARow(bars=int(float(match[2])), of=node), bearish=match[1] in ("lower", "down", "red")
    )


_BEFORE = r"(?: than (?:on )?(?:the |its )?(?:one|bar|day|candle|previous|prior|close|yesterday)(?: before| one| bar| day| candle| close)*(?: it)?)?"


@form(
    r"(?:{n} (?:bars|candles|days)?\s*(?:in a row|straight|running),? )?(?:each |all )?(?:with |makes? |making |has |have )(?:an? )?(higher|lower) (highs?|lows?|closes?)(?: and (?:an? )?(higher|lower) (highs?|lows?|closes?))?"
    + _BEFORE
    + r"(?: (?:for )?{n} (?:bars|candles|days|times)(?: in a row| straight| running)?)?"
)
def _staircase(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond:
    """ "3 bars in a row each with a higher high and a higher low"."""
    pairs = [(match[2], match[3]), (match[4], match[5])]
    steps = [_one_of_streak(word, what) for word, what in pairs if word]
    count, down = int(float(match[1] or match[6] or 1)), match[2] == "lower"
    node = every(*steps)
    return Cond(c.InARow(bars=count, of=node) if count > 1 else node, bearish=down)


@form(
    r"(?:,? ?(?:and|with) )?each (?:one |of them |candle )?(?:clos(?:es|ing|ed)|with a close) (higher|lower|above|below)(?: than)?(?: the)? (?:close of )?(?:the )?(?:one|previous|prior|close|last)(?: before| one| candle| bar| close|'s close)*(?: it)?"
)
@form(
    r"(?:,? ?(?:and|with) )?each (?:one |of them |candle )?(?:open(?:s|ing|ed)?|with an open) (inside|within)(?: of)?(?: the)?(?: real)? (?:body of (?:the )?(?:one|previous|prior)(?: before| one| candle| bar)*(?: it)?|(?:previous|prior) (?:one's |candle's |bar's )?(?:real )?body)"
)
def _each(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> Cond | bool:
    """Of several bars each but the first, next to the one before it."""
    counts = [
        x.node.bars for x in sentence.slots if isinstance(x, Cond) and isinstance(x.node, c.InARow)
    ]
    if not counts or counts[0] < 2:
        return False
    if match[1] in ("inside", "within"):
        node = every(at_least(top(1), price("open")), at_least(price("open"), bottom(1)))
    else:
        node = _one_of_streak("higher" if match[1] in ("higher", "above") else "lower", "closes")
    return Cond(c.InARow(bars=counts[0] - 1, of=node)) if counts[0] > 2 else Cond(node)
