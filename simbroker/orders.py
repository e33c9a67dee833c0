"""Reads an order request. What is wrong with it is said in words that tell what to change."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from simbroker.fills import (
    BAD_VOLUME,
    FINE,
    NAN,
    STOP_BEYOND_TARGET,
    STOP_SIDE,
    TARGET_SIDE,
    TOO_LARGE,
)
from simbroker.from_fill import KEYS, FromFill


class Refused(ValueError):
    """An order that cannot be taken, and why."""


@dataclass(slots=True)
class Order:
    """A working order. Absent prices are NaN. `bars_left` counts down for limit orders."""

    side: int
    symbol: str
    volume: float
    limit: float
    sl: float
    tp: float
    comment: str
    bars_left: int
    signal_idx: int = -1
    order_id: str = ""
    position_id: str = ""
    from_fill: FromFill | None = None


def read_order(request: Mapping[str, object]) -> Order:
    if request.__class__ is not dict and not isinstance(request, Mapping):
        raise Refused(f"an order is a dictionary, not {type(request).__name__}")
    get = request.get
    action, kind, symbol = get("action"), get("type", "MARKET"), get("symbol")
    if action != "BUY" and action != "SELL":
        raise Refused(f"unknown action {action!r}: use 'BUY' or 'SELL'")
    if kind != "MARKET" and kind != "LIMIT":
        raise Refused(f"unknown type {kind!r}: use 'MARKET' or 'LIMIT'")
    if not symbol:
        raise Refused("the order names no symbol: set 'symbol' to cfg['symbol']")
    if "volume" not in request:
        raise Refused("the order has no volume: set 'volume' to a positive number")
    limit = NAN
    if kind == "LIMIT":
        limit = _price(get("price"), "price")
        if limit != limit:
            raise Refused("a LIMIT order needs a 'price'; without one use type 'MARKET'")
    order = Order(
        1 if action == "BUY" else -1,
        str(symbol),
        _number(request["volume"], "volume"),
        limit,
        _price(get("sl"), "sl"),
        _price(get("tp"), "tp"),
        str(get("comment") or ""),
        _bars(get("good_for")),
    )
    if not KEYS.isdisjoint(request):
        order.from_fill = _from_fill(request, order)
    return order


def _from_fill(request: Mapping[str, object], order: Order) -> FromFill | None:
    given = FromFill(*(_price(request.get(key), key) for key in FromFill._fields))
    if given.sl_percent >= 100.0:
        raise Refused(f"sl_percent is {given.sl_percent:g}: give less than 100")
    moving = {
        "sl": [key for key in ("sl_percent", "sl_distance") if _is(given, key)],
        "tp": [key for key in ("tp_percent", "tp_distance", "tp_r") if _is(given, key)],
    }
    for level, keys in moving.items():
        if keys and math.isnan(order.sl if level == "sl" else order.tp):
            raise Refused(f"{keys[0]} needs {level} too: the level until the fill is known")
        if _is(given, f"{level}_fixed") and not keys:
            raise Refused(f"{level}_fixed counts beside {level}_percent or {level}_distance: "
                          f"give one of them, or only {level}")  # fmt: skip
    if _is(given, "tp_r") and math.isnan(order.sl):
        raise Refused("tp_r counts distances to the stop: give sl too")
    return given if any(moving.values()) else None


def _is(given: FromFill, key: str) -> bool:
    return not math.isnan(getattr(given, key))


def fault_text(fault: int, order: Order, low: float, high: float) -> str:
    """The sentence for a fault that `fills.py` found."""
    side, other = ("below", "above") if order.side > 0 else ("above", "below")
    action = "BUY" if order.side > 0 else "SELL"
    where = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return {
        BAD_VOLUME: f"volume is {order.volume:g}: give a positive number",
        TOO_LARGE: f"volume is {order.volume:g}: too large to be counted, give less",
        STOP_SIDE: f"sl {order.sl:g} is on the wrong side: a {action} at {where} needs it {side}",
        TARGET_SIDE: f"tp {order.tp:g} is on the wrong side: "
        f"a {action} at {where} needs it {other}",
        STOP_BEYOND_TARGET: f"a {action} needs its sl {side} its tp: "
        f"sl is {order.sl:g}, tp is {order.tp:g}",
        FINE: "",
    }[fault]


def _number(given: object, key: str) -> float:
    if given.__class__ is float:
        return given  # the usual case, and on the way of every order
    if isinstance(given, bool | str):
        raise Refused(f"{key} is {given!r}: give a number")
    try:
        return float(given)  # type: ignore[arg-type]  # what is no number is refused below
    except (TypeError, ValueError):
        raise Refused(f"{key} is {given!r}: give a number") from None


def _price(given: object, key: str) -> float:
    """None and 0 mean that there is none. NaN does not: a stop that is NaN would be no stop."""
    if given is None:
        return NAN
    price = _number(given, key)
    if not math.isfinite(price):
        raise Refused(f"{key} is {price}: return no order while the indicator is warming up")
    if price < 0.0:
        raise Refused(f"{key} is {price:g}: give a number above zero, or leave it out")
    return price if price else NAN


def _bars(given: object) -> int:
    if given is None:
        return 1
    bars = _number(given, "good_for")
    if not (math.isfinite(bars) and bars >= 1 and bars == int(bars)):
        raise Refused(f"good_for is {bars:g}: give a whole number of bars, 1 or more")
    return int(bars)
