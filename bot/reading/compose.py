"""Puts what was read together: sides, mirrors, exits, levels, and the contract that follows."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from bot.reading.book import Book
from bot.reading.candles import either, every
from bot.reading.conditions import Cond
from bot.reading.extract import Settings
from bot.reading.levels import Put
from bot.reading.mirror import mirror, mirrored
from bot.reading.rules import Rule, Told
from schemas import contract as c

COSTS = {
    "commission_per_trade": Decimal(0), "commission_per_unit": Decimal(0),
    "commission_percent": Decimal("0.05"), "spread": Decimal(0), "slippage": Decimal(0),
    "slippage_percent_of_range": Decimal(2),
}  # fmt: skip
SIDES = (c.Side.LONG, c.Side.SHORT)


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
    return {str(s) for s in named} or {"long"}


def settle(told: Told, book: Book, text: str) -> tuple[list[c.Entry], list[c.Exit]]:
    """Entries and exits with their sides, filters applied, mirrors made."""
    traded = sides(told, text)
    rules = [_sell(r, traded) for r in told.rules if r.parts]
    entries = _entries([r for r in rules if r.act == "enter"], traded, told, book)
    exits = _exits([r for r in rules if r.act == "exit"], traded, told, book, entries)
    if "else_flat" in told.flags:
        exits += [
            c.Exit(side=e.side, when=c.Never(of=e.when), reason="no longer true") for e in entries
        ]
    settings = told.settings
    if settings.until_exit and settings.exit_at:
        settings.filters.append(Cond(c.Session(start="00:00", end=settings.exit_at)))
    _overnight(settings, exits)
    filters = told.filters + [(None, f) for f in settings.filters]
    filtered = [replace(e, when=_filtered(e, filters)) for e in entries]
    return limited(filtered, told, book), exits


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


def _entries(rules: list[Rule], traded: set[str], told: Told, book: Book) -> list[c.Entry]:
    found: list[c.Entry] = []
    for rule in rules:
        assert rule.when is not None
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
    assert rule.when is not None
    if rule.side:
        return [rule.side]
    if rule.when.either:
        return [s for s in ("long", "short") if s in traded]
    if len(traded) == 1:
        return sorted(traded)
    return ["short"] if rule.when.bearish else ["long"]


def _entry(rule: Rule, side: str, book: Book) -> c.Entry:
    assert rule.when is not None
    node = (
        (rule.when.other or rule.when.node)
        if side == "short" and (rule.when.either or rule.when.other)
        else rule.when.node
    )
    return c.Entry(side=c.Side(side), when=node, limit=rule.limit, reason=_reason(rule.said))


def limited(entries: list[c.Entry], told: Told, book: Book) -> list[c.Entry]:
    """A limit that was told apart from the rules holds for all of them, mirrored for shorts."""
    price = next((p.price for p in told.puts if p.kind == "limit" and p.price is not None), None)
    if price is None:
        return entries
    other = mirrored(price, book)
    return [
        e if e.limit is not None else replace(e, limit=price if e.side is c.Side.LONG else other)
        for e in entries
    ]


def _mirror_entry(entry: c.Entry, side: c.Side, book: Book) -> c.Entry:
    limit = mirrored(entry.limit, book) if entry.limit is not None else None
    return replace(entry, side=side, when=mirror(entry.when, book), limit=limit)


def _exits(
    rules: list[Rule], traded: set[str], told: Told, book: Book, entries: list[c.Entry]
) -> list[c.Exit]:
    found: list[c.Exit] = []
    special = {r.side for r in rules if r.side}
    for rule in rules:
        assert rule.when is not None
        if rule.side is None and special and any(r.said == rule.said and r.side for r in rules):
            continue
        for side in [rule.side] if rule.side else sorted(traded):
            if side not in traded:
                continue
            found.append(
                c.Exit(
                    side=c.Side(side),
                    when=_left(rule, side, traded, book),
                    reason=_reason(rule.said),
                )
            )
    have = {e.side for e in found}
    if found and told.flags & {"mirror"} and len(traded) == 2 and len(have) == 1:
        missing = c.Side("short" if c.Side.LONG in have else "long")
        found += [replace(e, side=missing, when=mirror(e.when, book)) for e in list(found)]
    ignored = "not_opposite" in told.flags or told.settings.ignore_opposite
    if ("opposite" in told.flags or told.settings.on_opposite) and not ignored:
        found += _opposite(entries, traded, book)
    for cond in told.settings.exits:
        found.append(c.Exit(side=None, when=cond.node, reason="calendar"))
    return found


def _left(rule: Rule, side: str, traded: set[str], book: Book) -> c.Condition:
    node = _exit_node(rule, side, traded, book)
    return softened(node, book) if len(rule.parts) == 1 and rule.parts[0][1].soft else node


def softened(node: c.Condition, book: Book) -> c.Condition:
    """To leave when the close "falls below" a line, being below it is enough."""
    if isinstance(node, c.Cross) and book.is_price(node.left) and book.is_price(node.right):
        return c.Compare(op=node.direction, left=node.left, right=node.right)
    return node


def _exit_node(rule: Rule, side: str, traded: set[str], book: Book) -> c.Condition:
    assert rule.when is not None
    if side == "short":
        if rule.when.other is not None:
            return rule.when.node if rule.when.either else rule.when.other
        if rule.side is None and len(traded) == 2:
            return rule.when.node
        return rule.when.node
    return rule.when.other if rule.when.either and rule.when.other else rule.when.node


def _opposite(entries: list[c.Entry], traded: set[str], book: Book) -> list[c.Exit]:
    """What would enter the other way, without its filters, closes."""
    found: list[c.Exit] = []
    for entry in entries:
        other = c.Side.SHORT if entry.side is c.Side.LONG else c.Side.LONG
        if other.value in traded:
            found.append(c.Exit(side=other, when=core(entry.when), reason="the opposite signal"))
        elif len(traded) == 1:
            found.append(
                c.Exit(
                    side=entry.side,
                    when=mirror(core(entry.when), book),
                    reason="the opposite signal",
                )
            )
    return found


def core(node: c.Condition) -> c.Condition:
    """The event of a rule: its cross, without the states that only filter it."""
    if isinstance(node, c.Every):
        crosses = [x for x in node.of if isinstance(x, c.Cross)]
        if crosses:
            return crosses[0]
    return node


def _reason(said: str) -> str:
    return re.sub(r"[^a-z0-9 %.<>()/+-]", " ", said)[:60].strip() or "rule"


def risk(told: Told, book: Book, traded: set[c.Side], exits: list[c.Exit]) -> c.Risk:
    settings = told.settings
    stops = _levels([p for p in told.puts if p.kind == "stop"], traded, book)
    targets = _levels([p for p in told.puts if p.kind == "target"], traded, book)
    if not targets and settings.profit:
        targets = (c.Level(side=None, distance=settings.profit),)
    if not stops and settings.loss:
        stops = (c.Level(side=None, distance=settings.loss),)
    if not targets and settings.ratio and stops:
        targets = (c.Level(side=None, distance=c.Distance(unit="r", amount=settings.ratio)),)
    told.puts += _activated(told, exits, book)
    trails = tuple(
        c.Trailing(
            side=c.Side(p.side) if p.side else None,
            distance=p.distance,
            mark="extreme" if p.mark == "extreme" else "close",
            starts_after=p.after or settings.trail_after,
        )
        for p in told.puts
        if p.kind == "trail" and p.distance is not None
    )
    return c.Risk(
        stops=stops[:4],
        targets=targets[:4],
        trailing=trails[:4],
        break_even_after=settings.break_even,
        exit_after_bars=settings.exit_after,
        exit_at=settings.exit_at,
        sizing=settings.sizing or _size(book),
        max_positions=settings.positions or 1,
        cooldown_bars=settings.cooldown,
        cooldown_after=settings.cooldown_after,  # type: ignore[arg-type]
        max_entries_per_day=settings.day_limit,
    )


def _activated(told: Told, exits: list[c.Exit], book: Book) -> list[Put]:
    """ "Once 3% ahead, leave 2% under the best close": a trailing stop that starts later."""
    found: list[Put] = []
    if told.settings.trail_after is None or any(
        p.kind == "trail" and p.distance for p in told.puts
    ):
        return found
    for exit_ in list(exits):
        node = exit_.when
        if not (isinstance(node, c.Compare) and isinstance(node.right, c.Arithmetic)):
            continue
        best, share = node.right.left, node.right.right
        if (
            node.right.op == "multiply"
            and isinstance(best, c.Held)
            and isinstance(share, c.Constant)
        ):
            percent = round(abs(1 - share.value) * 100, 9)
            mark = "close" if best.field.endswith("close") else "extreme"
            side = exit_.side.value if exit_.side else None
            found.append(Put("trail", side, c.Distance(unit="percent", amount=percent), mark=mark))
            exits.remove(exit_)
    return found


def _size(book: Book) -> c.Sizing:
    book.assume("size", "1 unit", "no size was given")
    return c.Sizing(kind="fixed_units", amount=Decimal(1))


def _levels(puts: list[Put], traded: set[c.Side], book: Book) -> tuple[c.Level, ...]:
    found: dict[c.Side | None, c.Level] = {}
    for put in puts:
        if put.distance is not None:
            side = c.Side(put.side) if put.side else None
            found.setdefault(side, c.Level(side=side, distance=put.distance))
            continue
        if put.price is None:
            continue
        first = c.Side(put.side) if put.side else _side_of(put, traded)
        found.setdefault(first, c.Level(side=first, price=put.price))
    return _both(found, traded, book)


def _side_of(put: Put, traded: set[c.Side]) -> c.Side:
    if len(traded) == 1:
        return next(iter(traded))
    return c.Side.LONG


def _both(
    found: dict[c.Side | None, c.Level], traded: set[c.Side], book: Book
) -> tuple[c.Level, ...]:
    """A level told for one side means its mirror for the other, unless that was told too."""
    sided = [s for s in found if s is not None]
    if None in found and not sided:
        return (found[None],)
    for side in SIDES:
        if side in traded and side not in found and sided and None not in found:
            told = found[sided[0]]
            price = mirrored(told.price, book) if told.price is not None else None
            found[side] = replace(told, side=side, price=price)
    kept = [found[s] for s in SIDES if s in found and s in traded]
    if None in found:
        kept += [replace(found[None], side=s) for s in SIDES if s in traded and s not in found]
    return tuple(kept)


def costs(settings: Settings, book: Book) -> c.Costs:
    if settings.no_costs:
        return c.Costs(**dict.fromkeys(COSTS, Decimal(0)))
    if settings.costs:
        told = {**dict.fromkeys(COSTS, Decimal(0)), **settings.costs}
        return c.Costs(**told)
    book.assume(
        "costs",
        "0.05% a fill and 2% of the bar's range as slippage",
        "none were given, and free trading flatters",
    )
    return c.Costs(**COSTS)


__all__ = ["core", "costs", "either", "risk", "settle", "sides"]
