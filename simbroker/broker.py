"""SimBroker: takes orders on the close of a bar and fills them from the next open on."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from simbroker.bars import BarTuple, one_bar
from simbroker.charges import NO_CHARGES, charges
from simbroker.events import NO_EVENTS, Event, closing_events, order_event, ordered
from simbroker.fills import (
    NAN,
    NOTHING,
    STOP,
    exit_fill,
    level_fault,
    limit_fill,
    size_fault,
    to_money,
)
from simbroker.holding import Holding, opened, settled
from simbroker.orders import Order, Refused, fault_text, read_order
from simbroker.positions import Charges, Position, Trade, total
from simbroker.run import Ordered, Refusal, Run
from simbroker.terms import Terms

KEPT_REFUSALS = 100_000
WORKING = "is still working: cancel it or wait"


class SimBroker:
    """One account on one symbol, stepped bar by bar. No clock, no chance, no outside."""

    def __init__(self, terms: Terms | None = None) -> None:
        self.terms = terms or Terms()
        self.symbol = self.terms.symbol
        self._free = self.terms.costs.zero
        self.balance = self.terms.initial_balance
        self.trades: list[Trade] = []
        self.positions: list[Position] = []
        self._held: list[Holding] = []
        self._order: Order | None = None
        self._orders: list[Ordered] = []
        self._placed = 0
        self._bar: BarTuple | None = None
        self._first_close = NAN
        self._times: list[int] = []
        self._equity: list[float] = []
        self._awaited = True  # the first bar, an order or an exit: the next bar needs a closer look
        self._refused = 0
        self._refusals: list[Refusal] = []

    # ------------------------------------------------------------------------------- one bar
    def step_bar(self, bar: "BarTuple | Mapping[str, object] | pd.Series[float]") -> list[Event]:
        """Everything that happens from this bar's open to its close. A tuple was checked before."""
        if not isinstance(bar, tuple):
            bar = one_bar(bar, self._bar)
        self._bar = bar
        self._times.append(bar[0])
        if self._awaited:
            return self._trade(bar)
        held = self._held
        if not held:  # most bars of most runs: nothing is open, so `_flat_bars` adds the equity
            return NO_EVENTS
        _, _, high, low, close, _ = bar
        worth = self.balance
        for each in held:
            if low <= each.floor or high >= each.ceiling:
                return self._trade(bar)
            if high > each.high:
                each.high = high
            if low < each.low:
                each.low = low
            worth += (close - each.entry) * each.signed
        self._equity.append(worth)
        return NO_EVENTS

    def _trade(self, bar: BarTuple) -> list[Event]:
        """In the order in which things happen: exits at the open, the order, stops and targets."""
        events: list[Event] = []
        _, first, high, low, close, _ = bar
        before = self._held
        if not before:
            self._flat_bars(len(self._times) - 1)
        if not self._equity:
            self._first_close = close
        for held in before:
            if held.leaving is not None:
                self._close(held, first, "signal", held.leaving, bar, events)
        if self._order is not None:
            self._work(self._order, bar, events)
        self._awaited = self._order is not None
        for held in self._held:
            if held.inside:
                self._first_bar_of_inside_fill(held, bar, events)
                continue
            if low <= held.floor or high >= held.ceiling:
                kind, price = exit_fill(held.side, first, high, low, held.sl, held.tp)
                self._close(held, price, "sl" if kind == STOP else "tp", "", bar, events)
                continue
            if high > held.high:
                held.high = high
            if low < held.low:
                held.low = low
        if self._held is not before:
            self.positions = [held.view for held in self._held]
        self._equity.append(self.worth(close))
        return events

    def _flat_bars(self, until: int) -> None:
        """The equity of the bars before `until` in which nothing was open: the balance."""
        self._equity += [self.balance] * (until - len(self._equity))

    def _first_bar_of_inside_fill(self, held: Holding, bar: BarTuple, events: list[Event]) -> None:
        """The stop counts, the target does not: the good end of the bar may have come before."""
        held.inside = False
        _, _, high, low, close, _ = bar
        kind, price = exit_fill(held.side, held.entry, high, low, held.sl, NAN)
        if kind != NOTHING:
            self._close(held, price, "sl", "", bar, events)
        elif held.side > 0:
            held.high, held.low = max(held.high, close), low
        else:
            held.high, held.low = high, min(held.low, close)

    def _work(self, order: Order, bar: BarTuple, events: list[Event]) -> None:
        """Fill the working order, keep it, or let it expire."""
        _, first, high, low, _, _ = bar
        price, inside = first, 0
        if order.limit == order.limit:
            price, inside = limit_fill(order.side, order.limit, first, high, low)
        if price != price:
            order.bars_left -= 1
            if order.bars_left == 0:
                self._order = None
                self._log("order_expired", order)
                events.append(order_event("order_expired", order, order.limit))
            return
        self._order = None
        error = self._margin_error(order, price, self._held, first)
        if error:
            self._refuse(error, order.order_id)
            events.append({**order_event("order_rejected", order, price), "reason": error})
            return
        units = order.volume * self.terms.contract_size
        takes = order.limit != order.limit
        paid = self._charges(price, units, high - low, takes, True)
        held = opened(order, len(self._times) - 1, bar, price, bool(inside), units, paid)
        self.balance = to_money(self.balance - total(paid))
        self._held = [*self._held, held]
        events.append(order_event("position_opened", order, price))

    def _close(
        self, held: Holding, price: float, kind: str, why: str, bar: BarTuple, events: list[Event]
    ) -> None:
        paid = self._charges(price, held.units, bar[2] - bar[3], kind != "tp", False)
        trade = settled(held, len(self._times) - 1, bar[0], price, kind, why, paid)
        self.balance = to_money(self.balance + trade.gross - total(paid))
        self.trades.append(trade)
        self._held = [h for h in self._held if h is not held]  # a new list: someone is iterating
        events += closing_events(trade, self.symbol)

    def _charges(
        self, price: float, units: float, bar_range: float, takes: bool, entering: bool
    ) -> Charges:
        if self._free:
            return NO_CHARGES
        return charges(self.terms.costs, price, units, bar_range, takes, entering)

    # ------------------------------------------------------------------------------- decisions
    def place_order(self, request: Mapping[str, object]) -> dict[str, object]:
        """Take an order for the next bar, or say what is wrong with it. The run goes on."""
        try:
            order = self._accepted(read_order(request))
        except Refused as refused:
            self._refuse(str(refused))
            return {"success": False, "order_id": "", "position_id": "", "fill_price": None,
                    "error": str(refused)}  # fmt: skip
        self._placed += 1
        order.signal_idx = len(self._times) - 1
        order.order_id, order.position_id = f"ord_{self._placed}", f"pos_{self._placed}"
        self.symbol = order.symbol
        self._log("order_placed", order)
        self._order = order
        self._awaited = True
        return {"success": True, "order_id": order.order_id,
                "position_id": order.position_id, "fill_price": None}  # fmt: skip

    def _accepted(self, order: Order) -> Order:
        if self._bar is None:
            raise Refused("there is no bar yet: step one bar before the first order")
        _, _, high, low, close, _ = self._bar
        if self.symbol and order.symbol != self.symbol:
            raise Refused(f"unknown symbol {order.symbol!r}: this account trades {self.symbol!r}")
        price = close
        if order.limit == order.limit:
            price = high = low = order.limit
        fault = size_fault(order.volume, price * order.volume * self.terms.contract_size)
        fault = fault or level_fault(order.side, low, high, order.sl, order.tp)
        if fault:
            raise Refused(fault_text(fault, order, low, high))
        if self._order is not None:
            raise Refused(f"{self._order.order_id} {WORKING}")
        staying = [held for held in self._held if held.leaving is None]
        if len(staying) >= self.terms.max_positions:
            raise Refused(f"max_positions is {self.terms.max_positions}: close a position first")
        if staying and any(held.side != order.side for held in staying):
            raise Refused("the order is against an open position: close that one first")
        error = self._margin_error(order, price, staying, close)
        if error:
            raise Refused(error)
        return order

    def _margin_error(self, order: Order, price: float, staying: list[Holding], mark: float) -> str:
        """Why there is too little money for this order, or nothing."""
        leverage = self.terms.leverage
        free = self.worth(mark)
        for held in staying:
            free -= held.entry * held.units / leverage
        needed = price * (order.volume * self.terms.contract_size) / leverage
        if needed <= free:
            return ""
        return (
            f"no margin: {order.volume:g} at {price:g} needs {needed:.2f}, free is {free:.2f}; "
            "lower the volume"
        )

    def close_position(
        self, pos_id: str, price: float | None = None, reason: str = ""
    ) -> dict[str, object]:
        """Close at the next open. There is no way to close on the bar that was decided on."""
        for held in self._held:
            if held.view["position_id"] == pos_id:
                break
        else:
            return {"success": False, "position_id": str(pos_id), "error":
                    f"no open position {pos_id!r}: take the id from get_positions()"}  # fmt: skip
        if price is not None:
            return {"success": False, "position_id": pos_id, "error":
                    "a position closes at the next open: leave the price out"}  # fmt: skip
        held.leaving = reason or "exit"
        self._awaited = True
        return {"success": True, "position_id": pos_id}

    def cancel_order(self, order_id: str) -> bool:
        if self._order is None or order_id != self._order.order_id:
            return False
        self._log("order_cancelled", self._order)
        self._order = None
        return True

    # ------------------------------------------------------------------------------- the account
    def worth(self, price: float) -> float:
        """Balance plus what the open positions stand at."""
        total = self.balance
        for held in self._held:
            total += (price - held.entry) * held.signed
        return total

    def account(self) -> dict[str, object]:
        terms, equity, used = self.terms, self.balance, 0.0
        if self._bar is not None and self._held:
            equity = self.worth(self._bar[4])
            for held in self._held:
                used += held.entry * held.units / terms.leverage
        return {"balance": self.balance, "equity": equity, "margin": used,
                "free_margin": equity - used, "initial_balance": terms.initial_balance,
                "max_positions": terms.max_positions, "leverage": terms.leverage}  # fmt: skip

    def run(self) -> Run:
        """Everything so far. Open positions are closed at the last close, on paper only."""
        self._flat_bars(len(self._times))
        trades, equity = list(self.trades), np.array(self._equity, dtype="float64")
        if self._bar is not None and self._held:
            balance = self.balance
            for held in self._held:
                price, bar = self._bar[4], self._bar
                paid = self._charges(price, held.units, bar[2] - bar[3], True, False)
                last = len(self._times) - 1
                trades.append(settled(held, last, bar[0], price, "open", "end of data", paid))
                balance = to_money(balance + trades[-1].gross - total(paid))
            equity[-1] = balance
        return Run(
            terms=self.terms,
            symbol=self.symbol,
            times=np.array(self._times, dtype="int64"),
            zone=self._bar[5] if self._bar else None,
            equity=equity,
            trades=trades,
            first_close=self._first_close,
            last_close=self._bar[4] if self._bar else NAN,
            refused=self._refused,
            refusals=tuple(self._refusals),
            orders=tuple(self._orders),
        )

    def _log(self, event: str, order: Order) -> None:
        close = self._bar[4] if self._bar else NAN
        self._orders.append(ordered(event, order, len(self._times) - 1, close))

    def _refuse(self, reason: str, order_id: str = "") -> None:
        self._refused += 1
        if len(self._refusals) < KEPT_REFUSALS:
            self._refusals.append(Refusal(len(self._times) - 1, reason, order_id))
