"""What a live run asks of a broker. Each broker is one file that answers this, and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

Action = Literal["BUY", "SELL"]
Leg = Literal["entry", "sl", "tp", "exit"]


class Down(Exception):
    """The broker does not answer. Nobody knows whether the last order arrived: ask, then resend."""


class Denied(Exception):
    """The broker does not let us in. Not tried again: brokers lock accounts for that."""


class Unfit(Exception):
    """This account cannot do what the strategy needs."""


@dataclass(frozen=True, slots=True)
class Market:
    """What a broker must know about what is traded."""

    symbol: str
    timeframe: str
    period: int
    """Of one bar, in seconds."""
    positions: int = 1
    """How many there may be at a time."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A finished bar. `at` is its opening time in microseconds, UTC."""

    at: int
    open: float
    high: float
    low: float
    close: float
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """One order. Its id follows from its content, so that it can be sent again without harm.

    `closes` is the id of the entry whose position it closes. `from_fill` has the order keys of
    that name: stop and target go to the levels that they tell when the entry has been filled.
    """

    client_id: str
    symbol: str
    action: Action
    volume: float
    limit: float | None = None
    sl: float | None = None
    tp: float | None = None
    closes: str = ""
    from_fill: Mapping[str, float] | None = None


def on_grid(price: float | None, step: float) -> float | None:
    """The nearest price that the market knows. What lies between two is refused there."""
    return price if price is None or step <= 0 else round(round(price / step) * step, 10)


class Standing(StrEnum):
    WORKING = "working"
    FILLED = "filled"
    CANCELLED = "cancelled"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Order:
    """How a ticket stands at the broker."""

    client_id: str
    standing: Standing
    why: str = ""


@dataclass(frozen=True, slots=True)
class Fill:
    """A part of an order that was traded. Stops and targets carry the id of their entry."""

    exec_id: str
    client_id: str
    leg: Leg
    action: Action
    volume: float
    price: float
    at: int
    fee: float = 0.0


@dataclass(frozen=True, slots=True)
class Funds:
    balance: float
    equity: float
    margin: float


@dataclass(frozen=True, slots=True)
class Clock:
    """`server` is the broker's clock in seconds; `market` how far its bars are, microseconds."""

    server: float
    market: int


class Kind(StrEnum):
    """Whose money an account trades with."""

    PAPER = "paper"
    REAL = "real"
    UNKNOWN = "unknown"


class Broker(Protocol):
    """Every call may raise `Down`. Orders, fills and bars are told again as often as asked."""

    def connect(self) -> None: ...

    def close(self) -> None: ...

    def kind(self) -> Kind:
        """Of the account that orders would go to, as the broker tells it."""
        ...

    def clock(self) -> Clock: ...

    def bars(self, after: int) -> list[Bar]:
        """Finished bars that opened after this time, oldest first."""
        ...

    def submit(self, ticket: Ticket) -> Order:
        """Send it once. A ticket that the broker knows is not sent again, only told."""
        ...

    def cancel(self, client_id: str) -> bool: ...

    def orders(self) -> dict[str, Order]:
        """Every ticket of ours that the broker knows, by id."""
        ...

    def fills(self) -> list[Fill]:
        """All of them; some may be told twice or in the wrong order."""
        ...

    def stops(self) -> frozenset[str]:
        """The entries whose stop works there now."""
        ...

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        """Move the stop and the target of this entry's position; None is left alone.

        Why one was not moved, or nothing. It then works where it was. Safe to repeat."""
        ...

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        """Cancel stops and targets whose positions are closed, by entry. Whose there were."""
        ...

    def net(self, symbol: str) -> float:
        """What the account holds of it: above zero is long."""
        ...

    def funds(self) -> Funds: ...
