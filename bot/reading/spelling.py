"""Mends the slips of the pen in words that a rule hangs on. Pure."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

from bot.reading.lexer import vocabulary

CORE = frozenset(
    [
        "buy",
        "sell",
        "long",
        "short",
        "stop",
        "loss",
        "when",
        "above",
        "below",
        "only",
        "with",
        "daily",
        "exit",
        "entry",
        "cross",
        "crosses",
        "close",
        "closes",
        "open",
        "high",
        "low",
        "over",
        "under",
        "profit",
        "target",
        "take",
        "from",
        "then",
        "once",
        "after",
        "bars",
        "days",
        "hours",
        "hourly",
        "position",
        "trade",
        "trades",
        "each",
        "time",
        "average",
        "moving",
        "simple",
        "band",
        "upper",
        "lower",
        "middle",
        "both",
        "sides",
        "price",
        "volume",
        "trend",
        "filter",
        "limit",
        "order",
        "risk",
        "percent",
        "equity",
        "back",
        "into",
        "until",
        "than",
        "more",
        "less",
        "every",
        "other",
        "nothing",
        "else",
        "first",
        "next",
        "candle",
        "bands",
        "channel",
        "signal",
        "line",
        "enter",
        "leave",
        "without",
        "week",
        "month",
    ]
)
"""Short words that are mended: others of their length are too easily something else."""
SLIPS = {"bellow": "below", "abouve": "above", "loose": "lose", "avarage": "average"}
"""Right words, or two slips at once, that mean another word in a request."""
INDICATORS = (
    "rsi",
    "sma",
    "ema",
    "wma",
    "macd",
    "atr",
    "adx",
    "cci",
    "vwap",
    "obv",
    "roc",
    "mfi",
    "stoch",
)
_WORD = re.compile(r"(?<![\w.$/'-])[a-z]{3,}(?![\w'])")


def correct(text: str, names: frozenset[str] = frozenset()) -> str:
    """`names` are words of the market, such as its symbol; they are left alone."""
    text = re.sub(r"(?m)^(\W*)by (?=whe?n|wehn|if )", r"\1buy ", text)
    known = vocabulary()

    def mend(found: re.Match[str]) -> str:
        word = found[0]
        plural = word.endswith("s") and word[:-1] in known
        if word in known or word in names or plural:
            return word
        if word in SLIPS:
            return SLIPS[word]
        if _english().known([word]):
            return word
        if text[found.end() : found.end() + 1] == "(" and len(word) <= 5:
            return _nearest(word, INDICATORS, 1) or word
        if len(word) < 6:
            return _nearest(word, tuple(sorted(CORE)), 1) or word
        return _nearest(word, _alike(len(word)), 1 if len(word) < 8 else 2) or word

    return _WORD.sub(mend, text)


@cache
def _english() -> SpellChecker:
    """A right word is never mended, however near it is to one of ours."""
    return SpellChecker(language="en")


def _nearest(word: str, among: tuple[str, ...], most: int) -> str:
    """The one at the least distance; of several the one that begins most like it."""
    found = process.extract(word, among, scorer=OSA.distance, score_cutoff=most, limit=8)
    near = [str(w) for w, _, _ in found if w[0] == word[0] or len(word) > 3]
    return min(near, key=lambda w: (OSA.distance(word, w), -_alike_so_far(word, w), w), default="")


@cache
def _alike(length: int) -> tuple[str, ...]:
    return tuple(
        sorted(w for w in vocabulary() if abs(len(w) - length) <= 2 and w.isalpha() and len(w) > 3)
    )


def _alike_so_far(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
