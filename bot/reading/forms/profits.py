"""Exits at a profit or loss, and trailing stops that start at one; the opposite signal."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Sentence, Settings, form
from bot.reading.forms.patterns import OUT
from bot.reading.nodes import away, compare, number, price, times
from schemas import contract as c


@form(
    r"(?:an? |the |every |any )?opposite (?:[a-z0-9/-]+ ){0,3}(?:cross(?:over|es)?|signals?|flips?|turns?|breakouts?|breaks?)(?: (?:always )?(?:closes|exits|ends)(?: the)? (?:trade|position|it))?"
)
def _opposite(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if re.search(
        r"\bnot\b|n't|ignore|no reaction|never|nothing happens|does nothing|do nothing|no effect",
        sentence.text,
    ):
        told.ignore_opposite = True
        return True
    event = re.search(r"\b(?:cross|flip|turn|break)", match[0])
    told.on_opposite = "event" if event else "signal"
    return True


@form(
    r"(?:an? |any )?(?:new|further|another|opposite|later) (?:flips?|signals?|cross(?:es)?)(?: in between)? (?:while|when|during)(?: we are| i am| already)* (?:in )?(?:a|the|an open) (?:trade|position)(?: is| are)? (?:is |are )?ignored"
)
def _ignored(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.ignore_opposite = True
    return True


_THEN = re.compile(
    r",? (?:then )?(?:exit|sell|close|leave|get out|cover)(?: it| the trade)? (?:on|if|when|at) (?!once|market|the (?:next )?open|the close\b)"
)
"""After "once 5% up": the profit only arms what follows."""
_NOT = re.compile(r"\b(?:not|isn't|never|unless|hasn't)(?: been| gone| moved)? ?$")


@form(
    r"(?:at |of |a |an |\+|once |when |we are |it is |i am |i'm |if |with )*(?<!take )(?<!take-)(?:profit|gain|up|in profit(?: by)?|in the plus|gains)(?: of| by| is| reaches| at least| more than| >=?)*\s*\+?{n}\s*(%|percent|pips?|points?|r|atr)(?: or more)?|(?:at |a |\+)*{n}\s*(%|percent|pips?|points?|r|atr) (?:in profit|in the plus|gain|profits?|in the green|up)(?! target)"
)
def _profit(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not (re.search(OUT, sentence.text) or "exit" in sentence.role) or re.search(
        r"trail|break[\s-]*even|stop(?: \w+){0,2} to\b", sentence.text
    ):
        return False
    if re.search(
        r"(?:gaps?|gapped|opens?|closes?|is|moves?|goes|rises?)\s*$", sentence.text[: match.start()]
    ):
        return False
    if _THEN.match(sentence.text, match.end()) or _NOT.search(sentence.text[: match.start()]):
        return False
    told.profit = _plain_distance(match, book)
    return told.profit is not None


@form(
    r"(?:at |of |a |an |-|once |when |we are |it is |i am |i'm |if |with )*(?:(?<!stop )(?<!stop-)loss|down|in loss|loses|we lose|i lose|it loses|lost|in the red|in the minus)(?: of| by| is| reaches| at least| more than| >=?)*\s*-?{n}\s*(%|percent|pips?|points?|atr)(?: or more)?|(?:at |a |-)*{n}\s*(%|percent|pips?|points?|atr) (?:loss|in the red|in the minus|down|against me)"
)
def _loss(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    leaves = re.search(OUT, sentence.text) or "exit" in sentence.role
    if re.search(r"\bgap(?:s|ped|ping)? $", sentence.text[: match.start()]):
        return False
    if not leaves or re.search(r"\bstop[\s-]*(?:loss)?", sentence.text[: match.end()]):
        return False
    told.loss = _plain_distance(match, book)
    return told.loss is not None


@form(
    r"(?<!trailing )(?:an? |the )?(?:hard |initial |fixed )?(?:stop(?:[\s-]*loss)?|sl)(?: is| at| of|:| =)* {n}\s*(%|percent|pips?|points?)(?: (?:below|above|under|from|away from) (?:the |my )?entry(?: price)?)?,? \(?(?:on (?:a )?(?:closing|close) basis|(?:on|at) (?:the )?(?:daily |bar |candle )?close only|on closes only|only on (?:a |the )?closes?|close only|(?:checked|looked at) (?:only )?(?:on|at) (?:the )?closes?(?: only)?)\)?"
)
def _on_the_close(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """A stop that only a close can hit is an exit: no order rests in the market."""
    far, paid = float(match[1]), c.Held(field="entry_price")
    if match[2] in ("%", "percent"):
        low, high = (times(paid, round(1 + way * far / 100, 12)) for way in (-1, 1))
    else:
        size = number(far * (book.pip if match[2].startswith("pip") else 1.0))
        low = c.Arithmetic(op="subtract", left=paid, right=size)
        high = c.Arithmetic(op="add", left=paid, right=size)
    close = price("close")
    told.exits.append(Cond(compare("at_most", close, low), compare("at_least", close, high)))
    return True


@form(
    r"(?:if|when|once) (?:it|price|the (?:trade|position|stock|price)) (?:drops|falls|goes down|is down|loses|sinks)(?: by)? {n}\s*(%|percent|pips?|points?)(?: (?:from|below) (?:my |the )?entry(?: price)?)?,? (?:then )?(?:i am |i'm |we are |we're |i |we )?(?:get |go )?out()()"
)
def _out_at_loss(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    """ "If it drops 4% I'm out": from the entry."""
    told.loss = _plain_distance(match, book)
    return told.loss is not None


def _plain_distance(match: re.Match[str], book: Book) -> c.Distance | None:
    amount, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
    return _some_distance(amount, unit, book) if float(amount) > 0 else None


_AHEAD = r"(?:as soon as|once|when|after|if)[^.;:]{0,40}?{n}\s*(%|percent|pips?|points?|r|atr)(?: or more)?[^.;:]{0,40}?(?:above the entry(?: price)?|in profit|profit|in the money|ahead|up)[^.;:]{0,30}?,?"


@form(rf"{_AHEAD} (?:a |the |start )?trail\w*(?: stop(?:[\s-]*loss)?)?[^.;:\d]{{0,30}}:?")
@form(
    rf"{_AHEAD}(?= (?:a |the |start |we |i |begin |to |then |use )*trail\w*(?: the| my| it| a)*(?: stop(?:[\s-]*loss)?)?(?: at| by| of| with| is|:)* ?\d)"
)
@form(
    r"(?:as soon as|once|when|after|if) (?:the (?:trade|position|price)|it|we|i|price|i'm|we're|it's)?(?: is| are| am| goes| gets)? ?(?:up|ahead|in profit)(?: by| of| at least)* {n}\s*(%|percent|pips?|points?|r|atr)(?: or more)?,?(?= (?:we |i |then )?(?:switch to|use|start|activate|begin|apply|put|add|with)\b[^.;:]{0,25}\btrail)"
)
def _trail_after(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    told.trail_after = _some_distance(match[1], match[2], book)
    return True


@form(
    r"(?:but |and )?(?:only )?(?:after|once|when|starting at|activated at|activates at|kicks in at|starts at|starting after|as soon as)\s*(?:we are |it is |the trade is |price is |i am |a |the position is )*(?:up |in profit (?:by |of )?|a? ?profit of |gain of )?\+?{n}\s*(%|percent|pips?|r|atr|points?)(?: in)?(?: profit| gain| up| in the money| ahead)?"
)
def _trail_later(match: re.Match[str], sentence: Sentence, told: Settings, book: Book) -> bool:
    if not re.search(r"trail", sentence.text[: match.start()]) or re.search(
        r"break[\s-]*even", sentence.text
    ):
        return False
    told.trail_after = _some_distance(match[1], match[2], book)
    return True


def _some_distance(amount: str, unit: str, book: Book) -> c.Distance:
    if unit == "atr":
        return c.Distance(unit="atr", amount=float(amount), indicator=book.series("atr").indicator)
    name = {"%": "percent", "r": "r", "per": "percent", "pip": "pips", "poi": "price"}[unit[:3]]
    return away(name, float(amount))
