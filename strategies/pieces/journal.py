"""What a strategy remembers of its own trades, for rules that depend on them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from strategies.pieces.orders import from_fill

if TYPE_CHECKING:
    from adapters.base_adapter import OrderRequest, Position


class Deal(NamedTuple):
    """A position, or an order that may become one. `seen` is the last bar on which it was open."""

    side: float
    decided: int
    price: float
    stop: float
    target: float
    seen: int


class Ending(NamedTuple):
    """An exit, on the bar of its fill. `price` is NaN while that fill is still to come."""

    idx: int
    price: float
    deal: Deal
    by_stop: bool


class Journal:
    """Kept by bar: exits are asked before entries, and an earlier bar starts a new journal."""

    def __init__(self) -> None:
        """Nothing was traded yet."""
        self.idx = -1
        self.order: Deal | None = None
        self.entries: list[int] = []
        self.endings: list[Ending] = []
        self.deals: dict[str, Deal] = {}
        self.staying: list[Position] = []

    def turn(self, idx: int) -> None:
        """The first question about a bar."""
        if idx < self.idx:
            self.order, self.entries, self.endings, self.deals = None, [], [], {}
        if idx != self.idx:
            self.idx, self.staying = idx, []

    def saw(self, position: Position, idx: int) -> None:
        """It is open on the close of this bar."""
        self.turn(idx)
        fresh = position["entry_idx"] == idx
        if fresh and (self.order is None or self.order.decided != idx - 1):
            return  # not ordered by us: only a question
        if fresh and self.order is not None:
            self.entries.append(self.order.decided)
            self.order = None
        side = 1.0 if position["action"] == "BUY" else -1.0
        stop, target = position["sl"] or math.nan, position["tp"] or math.nan
        known = (side, position["entry_idx"] - 1, position["entry_price"], stop, target)
        self.deals[position["position_id"]] = Deal(*known, idx)
        self.staying.append(position)

    def leaves(self, position: Position, idx: int, by_stop: bool) -> None:
        """It closes at the next open."""
        deal = self.deals.pop(position["position_id"], None)
        if deal is not None:
            self.endings.append(Ending(idx + 1, math.nan, deal, by_stop))
            self.staying = [p for p in self.staying if p is not position]

    def ordered(self, order: OrderRequest, idx: int) -> None:
        """It works on the next bar."""
        side = 1.0 if order["action"] == "BUY" else -1.0
        limit = order.get("price") or math.nan
        stop, target = order.get("sl") or math.nan, order.get("tp") or math.nan
        self.order = Deal(side, idx, limit, stop, target, idx)

    def settle(self, df: pd.DataFrame, idx: int) -> None:
        """What was open before, and was not asked about on this bar, has ended inside of one."""
        self.turn(idx)
        for name, deal in list(self.deals.items()):
            if deal.seen < idx:
                self.endings.append(self.ended(df, deal, False))
                del self.deals[name]
        if self.order is not None and self.order.decided < idx:
            self.fill(df, self.order)
            self.order = None

    def fill(self, df: pd.DataFrame, order: Deal) -> None:
        """An order that never showed as a position: it ended on its first bar, or never filled."""
        at = order.decided + 1
        first, limit = float(df["Open"].iloc[at]), order.price
        worst = float(df["Low" if order.side > 0.0 else "High"].iloc[at])
        inside = order.side * (first - limit) > 0.0
        if inside and order.side * (worst - limit) > 0.0:
            return
        ending = self.ended(df, order._replace(price=limit if inside else first), inside)
        if not math.isnan(ending.price):
            self.entries.append(order.decided)
            self.endings.append(ending)

    def ended(self, df: pd.DataFrame, deal: Deal, inside: bool) -> Ending:
        """By its stop or its target, in the order in which a broker looks; else price is NaN."""
        at, side = deal.seen + 1, deal.side
        first = deal.price if inside else float(df["Open"].iloc[at])
        high, low = float(df["High"].iloc[at]), float(df["Low"].iloc[at])
        worst, best = (low, high) if side > 0.0 else (high, low)
        if side * (first - deal.stop) <= 0.0:
            return Ending(at, first, deal, True)
        if not inside and side * (first - deal.target) >= 0.0:
            return Ending(at, first, deal, False)
        if side * (worst - deal.stop) <= 0.0:
            return Ending(at, deal.stop, deal, True)
        if not inside and side * (best - deal.target) >= 0.0:
            return Ending(at, deal.target, deal, False)
        return Ending(at, math.nan, deal, False)

    def entries_on(self, day: pd.Series[float], idx: int) -> int:
        """Entries that were decided on the day of this bar."""
        return sum(day.iloc[decided] == day.iloc[idx] for decided in self.entries[-100:])

    def bars_since_exit(self, df: pd.DataFrame, idx: int, after: str) -> float:
        """After any "exit", only after a "stop", or only after a "loss"."""
        for ending in reversed(self.endings[-100:]):
            if after == "stop" and not ending.by_stop:
                continue
            if after == "loss" and not self.lost(df, ending, idx):
                continue
            return float(idx - ending.idx)
        return math.inf

    def lost(self, df: pd.DataFrame, ending: Ending, idx: int) -> bool:
        """At the price of its fill; before that is known, at the close."""
        price = ending.price
        if math.isnan(price) and ending.idx <= idx:
            price = float(df["Open"].iloc[ending.idx])
        elif math.isnan(price):
            price = float(df["Close"].iloc[idx])
        return ending.deal.side * (price - ending.deal.price) < 0.0

    def holds_other_than(self, order: OrderRequest) -> bool:
        """A position of the other side stays: an order against it would be refused."""
        return any(position["action"] != order["action"] for position in self.staying)

    def newest(self) -> Position | None:
        """The position that was opened last and stays."""
        return max(self.staying, key=lambda p: p["entry_idx"], default=None)


class JournalFromFill(Journal):
    """The same for orders whose levels are measured from the fill."""

    request: OrderRequest

    def ordered(self, order: OrderRequest, idx: int) -> None:
        """It works on the next bar."""
        super().ordered(order, idx)
        self.request = order

    def ended(self, df: pd.DataFrame, deal: Deal, inside: bool) -> Ending:
        """What was never seen open still has the levels from before its fill."""
        if deal.seen == deal.decided:
            known = from_fill(self.request, deal.side, deal.price, deal.stop, deal.target)
            deal = deal._replace(stop=known[0], target=known[1])
        return super().ended(df, deal, inside)
