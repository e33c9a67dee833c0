"""Interactive Brokers, through TWS or the Gateway and `ib_async`."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ib_async import IB, LimitOrder, MarketOrder, StopOrder
from ib_async.contract import Contract
from ib_async.ib import StartupFetch
from ib_async.order import Order as IbOrder
from ib_async.order import Trade

from adapters.live.book import TINY
from adapters.live.port import Bar, Clock, Fill, Funds, Leg, Market, Order, Standing, Ticket
from adapters.live.tws import answered, contract_of, increments, line, micros, name_of, on_steps

WAIT = 10.0
CLIENT = 71
"""One number, so that TWS lets in one of us at a time."""
TAGS = "NetLiquidation,InitMarginReq,$LEDGER:ALL"
"""The ledger has what is not realised yet, for each currency and for all as BASE."""
NOT_CANCELLED = ("161:", "10147:", "10148:")
"""Too late, not found, filled: ib_async calls such an order cancelled, and it is not."""
LEGS: dict[str, Leg] = {"e": "entry", "x": "exit", "sl": "sl", "tp": "tp"}
SIZES = {
    "M1": ("1 min", "2 D"), "M5": ("5 mins", "1 W"), "M15": ("15 mins", "2 W"),
    "M30": ("30 mins", "1 M"), "H1": ("1 hour", "2 M"), "H4": ("4 hours", "6 M"),
    "D1": ("1 day", "2 Y"), "W1": ("1 week", "5 Y"),
}  # fmt: skip
"""Size of a bar as TWS spells it, and how much history is asked for."""
STANDINGS = {
    "Filled": Standing.FILLED, "Cancelled": Standing.CANCELLED,
    "ApiCancelled": Standing.CANCELLED, "Inactive": Standing.REJECTED,
}  # fmt: skip


class Ibkr:
    """Our ids travel as `orderRef`: `<id>.e` enters, `.x` leaves, `.sl` and `.tp` protect."""

    def __init__(self, host: str, port: int, account: str, market: Market) -> None:
        self._host, self._port, self._account, self._market = host, port, account, market
        self._contract = contract_of(market.symbol)
        self._ib = IB()
        self._why: dict[str, str] = {}
        self._steps: list[tuple[float, float]] = []
        self._told: set[str] = set()
        """The fills that our books have."""

    def connect(self) -> None:
        self.close()
        self._ib = IB()
        self._ib.RequestTimeout = WAIT
        self._ib.errorEvent += self._error
        fetch = StartupFetch.POSITIONS | StartupFetch.ORDERS_OPEN | StartupFetch.EXECUTIONS
        with line():
            self._ib.connect(
                self._host, self._port, CLIENT, WAIT, account=self._account, fetchFields=fetch
            )

    def close(self) -> None:
        if self._ib.isConnected():
            self._ib.disconnect()

    def _error(self, request: int, code: int, words: str, contract: Contract | None) -> None:
        for trade in self._ib.trades():
            if trade.order.orderId == request:
                self._why[trade.order.orderRef] = f"{code}: {words}"

    def clock(self) -> Clock:
        with line():
            now = self._ib.reqCurrentTime().timestamp()
        return Clock(now, int(now * 1e6))

    def bars(self, after: int) -> list[Bar]:
        size, history = SIZES[self._market.timeframe]
        pair = self._contract.secType == "CASH"  # nobody reports trades of those
        with line():
            told = self._ib.reqHistoricalData(
                self._contract, "", history, size, "MIDPOINT" if pair else "TRADES", True,
                formatDate=2, timeout=WAIT,
            )  # fmt: skip
        found = [Bar(micros(b.date), b.open, b.high, b.low, b.close, b.volume) for b in told]
        end = self.clock().market - self._market.period * 1_000_000
        return [b for b in found if after < b.at <= end]

    # ------------------------------------------------------------------------- orders
    def submit(self, ticket: Ticket) -> Order:
        known = self.orders().get(ticket.client_id)
        if known is not None:
            return known
        if ticket.closes and self._has_news(ticket.closes):
            return Order(ticket.client_id, Standing.REJECTED, "its stop or target was traded")
        with line():
            guards = self._protection(ticket.closes) if ticket.closes else []
            open_ = [trade for trade in guards if not trade.isDone()]
            # They go before the position does, or they would open a new one.
            gone = [self._cancel(trade) for trade in open_]
            if not all(gone) or any(trade.orderStatus.status == "Filled" for trade in guards):
                why = "its stop or target was traded, or cannot be called off"
                return Order(ticket.client_id, Standing.REJECTED, why)
            self._steps = self._steps or increments(self._ib, self._contract)
            done = self._sent(on_steps(ticket, self._steps))
            if done.standing in (Standing.REJECTED, Standing.CANCELLED):
                left = ticket.volume - self._traded(ticket.client_id)
                lost = self._protect_again(open_, left)
                return replace(done, why="; ".join(filter(None, (done.why, lost))))
        return done

    def _has_news(self, entry: str) -> bool:
        """Its stop or target was traded, and our books do not know it yet.

        One that was traded while the line was broken is in no list of this session's orders."""
        fills = (f for f in self._fills() if f.client_id == entry and f.leg in ("sl", "tp"))
        return any(fill.exec_id not in self._told for fill in fills)

    def _traded(self, name: str) -> float:
        return sum({f.exec_id: f.volume for f in self._fills() if f.client_id == name}.values())

    def _sent(self, ticket: Ticket) -> Order:
        """All parts or none: a position without the stop that was asked for is another one."""
        trades = [self._ib.placeOrder(self._contract, o) for o in self._orders_of(ticket)]
        self._until(lambda: self._refused(trades) is not None or all(map(answered, trades)))
        bad = self._refused(trades)
        if bad is None:
            return self._standing(trades[0])
        for trade in trades:
            if not trade.isDone():
                self._cancel(trade)
        if not trades[0].filled():
            return Order(ticket.client_id, Standing.REJECTED, bad.why)
        if not ticket.closes:
            self._leave_at_once(trades[0])
        return self._standing(trades[0])

    def _leave_at_once(self, entry: Trade) -> None:
        """It was traded before its stop was refused: this takes the place of the stop."""
        ref, back = entry.order.orderRef, "SELL" if entry.order.action == "BUY" else "BUY"
        facts = self._own({"orderRef": f"{ref.removesuffix('.e')}.sl"})
        exit_ = self._ib.placeOrder(self._contract, MarketOrder(back, entry.filled(), **facts))
        self._until(lambda: answered(exit_))

    def _refused(self, trades: list[Trade]) -> Order | None:
        found = map(self._standing, trades)
        return next((order for order in found if order.standing == Standing.REJECTED), None)

    def _orders_of(self, ticket: Ticket) -> Iterator[IbOrder]:
        """The order, its target, then its stop: TWS works them when the last has come.

        So nothing is traded where the stop is refused."""
        name, volume = ticket.client_id, ticket.volume
        back = "SELL" if ticket.action == "BUY" else "BUY"
        facts = {"account": self._account, "orderId": self._ib.client.getReqId()}
        parent = {"parentId": facts["orderId"], "ocaGroup": name, "ocaType": 1, "tif": "GTC"}
        last = "sl" if ticket.sl is not None else "tp" if ticket.tp is not None else ""
        ref = f"{name}.x" if ticket.closes else f"{name}.e"
        if ticket.limit is None:
            yield MarketOrder(ticket.action, volume, orderRef=ref, transmit=not last, **facts)
        else:
            yield LimitOrder(ticket.action, volume, ticket.limit, orderRef=ref, tif="GTC",
                             transmit=not last, **facts)  # fmt: skip
        if ticket.tp is not None:
            yield LimitOrder(back, volume, ticket.tp, orderRef=f"{name}.tp",
                             transmit=last == "tp", **self._own(parent))  # fmt: skip
        if ticket.sl is not None:
            yield StopOrder(back, volume, ticket.sl, orderRef=f"{name}.sl", transmit=True,
                            **self._own(parent))  # fmt: skip

    def _own(self, parent: dict[str, Any]) -> dict[str, Any]:
        return {**parent, "account": self._account, "orderId": self._ib.client.getReqId()}

    def _protection(self, name: str) -> list[Trade]:
        refs = (f"{name}.sl", f"{name}.tp")
        return [trade for trade in self._ib.trades() if trade.order.orderRef in refs]

    def _protect_again(self, trades: list[Trade], left: float) -> str:
        """The exit was refused, so what is left stays, and so do its stop and its target.

        The stop goes first. What TWS did not take is told, so this waits for its answers."""
        if left <= TINY:
            return ""
        lost = []
        for old in sorted((t.order for t in trades), key=lambda o: o.orderType != "STP"):
            facts: dict[str, Any] = {"orderRef": old.orderRef, "ocaGroup": old.ocaGroup}
            facts = self._own({**facts, "ocaType": 1, "tif": "GTC"})
            price: Any = old.auxPrice if old.orderType == "STP" else old.lmtPrice
            make = StopOrder if old.orderType == "STP" else LimitOrder
            new = self._ib.placeOrder(self._contract, make(old.action, left, price, **facts))
            self._until(partial(answered, new))
            if bad := self._refused([new]):
                lost.append(f"{old.orderRef} could not be put back: {bad.why}")
        return "; ".join(lost)

    def cancel(self, client_id: str) -> bool:
        with line():
            for trade in self._ib.openTrades():
                if trade.order.orderRef == f"{client_id}.e":
                    return self._cancel(trade)
        return False

    def _cancel(self, trade: Trade) -> bool:
        self._why.pop(trade.order.orderRef, "")
        self._ib.cancelOrder(trade.order)
        self._until(trade.isDone)
        gone = trade.orderStatus.status in ("Cancelled", "ApiCancelled")
        return gone and not self._why.get(trade.order.orderRef, "").startswith(NOT_CANCELLED)

    def _until(self, done: Callable[[], bool]) -> None:
        """Rejections do not count as updates there, so this looks again and again."""
        last = time.monotonic() + WAIT
        while not done():
            if not self._ib.isConnected():
                raise ConnectionError("the line broke before the answer")
            if time.monotonic() > last:
                raise TimeoutError("no answer to an order")
            self._ib.sleep(0.005)

    def orders(self) -> dict[str, Order]:
        """What works, what was traded, and what this session saw end."""
        with line():
            self._ib.reqOpenOrders()
            told = self._ib.trades()
        # Traded in an earlier session and not open any more: whatever was left of it is gone.
        found = {name: Order(name, Standing.CANCELLED) for name in self._entered()}
        for trade in told:
            name, _, leg = trade.order.orderRef.partition(".")
            if leg in ("e", "x"):
                found[name] = self._standing(trade)
        return found

    def _entered(self) -> Iterator[str]:
        for fill in self._fills():
            if fill.leg in ("entry", "exit"):
                yield fill.client_id

    def _standing(self, trade: Trade) -> Order:
        ref, status = trade.order.orderRef, trade.orderStatus
        standing, why = STANDINGS.get(status.status, Standing.WORKING), self._why.get(ref, "")
        if standing == Standing.CANCELLED and why and not why.startswith("202") and not trade.fills:
            standing = Standing.REJECTED
        return Order(ref.partition(".")[0], standing, why)

    # ------------------------------------------------------------------------- the account
    def fills(self) -> list[Fill]:
        found = self._fills()
        self._told |= {fill.exec_id for fill in found}
        return found

    def _fills(self) -> list[Fill]:
        with line():
            self._ib.reqExecutions()
        return [f for f in map(self._fill, self._ib.fills()) if f is not None]

    def _fill(self, told: Any) -> Fill | None:
        """A corrected execution has another last part; it is the same execution."""
        ex = told.execution
        name, _, leg = ex.orderRef.partition(".")
        if leg not in LEGS or (self._account and ex.acctNumber != self._account):
            return None
        return Fill(
            ex.execId.rpartition(".")[0] or ex.execId, name, LEGS[leg],
            "BUY" if ex.side == "BOT" else "SELL", ex.shares, ex.price, micros(ex.time),
            told.commissionReport.commission,
        )  # fmt: skip

    def stops(self) -> frozenset[str]:
        with line():
            self._ib.reqOpenOrders()
            refs = [trade.order.orderRef for trade in self._ib.trades() if trade.isActive()]
        return frozenset(ref.removesuffix(".sl") for ref in refs if ref.endswith(".sl"))

    def net(self, symbol: str) -> float:
        with line():
            told = self._ib.reqPositions()
        ours = (p for p in told if p.account == self._account)
        return float(sum(p.position for p in ours if name_of(p.contract) == symbol))

    def funds(self) -> Funds:
        """Asked anew each time: what TWS sends by itself may be minutes old."""
        client: Any = self._ib.client
        wrapper: Any = self._ib.wrapper
        with line():
            number = client.getReqId()
            told = wrapper.startReq(number)
            client.reqAccountSummary(number, "All", TAGS)
            self._ib.run(asyncio.wait_for(told, WAIT))
            client.cancelAccountSummary(number)
        rows = [row for row in wrapper.acctSummary.values() if row.account == self._account]
        found = {(row.tag, row.currency == "BASE"): row.value for row in rows}
        worth, margin = (float(found[tag, False]) for tag in ("NetLiquidation", "InitMarginReq"))
        return Funds(worth - float(found.get(("UnrealizedPnL", True), 0.0)), worth, margin)
