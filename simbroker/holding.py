"""An open position as the broker keeps it, from its fill to the trade that is booked."""

import math
from dataclasses import dataclass

from simbroker.bars import BarTuple
from simbroker.clock import stamp
from simbroker.fills import to_money
from simbroker.orders import Order
from simbroker.positions import Charges, Position, Trade, position


@dataclass(slots=True)
class Holding:
    """What changes while a position is open; what does not change is in `view`."""

    side: int
    entry: float
    units: float
    sl: float
    tp: float
    signal_idx: int
    micros: int
    paid: Charges
    high: float
    low: float
    inside: bool
    view: Position
    floor: float  # a bar that stays above the floor and below the ceiling ends nothing
    ceiling: float
    signed: float
    leaving: str | None = None


def opened(
    order: Order, idx: int, bar: BarTuple, price: float, inside: bool, units: float, paid: Charges
) -> Holding:
    view = position(
        f"pos_{order.number}",
        order.symbol,
        order.side,
        order.volume,
        price,
        idx,
        stamp(bar[0], bar[5]),
        order.sl if order.sl == order.sl else None,
        order.tp if order.tp == order.tp else None,
        order.comment,
    )
    return Holding(
        side=order.side,
        entry=price,
        units=units,
        sl=order.sl,
        tp=order.tp,
        signal_idx=order.signal_idx,
        micros=bar[0],
        paid=paid,
        high=price,
        low=price,
        inside=inside,
        view=view,
        floor=_or(order.sl if order.side > 0 else order.tp, -math.inf),
        ceiling=_or(order.tp if order.side > 0 else order.sl, math.inf),
        signed=order.side * units,
    )


def _or(price: float, without: float) -> float:
    return price if price == price else without


def settled(
    held: Holding, idx: int, micros: int, price: float, kind: str, reason: str, paid: Charges
) -> Trade:
    """The trade, booked. Of the bar in which it ends, only the exit price counts as seen."""
    view = held.view
    gross = to_money(held.side * (price - held.entry) * held.units)
    return Trade(
        view["position_id"],
        held.side,
        view["volume"],
        held.signal_idx,
        view["entry_idx"],
        held.micros,
        held.entry,
        idx,
        micros,
        price,
        kind,
        reason,
        view["sl"],
        view["tp"],
        view["comment"],
        held.units,
        gross,
        held.paid,
        paid,
        to_money(gross - sum(held.paid) - sum(paid)),
        max(held.high, price),
        min(held.low, price),
    )
