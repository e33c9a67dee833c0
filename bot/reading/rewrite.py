"""Sentences that say two things at once, or take something back, as what they mean. Pure."""

from __future__ import annotations

import re

from bot.reading.corrections import corrected
from bot.reading.numbered import counted_back
from bot.reading.otherwise import told_otherwise
from bot.reading.own_words import with_own_candles, with_own_trend
from bot.reading.phrases import replaced
from bot.reading.rewrites import CANDLE, REWRITES
from bot.reading.sequences import across, in_order, of_mother_bars
from bot.reading.trails import in_passing
from bot.reading.weekday_opens import at_weekday_opens

_NEXT = (
    r"(?:(?:on|if|when) )?(?:the |that )?(?:next|following) (?:bar|candle|day)"
    rf"|(?:on |if |when )?the (?:day|bar|candle) (?:right |directly |immediately )?after(?: an?| the)? {CANDLE}(?: day| bar| candle)?|tomorrow"
)
_CONFIRMED = re.compile(rf"(?:{_NEXT})[,:]? (?:(?:if|when) )?(?:it |the |we )?(?=clos|price)")


_RANGE_SIDE = re.compile(
    r"\brange (?:high|low)\b|\b(?:high|low) of (?:the|that) range\b|\bits (?:high|low)\b|\b(?:above|below) (?:the )?range\b"
)


_WAS = re.compile(
    rf"\b(?:(?:previous|prior|last) (?:bar|candle|day)|yesterday) (?:is|was) (?:an? )?(?P<name>{CANDLE})"
)


def _of_the_bar_before(text: str) -> str:
    """ "The previous bar is a doji ... the doji's high": that bar's."""
    found = _WAS.search(text)
    if not found:
        return text
    name = re.escape(found["name"])
    text = re.sub(
        rf"(?:the |that ){name}(?: bar| candle)?(?:'s)? (?=high|low|open|close)",
        "previous bar's ",
        text,
    )
    text = re.sub(
        rf"(high|low|open|close) of (?:the |that ){name}\b", r"\1 of the previous bar", text
    )
    return re.sub(
        rf"(other|opposite|far) (end|side) of (?:the |that ){name}\b",
        r"\1 \2 of the previous bar",
        text,
    )


def rewritten(text: str) -> str:
    text = re.sub(
        r"\b3 (?=white soldiers|black crows)",
        "",
        at_weekday_opens(across(in_passing(told_otherwise(text)))),
    )
    text = _of_the_bar_before(of_mother_bars(text))
    if _RANGE_SIDE.search(text):
        text = re.sub(
            r"(?m)((?:^|[.:\n])\s*)(?:\w+ )?range breakouts?(?=\s*(?:\d+ ?\w+ ?)?[.\n])",
            r"\1",
            text,
        )
    text = re.sub(r"(?<=\w) {2,}(?=\w)", " ", text)
    text = in_order(counted_back(_confirmed(with_own_candles(with_own_trend(corrected(text))))))
    text = replaced(text, REWRITES)
    return text


def _confirmed(text: str) -> str:
    """ "An inside bar. On the next bar: if it closes above its high": that bar is one back then."""
    candle, after = re.search(CANDLE, text), _CONFIRMED.search(text)
    if not candle or not after or re.search(r"\bwhose\b", text):
        return text
    name = candle[1]
    bar = rf"(?:the |that |an? )?{re.escape(name)}(?: day| bar| candle)?"
    was = f" if the previous bar {name} and it "
    end = re.search(r"[.\n]", text[after.end() :])
    stop = after.end() + end.start() if end else len(text)
    inside = re.sub(
        r"([,;]|\bor) (?:and )?if (?:it |the |we )?(?=clos)", rf".{was}", text[after.end() : stop]
    )
    text = _as_definition(text[: after.start()], name) + was + inside + text[stop:]
    text = re.sub(rf"(high|low|open|close) of {bar}", r"\1 of the previous bar", text)
    text = re.sub(rf"{bar}(?:'s)? (?=high\b|low\b|open\b|close\b)", "previous bar's ", text)
    return re.sub(rf"(other|opposite|far) (end|side) of {bar}", r"\1 \2 of the previous bar", text)


def _as_definition(text: str, name: str) -> str:
    """ "Inside bar (high below ...)." at the start of a sentence says what one is."""
    own = rf"(?m)((?:^|[.\n])\s*)(?:an? |the )?{re.escape(name)}(?: day| bar| candle)?"
    text = re.sub(
        rf"{own} ?\(([^()]*)\)(?=\s*(?:[.\n]|$))", rf"\1my definition of {name}: \2", text
    )
    return re.sub(rf"{own}((?: on [^.:\n]*)?):(?= )", rf"\1\2. my definition of {name}:", text)
