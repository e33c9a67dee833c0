"""The simulated exchange as a broker: a client that reconnects and never sends an order twice."""

import json
import socket
from typing import Any

from adapters.live.port import Bar, Clock, Denied, Down, Fill, Funds, Kind, Order, Standing, Ticket

WAIT = 10.0


class Over(Exception):
    """The recorded market has ended: there are no more bars."""


class SimExchange:
    def __init__(self, host: str, port: int, key: str) -> None:
        self._host, self._port, self._key = host, port, key
        self._line: Any = None

    def connect(self) -> None:
        self.close()
        try:
            link = socket.create_connection((self._host, self._port), timeout=WAIT)
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._line = link.makefile("rwb")
            link.close()  # the file keeps it open
        except OSError as error:
            raise Down(f"{self._host}:{self._port}: {error}") from None
        self._say({"key": self._key})

    def close(self) -> None:
        if self._line is not None:
            line, self._line = self._line, None
            try:
                line.close()
            except OSError:
                return

    def kind(self) -> Kind:
        return Kind.PAPER

    def clock(self) -> Clock:
        return Clock(**self._ask("clock"))

    def bars(self, after: int) -> list[Bar]:
        told = self._ask("bars", after=after)
        if told["over"]:
            raise Over
        return [Bar(**bar) for bar in told["bars"]]

    def submit(self, ticket: Ticket) -> Order:
        known = self.orders().get(ticket.client_id)
        if known is not None:
            return known
        facts = {name: getattr(ticket, name) for name in ticket.__slots__}
        return _order(self._ask("submit", ticket=facts))

    def cancel(self, client_id: str) -> bool:
        return bool(self._ask("cancel", client_id=client_id))

    def orders(self) -> dict[str, Order]:
        return {told["client_id"]: _order(told) for told in self._ask("orders")}

    def fills(self) -> list[Fill]:
        return [Fill(**told) for told in self._ask("fills")]

    def stops(self) -> frozenset[str]:
        return frozenset(self._ask("stops"))

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        return str(self._ask("protect", client_id=client_id, sl=sl, tp=tp))

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        """The exchange keeps stop and target with the position: they end with it."""
        return frozenset()

    def net(self, symbol: str) -> float:
        return float(self._ask("net", symbol=symbol))

    def funds(self) -> Funds:
        return Funds(**self._ask("funds"))

    def _ask(self, op: str, **facts: object) -> Any:
        if self._line is None:
            raise Down("not connected")
        return self._say({"op": op, **facts})

    def _say(self, words: dict[str, object]) -> Any:
        try:
            self._line.write(json.dumps(words).encode() + b"\n")
            self._line.flush()
            told = json.loads(self._line.readline())
        except (OSError, ValueError) as error:
            self.close()
            raise Down(f"the line broke: {error}") from None
        if "error" in told:
            self.close()
            raise Denied(str(told["error"]))
        return told["ok"]


def _order(told: dict[str, Any]) -> Order:
    return Order(told["client_id"], Standing(told["standing"]), told["why"])
