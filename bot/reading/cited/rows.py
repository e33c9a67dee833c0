"""You wrote, I understood: each sentence of a request beside the statements that it became.

Careful on purpose: a link is shown where numbers, names, direction and side agree; where they do
not the sentence counts as not used, which a person then sees. Nothing here trusts the writer of the
contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.reading import market
from bot.reading.accounting.words import missing_words
from bot.reading.book import MINUTES
from bot.reading.cited.facts import facts
from bot.reading.cited.links import defined, links
from bot.reading.cited.sentences import Sentence, role, sentences
from bot.reading.cited.shared import DOWN, UP, Told, covers, told
from bot.reading.cited.statements import Line, lines
from bot.reading.languages import from_tongue, spoken
from bot.reading.plain import plain
from bot.reading.spelling import correct
from bot.reading.tongues.tongue import Tongue
from schemas import contract as c
from schemas.sheet import rules_of

TRIVIAL = (0.0, 1.0)
_COURTESY = re.compile(
    r"(?i)^\W*(?:thanks?|thank you|hi|hello|hey|cheers|please|regards|merci|danke|hallo|bonjour|"
    r"gracias|hola|grazie|ciao|obrigad[oa]|nothing else|that's (?:it|all))\b\W*(?:\w+\W*){0,3}$"
)
_SHOWN_UNITS = ("%", "bars", "days", "pips", "percent", "shares", "r")


@dataclass(frozen=True, slots=True)
class Row:
    """`cited` are statements or conditions of the sheet, `facts` what follows from the sheet,
    `missing` what the sentence says besides, `instead` what a later note put in its place."""

    typed: str
    under: str = ""
    cited: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    @property
    def used(self) -> bool:
        return bool(self.cited or self.facts or self.instead)


@dataclass(frozen=True, slots=True)
class Table:
    """`unsaid` are the statements that no sentence speaks of."""

    rows: tuple[Row, ...]
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Request:
    """What a row is worked out from, besides its sentence."""

    every: tuple[Line, ...]
    contract: c.Contract
    tongue: Tongue | None


def table(title: str, body: str, notes: Iterable[str], contract: c.Contract) -> Table:
    """`title`, `body` and `notes` are what the person typed, in this order."""
    tongue = spoken(plain(f"{title}\n{body}"))
    request = _Request(lines(rules_of(contract)), contract, tongue)
    used = set[str]()
    found = [_row(sentence, request, used) for sentence in sentences(body)]
    for note in notes:
        later = [_row(sentence, request, used) for sentence in sentences(note)]
        found = [_replaced(row, later) for row in found] + later
    found = _of_title(title, request, used) + found
    unsaid = tuple(line.text for line in request.every if line.text not in used)
    return Table(tuple(r for r in found if r.used or not _COURTESY.match(r.typed)), unsaid)


def _of_title(title: str, request: _Request, used: set[str]) -> list[Row]:
    """Only where it says what no sentence says: a title is a name first."""
    before = set(used)
    typed = re.sub(r"(?i)^\s*(?:\[strategy\]|strategy:)\s*", "", title).strip()
    row = _row(Sentence(typed), request, used)
    return [replace(row, missing=())] if used - before else []


def _row(sentence: Sentence, request: _Request, used: set[str]) -> Row:
    said = told(_english(sentence.typed, request), role(sentence))
    found = [(x, link) for x in request.every if (link := links(x, said, request.contract))]
    rule = said.enters or said.leaves or said.says(f"{UP}|{DOWN}")
    named = [
        (x, d) for x in request.every if not rule and (d := defined(x, said, request.contract))
    ]
    used.update(line.text for line, _ in found)
    cited = [text for _, link in found for text in link]
    if all(line.kind in ("symbol", "timeframe") for line, _ in found):
        cited += [text for _, link in named for text in link]
    more = tuple(facts(said, request.contract))
    known = [line for line, _ in (*found, *named)]
    missing = _missing(said, known, request.contract) if cited or more else ()
    return Row(sentence.typed, sentence.under, tuple(dict.fromkeys(cited)), more, missing)


def _english(typed: str, request: _Request) -> str:
    """As the reader of prose reads it, without slips of the pen."""
    text = from_tongue(f"\n{plain(typed)}", request.tongue)
    text = re.sub(r"(?<=\d)/(?=\d)", ", ", text)
    return correct(text, frozenset({request.contract.symbol.lower()})).strip()


def _missing(said: Told, found: list[Line], contract: c.Contract) -> tuple[str, ...]:
    """Numbers that no cited statement has, and words for what no contract can hold."""
    known = frozenset(x for line in found for atom in line.atoms for x in atom.numbers)
    minutes, names = MINUTES[contract.timeframe], _names(said.text, found, contract)
    lost = [
        f"{value:g}{'' if unit == '%' else ' '}{unit if unit in _SHOWN_UNITS else ''}".strip()
        for value, unit in said.numbers
        if (value not in TRIVIAL or unit in ("%", "percent"))
        and value not in names
        and not covers(value, unit, known, minutes)
    ]
    words = missing_words(said.text, contract)
    return tuple(dict.fromkeys([*lost, *([words] if words else [])]))


def _names(text: str, found: list[Line], contract: c.Contract) -> set[float]:
    """Numbers that are names: of the bars, and in S&P 500."""
    spans = market.timeframe(text)[1]
    named = [text[a:b] for a, b in spans] + re.findall(r"s&p 500|sp500|dow 30|nasdaq 100", text)
    if any(line.kind == "timeframe" for line in found):
        named.append(contract.timeframe)
    return {float(x) for part in named for x in re.findall(r"\d+", part)}


_TOPICS = {
    "stop": r"\bstop|\bsl\b|\bloss\b",
    "target": r"\btarget|\btp\b|take[- ]profit|\bprofit",
    "trail": r"\btrail",
    "size": r"\brisk|\bsize|\bequity|\baccount|\bshares?\b|\bunits?\b",
    "commission": r"commission|fees?\b|bps",
    "slippage": r"slippage",
    "spread": r"spread",
    "timeframe": r"\bbars?\b|daily|hourly|chart",
    "exit": r"\bexit|\bsell|\bout\b|\bcover",
    "enter": r"\bbuy|\benter|\blong\b|\bshort\b",
}
"""First word of a statement -> how a sentence speaks of it."""


def _replaced(row: Row, later: list[Row]) -> Row:
    """What a later note says of the same thing, where the sentence itself is no more true."""
    if row.used and not row.missing:
        return row
    said = f"{row.under}: {row.typed}".lower()
    about = {name for name, words in _TOPICS.items() if re.search(words, said)}
    new = tuple(text for x in later for text in x.cited if text.split()[0] in about)
    return replace(row, missing=() if new else row.missing, instead=new or row.instead)
