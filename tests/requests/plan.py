"""A plan: what a request asks for, as arrays over bars and small functions; it decides in play."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tests.requests.bars import Bars, Floats, Mask
from tests.requests.engine import Book, Held, Order, Trade, play

Leave = Callable[[Held, int], bool]
Allow = Callable[[int, int, Book], bool]
Distance = Floats | float | None


@dataclass(frozen=True)
class Side:
    """One direction. Prices belong to an order that is decided on the close of their bar."""

    enter: Mask | None = None
    leave: Mask | None = None
    stop: Floats | None = None
    target: Floats | None = None
    limit: Floats | None = None


def aim(
    b: Bars,
    side: int,
    enter: Mask,
    leave: Mask | None = None,
    stop: Distance = None,
    target: Distance = None,
) -> Side:
    """A side whose stop and target lie this far from the close that is decided on."""
    return Side(
        enter,
        leave,
        None if stop is None else b.close - side * stop,
        None if target is None else b.close + side * target,
    )


@dataclass(frozen=True)
class Plan:
    """`leave` asks about one position; `allow` may forbid an entry by what was traded before."""

    long: Side = field(default_factory=Side)
    short: Side = field(default_factory=Side)
    leave: Leave | None = None
    allow: Allow | None = None
    volume: Floats | float | None = None
    slots: int = 1

    def side(self, side: int) -> Side:
        return self.long if side > 0 else self.short

    @cached_property
    def wanted(self) -> list[int]:
        """The side to enter on each bar; none where both are wanted."""
        long, short = self.long.enter, self.short.enter
        size = next((len(mask) for mask in (long, short) if mask is not None), 0)
        none = np.zeros(size, np.bool_)
        sides = np.subtract(
            none if long is None else long, none if short is None else short, dtype=np.int64
        )
        return [int(side) for side in sides]

    def leaves(self, held: Held, idx: int) -> bool:
        mask = self.side(held.side).leave
        if mask is not None and mask[idx]:
            return True
        return self.leave is not None and self.leave(held, idx)

    def orders(self, idx: int, book: Book) -> Order | None:
        way = self.wanted[idx]
        if not way or (self.allow and not self.allow(idx, way, book)):
            return None
        side, volume = self.side(way), self.volume
        size = float(volume[idx]) if isinstance(volume, np.ndarray) else volume
        return Order(way, _at(side.limit, idx), _at(side.stop, idx), _at(side.target, idx), size)


def trades(bars: Bars, plan: Plan) -> tuple[Trade, ...]:
    return play(bars, plan, plan.slots)


def _at(prices: Floats | None, idx: int) -> float | None:
    return None if prices is None or np.isnan(prices[idx]) else float(prices[idx])
