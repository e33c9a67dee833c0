"""Mends the slips of the pen in words that a rule hangs on. Pure."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

from bot.reading.lexer import vocabulary
from bot.reading.phrases import replaced
from bot.reading.wordlists import MENDED

SLIPS = {
    "bellow": "below", "abouve": "above", "loose": "lose", "avarage": "average", "wen": "when",
    "pervious": "previous", "teh": "the", "dosnt": "doesn't", "doesnt": "doesn't", "dont": "don't",
    "inclusiv": "inclusive", "entrys": "entries", "tahts": "thats", "lowr": "lower",
    "higer": "higher", "opposit": "opposite", "wether": "whether",
}  # fmt: skip
"""Right words, or two slips at once, that mean another word in a request."""
PLACED = (
    (r"\b((?:like|want|wish|going) to) by\b", r"\1 buy"),
    (r"(?m)(^\W*|[.;:] )by (?=whe?n|wehn|if )", r"\1buy "),
    (r"((?:want to|then|->|=|: ?) ?)by(?=\s*(?:[,.;]|$))", r"\1buy"),
    (r"\bblow(?= (?:the |its )?(?:lower|lowwer|band|sma|ema|average|\d|vwap|low))", "below"),
    (r"\bart(?= ?\()", "atr"),
    (r"\bform(?= (?:the |teh )?(?:close|entry|\d{1,2}:\d\d))", "from"),
    (r"\ban the\b", "and the"),
)
"""Right words that are another word's slip in this place."""
INDICATORS = ("rsi", "sma", "ema", "wma", "macd", "atr", "adx", "cci", "vwap", "obv", "roc", "mfi",
              "stoch")  # fmt: skip
_WORD = re.compile(r"(?<![\w.$/'-])[a-z]{3,}(?![\w'])")


def correct(text: str, names: frozenset[str] = frozenset()) -> str:
    """`names` are words of the market, such as its symbol; they are left alone."""
    text = replaced(text, PLACED)
    known = vocabulary()

    def mend(found: re.Match[str]) -> str:
        word = found[0]
        plural = word.endswith("s") and word[:-1] in known
        if word in SLIPS and word not in names:
            return SLIPS[word]
        if word in known or word in names or plural:
            return word
        if _english().known([word]):
            return word
        if text[found.end() : found.end() + 1] == "(" and len(word) <= 5:
            return _nearest(word, INDICATORS, 1) or word
        if len(word) < 6:
            return _nearest(word, tuple(sorted(MENDED)), 1) or word
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
