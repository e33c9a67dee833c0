"""A dry run: the real broker's bars and clock, and a paper account. No order reaches the broker."""

from adapters.live.paper import Paper
from adapters.live.port import Bar, Broker, Clock, Fill, Funds, Kind, Order, Ticket
from simbroker.terms import Terms


class DryRun:
    """Wraps any broker. Only what reads is passed on."""

    def __init__(self, broker: Broker, terms: Terms) -> None:
        self._broker, self._paper = broker, Paper(terms)
        self._last = 0

    def connect(self) -> None:
        self._broker.connect()

    def close(self) -> None:
        self._broker.close()

    def kind(self) -> Kind:
        return Kind.PAPER

    def clock(self) -> Clock:
        return self._broker.clock()

    def bars(self, after: int) -> list[Bar]:
        found = self._broker.bars(after)
        for bar in found:
            if bar.at > self._last:
                self._paper.step(bar)
                self._last = bar.at
        return found

    def submit(self, ticket: Ticket) -> Order:
        known = self._paper.orders().get(ticket.client_id)
        return known or self._paper.submit(ticket)

    def cancel(self, client_id: str) -> bool:
        return self._paper.cancel(client_id)

    def orders(self) -> dict[str, Order]:
        return self._paper.orders()

    def fills(self) -> list[Fill]:
        return self._paper.fills()

    def stops(self) -> frozenset[str]:
        return self._paper.stops()

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        return self._paper.protect(client_id, sl, tp)

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        """A paper account keeps stop and target with the position: they end with it."""
        return frozenset()

    def net(self, symbol: str) -> float:
        return self._paper.net(symbol)

    def funds(self) -> Funds:
        return self._paper.funds()
