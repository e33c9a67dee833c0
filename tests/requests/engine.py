"""Fills: who decides on a close, and what the next bars make of it.

Decisions are made on a bar's close, exits before the entry. At the next open exits fill first, then
the order. Inside a bar the open is looked at first, then the stop, then the target. A limit order
works for one bar; in the bar of a fill inside it the stop counts and the target does not.
"""

from dataclasses import dataclass, field
from typing import Protocol

from tests.requests.bars import Bars, first_decision


@dataclass(frozen=True)
class Order:
    """`side` is 1 or -1. Prices are absolute; a limit of None is a market order."""

    side: int
    limit: float | None = None
    stop: float | None = None
    target: float | None = None
    volume: float | None = None
    comment: str = ""


@dataclass(frozen=True)
class Held:
    """An open position. `signal` is the bar it was decided on, `entry` the bar it was filled in."""

    number: int
    order: Order
    signal: int
    entry: int
    price: float
    at_open: bool

    @property
    def side(self) -> int:
        return self.order.side


@dataclass(frozen=True)
class Trade:
    """`kind` is sl, tp, signal, or open for what was still held at the end."""

    signal: int
    side: int
    entry: int
    entry_price: float
    exit: int
    exit_price: float
    kind: str
    volume: float | None


@dataclass
class Book:
    held: list[Held] = field(default_factory=list)
    trades: list[Trade] = field(default_factory=list)


class Mind(Protocol):
    def leaves(self, held: Held, idx: int) -> bool: ...

    def orders(self, idx: int, book: Book) -> Order | None: ...


def play(bars: Bars, mind: Mind, slots: int = 1) -> tuple[Trade, ...]:
    book, order, last = Book(), None, len(bars.close) - 1
    leaving: list[Held] = []
    for idx in range(first_decision(bars), last + 1):
        for held in leaving:
            _close(book, held, idx, float(bars.open[idx]), "signal")
        if order is not None:
            _fill(book, order, bars, idx)
        for held in list(book.held):
            _touch(book, held, bars, idx)
        if idx == last:
            break
        leaving = [held for held in book.held if mind.leaves(held, idx)] if book.held else []
        order = _asked(book, mind, idx, leaving, slots)
    for held in list(book.held):
        _close(book, held, last, float(bars.close[last]), "open")
    return tuple(sorted(book.trades, key=lambda trade: (trade.signal, trade.exit)))


def _asked(book: Book, mind: Mind, idx: int, leaving: list[Held], slots: int) -> Order | None:
    """Nobody is asked while every slot is taken; an order against an open position is dropped."""
    if len(book.held) - len(leaving) >= slots:
        return None
    order = mind.orders(idx, book)
    staying = [held for held in book.held if held not in leaving]
    if order is None or any(held.side != order.side for held in staying):
        return None
    return order


def _fill(book: Book, order: Order, bars: Bars, idx: int) -> None:
    opened, at_open = float(bars.open[idx]), True
    price = opened
    if order.limit is not None and order.side * (opened - order.limit) > 0:
        reached = bars.low[idx] <= order.limit if order.side > 0 else bars.high[idx] >= order.limit
        if not reached:
            return
        price, at_open = order.limit, False
    number = len(book.trades) + len(book.held) + 1
    book.held.append(Held(number, order, idx - 1, idx, price, at_open))


def _touch(book: Book, held: Held, bars: Bars, idx: int) -> None:
    side, stop, target = held.side, held.order.stop, held.order.target
    first = float(bars.open[idx])
    if held.entry == idx and not held.at_open:
        first, target = held.price, None
    worst, best = (bars.low, bars.high) if side > 0 else (bars.high, bars.low)
    if stop is not None and side * (first - stop) <= 0:
        _close(book, held, idx, first, "sl")
    elif target is not None and side * (first - target) >= 0:
        _close(book, held, idx, first, "tp")
    elif stop is not None and side * (worst[idx] - stop) <= 0:
        _close(book, held, idx, stop, "sl")
    elif target is not None and side * (best[idx] - target) >= 0:
        _close(book, held, idx, target, "tp")


def _close(book: Book, held: Held, idx: int, price: float, kind: str) -> None:
    book.held.remove(held)
    volume = held.order.volume
    book.trades.append(
        Trade(held.signal, held.side, held.entry, held.price, idx, price, kind, volume)
    )
