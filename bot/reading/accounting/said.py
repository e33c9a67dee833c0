"""A request as sentences, each in plain English and in the words that the person typed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.reading import market
from bot.reading.corrections import corrected
from bot.reading.languages import to_english
from bot.reading.layout import Statement, statements
from bot.reading.plain import plain
from bot.reading.spelling import correct

MOST_QUOTED = 200
_ENDS = re.compile(r"(?<=[.!?;])\s+|\n+|。")
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Said:
    """`plain` is what is checked, `own` is what a question quotes; `role` is its heading's."""

    role: str
    plain: str
    own: str

    @property
    def quoted(self) -> str:
        own = " ".join(self.own.split())
        return own if len(own) <= MOST_QUOTED else f"{own[:MOST_QUOTED]}…"


def said(title: str, body: str, symbol: str) -> list[Said]:
    """Before anything is rewritten. The names of market and bars are taken out of `plain`."""
    own = [part for part in _ENDS.split(f"{title}\n{body}") if part.strip()]
    found = [Statement("title", _english(title, symbol)), *statements(_english(body, symbol))]
    rows = [s for s in found if s.role not in ("symbol", "timeframe") and s.text.strip()]
    return [Said(s.role, _without_market(s.text, symbol), _own(s.text, own)) for s in rows]


def _english(body: str, symbol: str) -> str:
    """One language and no slips of the pen; what the person took back is gone."""
    text = correct(to_english(plain(f"\n{body}")), frozenset({symbol.lower()}))
    return re.sub(r"\b24 ?/ ?7\b", " ", corrected(text)).removeprefix("\n")


def closest(words: str, sentences: list[Said]) -> Said:
    """The sentence that a rule was read from."""
    own = _own(words, [s.own for s in sentences])
    return next((s for s in sentences if s.own == own), Said("", words, words))


def _own(sentence: str, own: list[str]) -> str:
    """The sentence that the person typed: the one that shares most of its words and numbers."""
    words = set(_WORDS.findall(sentence))

    def shared(typed: str) -> tuple[int, int]:
        there = set(_WORDS.findall(plain(typed)))
        return len(words & there), -len(there)

    return max(own, key=shared, default=sentence)


def _without_market(text: str, symbol: str) -> str:
    for start, end in reversed(market.timeframe(text)[1]):
        text = text[:start] + " " + text[end:]
    if symbol:
        spelt = r"[\s/_-]?".join(re.escape(x) for x in (symbol[:3], symbol[3:]) if x).lower()
        text = re.sub(rf"(?<!\w)\$?{spelt}(?!\w)", " it ", text)
    for word, ticker in market.NAMED.items():
        if ticker == symbol:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " it ", text)
    return text
