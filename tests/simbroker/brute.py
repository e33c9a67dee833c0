"""A second engine for the same rules, written the slow and obvious way to be compared with.

It shares nothing with simbroker/: no function, no type, no idea of speed. Prices only; money is
summed up afterwards from the trades.
"""

from collections.abc import Mapping, Sequence
from typing import Any


def brute(
    candles: Sequence[tuple[float, float, float, float]],
    orders: Mapping[int, Any],
    exit_long: Mapping[int, str],
    exit_short: Mapping[int, str],
    most: int = 1,
    good_for: int = 1,
) -> list[dict[str, Any]]:
    """Trades in the order of their ends. Margin is no concern here."""
    open_now: list[dict[str, Any]] = []
    done: list[dict[str, Any]] = []
    waiting: dict[str, Any] | None = None

    def finish(position: dict[str, Any], bar: int, price: float, kind: str) -> None:
        open_now.remove(position)
        done.append({**position, "exit_bar": bar, "exit": price, "kind": kind})

    for bar, (first, high, low, close) in enumerate(candles):
        for position in [p for p in open_now if p["leaves"]]:
            finish(position, bar, first, "signal")
        if waiting is not None:
            price, inside = entry_price(waiting, first, high, low)
            waiting["age"] += 1
            if price is not None:
                ask = from_fill(waiting["ask"], price)
                open_now.append({**waiting, "ask": ask, "bar": bar, "entry": price,
                                 "inside": inside})  # fmt: skip
            if price is not None or waiting["age"] == good_for:
                waiting = None
        for position in list(open_now):
            kind, price = end(position, bar, first, high, low)
            if kind is not None:
                finish(position, bar, price, kind)
        if bar == len(candles) - 1:
            for position in list(open_now):
                finish(position, bar, close, "open")
            break
        for position in open_now:
            exits = exit_long if position["ask"].side > 0 else exit_short
            position["leaves"] = bar in exits
        staying = [p for p in open_now if not p["leaves"]]
        ask = orders.get(bar)
        if ask is None or len(staying) >= most or waiting is not None:
            continue
        if nonsense(ask, high, low) or any(p["ask"].side != ask.side for p in staying):
            continue
        waiting = {"ask": ask, "signal": bar, "leaves": False, "age": 0}
    return done


def entry_price(waiting: dict[str, Any], first: float, high: float, low: float) -> Any:
    ask = waiting["ask"]
    if ask.limit is None:
        return first, False
    if not low <= ask.limit <= high:
        beyond = first <= ask.limit if ask.side > 0 else first >= ask.limit
        return (first, False) if beyond else (None, False)
    better = first <= ask.limit if ask.side > 0 else first >= ask.limit
    return (first, False) if better else (ask.limit, True)


def from_fill(ask: Any, fill: float) -> Any:
    """The order with every level that it measures from the fill put where it belongs."""
    given, stop, target = ask.from_fill or {}, ask.sl, ask.tp
    if "sl_percent" in given or "sl_distance" in given:
        far = [fill / 100 * given["sl_percent"]] if "sl_percent" in given else []
        far += [given["sl_distance"]] if "sl_distance" in given else []
        found = [fill - ask.side * min(far)] + [given[k] for k in ("sl_fixed",) if k in given]
        best = (max if ask.side > 0 else min)(found)
        stop = best if best > 0 else stop
    if given.keys() & {"tp_percent", "tp_distance", "tp_r"}:
        far = [fill / 100 * given["tp_percent"]] if "tp_percent" in given else []
        far += [given["tp_distance"]] if "tp_distance" in given else []
        far += [given["tp_r"] * abs(fill - stop)] if "tp_r" in given else []
        found = [fill + ask.side * min(far)] + [given[k] for k in ("tp_fixed",) if k in given]
        best = (min if ask.side > 0 else max)(found)
        target = best if best > 0 else target
    return ask._replace(sl=stop, tp=target)


def end(position: dict[str, Any], bar: int, first: float, high: float, low: float) -> Any:
    """Walk the path that the rules assume: the open, then the bad end, then the good end."""
    ask = position["ask"]
    fresh = position["inside"] and position["bar"] == bar
    start = position["entry"] if fresh else first
    bad, good = (low, high) if ask.side > 0 else (high, low)
    path = [(start, start), (bad, ask.sl), (good, ask.tp)]
    for step, (price, fill) in enumerate(path):
        if ask.sl is not None and step < 2 and ask.side * (price - ask.sl) <= 0:
            return "sl", fill
        targets = step in (0, 2) and not fresh
        if ask.tp is not None and targets and ask.side * (price - ask.tp) >= 0:
            return "tp", fill
    return None, None


def nonsense(ask: Any, high: float, low: float) -> bool:
    """A stop or target beyond where the order can fill, or stop and target the wrong way round."""
    if ask.limit is not None:
        high = low = ask.limit
    worst, best = (high, low) if ask.side > 0 else (low, high)
    if ask.sl is not None and ask.side * (ask.sl - worst) > 0:
        return True
    if ask.tp is not None and ask.side * (best - ask.tp) > 0:
        return True
    return ask.sl is not None and ask.tp is not None and ask.side * (ask.sl - ask.tp) >= 0
