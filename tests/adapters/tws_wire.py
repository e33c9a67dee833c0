"""How TWS writes contracts and orders (server version 157; see ib_async/decoder.py)."""

from __future__ import annotations

from tests.adapters.venue import Resting


def stock() -> tuple[object, ...]:
    return (1, "X", "STK", "", 0, "", "", "SMART", "USD", "X", "X")


def details(request: str) -> list[object]:
    """Two rules: below one dollar prices are finer."""
    head = [10, 8, request, "X", "STK", "", 0, "", "SMART", "USD", "X", "NMS", "NMS", 1, 0.0001, 1]
    middle = ["", "LMT,MKT,STP", "SMART,NYSE", 1, 0, "X Inc", "NYSE", *[""] * 8, 0, 0]
    return [*head, *middle, 1, "", "", "26,26", "", "COMMON"]


def open_order(o: Resting, account: str) -> list[object]:
    limit, aux = (o.price, 0) if o.kind == "LMT" else (0, o.price)
    side = "BUY" if o.side > 0 else "SELL"
    head = [5, o.number, *stock(), side, o.volume, o.kind, limit, aux, o.tif, o.group, account,
            "", 0, o.ref, 71, o.number + 900, 0, 0, 0, "", "", "", "", "", ""]  # fmt: skip
    middle: list[object] = [""] * 29
    middle[23] = o.parent
    tail = [*[""] * 7, 0, 0, 0, "", "", "", "", 0, "", "", 0, 0, ""]
    state = [0, 0, o.status, *[""] * 9, "", "", "", "", "", 0, 0, 0]
    return [*head, *middle, *tail, *state, *[""] * 16]


def completed_order(o: Resting, account: str) -> list[object]:
    """It has no order id, only the permanent one: TWS has forgotten which client sent it."""
    limit, aux = (o.price, 0) if o.kind == "LMT" else (0, o.price)
    side = "BUY" if o.side > 0 else "SELL"
    head = [101, *stock(), side, o.volume, o.kind, limit, aux, o.tif, o.group, account, "", 0,
            o.ref, o.number + 900, 0, 0, 0, "", "", "", "", ""]  # fmt: skip
    middle: list[object] = [""] * 23
    tail = [*[""] * 5, 0, 0, 0, "", "", "", "", "", "", 0, 0, "", 0, o.status, 0, 0, 0]
    end = [*[""] * 6, o.filled, *[""] * 5, "", "20240101 00:00:00 UTC", o.status]
    return [*head, *middle, *tail, *end]
