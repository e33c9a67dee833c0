"""Interactive Brokers, through TWS or the Gateway and `ib_async`."""

import asyncio
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from ib_async import IB, LimitOrder, MarketOrder, StopOrder
from ib_async.ib import StartupFetch
from ib_async.order import Order as IbOrder
from ib_async.order import Trade

from adapters.live.book import TINY
from adapters.live.order_states import WAIT, OrderStates
from adapters.live.port import (
    Bar,
    Clock,
    Fill,
    Funds,
    Kind,
    Leg,
    Market,
    Order,
    Standing,
    Ticket,
)
from adapters.live.tws import contract_of, increments, line, micros, name_of, on_steps

CLIENT = 71
"""One number, so that TWS lets in one of us at a time."""
TAGS = "NetLiquidation,InitMarginReq,$LEDGER:ALL"
"""The ledger has what is not realised yet, for each currency and for all as BASE."""
DAY, KEEP = "DAY", "GTC"
"""Times in force. Every order names one: where none is given, a preset of TWS decides."""
PRICED = {"STP": "auxPrice", "LMT": "lmtPrice"}
"""Type of an order -> the field with its price."""
LEGS: dict[str, Leg] = {"e": "entry", "x": "exit", "sl": "sl", "tp": "tp"}
SIZES = {
    "M1": ("1 min", "2 D"), "M5": ("5 mins", "1 W"), "M15": ("15 mins", "2 W"),
    "M30": ("30 mins", "1 M"), "H1": ("1 hour", "2 M"), "H4": ("4 hours", "6 M"),
    "D1": ("1 day", "2 Y"), "W1": ("1 week", "5 Y"),
}  # fmt: skip
"""Size of a bar as TWS spells it, and how much history is asked for."""


class Ibkr:
    """Our ids travel as `orderRef`: `<id>.e` enters, `.x` leaves, `.sl` and `.tp` protect."""

    def __init__(self, host: str, port: int, account: str, market: Market) -> None:
        self._host, self._port, self._account, self._market = host, port, account, market
        self._contract = contract_of(market.symbol)
        self._ib = IB()
        self._states = OrderStates(self._ib)
        self._called_off: dict[str, dict[str, IbOrder]] = {}
        """By entry: its stop and target while they are called off for an exit."""
        self._steps: list[tuple[float, float]] = []
        self._told: set[str] = set()
        """The fills that our books have."""

    def connect(self) -> None:
        self.close()
        self._ib = IB()
        self._ib.RequestTimeout = WAIT
        self._states = OrderStates(self._ib)
        fetch = StartupFetch.POSITIONS | StartupFetch.ORDERS_OPEN | StartupFetch.EXECUTIONS
        with line():
            self._ib.connect(
                self._host, self._port, CLIENT, WAIT, account=self._account, fetchFields=fetch,
                raiseSyncErrors=True,
            )  # fmt: skip
        self._states.must_be_writable()

    def close(self) -> None:
        if self._ib.isConnected():
            self._ib.disconnect()

    def kind(self) -> Kind:
        """Paper accounts begin with D. One that TWS does not manage is nobody's."""
        if not self._account or self._account not in self._ib.managedAccounts():
            return Kind.UNKNOWN
        return Kind.PAPER if self._account.startswith("D") else Kind.REAL

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
            return self._without_guards(ticket, known)
        with line():
            self._steps = self._steps or increments(self._ib, self._contract)
            if ticket.closes:
                return self._exit(ticket)
            return self._sent(on_steps(ticket, self._steps))

    def _without_guards(self, ticket: Ticket, known: Order) -> Order:
        """While nobody knew whether this exit works, its stop and target were put back."""
        if ticket.closes and known.standing == Standing.WORKING:
            with line():
                for trade in self._open(ticket.closes):
                    self._call_off(ticket.closes, trade)
        return known

    def _exit(self, ticket: Ticket) -> Order:
        """Stop and target go before the position does, or they would open a new one.

        They come back unless the exit works: a position keeps its protection."""
        name = ticket.client_id
        if self._unknown_fills(ticket.closes):
            return Order(name, Standing.REJECTED, "its stop or target was traded")
        try:
            done = self._unprotected_exit(ticket)
        except TimeoutError:
            self._protect_again(ticket)
            raise
        if done.standing not in (Standing.REJECTED, Standing.CANCELLED):
            return done
        lost = self._protect_again(ticket)
        return replace(done, why="; ".join(filter(None, (done.why, lost))))

    def _unprotected_exit(self, ticket: Ticket) -> Order:
        gone = all(self._call_off(ticket.closes, trade) for trade in self._open(ticket.closes))
        if not gone or self._unknown_fills(ticket.closes):
            why = "its stop or target was traded, or cannot be called off"
            return Order(ticket.client_id, Standing.REJECTED, why)
        return self._sent(ticket)

    def _open(self, entry: str) -> list[Trade]:
        """Its target, then its stop: that one is called off last."""
        refs = (f"{entry}.tp", f"{entry}.sl")
        found = [t for t in self._ib.trades() if t.order.orderRef in refs and self._alive(t)]
        return sorted(found, key=lambda trade: refs.index(trade.order.orderRef))

    def _alive(self, trade: Trade) -> bool:
        return self._states.verdict(trade) in (Standing.WORKING, None)

    def _call_off(self, entry: str, trade: Trade) -> bool:
        if not self._states.cancel(trade):
            return False
        self._called_off.setdefault(entry, {})[trade.order.orderRef] = trade.order
        return True

    def _unknown_fills(self, entry: str) -> float:
        """How much of its stop or target was traded that our books do not know yet.

        One that was traded while the line was broken is in no list of this session's orders."""
        fills = (f for f in self._fills() if f.client_id == entry and f.leg in ("sl", "tp"))
        return sum({f.exec_id: f.volume for f in fills if f.exec_id not in self._told}.values())

    def _traded(self, name: str) -> float:
        return sum({f.exec_id: f.volume for f in self._fills() if f.client_id == name}.values())

    def _sent(self, ticket: Ticket) -> Order:
        """All parts or none: a position without the stop that was asked for is another one."""
        trades = [self._ib.placeOrder(self._contract, o) for o in self._orders_of(ticket)]
        bad = self._states.taken(trades)
        if bad is None:
            return self._states.order(trades[0])
        for trade in filter(self._alive, trades):
            self._states.cancel(trade)
        if not trades[0].filled() and not self._alive(trades[0]):
            return Order(ticket.client_id, Standing.REJECTED, self._states.order(bad).why)
        if not ticket.closes and trades[0].filled():
            self._leave_at_once(trades[0])
        return self._states.order(trades[0])

    def _leave_at_once(self, entry: Trade) -> None:
        """It was traded before its stop was refused: this takes the place of the stop."""
        ref, back = entry.order.orderRef, "SELL" if entry.order.action == "BUY" else "BUY"
        facts = self._own({"orderRef": f"{ref.removesuffix('.e')}.sl", "tif": DAY})
        exit_ = self._ib.placeOrder(self._contract, MarketOrder(back, entry.filled(), **facts))
        self._states.taken([exit_])

    def _orders_of(self, ticket: Ticket) -> Iterator[IbOrder]:
        """The order, its target, then its stop: TWS works them when the last has come.

        So nothing is traded where the stop is refused."""
        name, volume = ticket.client_id, ticket.volume
        back = "SELL" if ticket.action == "BUY" else "BUY"
        facts = {"account": self._account, "orderId": self._ib.client.getReqId()}
        parent = {"parentId": facts["orderId"], "ocaGroup": name, "ocaType": 1, "tif": KEEP}
        last = "sl" if ticket.sl is not None else "tp" if ticket.tp is not None else ""
        ref = f"{name}.x" if ticket.closes else f"{name}.e"
        if ticket.limit is None:
            yield MarketOrder(ticket.action, volume, orderRef=ref, tif=DAY, transmit=not last,
                              **facts)  # fmt: skip
        else:
            yield LimitOrder(ticket.action, volume, ticket.limit, orderRef=ref, tif=KEEP,
                             transmit=not last, **facts)  # fmt: skip
        if ticket.tp is not None:
            yield LimitOrder(back, volume, ticket.tp, orderRef=f"{name}.tp",
                             transmit=last == "tp", **self._own(parent))  # fmt: skip
        if ticket.sl is not None:
            yield StopOrder(back, volume, ticket.sl, orderRef=f"{name}.sl", transmit=True,
                            **self._own(parent))  # fmt: skip

    def _own(self, parent: dict[str, Any]) -> dict[str, Any]:
        return {**parent, "account": self._account, "orderId": self._ib.client.getReqId()}

    def _protect_again(self, ticket: Ticket) -> str:
        """The exit was refused, so what is left stays, and so do its stop and its target.

        The stop goes first. What TWS did not take is told, so this waits for its answers."""
        entry, there = ticket.closes, [trade.order.orderRef for trade in self._open(ticket.closes)]
        gone = self._called_off.get(entry, {})
        left = ticket.volume - self._traded(ticket.client_id) - self._unknown_fills(entry)
        lost = []
        for ref in sorted(set(gone) - set(there)) if left > TINY else ():
            new = self._ib.placeOrder(self._contract, self._copy(gone[ref], left))
            if self._states.taken([new]):
                lost.append(f"{ref} could not be put back: {self._states.order(new).why}")
            else:
                del gone[ref]
        return "; ".join(lost)

    def _copy(self, old: IbOrder, volume: float) -> IbOrder:
        facts: dict[str, Any] = {"orderRef": old.orderRef, "ocaGroup": old.ocaGroup}
        facts = self._own({**facts, "ocaType": 1, "tif": KEEP})
        if old.orderType == "STP":
            return StopOrder(old.action, volume, float(old.auxPrice or 0), **facts)
        return LimitOrder(old.action, volume, float(old.lmtPrice or 0), **facts)

    def cancel(self, client_id: str) -> bool:
        with line():
            for trade in filter(self._alive, self._ib.trades()):
                if trade.order.orderRef == f"{client_id}.e":
                    return self._states.cancel(trade)
        return False

    def orders(self) -> dict[str, Order]:
        """What works, what was traded, and what this session saw end."""
        with line():
            self._states.ask()
            told = [t for t in self._ib.trades() if t.order.orderRef.endswith((".e", ".x"))]
            self._states.settle(told)
        # Traded in an earlier session and not open any more: whatever was left of it is gone.
        found = {name: Order(name, Standing.CANCELLED) for name in self._entered()}
        return found | {order.client_id: order for order in map(self._states.order, told)}

    def _entered(self) -> Iterator[str]:
        for fill in self._fills():
            if fill.leg in ("entry", "exit"):
                yield fill.client_id

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
            listed = self._states.ask()
            open_ = [t for t in self._ib.trades() if t.order.orderId in listed and self._alive(t)]
        refs = (trade.order.orderRef for trade in open_)
        return frozenset(ref.removesuffix(".sl") for ref in refs if ref.endswith(".sl"))

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        """The stop first. TWS changes an order that is sent again under its own number."""
        with line():
            self._steps = self._steps or increments(self._ib, self._contract)
            self._states.ask()
            near = on_steps(Ticket("", "", "BUY", 0.0, None, sl, tp), self._steps)
            wanted = {f"{client_id}.sl": near.sl, f"{client_id}.tp": near.tp}
            wrong = [self._move(ref, at) for ref, at in wanted.items() if at is not None]
        return "; ".join(filter(None, wrong))

    def _move(self, ref: str, price: float) -> str:
        found = [t for t in self._ib.trades() if t.order.orderRef == ref and self._alive(t)]
        if not found or found[0].order.orderType not in PRICED:
            return f"{ref} does not work there"
        name = PRICED[found[0].order.orderType]
        if getattr(found[0].order, name) == price:
            return ""
        new = copy(found[0].order)
        setattr(new, name, price)
        new.transmit = True
        why = self._states.change(found[0], lambda: self._ib.placeOrder(self._contract, new))
        if getattr(found[0].order, name) == price:
            return ""
        return f"{ref} stays at {getattr(found[0].order, name)}: {why or 'TWS did not change it'}"

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        with line():
            self._states.ask()
            left = [name for name in closed if self._open(name)]
            done = [[self._states.cancel(trade) for trade in self._open(name)] for name in left]
        return frozenset(name for name, gone in zip(left, done, strict=True) if all(gone))

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
