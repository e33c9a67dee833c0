"""A small market for the stand-ins of brokers: orders in, bars through, fills out. With faults."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapters.live.port import Bar
from simbroker.fills import limit_fill


@dataclass
class Resting:
    """An order as a venue keeps it. `parent` must be filled before it works.

    `held`: it does not work, but it is still there and can be released or cancelled."""

    number: int
    ref: str
    side: int
    volume: float
    kind: str
    price: float = 0.0
    parent: int = 0
    group: str = ""
    status: str = "Submitted"
    filled: float = 0.0
    tif: str = "DAY"
    held: bool = False

    @property
    def open(self) -> bool:
        return self.status == "Submitted" or self.held


@dataclass(frozen=True)
class Traded:
    number: int
    order: Resting
    volume: float
    price: float
    at: int


@dataclass
class Venue:
    """One account, one symbol, netted. `part` is how much of an order one bar can fill."""

    cash: float = 10_000.0
    part: float = 1e18
    orders: dict[int, Resting] = field(default_factory=dict)
    fills: list[Traded] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    net: float = 0.0
    cost: float = 0.0
    step: float = 0.01

    def knows(self, price: float) -> bool:
        """Prices lie on a grid, and what lies between is refused."""
        return abs(price / self.step - round(price / self.step)) < 1e-6

    def submit(self, order: Resting) -> str:
        """Why it is rejected, or nothing."""
        needed = order.volume * (self.bars[-1].close if self.bars else 0.0)
        if not order.parent and needed > self.worth() and order.side * self.net >= 0:
            order.status = "Inactive"
            self.orders[order.number] = order
            return f"the account has {self.worth():.2f}, the order needs {needed:.2f}"
        self.orders[order.number] = order
        return ""

    def cancel(self, number: int) -> bool:
        order = self.orders.get(number)
        if order is None or not order.open:
            return False
        order.status, order.held = "Cancelled", False
        return True

    def move(self, bar: Bar) -> list[Traded]:
        """One bar: what is filled in it."""
        self.bars.append(bar)
        before = len(self.fills)
        for order in list(self.orders.values()):
            if order.status == "Submitted" and self._works(order):
                price = self._price(order, bar)
                if price:
                    self._fill(order, price, bar.at)
        return self.fills[before:]

    def _works(self, order: Resting) -> bool:
        return not order.parent or self.orders[order.parent].status == "Filled"

    def _price(self, order: Resting, bar: Bar) -> float:
        if order.kind == "MKT":
            return bar.open
        if order.kind == "LMT":
            price, _ = limit_fill(order.side, order.price, bar.open, bar.high, bar.low)
            return price if price == price else 0.0
        through = bar.low <= order.price if order.side < 0 else bar.high >= order.price
        worse = min if order.side < 0 else max
        return worse(bar.open, order.price) if through else 0.0

    def _fill(self, order: Resting, price: float, at: int) -> None:
        volume = min(order.volume - order.filled, self.part)
        order.filled += volume
        if order.filled >= order.volume:
            order.status = "Filled"
        self._book(order.side * volume, price)
        self.fills.append(Traded(len(self.fills) + 1, order, volume, price, at))
        for other in self.orders.values():
            if order.group and other.group == order.group and other.open:
                other.status, other.held = "Cancelled", False

    def _book(self, signed: float, price: float) -> None:
        closing = min(abs(signed), abs(self.net)) if signed * self.net < 0 else 0.0
        if closing:
            side = 1.0 if self.net > 0 else -1.0
            mean = self.cost / abs(self.net)
            self.cash += side * (price - mean) * closing
            self.cost -= mean * closing
        self.cost += (abs(signed) - closing) * price
        self.net += signed

    def worth(self) -> float:
        return self.cash + self.unrealised()

    def unrealised(self) -> float:
        if not self.net or not self.bars:
            return 0.0
        return (self.bars[-1].close - self.cost / abs(self.net)) * self.net
