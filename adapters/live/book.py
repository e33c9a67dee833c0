"""Our own books: bars, orders, positions and trades, folded from the journal's records alone."""

import math
from dataclasses import dataclass, field

import numpy as np

from adapters.base_adapter import Event
from adapters.live.port import Bar, Fill, Ticket
from simbroker.bars import BarTuple
from simbroker.clock import stamp
from simbroker.events import closing_events, order_event
from simbroker.fills import NAN
from simbroker.from_fill import FromFill
from simbroker.holding import Holding, opened, settled
from simbroker.orders import Order
from simbroker.positions import Charges, Position, Trade, position
from simbroker.run import Refusal, Run
from simbroker.terms import Terms

TINY = 1e-9
Levels = tuple[float | None, float | None]
"""Of a stop and of a target."""
LEGS = {"entry": 0, "sl": 1, "tp": 1, "exit": 1}


@dataclass(slots=True)
class Placed:
    """A ticket that we intend to send or have sent."""

    ticket: Ticket
    idx: int
    good_for: int
    comment: str
    state: str = "intended"
    filled: float = 0.0


@dataclass(slots=True)
class Held:
    """A position while it is open, with what has been sold of it so far."""

    holding: Holding
    volume: float
    left: float
    proceeds: float = 0.0
    fees: float = 0.0
    leaving: str = ""
    reason: str = ""
    resting: Levels | None = None
    """Where the broker has its stop and target, once they were moved; before, as in the ticket."""


@dataclass(slots=True)
class Book:
    """One account, one symbol. `zone` is that of the bars."""

    terms: Terms
    period: int
    bars: list[Bar] = field(default_factory=list)
    placed: dict[str, Placed] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    trades: list[Trade] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    early: list[Fill] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    worths: list[float] = field(default_factory=list)
    given_away: float = 0.0
    """What the account holds that is not ours: from before us, or handed over."""
    handed: dict[str, int] = field(default_factory=dict)
    """The sides of positions that were handed over: their stops still work at the broker."""
    sent_at: list[float] = field(default_factory=list)

    # ------------------------------------------------------------------------- what happens
    def bar(self, bar: Bar) -> None:
        self.bars.append(bar)
        for held in self.held.values():
            inside = held.holding
            if inside.view["entry_idx"] <= len(self.bars) - 1:
                inside.high, inside.low = max(inside.high, bar.high), min(inside.low, bar.low)

    def marked(self) -> None:
        """The account's worth at the close of the newest bar, after its fills."""
        self.worths.append(self.worth(self.bars[-1].close))

    def intend(self, ticket: Ticket, good_for: int, comment: str) -> None:
        self.placed[ticket.client_id] = Placed(ticket, len(self.bars) - 1, good_for, comment)
        if ticket.closes in self.held:
            self.held[ticket.closes].leaving = ticket.client_id
            self.held[ticket.closes].reason = comment

    def outcome(self, client_id: str, state: str, at: float) -> None:
        placed = self.placed[client_id]
        if state == "sent":
            self.sent_at = [*(t for t in self.sent_at if at - t < 60.0), at]
        if placed.state != "filled":
            placed.state = state
        held = self.held.get(placed.ticket.closes)
        if state in ("rejected", "refused", "cancelled") and held and held.leaving == client_id:
            held.leaving = ""

    def refuse(self, why: str) -> None:
        self.refusals.append(Refusal(len(self.bars) - 1, why))

    def fill(self, fill: Fill) -> list[Event]:
        """Book it once. An exit that is told before its entry waits for it."""
        if fill.exec_id in self.seen:
            return []
        self.seen.add(fill.exec_id)
        if fill.leg == "entry":
            events = self._enter(fill)
            waiting, self.early = self.early, []
            for other in waiting:
                self.seen.discard(other.exec_id)
                events += self.fill(other)
            return events
        owner = fill.client_id if fill.leg in ("sl", "tp") else self._closes(fill.client_id)
        if owner in self.handed:
            self.given_away -= self.handed[owner] * fill.volume
            return []
        if owner not in self.held or self.held[owner].left + TINY < fill.volume:
            self.early.append(fill)
            return []
        return self._leave(self.held[owner], owner, fill)

    def _closes(self, client_id: str) -> str:
        placed = self.placed.get(client_id)
        return placed.ticket.closes if placed else ""

    def _enter(self, fill: Fill) -> list[Event]:
        placed = self.placed[fill.client_id]
        placed.filled += fill.volume
        if placed.filled + TINY >= placed.ticket.volume:
            placed.state = "filled"
        held = self.held.get(fill.client_id)
        order = self._order(placed, fill.volume)
        if held is None:
            self.held[fill.client_id] = self._opened(order, fill)
            return [order_event("position_opened", order, fill.price)]  # type: ignore[list-item]
        whole = held.volume + fill.volume
        price = (held.holding.entry * held.volume + fill.price * fill.volume) / whole
        paid = (held.holding.paid[0] + fill.fee, 0.0, 0.0)
        order.volume = whole
        grown = opened(order, held.holding.view["entry_idx"], self._at(fill), price, False,
                       whole * self.terms.contract_size, paid)  # fmt: skip
        self.held[fill.client_id] = Held(
            grown, whole, held.left + fill.volume, held.proceeds, held.fees, held.leaving,
            held.reason, held.resting,
        )  # fmt: skip
        return []

    def _opened(self, order: Order, fill: Fill) -> Held:
        idx, units = self.index(fill.at), fill.volume * self.terms.contract_size
        paid: Charges = (fill.fee, 0.0, 0.0)
        holding = opened(order, idx, self._at(fill), fill.price, False, units, paid)
        return Held(holding, fill.volume, fill.volume)

    def _leave(self, held: Held, owner: str, fill: Fill) -> list[Event]:
        held.left -= fill.volume
        held.proceeds += fill.price * fill.volume
        held.fees += fill.fee
        if fill.client_id in self.placed and fill.leg == "exit":
            self.placed[fill.client_id].filled += fill.volume
        if held.left > TINY:
            self._shrink(owner, held)
            return []
        del self.held[owner]
        if fill.leg == "exit":
            self.placed[fill.client_id].state = "filled"
        kind = "signal" if fill.leg == "exit" else fill.leg
        reason = held.reason if fill.leg == "exit" else ""
        trade = settled(held.holding, self.index(fill.at), fill.at, held.proceeds / held.volume,
                        kind, reason, (held.fees, 0.0, 0.0))  # fmt: skip
        self.trades.append(trade)
        return list(closing_events(trade, self.terms.symbol))  # type: ignore[arg-type]

    def _shrink(self, owner: str, held: Held) -> None:
        """What a strategy sees of a position that is partly closed."""
        view = held.holding.view
        held.holding.view = position(
            owner, view["symbol"], held.holding.side, held.left, held.holding.entry,
            view["entry_idx"], view["entry_time"], view["sl"], view["tp"], view["comment"],
        )  # fmt: skip

    def moved(self, client_id: str, levels: Levels) -> None:
        if client_id in self.held:
            self.held[client_id].resting = levels

    def hand_over(self) -> None:
        """The open positions are somebody else's from now on."""
        self.given_away += self.net()
        self.handed |= {name: held.holding.side for name, held in self.held.items()}
        self.held.clear()

    # ------------------------------------------------------------------------- what is
    def positions(self) -> list[Position]:
        return [held.holding.view for held in self.held.values()]

    def working(self) -> list[Placed]:
        """Entries that may still be filled."""
        live = ("intended", "sent")
        return [p for p in self.placed.values() if p.state in live and not p.ticket.closes]

    def unmoved(self) -> dict[str, Levels]:
        """Where stop and target belong since the fill, of positions whose broker has them still
        somewhere else. One that is being closed needs neither."""
        found: dict[str, Levels] = {}
        for name, held in self.held.items():
            ticket, view = self.placed[name].ticket, held.holding.view
            wanted = (view["sl"], view["tp"])
            if not held.leaving and wanted != (held.resting or (ticket.sl, ticket.tp)):
                found[name] = wanted
        return found

    def measures(self) -> bool:
        """Whether a stop or a target must be moved as soon as something is filled, or by now."""
        return bool(self.unmoved()) or any(p.ticket.from_fill for p in self.working())

    def net(self) -> float:
        return math.fsum(held.holding.side * held.left for held in self.held.values())

    def worth(self, price: float) -> float:
        realised = math.fsum(trade.pnl for trade in self.trades)
        open_now = 0.0
        for held in self.held.values():
            one, size = held.holding, self.terms.contract_size
            sold = held.volume - held.left
            gained = held.proceeds - one.entry * sold + (price - one.entry) * held.left
            open_now += one.side * gained * size - one.paid[0] - held.fees
        return self.terms.initial_balance + realised + open_now

    def index(self, at: int) -> int:
        """The bar in which something happened; one that is not finished is the next."""
        if not self.bars or at >= self.bars[-1].at + self.period:
            return len(self.bars)
        return int(np.searchsorted([b.at for b in self.bars], at, side="right")) - 1

    def run(self) -> Run:
        """The facts for a report. What is open is closed at the last close, on paper only."""
        trades, worths = list(self.trades), np.array(self.worths, dtype="float64")
        for held in self.held.values():
            last = self.bars[-1]
            trades.append(settled(held.holding, len(self.bars) - 1, last.at, last.close, "open",
                                  "end of data", (held.fees, 0.0, 0.0)))  # fmt: skip
        return Run(
            terms=self.terms,
            symbol=self.terms.symbol,
            times=np.array([b.at for b in self.bars], dtype="int64"),
            zone=None,
            equity=worths,
            trades=trades,
            first_close=self.bars[0].close if self.bars else NAN,
            last_close=self.bars[-1].close if self.bars else NAN,
            refused=len(self.refusals),
            refusals=tuple(self.refusals),
        )

    def _order(self, placed: Placed, volume: float) -> Order:
        ticket = placed.ticket
        return Order(
            1 if ticket.action == "BUY" else -1, ticket.symbol, volume,
            NAN if ticket.limit is None else ticket.limit,
            NAN if ticket.sl is None else ticket.sl,
            NAN if ticket.tp is None else ticket.tp,
            placed.comment, placed.good_for, placed.idx, ticket.client_id, ticket.client_id,
            FromFill(**ticket.from_fill) if ticket.from_fill else None,
        )  # fmt: skip

    def _at(self, fill: Fill) -> BarTuple:
        """Time and price of a fill, as the bar that it belongs to spells its time."""
        idx = self.index(fill.at)
        at = self.bars[idx].at if idx < len(self.bars) else fill.at
        return (at, fill.price, fill.price, fill.price, fill.price, None)


def in_order(fills: list[Fill]) -> list[Fill]:
    """As they happened, entries first: what was told late or twice changes nothing."""
    return sorted(fills, key=lambda f: (f.at, LEGS[f.leg], f.exec_id))


def when(bar: Bar) -> str:
    return stamp(bar.at, None).isoformat()
