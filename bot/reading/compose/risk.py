"""Stops, targets, trailing stops, sizes and costs."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from bot.reading.book import Book
from bot.reading.forms.form import Settings
from bot.reading.levels import Put
from bot.reading.mirror import mirrored
from bot.reading.rules.told import Told
from schemas import contract as c

COSTS = {
    "commission_per_trade": Decimal(0), "commission_per_unit": Decimal(0),
    "commission_percent": Decimal("0.05"), "spread": Decimal(0), "slippage": Decimal(0),
    "slippage_percent_of_range": Decimal(2),
}  # fmt: skip
SIDES = (c.Side.LONG, c.Side.SHORT)


def make_risk(told: Told, book: Book, traded: set[c.Side], exits: list[c.Exit]) -> c.Risk:
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
        exit_after_bars=None if settings.exit_after is None else max(0, settings.exit_after - 1),
        exit_at=settings.exit_at,
        sizing=settings.sizing or _size(book),
        max_positions=settings.positions or 1,
        cooldown_bars=settings.cooldown,
        cooldown_after=settings.cooldown_after,
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
