"""The contract that follows from what was told, or what has to be asked first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.reading import replies
from bot.reading.book import Book
from bot.reading.compose.lines import beside_the_line
from bot.reading.compose.risk import costs, make_risk
from bot.reading.compose.sides import settle
from bot.reading.doubts.numbers import lost_number
from bot.reading.doubts.promises import broken
from bot.reading.doubts.questions import endless, missing, one_sided, unclear, unused
from bot.reading.doubts.vague import vague
from bot.reading.layout import in_a_line
from bot.reading.numbered import in_words
from bot.reading.rules.told import Told
from schemas import codec
from schemas import contract as c

MOST_ASSUMED, MOST_SUMMARY = 50, 2000


@dataclass(frozen=True)
class About:
    """Whose request it is, how it is called and of what market; "" is no symbol."""

    workflow: str
    correlation: str
    heading: str
    symbol: str


def conclude(told: Told, book: Book, text: str, about: About) -> c.Contract | list[str]:
    """A contract, or questions."""
    entries, exits = settle(told, book, text)
    entries = [replace(e, when=beside_the_line(e.when, book)) for e in entries]
    exits = [replace(x, when=beside_the_line(x.when, book)) for x in exits]
    traded = {e.side for e in entries}
    risk = make_risk(told, book, traded, exits)
    reverse = "reverse" in told.flags and "not_reverse" not in told.flags and len(traded) == 2
    reverse = reverse and not told.settings.ignore_opposite
    exits = _left(exits, entries) if reverse else exits
    if not about.symbol:
        book.assume("symbol", "AAPL", "none was given")
    if asked := missing(told, book, entries, exits, risk, reverse):
        return asked
    contract = c.Contract(
        workflow_id=about.workflow,
        correlation_id=about.correlation,
        name=_name(about.heading),
        symbol=about.symbol or "AAPL",
        timeframe=book.timeframe,
        summary=_summary(about, text),
        entries=tuple(entries),
        exits=tuple(exits),
        risk=risk,
        costs=costs(told.settings, book),
        reverse=reverse,
        pip_size=book.pip,
    )
    _assume_stretches(contract, book)
    assumed = [c.Assumption(topic=k, taken=v, because=w) for k, (v, w) in book.assumed.items()]
    contract = replace(
        contract, assumptions=tuple(assumed[:MOST_ASSUMED]), indicators=_used(contract, book)
    )
    doubt = unclear(contract, told) or unused(contract, told, book) or one_sided(contract, book)
    doubt = doubt or vague(contract, told) or lost_number(contract, told)
    if not doubt and (words := broken(contract, text.partition("\n")[2])):
        doubt = replies.unread(words)
    doubt = doubt or endless(contract) or _overfull(contract)
    return [doubt] if doubt else contract


def _assume_stretches(contract: c.Contract, book: Book) -> None:
    """ "20 days" on hourly bars, where the contract has that number of bars."""
    shown = repr((contract.entries, contract.exits, contract.risk, list(book.used.values())))
    held = contract.risk.exit_after_bars
    for told, bars in book.stretches.items():
        if held == bars - 1 or re.search(rf"(?<![\d.]){bars}(?:\.0)?(?![\d.])", shown):
            book.assume(told, f"{bars} bars of {contract.timeframe}", book.counted_by)


def _summary(about: About, text: str) -> str:
    return in_words(in_a_line("\n".join([about.heading, *text.splitlines()[1:]])))[:MOST_SUMMARY]


def _left(exits: list[c.Exit], entries: list[c.Entry]) -> list[c.Exit]:
    """Who reverses leaves by entering the other way: an exit that says only that says it twice."""
    turns = [(e.side, e.when) for e in entries]
    return [x for x in exits if not any(s is not x.side and w == x.when for s, w in turns)]


HANGING = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
"""What a heading ends with when the symbol that followed is taken out."""


def _name(heading: str) -> str:
    words = re.findall(r"[a-z0-9]+", heading)
    while words and words[-1] in HANGING:
        words.pop()
    name = "_".join(words)[:32].strip("_")
    return name if name and name[0].isalpha() else f"strategy_{name}".strip("_")


def _used(contract: c.Contract, book: Book) -> tuple[c.Indicator, ...]:
    """Only those that some rule names, in the order in which they depend on each other."""
    wanted: list[str] = []

    def want(name: str) -> None:
        about = book.used[name]
        if about.of is not None:
            want(about.of.indicator)
        if name not in wanted:
            wanted.append(name)

    for name in sorted(set(re.findall(r"indicator='([^']+)'", repr(contract)))):
        want(name)
    return tuple(book.used[n] for n in wanted)


def _overfull(contract: c.Contract) -> str | None:
    """More rules, or longer ones, than a contract may hold."""
    try:
        codec.load(c.Contract, codec.dump(contract))
    except codec.Invalid as problem:
        return replies.too_much(problem.problems[0])
    return None
