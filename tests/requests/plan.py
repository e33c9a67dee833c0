"""A plan: what a request asks for, as arrays over bars and small functions; it decides in play."""

from collections.abc import Callable
from dataclasses import dataclass, field

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

    def leaves(self, held: Held, idx: int) -> bool:
        mask = self.side(held.side).leave
        if mask is not None and mask[idx]:
            return True
        return self.leave is not None and self.leave(held, idx)

    def orders(self, idx: int, book: Book) -> Order | None:
        wanted = [s for s in (1, -1) if (mask := self.side(s).enter) is not None and mask[idx]]
        if len(wanted) != 1 or (self.allow and not self.allow(idx, wanted[0], book)):
            return None
        side = self.side(wanted[0])
        volume = self.volume
        size = float(volume[idx]) if isinstance(volume, np.ndarray) else volume
        return Order(
            wanted[0], _at(side.limit, idx), _at(side.stop, idx), _at(side.target, idx), size
        )


def trades(bars: Bars, plan: Plan) -> tuple[Trade, ...]:
    return play(bars, plan, plan.slots)


def _at(prices: Floats | None, idx: int) -> float | None:
    return None if prices is None or np.isnan(prices[idx]) else float(prices[idx])
