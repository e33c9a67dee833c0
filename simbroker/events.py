"""What a step of the broker tells: one dictionary for each thing that happened."""

from typing import NoReturn

from simbroker.orders import Order
from simbroker.positions import Trade
from simbroker.run import Ordered

Event = dict[str, object]


class NoEvents(list[Event]):
    """What a quiet bar tells. One empty list serves all of them, so it cannot be written to."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the events of a bar cannot be changed: make a list of your own")

    append = extend = insert = __iadd__ = _refuse


NO_EVENTS = NoEvents()


def order_event(name: str, order: Order, price: float) -> Event:
    return {
        "event": name,
        "order_id": order.order_id,
        "position_id": order.position_id,
        "symbol": order.symbol,
        "action": "BUY" if order.side > 0 else "SELL",
        "price": price,
        "volume": order.volume,
    }


def ordered(event: str, order: Order, idx: int, close: float) -> Ordered:
    """For the log of a run. `close` stands for the price of a market order."""
    price = order.limit if order.limit == order.limit else close
    action = "BUY" if order.side > 0 else "SELL"
    return Ordered(idx, event, order.order_id, order.position_id, action, order.volume, price)


def closing_events(trade: Trade, symbol: str) -> list[Event]:
    """`position_closed`, and before it `sl_hit` or `tp_hit` where that is the reason."""
    closed: Event = {
        "event": "position_closed",
        "position_id": trade.position_id,
        "symbol": symbol,
        "action": trade.action,
        "price": trade.exit_price,
        "volume": trade.volume,
        "pnl": trade.pnl,
        "reason": trade.reason or trade.kind,
    }
    if trade.kind == "signal":
        return [closed]
    return [{"event": f"{trade.kind}_hit", "position_id": trade.position_id}, closed]
