"""Which sides are traded, and the entries and exits of each."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.reading.book import Book
from bot.reading.compose.entries import limited, make_entries
from bot.reading.compose.exits import make_exits
from bot.reading.conditions.cond import Cond
from bot.reading.forms.form import Settings
from bot.reading.mirror import mirror
from bot.reading.nodes import every, number
from bot.reading.rules.told import Rule, Told
from schemas import contract as c


def sides(told: Told, text: str) -> set[str]:
    """Which sides are traded."""
    if "only_long" in told.flags and "only_short" not in told.flags:
        return {"long"}
    if "only_short" in told.flags and "only_long" not in told.flags:
        return {"short"}
    named = {r.side for r in told.rules if r.act == "enter" and r.side}
    if told.flags & {"both", "mirror"} or (
        told.flags & {"reverse"} and "not_reverse" not in told.flags
    ):
        return {"long", "short"}
    if re.search(r"\bshorts?\b(?!-?\s?term| ma| ema| sma| average| period)", text):
        named.add("short") if any(r.act == "sell" for r in told.rules) else None
    if _sells_first(told) and re.search(r"(?<!no )\b(?:stop|sl|target|tp)\b", text):
        named |= {"long", "short"}
    return {str(s) for s in named} or {"long"}


def _sells_first(told: Told) -> bool:
    """ "Sell when A, buy when B. Stop 40 pips": who sells before anything was bought goes short."""
    acts = [r.act for r in told.rules if r.act in ("enter", "sell", "exit")]
    return acts[:1] == ["sell"] and "enter" in acts and "exit" not in acts


def settle(told: Told, book: Book, text: str) -> tuple[list[c.Entry], list[c.Exit]]:
    """Entries and exits with their sides, filters applied, mirrors made."""
    traded = sides(told, text)
    shorts = traded if "mirror" not in told.flags else {"long"}
    rules = _in_turn([_sell(r, shorts) for r in told.rules if r.parts], told)
    entries = make_entries([r for r in rules if r.act == "enter"], traded, told, book)
    exits = make_exits([r for r in rules if r.act == "exit"], traded, told, book, entries)
    if "else_flat" in told.flags:
        exits += [
            c.Exit(side=e.side, when=c.Never(of=e.when), reason="no longer true") for e in entries
        ]
    settings = told.settings
    if settings.until_exit and settings.exit_at:
        settings.filters.append(Cond(c.Session(start="00:00", end=settings.exit_at)))
    _overnight(settings, exits)
    filters = _mirrored(told, book) + [(None, f) for f in settings.filters]
    filtered = [replace(e, when=_filtered(e, filters)) for e in entries]
    adds = [r.when for r in rules if r.act == "add" and r.when is not None]
    if settings.adds is None and adds:
        has = c.Compare(op="above", left=c.Held(field="entry_price"), right=number(0))
        settings.adds = Cond(every(adds[0].node, has), every(mirror(adds[0].node, book), has))
    return _with_adds(limited(filtered, told, book), settings), exits


def _mirrored(told: Told, book: Book) -> list[tuple[str | None, Cond]]:
    """The filters. One of longs alone holds the other way for shorts that mirror them."""
    sided = {side for side, _ in told.filters if side}
    if "mirror" not in told.flags or len(sided) != 1:
        return told.filters
    other = "short" if "long" in sided else "long"
    more = [(other, Cond(mirror(f.node, book))) for side, f in told.filters if side]
    return [*told.filters, *more]


def _with_adds(entries: list[c.Entry], settings: Settings) -> list[c.Entry]:
    """Entries open the first position; what is added follows from the last one's price."""
    if settings.adds is None:
        return entries
    flat = c.Never(of=c.Compare(op="above", left=c.Held(field="entry_price"), right=number(0)))
    first = [replace(e, when=every(e.when, flat)) for e in entries]
    when = {c.Side.LONG: settings.adds.node, c.Side.SHORT: settings.adds.other}
    sides = sorted({e.side for e in entries})
    more = [c.Entry(side=s, when=node, reason="add") for s in sides if (node := when[s])]
    return [*first, *more]


def _in_turn(rules: list[Rule], told: Told) -> list[Rule]:
    """ "Buy when A; exit when B. Short when C; exit when D": each exit is its entry's."""
    acts = [(r.act, r.side) for r in rules]
    if len(acts) != 4 or [a for a, _ in acts] != ["enter", "exit", "enter", "exit"]:
        return rules
    first, left, second, out = rules
    turns = {first.side, second.side} == {"long", "short"} and left.parts != out.parts
    if not turns or left.side not in (None, first.side) or out.side not in (None, second.side):
        return rules
    return [first, replace(left, side=first.side), second, replace(out, side=second.side)]


def _overnight(settings: Settings, exits: list[c.Exit]) -> None:
    """Entries in the evening and an exit in the morning: the clock alone would close at once."""
    starts = [
        n.start
        for f in settings.filters
        for n in _sessions(f.node)
        if n.start > (settings.exit_at or "")
    ]
    early = [
        n
        for f in settings.filters
        for n in _sessions(f.node)
        if n.start <= (settings.exit_at or "")
    ]
    if (
        settings.exit_at
        and starts
        and (early or len(starts) == 1)
        and not any(n.start == "00:00" and n.end > settings.exit_at for n in early)
    ):
        when = c.Session(start=settings.exit_at, end=min(starts))
        exits.append(c.Exit(side=None, when=when, reason="time"))
        settings.exit_at = None


def _sessions(node: c.Condition) -> list[c.Session]:
    if isinstance(node, c.Session):
        return [node]
    return [x for x in node.of if isinstance(x, c.Session)] if isinstance(node, c.Either) else []


def _filtered(entry: c.Entry, filters: list[tuple[str | None, Cond]]) -> c.Condition:
    own = [
        (f.other or f.node) if entry.side is c.Side.SHORT else f.node
        for side, f in filters
        if side in (None, entry.side.value)
    ]
    return every(entry.when, *own)


def _sell(rule: Rule, traded: set[str]) -> Rule:
    if rule.act != "sell":
        return rule
    if "short" in traded:
        return replace(rule, act="enter", side="short")
    return replace(rule, act="exit", side="long")
