"""A paper account: SimBroker behind tickets and fills. The exchange and the dry run both use it."""

from adapters.live.port import Bar, Fill, Funds, Order, Standing, Ticket
from simbroker.broker import SimBroker
from simbroker.positions import Trade
from simbroker.terms import Terms


class Paper:
    """Takes tickets on the close of a bar and fills them from the next open on."""

    def __init__(self, terms: Terms) -> None:
        self._broker, self._symbol = SimBroker(terms), terms.symbol
        self._orders: dict[str, Order] = {}
        self._entries: dict[str, str] = {}  # SimBroker's position -> our ticket
        self._exits: dict[str, str] = {}
        self._fills: list[Fill] = []
        self._trades = 0

    def step(self, bar: Bar) -> None:
        events = self._broker.step_bar((bar.at, bar.open, bar.high, bar.low, bar.close, None))
        for event in events:
            match event["event"]:
                case "position_opened":
                    self._opened(event, bar)
                case "order_rejected":
                    self._end(str(event["position_id"]), Standing.REJECTED, str(event["reason"]))
                case "order_expired":
                    self._end(str(event["position_id"]), Standing.CANCELLED, "expired")
        for trade in self._broker.trades[self._trades :]:
            self._closed(trade, bar)
        self._trades = len(self._broker.trades)

    def _opened(self, event: dict[str, object], bar: Bar) -> None:
        name = self._entries[str(event["position_id"])]
        self._orders[name] = Order(name, Standing.FILLED)
        volume, price = (float(str(event[key])) for key in ("volume", "price"))
        self._fill(name, "entry", str(event["action"]), volume, price, bar)

    def _closed(self, trade: Trade, bar: Bar) -> None:
        entry = self._entries[trade.position_id]
        action = "SELL" if trade.side > 0 else "BUY"
        if trade.kind == "signal":
            name = self._exits[trade.position_id]
            self._orders[name] = Order(name, Standing.FILLED)
            self._fill(name, "exit", action, trade.volume, trade.exit_price, bar)
        else:
            self._fill(entry, trade.kind, action, trade.volume, trade.exit_price, bar)

    def _fill(
        self, name: str, leg: str, action: str, volume: float, price: float, bar: Bar
    ) -> None:
        number = f"x{len(self._fills) + 1}"
        self._fills.append(
            Fill(number, name, leg, action, volume, price, bar.at)  # type: ignore[arg-type]
        )

    def _end(self, position_id: str, standing: Standing, why: str) -> None:
        name = self._entries[position_id]
        self._orders[name] = Order(name, standing, why)

    def submit(self, ticket: Ticket) -> Order:
        """Taken as often as it is sent: whoever sends must know what was sent before."""
        if ticket.closes:
            return self._keep(ticket, self._leave(ticket))
        done = self._broker.place_order(
            {"action": ticket.action, "symbol": ticket.symbol, "volume": ticket.volume,
             "type": "MARKET" if ticket.limit is None else "LIMIT", "price": ticket.limit,
             "sl": ticket.sl, "tp": ticket.tp, "good_for": 1_000_000,
             **(ticket.from_fill or {})}
        )  # fmt: skip
        if done["success"]:
            self._entries[str(done["position_id"])] = ticket.client_id
        return self._keep(ticket, str(done.get("error", "")))

    def _leave(self, ticket: Ticket) -> str:
        found = [p for p, name in self._entries.items() if name == ticket.closes]
        done = self._broker.close_position(found[0] if found else ticket.closes)
        if done["success"]:
            self._exits[found[0]] = ticket.client_id
        return str(done.get("error", ""))

    def _keep(self, ticket: Ticket, error: str) -> Order:
        standing = Standing.REJECTED if error else Standing.WORKING
        self._orders[ticket.client_id] = Order(ticket.client_id, standing, error)
        return self._orders[ticket.client_id]

    def cancel(self, client_id: str) -> bool:
        for position_id, name in self._entries.items():
            order_id = position_id.replace("pos_", "ord_")
            if name == client_id and self._broker.cancel_order(order_id):
                self._orders[name] = Order(name, Standing.CANCELLED)
                return True
        return False

    def orders(self) -> dict[str, Order]:
        return dict(self._orders)

    def fills(self) -> list[Fill]:
        return list(self._fills)

    def stops(self) -> frozenset[str]:
        held = (p for p in self._broker.positions if p["sl"] is not None)
        return frozenset(self._entries[p["position_id"]] for p in held)

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        """SimBroker moves them in the bar of the fill, so they are there already."""
        held = [p for p in self._broker.positions if self._entries[p["position_id"]] == client_id]
        if not held:
            return "the position is closed"
        for name, level in (("sl", sl), ("tp", tp)):
            if level is not None and held[0][name] != level:
                return f"{name} is at {held[0][name]}, not at {level}"
        return ""

    def net(self, symbol: str) -> float:
        sides = ((1 if p["action"] == "BUY" else -1, p) for p in self._broker.positions)
        return float(sum(side * p["volume"] for side, p in sides if p["symbol"] == symbol))

    def funds(self) -> Funds:
        account = self._broker.account()
        numbers = (float(str(account[name])) for name in ("balance", "equity", "margin"))
        return Funds(*numbers)
