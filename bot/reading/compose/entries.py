"""Entries with their sides, limits and mirrors."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.reading.book import Book
from bot.reading.mirror import mirror, mirrored
from bot.reading.numbered import in_words
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def make_entries(rules: list[Rule], traded: set[str], told: Told, book: Book) -> list[c.Entry]:
    found: list[c.Entry] = []
    for rule in rules:
        assert rule.when is not None  # nosec B101
        for side in _of_rule(rule, traded):
            found.append(_entry(rule, side, book))
    have = {e.side.value for e in found}
    wants_mirror = told.flags & {"mirror", "both", "reverse"} and "not_mirror" not in told.flags
    for missing in sorted(traded - have):
        if found and (wants_mirror or len(traded) == 1):
            found += [
                _mirror_entry(e, c.Side(missing), book)
                for e in list(found)
                if e.side.value != missing
            ]
    return [e for e in found if e.side.value in traded]


def _of_rule(rule: Rule, traded: set[str]) -> list[str]:
    assert rule.when is not None  # nosec B101
    if rule.side:
        return [rule.side]
    if rule.when.either:
        return [s for s in ("long", "short") if s in traded]
    if len(traded) == 1:
        return sorted(traded)
    return ["short"] if rule.when.bearish else ["long"]


def _entry(rule: Rule, side: str, book: Book) -> c.Entry:
    assert rule.when is not None  # nosec B101
    node = (
        (rule.when.other or rule.when.node)
        if side == "short" and (rule.when.either or rule.when.other)
        else rule.when.node
    )
    return c.Entry(side=c.Side(side), when=node, limit=rule.limit, reason=reason(rule.said))


def limited(entries: list[c.Entry], told: Told, book: Book) -> list[c.Entry]:
    """A limit that was told apart from the rules holds for all of them, mirrored for shorts."""
    wanted = next((p.price for p in told.puts if p.kind == "limit" and p.price is not None), None)
    if wanted is None:
        return entries
    other = mirrored(wanted, book)
    return [
        e if e.limit is not None else replace(e, limit=wanted if e.side is c.Side.LONG else other)
        for e in entries
    ]


def _mirror_entry(entry: c.Entry, side: c.Side, book: Book) -> c.Entry:
    limit = mirrored(entry.limit, book) if entry.limit is not None else None
    return replace(entry, side=side, when=mirror(entry.when, book), limit=limit)


def reason(said: str) -> str:
    return re.sub(r"[^a-z0-9 %.<>()/+-]", " ", in_words(said))[:60].strip() or "rule"
