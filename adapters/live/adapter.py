"""Any live broker behind the broker interface: every order is written down before it is sent."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import cast

import pandas as pd

from adapters.base_adapter import (
    Account,
    Action,
    AnyBar,
    CloseResult,
    Event,
    OrderRequest,
    OrderResult,
    Position,
    Report,
)
from adapters.live.book import TINY, Book, Levels, Placed, in_order
from adapters.live.journal import Journal, Record
from adapters.live.port import Bar, Broker, Fill, Standing, Ticket
from simbroker.bars import one_bar
from simbroker.fills import level_fault, size_fault
from simbroker.orders import Order as Read
from simbroker.orders import Refused, fault_text, read_order
from simbroker.report import report
from simbroker.save import save

Guard = Callable[[Ticket], str]
ENDED = {Standing.REJECTED: "order_rejected", Standing.CANCELLED: "order_cancelled"}


class LiveAdapter:
    """Books, journal and broker in step. `owner`, strategy and sha, makes the client ids ours."""

    def __init__(
        self,
        broker: Broker,
        book: Book,
        journal: Journal,
        owner: str,
        guard: Guard,
        correlation_id: str,
    ) -> None:
        self.broker, self.book, self.journal = broker, book, journal
        self.owner, self._guard, self._correlation_id = owner, guard, correlation_id
        self._told: list[Event] = []
        self._refused: dict[str, tuple[str, int]] = {}
        """Why the levels of a position were not moved, and with how many bars known."""

    # ------------------------------------------------------------------------- one bar
    def step_bar(self, bar: "AnyBar | Bar") -> list[Event]:
        """A finished bar: keep it, then take in everything that the broker has done since."""
        kept = bar if isinstance(bar, Bar) else self._kept(bar)
        self.note("bar", **asdict(kept))
        return self.catch_up()

    def catch_up(self) -> list[Event]:
        """Everything that belongs to the newest bar. A restart may have left it half done."""
        events = self.take_in()
        self.expire(events)
        if len(self.book.worths) < len(self.book.bars):
            self.note("marked")
        return events

    def _kept(self, bar: AnyBar) -> Bar:
        before = self.book.bars[-1] if self.book.bars else None
        last = (before.at, 0.0, 0.0, 0.0, 0.0, None) if before else None
        one = bar if isinstance(bar, tuple) else one_bar(bar, last)
        volume = 0.0 if isinstance(bar, tuple) else float(bar.get("Volume", 0.0) or 0.0)
        return Bar(one[0], one[1], one[2], one[3], one[4], volume)

    def take_in(self) -> list[Event]:
        """Fills and orders as the broker tells them. Told twice or late, they count once."""
        events, self._told = self._told, []
        for fill in in_order(self.broker.fills()):
            if fill.exec_id not in self.book.seen and self._ours(fill):
                events += self.note("fill", **asdict(fill))
        for order in self.broker.orders().values():
            placed = self.book.placed.get(order.client_id)
            if placed and placed.state == "sent" and order.standing in ENDED:
                self.note("outcome", client_id=order.client_id, state=order.standing.value)
                events.append(self._ended(ENDED[order.standing], placed, order.why))
        return events + self.move_levels()

    def move_levels(self) -> list[Event]:
        """Stops and targets that are measured from the fill go where they belong.

        Until the broker has confirmed that, they work where they were. One that it does not move
        is asked for again on the next bar, and told once."""
        events: list[Event] = []
        for name, (sl, tp) in self.book.unmoved().items():
            if self._refused.get(name, ("", -1))[1] == len(self.book.bars):
                continue
            why = self.broker.protect(name, sl, tp)
            if not why:
                self.note("moved", client_id=name, sl=sl, tp=tp)
                events.append({"event": "levels_moved", "position_id": name})
            elif why != self._refused.get(name, ("", -1))[0]:
                events.append({"event": "levels_not_moved", "position_id": name, "reason": why})
            self._refused[name] = why, len(self.book.bars)
        return events

    def _ours(self, fill: Fill) -> bool:
        return fill.client_id in self.book.placed

    def expire(self, events: list[Event]) -> None:
        """Limit orders work for `good_for` bars."""
        for placed in self.book.working():
            age = len(self.book.bars) - 1 - placed.idx
            if placed.ticket.limit is None or age < placed.good_for:
                continue
            if self.cancel_order(placed.ticket.client_id):
                events.append(self._ended("order_expired", placed, ""))

    def _ended(self, name: str, placed: Placed, why: str) -> Event:
        ticket = placed.ticket
        return {"event": name, "order_id": ticket.client_id, "position_id": ticket.client_id,
                "symbol": ticket.symbol, "action": ticket.action, "price": ticket.limit or 0.0,
                "volume": ticket.volume, "reason": why}  # fmt: skip

    # ------------------------------------------------------------------------- orders
    def place_order(self, order_request: OrderRequest) -> OrderResult:
        try:
            order = self._sound(read_order(order_request))
            ticket = self._ticket(order)
            self._room_for(order, ticket)
        except Refused as refused:
            return self._not_taken(str(refused))
        error = self.send(ticket, order.bars_left, order.comment)
        if error:
            return self._not_taken(error)
        return {"success": True, "order_id": ticket.client_id, "position_id": ticket.client_id,
                "fill_price": None}  # fmt: skip

    def close_position(
        self, pos_id: str, price: float | None = None, reason: str = ""
    ) -> CloseResult:
        held = self.book.held.get(pos_id)
        if held is None:
            return {"success": False, "position_id": str(pos_id), "error":
                    f"no open position {pos_id!r}: take the id from get_positions()"}  # fmt: skip
        if price is not None:
            return {"success": False, "position_id": pos_id, "error":
                    "a position closes at the market: leave the price out"}  # fmt: skip
        if held.leaving:
            return {"success": True, "position_id": pos_id}
        self.cancel_order(pos_id)  # what is left of its entry would open it again
        side = held.holding.side
        ticket = self._named("exit", Ticket("", self.book.terms.symbol, "SELL" if side > 0 else
                                            "BUY", held.left, closes=pos_id))  # fmt: skip
        error = self.send(ticket, 1, reason or "exit")
        if error:
            return {"success": False, "position_id": pos_id, "error": error}
        return {"success": True, "position_id": pos_id}

    def cancel_order(self, order_id: str) -> bool:
        placed = self.book.placed.get(order_id)
        alive = placed is not None and placed.state in ("intended", "sent")
        if not alive or not self.broker.cancel(order_id):
            return False
        self.note("outcome", client_id=order_id, state="cancelled")
        return True

    def send(self, ticket: Ticket, good_for: int, comment: str) -> str:
        """Intend, ask the guards, send, note. What is wrong, or nothing."""
        if ticket.client_id not in self.book.placed:
            self.note("intent", ticket=asdict(ticket), good_for=good_for, comment=comment)
        if self.book.placed[ticket.client_id].state in ("sent", "filled"):
            return ""
        refused = self._outlived(ticket) or self._guard(ticket)
        if refused:
            self.note("outcome", client_id=ticket.client_id, state="refused")
            return refused
        order = self.broker.submit(ticket)
        over = order.standing == Standing.CANCELLED and bool(ticket.closes)
        state = "rejected" if order.standing == Standing.REJECTED else "sent"
        state = "cancelled" if over else state  # an exit that is over and has not closed it
        self.note("outcome", client_id=ticket.client_id, state=state, at=time.time())
        return "" if state == "sent" else f"the broker refused the order: {order.why}"

    def _outlived(self, ticket: Ticket) -> str:
        """An exit for more than is still held would turn the position around."""
        held = self.book.held.get(ticket.closes)
        if not ticket.closes or (held and ticket.volume <= held.left + TINY):
            return ""
        return f"{ticket.closes} is closed, or smaller than this exit: look at get_positions()"

    def _not_taken(self, error: str) -> OrderResult:
        self.note("refused", why=error)
        return {"success": False, "order_id": "", "position_id": "", "fill_price": None,
                "error": error}  # fmt: skip

    def _sound(self, order: Read) -> Read:
        if not self.book.bars:
            raise Refused("there is no bar yet: step one bar before the first order")
        bar, terms = self.book.bars[-1], self.book.terms
        if order.symbol != terms.symbol:
            raise Refused(f"unknown symbol {order.symbol!r}: this account trades {terms.symbol!r}")
        limit = order.limit == order.limit
        low, high = (order.limit, order.limit) if limit else (bar.low, bar.high)
        price = order.limit if limit else bar.close
        fault = size_fault(order.volume, price * order.volume * terms.contract_size)
        fault = fault or level_fault(order.side, low, high, order.sl, order.tp)
        if fault:
            raise Refused(fault_text(fault, order, low, high))
        return order

    def _room_for(self, order: Read, ticket: Ticket) -> None:
        """An order that was sent before needs no room: it has it."""
        terms, name = self.book.terms, ticket.client_id
        if name in self.book.placed and self.book.placed[name].state in ("sent", "filled"):
            return
        if working := [p for p in self.book.working() if p.ticket.client_id != name]:
            raise Refused(f"{working[0].ticket.client_id} is still working: cancel it or wait")
        staying = [held for held in self.book.held.values() if not held.leaving]
        if len(staying) >= terms.max_positions:
            raise Refused(f"max_positions is {terms.max_positions}: close a position first")
        if any(held.holding.side != order.side for held in staying):
            raise Refused("the order is against an open position: close that one first")

    def _ticket(self, order: Read) -> Ticket:
        limit, sl, tp = (v if v == v else None for v in (order.limit, order.sl, order.tp))
        action: Action = "BUY" if order.side > 0 else "SELL"
        told = order.from_fill._asdict() if order.from_fill else {}
        moving = {name: amount for name, amount in told.items() if amount == amount} or None
        return self._named("entry", Ticket("", order.symbol, action, order.volume, limit, sl, tp,
                                           from_fill=moving))  # fmt: skip

    def _named(self, role: str, ticket: Ticket) -> Ticket:
        """The same order on the same bar has the same id, whoever asks and however often."""
        facts = {**asdict(ticket), "client_id": "", "owner": self.owner, "role": role,
                 "bar": self.book.bars[-1].at}  # fmt: skip
        if ticket.from_fill is None:  # then the id is the one of versions before there was any
            del facts["from_fill"]
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
        return Ticket(**{**asdict(ticket), "client_id": f"sb{digest[:20]}"})

    # ------------------------------------------------------------------------- the books
    def note(self, kind: str, **facts: object) -> list[Event]:
        """To the disk, then to the books. A restart does the second half again."""
        return apply(self.book, self.journal.write(kind, **facts))

    def get_positions(self) -> list[Position]:
        return cast(list[Position], self.book.positions())

    def get_account(self) -> Account:
        funds, terms = self.broker.funds(), self.book.terms
        return {"balance": funds.balance, "equity": funds.equity, "margin": funds.margin,
                "free_margin": funds.equity - funds.margin, "leverage": terms.leverage,
                "initial_balance": terms.initial_balance,
                "max_positions": terms.max_positions}  # fmt: skip

    def generate_report(self) -> Report:
        return report(self.book.run())

    def save_report(self, out_dir: str) -> dict[str, str]:
        return save(self.book.run(), out_dir, self._correlation_id)


def apply(book: Book, record: Record) -> list[Event]:
    """One record of the journal, into the books. The only way in which they change."""
    facts = {k: v for k, v in record.items() if k != "kind"}
    match record["kind"]:
        case "bar":
            book.bar(Bar(**facts))  # type: ignore[arg-type]
        case "marked":
            book.marked()
        case "intent":
            ticket = Ticket(**facts["ticket"])  # type: ignore[arg-type]
            book.intend(ticket, int(str(facts["good_for"])), str(facts["comment"]))
        case "outcome":
            at = float(str(facts.get("at", 0.0)))
            book.outcome(str(facts["client_id"]), str(facts["state"]), at)
        case "fill":
            return book.fill(Fill(**facts))  # type: ignore[arg-type]
        case "refused":
            book.refuse(str(facts["why"]))
        case "moved":
            levels: Levels = facts["sl"], facts["tp"]  # type: ignore[assignment]
            book.moved(str(facts["client_id"]), levels)
        case "handed_over":
            book.hand_over()
        case "baseline":
            book.given_away = float(str(facts["net"]))
    return []


def frame(bars: list[Bar]) -> pd.DataFrame:
    """The bars as a strategy sees them."""
    index = pd.DatetimeIndex(pd.to_datetime([b.at for b in bars], unit="us"), name="Date")
    rows = [(b.open, b.high, b.low, b.close, b.volume) for b in bars]
    return pd.DataFrame(rows, columns=["Open", "High", "Low", "Close", "Volume"],
                        index=index, dtype="float64")  # fmt: skip
