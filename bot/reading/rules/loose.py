"""Conditions that no action names: the entry of the request, or a filter of all entries."""

from __future__ import annotations

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.rules.join import join
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def place_loose(told: Told, book: Book) -> None:
    _defined(told, book)
    if told.waiting and not any(r.act == "enter" and r.when for r in told.rules):
        _adopt(told)
    _as_filter(told, book)


def _defined(told: Told, book: Book) -> None:
    """A candle that was defined and never named again is meant for every entry."""
    entries = [r for r in told.rules if r.act == "enter" and r.parts]
    for name, node in book.defined.items():
        pieces = {node, *(node.of if isinstance(node, c.Every) else ())}
        if not entries:
            return
        told.waiting = [(link, x) for link, x in told.waiting if x.node not in pieces]
        own = any(x.node in pieces for r in entries for _, x in r.parts)
        if name not in book.shown and not own:
            told.filters.append((None, Cond(node)))


def _adopt(told: Told) -> None:
    """A condition that stands alone in a request is its entry."""
    two_sided = join(told.waiting).either or "both" in told.flags
    side = None if two_sided else "short" if "only_short" in told.flags else "long"
    told.rules.append(Rule("enter", side, list(told.waiting), "the condition given"))
    told.waiting = []


def _as_filter(told: Told, book: Book) -> None:
    """A state that stands alone in a one-sided request holds for every entry, and we say so."""
    sides = {r.side for r in told.rules if r.act == "enter" and r.parts}
    if len(sides) != 1 or told.flags & {"both", "mirror", "reverse"}:
        return
    for part in told.waiting:
        link, found = part
        if isinstance(found.node, c.Compare | c.Every) and link in ("", "then", "if", "and"):
            told.filters.append((None, found))
            told.waiting.remove(part)
            book.assume(
                "a condition that stands alone", "it must hold for every entry", "no rule named it"
            )
            return
