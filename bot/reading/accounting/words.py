"""Words for what a contract cannot hold, or that it must hold if they are said."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from bot.reading.accounting import texts
from bot.reading.accounting.grammar import is_rule
from bot.reading.accounting.harmless import HARMLESS
from bot.reading.accounting.said import Said
from bot.reading.accounting.sides import DENIED
from bot.reading.lexer import vocabulary
from bot.reading.plain import plain
from bot.reading.wordlists import FILLERS, FORM_WORDS, MENDED
from schemas import contract as c

EVENTS = r"\b(?:earnings|dividends?|holidays?|news|fomc|cpi|nfp)\b"
"""To stay away from them needs to know when they are, just as to trade them does."""
OFTEN = (
    r"\b(?:once|2 times|\d+ (?:times|trades?|entr\w+|buys?)) (?:a|per|each|every|in a) "
    r"(?:week|month|year)\b"
)
RESTS = r"\b(?:filled|cancel\w*|valid|good)\b[^.;,]*?\b(?:[2-9]|\d\d) (?:bar|day|hour|candle)s?\b"
IGNORED = re.compile(r"\b(?:ignor\w+|regardless of|don't care about|whatever) (?:\w+ ){0,2}$")
VAGUE_TIMES = (
    r"\bovernight (?:only|session|hours)\b|\bonly overnight\b|\b(?:at|during the) night\b|\b(?:before|after|during|over|by) lunch\b"
    r"|\b(?:end|start|beginning) of the (?:week|quarter|year)\b"
)
NEEDS: dict[str, Callable[[c.Contract], bool]] = {
    EVENTS: lambda x: False,
    VAGUE_TIMES: lambda x: (
        "Session(" in repr(x.entries) or "Calendar(" in repr(x) or "OnDays(" in repr(x)
    ),
    r"\b(?:after|next) \d+ (?:loss(?:es)?|losers?|losing|wins?|winners?|winning|signals?)\b": (
        lambda x: False
    ),
    r"\b(?:enter|buy|long|short)\b[^.,;\n]*\bcross(?:es|ing)? (?:the )?(?:level )?-?\d+\b(?! (?:day|sma|ema|period|bar))": (
        lambda x: "Either(" in repr(x.entries)
    ),
    r"\brebalanc\w+": lambda x: False,
    r"\b(?:exit|sell|close|cover|take|book) (?:\w+ )?(?:half|a third|part)\b": lambda x: False,
    r"\bthe (?:rest|other half|remainder) (?:when|if|at|on|after|with)\b": lambda x: False,
    OFTEN: lambda x: False,
    RESTS: lambda x: all(e.limit is None for e in x.entries),
    r"\b(?:previous|last|prior) (?:signal|trade|position)(?! (?:is )?(?:closed|over))": lambda x: (
        False
    ),
    r"\b(?:vs\.?|versus) (?!close|open|high|low|its|the|sma|ema|wma|signal|today|yesterday)[a-z]{1,5}\b|\bspread\b(?! (?:of )?\d)": lambda x: (
        x.costs.spread > 0
    ),
    r"\btypical price\b|\bhlc/?3\b|\bmedian price\b": lambda x: "Arithmetic" in repr(x.entries),
    r"\bawesome oscillator\b": lambda x: False,
    r"%k and (?:the )?%d\b.*\bboth\b|\bboth (?:the )?%k and": lambda x: (
        "'k'" in repr(x.entries) and "'d'" in repr(x.entries)
    ),
    r"\b(?:otherwise|or else),? (?:\w+ ){0,3}?(?:buy|go|enter|long|short)\b": lambda x: False,
}
"""By the words: what is true of a contract that has them."""


def lost_word(sentence: Said, contract: c.Contract) -> str | None:
    if not is_rule(f"trade {sentence.plain}"):
        return None
    text = f"{sentence.plain}\n{plain(sentence.own)}"  # the speller knows no "rebalance"
    missing = missing_words(text, contract)
    return texts.lost(missing, sentence) if missing else _unknown(sentence)


def missing_words(text: str, contract: c.Contract) -> str | None:
    """The first words of `text` for something that the contract does not have."""
    for words, holds in NEEDS.items():
        found = re.search(words, text)
        before = text[: found.start()] if found else ""
        denied = IGNORED if words in (EVENTS, OFTEN, RESTS) else DENIED
        ruled_out = found and denied.search(before)
        if found and not ruled_out and not holds(contract):
            return found[0]
    return None


@cache
def _known() -> frozenset[str]:
    return vocabulary() | MENDED | FORM_WORDS | FILLERS | HARMLESS


def _unknown(sentence: Said) -> str | None:
    """A word of a rule that no list has: the reader passes over it."""
    if sentence.role == "title" or not is_rule(sentence.plain):
        return None
    for word in re.findall(r"(?<![\w/.$#-])(?!\w+usdt?\b)[a-z]{4,}(?![\w/]|\.\w)", sentence.plain):
        stems = {word, *(word.removesuffix(end) for end in ("s", "es", "d", "ed", "ing", "ly"))}
        if not stems & _known():
            return texts.unknown(word, sentence)
    return None
