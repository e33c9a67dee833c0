"""One request in, one reading out: a contract, at most five questions, or a refusal. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.reading import market, replies
from bot.reading.asides import is_aside
from bot.reading.book import Book
from bot.reading.compose.contract import About, conclude
from bot.reading.doubts import refusals
from bot.reading.doubts.frames import other_frame
from bot.reading.languages import to_english
from bot.reading.layout import Statement, statements
from bot.reading.plain import plain
from bot.reading.prepare import of_rules, prepared
from bot.reading.rewrite import rewritten
from bot.reading.rules.loose import place_loose
from bot.reading.rules.sentence import read_statement
from bot.reading.rules.told import Told
from bot.reading.shorthand import spelt_out
from bot.reading.spelling import correct
from schemas import contract as c

MOST, MOST_TITLE, MOST_ASKED = 12_000, 300, 5
"""Characters of a request that rules are looked for in: a strategy is said in far fewer."""


@dataclass(frozen=True)
class Asked:
    questions: tuple[str, ...]


@dataclass(frozen=True)
class Declined:
    code: str
    reason: str


Reading = c.Contract | Asked | Declined


def read(
    title: str, body: str, workflow: str = "local", correlation: str = "corr_local"
) -> Reading:
    """`title` and `body` are cleaned text. The same words always give the same reading."""
    title = title[:MOST_TITLE]
    if len(body) > MOST:
        return Asked((replies.too_long(len(body), MOST),))
    symbol = market.symbol(f"{body}\n{title}", market.field(body, "symbol"))
    text = english(f"{_unnamed(title, symbol)}\n{_unnamed(body, symbol)}", symbol)
    typed = plain(f"{title}\n{body}")
    if refused := _refused(text, typed):
        return refused
    if other := refusals.other_market(typed, symbol) if symbol else None:
        return Declined("no_such_data", replies.no_such_data("another market", other))
    if words := refusals.several(text):
        return Asked((replies.several(words),))
    found = _answer(text, symbol, workflow, correlation)
    lack = refusals.lacking(text)
    if lack and not isinstance(found, c.Contract):
        return Declined("no_such_data", replies.no_such_data(*lack))
    return found


def _answer(text: str, symbol: str, workflow: str, correlation: str) -> c.Contract | Asked:
    heading, _, rest = text.partition("\n")
    heading = _without_labels(heading)
    about = About(workflow, correlation, heading, symbol)
    found = _concluded(statements(rest), heading, text, about)
    if not isinstance(found, c.Contract) and replies.ENTRY in found:
        named = re.sub(r",\s*(?=(?:longs?|shorts?) only\b|both\b)", ". ", heading)
        whole = _concluded([*statements(named), *statements(rest)], heading, text, about)
        found = whole if isinstance(whole, c.Contract) else found
    return found if isinstance(found, c.Contract) else Asked(tuple(found[:MOST_ASKED]))


def _concluded(
    lines: list[Statement], heading: str, text: str, about: About
) -> c.Contract | list[str]:
    book = prepared(lines, heading, text, about.symbol)
    spoken = [line for line in lines if line.role not in ("symbol", "timeframe")]
    lines = [line for line in of_rules(lines, about.symbol) if not is_aside(line.text)]
    told = _told(lines, heading, text, book)
    if words := next((w for s in spoken if (w := other_frame(s.text, book.timeframe))), None):
        told.unsupported.append(("another time frame", words))
    return conclude(told, book, text, about)


def english(text: str, symbol: str) -> str:
    """One spelling, one language, no slips of the pen."""
    return spelt_out(rewritten(correct(to_english(plain(text)), frozenset({symbol.lower()}))))


_DOES = (
    r"is (?:trading |still |also |currently |back )*(?:above|below|over|under)|closes|closed"
    r"|trades|crosses|breaks|drops|falls|rises|dips|moves|makes|gaps|opens|stays"
)
"""What a price does: "when SPY closes above its SMA"."""


def _unnamed(text: str, symbol: str) -> str:
    """Without the symbol as it was typed: LOW is a company, low is a price."""
    if not symbol:
        return text
    named = rf"(?<!\w)\$?{re.escape(symbol)}(?!\w)"
    text = re.sub(rf"(?i)(?<=\b(?:and|but) ){named}(?= (?:{_DOES})\b)", "price", text)
    text = re.sub(rf"(?i)(?<=\b(?:when|once) ){named}(?= (?:{_DOES})\b)", "price", text)
    text = re.sub(rf"(?i)(?<=\bwhile ){named}(?= (?:{_DOES})\b)", "price", text)
    text = re.sub(rf"(?i)(?<=\bif ){named}(?= (?:{_DOES})\b)", "price", text)
    return re.sub(named, " ", text)


def _without_labels(heading: str) -> str:
    return re.sub(r"^\s*\[[^\]]*\]:?\s*|^\s*(?:strategy|request|feature)\s*:\s*", "", heading)


def _refused(text: str, typed: str) -> Declined | None:
    """`typed` still has the symbol: a word in capitals may be taken for one."""
    if words := refusals.other_task(text) or refusals.other_task(typed):
        return Declined("not_a_strategy", replies.not_a_strategy(words))
    if words := refusals.manipulates(text) or refusals.manipulates(typed):
        return Declined("market_manipulation", replies.market_manipulation(words))
    if words := refusals.grows(text):
        return Declined("unbounded_risk", replies.unbounded_risk(words))
    if words := refusals.future(text):
        return Declined("needs_the_future", replies.needs_the_future(words))
    if lack := refusals.lacking(text.partition("\n")[2]):
        return Declined("no_such_data", replies.no_such_data(*lack))
    return None


_BOTH = re.compile(
    r"\bboth (?:ways|sides|directions)\b|\bboth\s*$|\blongs? ?(?:and|/|&|\+) ?shorts?\b"
)


def _told(lines: list[Statement], heading: str, text: str, book: Book) -> Told:
    """Every sentence in turn, definitions first; the title only where nothing else enters."""
    told = Told()
    if "pivot" in text:
        lines = [replace(s, text=re.sub(r"(?<![\w(])p(?![\w(])", "pivot", s.text)) for s in lines]
    for line in sorted(lines, key=lambda s: not re.search(r"\b(?:definition of|define)\b", s.text)):
        read_statement(line, told, book)
    if not told.waiting and not any(r.act in ("enter", "sell") for r in told.rules):
        for line in statements(heading):
            read_statement(line, told, book)
    if _BOTH.search(heading):
        told.flags.add("both")
    place_loose(told, book)
    return told
