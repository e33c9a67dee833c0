"""Words of the person's own: definitions of candles and names of states."""

from __future__ import annotations

import re

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond, earlier
from bot.reading.forms.form import Slot
from bot.reading.lexer import tokens
from bot.reading.nodes import every
from schemas import contract as c


def naming(text: str, whole: str = "") -> tuple[str, str]:
    """ "We have a squeeze when ...": a word of the person's own, used later."""
    found = re.match(
        r"^(?:we have|there is|i call it|call it|it is|this is) an? (\w+) (?:when|if|once)\s+", text
    )
    found = found or re.match(r"^(?:the )?market is (?:called )?(\w+) (?:when|if)\s+", text)
    found = found or re.match(
        r"^(?:an? |the )?(\w+) is (?:on|active|there|present|true) (?:when|if|once)\s+", text
    )
    trend = re.match(
        r"^(?:the |a |an )?(?:trend|market) is (up|down) (?:when|if|while|as long as|whenever)\s+",
        text,
    ) or re.match(
        r"^(?:we are in |we have |it is |there is )?(?:an? |the )?(up|down)[ -]?trend ?(?:is |means |= |: |when |if |while )+\s*(?:when |if )?",
        text,
    )
    if trend and re.search(
        rf"\b{trend[1]}[ -]?trend\b|\btrend is {trend[1]}\b", whole.partition(text)[2]
    ):
        return text[trend.end() :], f"{trend[1]}trend"
    equal = re.match(
        r'^(?:an? |the )?"?(\w+)"? ?(?:=|means|:)\s+(?=.*(?:\binside\b|\babove\b|\bbelow\b|\blowest\b|\bhighest\b|[<>]))',
        text,
    )
    if equal and re.search(rf"\b(?:an?|the|no|is|was|in) {equal[1]}\b", whole.partition(text)[2]):
        found = equal
    if not found or [t for t in tokens(found[1]) if t.kind != "word"]:
        return text, ""
    rest = text[found.end() :]
    exact = rest.partition(":")[2]
    return exact if re.search(r"[<>]|above|below", exact) else rest, found[1]


_OVER = r"(?:on |at )?(?:the )?(?:1st bar (?:where|when|on which) )?(?:the )?{} (?:is no longer (?:on|active|there|true)|ends|is released|releases|fires|turns off)(?: after[^:,;]*)?"
_WAS = r"(?:the )?{} was (?:on|active|there) (?:on )?(?:the )?(?:bar|day|candle) before (?:and|but) (?:is|it is|it's)(?: now)? (?:off|over|gone|no longer on|not on)(?: now)?"
_IN = r"(?:in|during) (?:an? |the )?{} (?:market|regime|phase)"


_TRENDING = r"(?:(?:in|during|within) (?:such )?(?:an? |the )?{0}[ -]?trend|(?:when|if|while|with) (?:the )?trend (?:is |being )?{0}|(?:when|if|while) (?:we are |it is )?in (?:an? )?{0}[ -]?trend)(?! (?:is|when|if)\b)"


def named_states(text: str, book: Book) -> tuple[str, list[Slot]]:
    """The person's own words for a state, as slots: "in a quiet market", "the squeeze ends"."""
    found: list[Slot] = []
    for name, cond in book.names.items():
        if name.endswith("trend"):
            text, times = re.subn(
                _TRENDING.format(name.removesuffix("trend")), f" ⟦{len(found)}⟧ ", text
            )
            found += [cond] * bool(times)
            continue
        ends = Cond(every(c.Never(of=cond.node), earlier(cond.node, 1)))
        for pattern, meant in ((_WAS, ends), (_OVER, ends), (_IN, cond)):
            text, times = re.subn(pattern.format(name), f" ⟦{len(found)}⟧ ", text)
            if times:
                found.append(meant)
    return text, found


def definition(text: str) -> tuple[str, str]:
    """ "My definition of a hammer: ..." is the person's own; ours is not used then."""
    found = re.match(
        r"^.*?\b(?:definition of|define)\s+(?:an? |the )?([^:=]{3,40}?)\s*(?::|=| is| as)\s*", text
    )
    if not found:
        found = re.match(
            r"^(?:an? |the |my )?((?:\w+[ -]){1,3}\w+|\w+)\s*(?:=|means|is when|is defined as|:)\s+(?=.*\b(?:is|are|closes?|opens?|touches|above|below|[<>])\b)",
            text,
        )
        if (
            not found
            or not [t for t in tokens(found[1]) if t.kind in ("candle", "word", "trend", "body")]
            or re.search(r"buy|sell|long|short|exit|entry|stop|target", found[1])
        ):
            return text, ""
    named = [t for t in tokens(found[1]) if t.kind == "candle"]
    return text[found.end() :], str(named[0].value) if named else ""
