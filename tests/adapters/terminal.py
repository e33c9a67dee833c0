"""A stand-in for the MetaTrader5 module: its names, its numbers and its documented results."""

from __future__ import annotations

import time
from types import SimpleNamespace as Row
from typing import Any

from adapters.live.port import Bar
from tests.adapters.venue import Resting, Traded, Venue


class Terminal:
    """A hedging account: every entry is a position of its own, with stop and target.

    `filling` is what its symbol takes; `closed` the seconds between the last two bars;
    `trade_mode` the kind of account; `quiet` the seconds since the last tick."""

    TIMEFRAME_D1 = 16408
    ORDER_TYPE_BUY, ORDER_TYPE_SELL, ORDER_TYPE_BUY_LIMIT, ORDER_TYPE_SELL_LIMIT = 0, 1, 2, 3
    TRADE_ACTION_DEAL, TRADE_ACTION_PENDING, TRADE_ACTION_SLTP, TRADE_ACTION_REMOVE = 1, 5, 6, 8
    TRADE_RETCODE_NO_CHANGES = 10025
    TRADE_RETCODE_PLACED, TRADE_RETCODE_DONE, TRADE_RETCODE_DONE_PARTIAL = 10008, 10009, 10010
    ORDER_TIME_GTC, ORDER_FILLING_FOK, ORDER_FILLING_IOC, ORDER_FILLING_RETURN = 0, 0, 1, 2
    ACCOUNT_MARGIN_MODE_RETAIL_NETTING, ACCOUNT_MARGIN_MODE_RETAIL_HEDGING = 0, 2
    # mql5.com, "Account Properties", and MetaTrader5/__init__.py: a real account is 2.
    ACCOUNT_TRADE_MODE_DEMO, ACCOUNT_TRADE_MODE_CONTEST, ACCOUNT_TRADE_MODE_REAL = 0, 1, 2
    ORDER_STATE_PLACED, ORDER_STATE_CANCELED, ORDER_STATE_FILLED = 1, 2, 4
    ORDER_STATE_REJECTED, ORDER_STATE_EXPIRED = 5, 6
    DEAL_TYPE_BUY, DEAL_TYPE_SELL, DEAL_ENTRY_IN, DEAL_ENTRY_OUT = 0, 1, 0, 1
    DEAL_REASON_EXPERT, DEAL_REASON_SL, DEAL_REASON_TP = 3, 4, 5
    POSITION_TYPE_BUY, POSITION_TYPE_SELL = 0, 1

    def __init__(self, venue: Venue) -> None:
        self.venue, self.connected = venue, False
        self.reachable, self.lines_to_break = True, 0
        self.twice = False
        self.skew = self.quiet = 0.0
        self.trade_mode = self.ACCOUNT_TRADE_MODE_DEMO
        self.filling, self.margin_mode, self.online, self.closed = 3, 2, True, 0
        self.foreign = 0.0
        self.refuses_changes = self.changes = 0
        self.done_parts: dict[int, int] = {}
        self.received: list[str] = []
        self._magic: dict[int, int] = {}
        self._closes: dict[int, int] = {}

    # ------------------------------------------------------------------------- the line
    def initialize(self, **login: Any) -> bool:
        self.connected = self.reachable and login["password"] == "canary-mt5-password"
        return self.connected

    def shutdown(self) -> None:
        self.connected = False

    def last_error(self) -> tuple[int, str]:
        if not self.reachable or self.connected:
            return (1, "Success") if self.connected else (-10004, "No IPC connection")
        return (-6, "Terminal: Authorization failed")

    def symbol_select(self, symbol: str, enable: bool) -> bool:
        return symbol == "X"

    def symbol_info_tick(self, symbol: str) -> Row | None:
        """The time is that of the last tick by the server's clock, and not the present time there
        (mql5.com, MqlTick: "Time of the last prices update"). No call of the module tells that."""
        if not self.connected:
            return None
        price = self.venue.bars[-1].close if self.venue.bars else 0.0
        last = time.time() + self.skew - self.quiet
        return Row(time=int(last), time_msc=int(last * 1000), bid=price, ask=price)

    def copy_rates_from_pos(self, symbol: str, frame: int, start: int, count: int) -> Any:
        """The bar that is not finished has position 0 and comes last."""
        names = ("open", "high", "low", "close")
        rows = [{"time": b.at // 1_000_000, "tick_volume": 0, **{n: getattr(b, n) for n in names}}
                for b in self.venue.bars]  # fmt: skip
        if start == 0 and rows:
            rows.append({**rows[-1], "time": rows[-1]["time"] + 86_400 + self.closed})
        return rows[-count:] if self.connected else None

    def symbol_info(self, symbol: str) -> Row | None:
        told = Row(trade_tick_size=self.venue.step, digits=2, filling_mode=self.filling)
        return told if self.connected else None

    def terminal_info(self) -> Row | None:
        return Row(connected=self.online, trade_allowed=True) if self.connected else None

    def account_info(self) -> Row | None:
        v = self.venue
        told = Row(balance=v.cash, equity=v.worth(), margin=v.cost, margin_mode=self.margin_mode,
                   trade_mode=self.trade_mode, login=815, server="Demo")  # fmt: skip
        return told if self.connected else None

    # ------------------------------------------------------------------------- orders
    def order_send(self, request: dict[str, Any]) -> Row | None:
        if not self.connected:
            return None
        if request["action"] == self.TRADE_ACTION_REMOVE:
            done = self.venue.cancel(request["order"])
            return Row(retcode=10009 if done else 10013, comment="", order=request["order"])
        if request["action"] == self.TRADE_ACTION_SLTP:
            return self._change(request)
        assert len(request["comment"]) <= 31
        wrong = self._wrong(request)
        if wrong:
            return Row(retcode=wrong, comment="refused", order=0)
        self.received.append(request["comment"])
        number = 100 + 10 * len(self.received)
        why = self._take(number, request)
        if self.lines_to_break:
            self.lines_to_break -= 1
            self.connected = False
            return None
        return Row(retcode=10019 if why else 10008, comment=why or "placed", order=number)

    def _wrong(self, request: dict[str, Any]) -> int:
        """No time in force, unsupported filling mode, invalid price, invalid stops."""
        if request.get("type_time") != self.ORDER_TIME_GTC:
            return 10022
        market = request["action"] == self.TRADE_ACTION_DEAL
        bit = {self.ORDER_FILLING_FOK: 1, self.ORDER_FILLING_IOC: 2}.get(request["type_filling"], 0)
        if market and bit != 0 and not self.filling & bit:
            return 10030
        if market and bit == 0 and self.filling & 3:
            return 10030
        if not market and not self.venue.knows(request["price"]):
            return 10015
        stops = (request.get("sl", 0.0), request.get("tp", 0.0))
        return 0 if all(map(self.venue.knows, stops)) else 10016

    def _change(self, request: dict[str, Any]) -> Row | None:
        """Stop and target of a position (mql5.com, "Trade Request Structure": no comment)."""
        entry = request["position"]
        found = {o.ref: o for n, o in self.venue.orders.items()
                 if n in (entry + 1, entry + 2) and o.open}  # fmt: skip
        wrong = 0 if all(self.venue.knows(request[name]) for name in ("sl", "tp")) else 10016
        if wrong or self.refuses_changes:
            return Row(retcode=wrong or self.refuses_changes, comment="invalid stops", order=0)
        if all(found[name].price == request[name] for name in found):
            return Row(retcode=self.TRADE_RETCODE_NO_CHANGES, comment="no changes", order=0)
        self.changes += 1
        for name, order in found.items():
            order.price = request[name]
        if self.lines_to_break:
            self.lines_to_break -= 1
            self.connected = False
            return None
        return Row(retcode=10009, comment="done", order=0)

    def _take(self, number: int, request: dict[str, Any]) -> str:
        side = 1 if request["type"] in (0, 2) else -1
        kind = "LMT" if request["action"] == self.TRADE_ACTION_PENDING else "MKT"
        self._magic[number] = request["magic"]
        entry = request.get("position", 0)
        if entry:
            self._closes[number] = entry
        why = self.venue.submit(Resting(number, request["comment"], side, request["volume"], kind,
                                        request["price"]))  # fmt: skip
        for after, (name, type_) in enumerate((("sl", "STP"), ("tp", "LMT")), 1):
            if not why and request.get(name):
                self._closes[number + after] = number
                self.venue.submit(Resting(number + after, name, -side, request["volume"], type_,
                                          request[name], number, f"g{number}"))  # fmt: skip
        return why

    def orders_get(self, symbol: str = "") -> Any:
        return self._orders({"Submitted"})

    def history_orders_get(self, start: float, end: float) -> Any:
        return self._orders({"Filled", "Cancelled", "Inactive"})

    def _orders(self, statuses: set[str]) -> Any:
        if not self.connected:
            return None
        state = {"Submitted": 1, "Cancelled": 2, "Filled": 4, "Inactive": 5}
        return tuple(
            Row(
                ticket=o.number,
                comment=o.ref,
                magic=self._magic[o.number],
                state=self.done_parts.get(o.number, state[o.status]),
            )
            for o in self.venue.orders.values()
            if o.status in statuses and o.number in self._magic
        )

    # ------------------------------------------------------------------------- what is held
    def history_deals_get(self, start: float, end: float) -> Any:
        if not self.connected:
            return None
        deals = [self._deal(f) for f in self.venue.fills]
        return (*reversed(deals), *deals) if self.twice else tuple(deals)

    def _deal(self, fill: Traded) -> Row:
        order = fill.order
        entry = self._closes.get(order.number, 0)
        reason = {"sl": self.DEAL_REASON_SL, "tp": self.DEAL_REASON_TP}.get(order.ref, 3)
        comment = f"[{order.ref} {order.price}]" if reason != 3 else order.ref
        return Row(
            ticket=9000 + fill.number, position_id=entry or order.number, comment=comment,
            magic=self._magic.get(order.number, 0), entry=1 if entry else 0, reason=reason,
            type=0 if order.side > 0 else 1, volume=fill.volume, price=fill.price,
            time_msc=fill.at // 1000, commission=0.0, swap=0.0, fee=0.0,
        )  # fmt: skip

    def positions_get(self, symbol: str = "") -> Any:
        if not self.connected:
            return None
        held: dict[int, Row] = {}
        for fill in self.venue.fills:
            entry = self._closes.get(fill.order.number, 0)
            if not entry:
                row = held.setdefault(fill.order.number, Row(
                    ticket=fill.order.number, volume=0.0, type=0 if fill.order.side > 0 else 1,
                    identifier=fill.order.number, comment="changed by the server",
                    sl=self._level(fill.order.number, "sl"),
                    tp=self._level(fill.order.number, "tp"),
                    magic=self._magic[fill.order.number]))  # fmt: skip
                row.volume += fill.volume
            else:
                held[entry].volume -= fill.volume
        others = [
            Row(
                ticket=1,
                volume=self.foreign,
                type=0,
                identifier=1,
                comment="",
                magic=0,
                sl=0.0,
                tp=0.0,
            )
        ]
        return tuple(row for row in [*held.values(), *others] if row.volume > 1e-9)

    def _level(self, entry: int, name: str) -> float:
        children = (self.venue.orders.get(entry + n) for n in (1, 2))
        found = [o.price for o in children if o and o.ref == name and o.status == "Submitted"]
        return found[0] if found else 0.0

    def move(self, bar: Bar) -> None:
        self._free_closed()
        self.venue.move(bar)
        self._free_closed()

    def _free_closed(self) -> None:
        """A position that is about to be closed loses its stop and target with it."""
        for number, entry in self._closes.items():
            closing = self.venue.orders[number]
            if closing.group or closing.status not in ("Submitted", "Filled"):
                continue
            for child in (entry + 1, entry + 2):
                if child in self.venue.orders and self.venue.orders[child].group:
                    self.venue.cancel(child)
