"""Cuts a sentence into tokens, each with the one thing that it means. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache

from bot.reading.lexicon import ROWS, UNSUPPORTED
from bot.reading.wordlists import FILLERS, FORM_WORDS


@dataclass(frozen=True)
class Token:
    kind: str
    value: object
    text: str
    at: int = 0
    is_said: bool = False
    """After "is" or "are": a value that is stated, not a setting of the word before."""


@dataclass(frozen=True)
class Amount:
    """A number with its unit: "percent", "pips", "price", "bars", "days", "minutes", "r", ..."""

    value: float
    unit: str


UNITS = (
    ("percent", r"%|percent|per cent|pct|percentage points?"),
    ("bps", r"bps|bp|basis points?"),
    ("pips", r"pips?"),
    ("price", r"points?|pts?|dollars?|usd|bucks|cents?"),
    ("ticks", r"ticks?"),
    ("bars", r"bars?|closes|candles?|periods?|candlesticks?|sessions?|prd|per\b"),
    ("days", r"trading days?|business days?|days?|d"),
    ("weeks", r"weeks?|wks?|wk|w"),
    ("months", r"months?"),
    ("years", r"years?|yrs?|yr"),
    ("hours", r"hours?|hrs?|hr|h"),
    ("minutes", r"minutes?|mins?|min"),
    ("lots", r"lots?|standard lots?|mini lots?"),
    ("units", r"shares?|units?|contracts?|coins?|stocks?"),
    ("r", r"r(?![a-z0-9])"),
)
_NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_AMOUNT = re.compile(
    rf"(\$|€|£|usd\s|eur\s)?\s?({_NUMBER})(?:[\s-]*(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in UNITS)
    + r")(?![\w]))?",
)
_CLOCK = re.compile(
    r"(\d{1,2})(?::|h)(\d{2})(?:\s*([ap])\.?m\b\.?)?|(\d{1,2})\s*([ap])\.?m\b\.?|\b(noon|midday|midnight)\b"
)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\b")
_WORD = re.compile(r"[^\W\d_][\w'%+-]*|\S")
_SLOT = re.compile(r"⟦(\d+)⟧")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _phrase(text: str) -> re.Pattern[str]:
    parts = [re.escape(p) for p in text.split(" ")]
    between = r"[\s_-]*" if text.startswith("is ") else r"(?:\s+(?:the|a|an)\s+|[\s_-]*)"
    body = between.join(parts)
    before = r"(?<![\w])" if re.match(r"\w", text) else ""
    after = r"(?![\w])" if re.search(r"\w$", text) else ""
    after += r"(?!\s+or\b)" if text.endswith(" at") else ""
    return re.compile(before + body + after)


@cache
def _table() -> dict[str, list[tuple[re.Pattern[str], str, object]]]:
    table: dict[str, list[tuple[re.Pattern[str], str, object]]] = defaultdict(list)
    for kind, value, phrases in ROWS:
        for phrase in phrases.split("|"):
            phrase = phrase.removeprefix("the ")
            if phrase:
                table[phrase[0]].append((_phrase(phrase), kind, value))
    for what, phrases in UNSUPPORTED.items():
        for phrase in phrases.split("|"):
            table[phrase[0]].append((_phrase(phrase), "unsupported", what))
    return table


@cache
def vocabulary() -> frozenset[str]:
    """Every word that we know: what a misspelt one is compared with."""
    phrases = [p for _, _, ps in ROWS for p in ps.split("|")]
    phrases += [p for ps in UNSUPPORTED.values() for p in ps.split("|")]
    words = {w for p in phrases for w in re.findall(r"[a-z]{3,}", p)} | FILLERS | set(WEEKDAYS)
    return frozenset(words | FORM_WORDS)


def tokens(text: str) -> list[Token]:
    """Every token of a sentence. What nothing matches is `word`; fillers are left out."""
    found: list[Token] = []
    at, stated = 0, False
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        token = _next(text, at)
        if token.kind != "filler":
            found.append(replace(token, is_said=stated))
        stated = token.kind == "filler" and token.text in ("is", "are", "was", "were", "be")
        at += max(len(token.text), 1)
    return found


def _next(text: str, at: int) -> Token:
    if slot := _SLOT.match(text, at):
        return Token("slot", int(slot[1]), slot[0], at)
    if (text[at].isdigit() or text[at] in ".$€£") and (number := _numeric(text, at)):
        return number
    if stamp := _clock(text, at):
        return stamp
    best: Token | None = None
    for pattern, kind, value in _table().get(text[at], ()):
        match = pattern.match(text, at)
        if match and (best is None or len(match[0]) > len(best.text)):
            best = Token(kind, value, match[0], at)
    if best:
        return best
    word_match = _WORD.match(text, at)
    word = word_match[0] if word_match else text[at]
    for n, day in enumerate(WEEKDAYS):
        if re.fullmatch(rf"{day[:3]}(?:{day[3:]})?s?|{day[:4]}|{day[:5]}", word):
            return Token("weekday", n, word, at)
    known = word.strip("'-") in FILLERS or not re.search(r"\w", word)
    return Token("filler" if known else "word", word, word, at)


def _numeric(text: str, at: int) -> Token | None:
    if clock := _clock(text, at):
        return clock
    if ordinal := _ORDINAL.match(text, at):
        return Token("ordinal", int(ordinal[1]), ordinal[0], at)
    match = _AMOUNT.match(text, at)
    if not match:
        return None
    value = float(match[2])
    unit = next((name for name, _ in UNITS if match[name]), "")
    if match[1] and not unit:
        unit = "money"
    if not unit:
        return Token("num", value, match[0], at)
    if unit == "bps":
        value, unit = value / 100.0, "percent"
    if unit == "price" and match["price"].startswith("cent"):
        value = value / 100.0
    return Token("amount", Amount(value, unit), match[0], at)


def _clock(text: str, at: int) -> Token | None:
    match = _CLOCK.match(text, at)
    if not match:
        return None
    if match[6]:
        minutes = 0 if match[6] == "midnight" else 720
    else:
        hour, minute = int(match[1] or match[4]), int(match[2] or 0)
        half = match[3] or match[5]
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour > 24 or minute > 59:
            return None
        minutes = hour * 60 + minute
    return Token("clock", minutes % 1440, match[0], at)
