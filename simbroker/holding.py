"""An open position as the broker keeps it, from its fill to the trade that is booked."""

import math
from dataclasses import dataclass

from simbroker.bars import BarTuple
from simbroker.clock import stamp
from simbroker.fills import to_money
from simbroker.from_fill import levels
from simbroker.orders import Order
from simbroker.positions import Charges, Position, Trade, position, total


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
    side, sl, tp = order.side, order.sl, order.tp
    if order.from_fill is not None:
        sl, tp = levels(side, price, sl, tp, order.from_fill)
    at, _, _, _, _, zone = bar
    view = position(
        order.position_id,
        order.symbol,
        side,
        order.volume,
        price,
        idx,
        stamp(at, zone),
        sl if sl == sl else None,
        tp if tp == tp else None,
        order.comment,
    )
    below, above = (sl, tp) if side > 0 else (tp, sl)
    return Holding(
        side,
        price,
        units,
        sl,
        tp,
        order.signal_idx,
        at,
        paid,
        price,
        price,
        inside,
        view,
        below if below == below else -math.inf,
        above if above == above else math.inf,
        side * units,
    )


def settled(
    held: Holding, idx: int, micros: int, price: float, kind: str, reason: str, paid: Charges
) -> Trade:
    """The trade, booked. Of the bar in which it ends, only the exit price counts as seen."""
    view, high, low = held.view, held.high, held.low
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
        to_money(gross - total(held.paid) - total(paid)),
        high if high > price else price,
        low if low < price else price,
    )
