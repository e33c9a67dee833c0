"""A broker that is connected and asked again when the line breaks. In the end it gives up."""

import time
from collections.abc import Callable
from typing import TypeVar

from adapters.live.port import Bar, Broker, Clock, Down, Fill, Funds, Kind, Order, Ticket

T = TypeVar("T")
TRIES = 6


class Steady:
    """Asking again is safe: `submit` looks for the ticket before it sends it."""

    def __init__(
        self,
        broker: Broker,
        told: Callable[[str], None],
        pause: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._broker, self._told, self._pause, self._sleep = broker, told, pause, sleep

    def _try(self, call: Callable[[], T]) -> T:
        for n in range(TRIES):
            try:
                return call()
            except Down as down:
                self._told(str(down))
                if n == TRIES - 1:
                    raise
            self._sleep(min(self._pause * 4**n, 10.0))
            self._again()
        raise Down("no tries left")

    def _again(self) -> None:
        try:
            self._broker.connect()
        except Down as down:
            self._told(str(down))

    def connect(self) -> None:
        self._try(self._broker.connect)

    def close(self) -> None:
        self._broker.close()

    def kind(self) -> Kind:
        return self._try(self._broker.kind)

    def clock(self) -> Clock:
        return self._try(self._broker.clock)

    def bars(self, after: int) -> list[Bar]:
        return self._try(lambda: self._broker.bars(after))

    def submit(self, ticket: Ticket) -> Order:
        return self._try(lambda: self._broker.submit(ticket))

    def cancel(self, client_id: str) -> bool:
        return self._try(lambda: self._broker.cancel(client_id))

    def orders(self) -> dict[str, Order]:
        return self._try(self._broker.orders)

    def fills(self) -> list[Fill]:
        return self._try(self._broker.fills)

    def stops(self) -> frozenset[str]:
        return self._try(self._broker.stops)

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        return self._try(lambda: self._broker.protect(client_id, sl, tp))

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        return self._try(lambda: self._broker.drop_protection(closed))

    def net(self, symbol: str) -> float:
        return self._try(lambda: self._broker.net(symbol))

    def funds(self) -> Funds:
        return self._try(self._broker.funds)
