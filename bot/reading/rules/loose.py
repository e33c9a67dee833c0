"""Conditions that no action names: the entry of the request, or a filter of all entries."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot.reading.book import Book
from bot.reading.conditions.cond import Cond
from bot.reading.mirror import mirror
from bot.reading.rules.join import join
from bot.reading.rules.told import Rule, Told
from schemas import contract as c

FLIPPED: dict[str, Literal["above", "at_least"]] = {"below": "above", "at_most": "at_least"}


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
        told.waiting = [(link, x) for link, x in told.waiting if not _is_among(x.node, pieces)]
        own = any(x.node in pieces for r in entries for _, x in r.parts)
        if name not in book.shown and not own:
            told.filters.append((None, Cond(node)))


def _is_among(node: c.Condition, pieces: set[c.Condition]) -> bool:
    """Is it a piece of the definition, or several of them together?"""
    return node in pieces or isinstance(node, c.Every) and set(node.of) <= pieces


def _adopt(told: Told) -> None:
    """A condition that stands alone in a request is its entry."""
    two_sided = join(told.waiting).either or "both" in told.flags
    side = None if two_sided else "short" if "only_short" in told.flags else "long"
    told.rules.append(Rule("enter", side, list(told.waiting), "the condition given"))
    told.waiting = []


def _as_filter(told: Told, book: Book) -> None:
    """A state that stands alone in a one-sided request holds for every entry, and we say so."""
    sides = {r.side for r in told.rules if r.act == "enter" and r.parts}
    for part in told.waiting:
        link, found = part
        two_sided = len(sides) != 1 or told.flags & {"both", "mirror", "reverse"}
        if two_sided and not (sides and _is_of_both(found, book)):
            continue
        if isinstance(found.node, c.Compare | c.Every) and link in ("", "then", "if", "and"):
            told.filters.append((None, found))
            told.waiting.remove(part)
            book.assume(
                "a condition that stands alone", "it must hold for every entry", "no rule named it"
            )
            return


def _is_of_both(found: Cond, book: Book) -> bool:
    """An inside bar, a narrow range, much volume: the same for a long and for a short."""
    node, turned = found.node, mirror(found.node, book)
    if isinstance(node, c.Every) and isinstance(turned, c.Every):
        return {_one_way(x) for x in node.of} == {_one_way(x) for x in turned.of}
    return node == turned


def _one_way(node: c.Condition) -> c.Condition:
    """A < B as B > A."""
    if isinstance(node, c.Compare) and node.op in ("below", "at_most"):
        return replace(node, op=FLIPPED[node.op], left=node.right, right=node.left)
    return node
