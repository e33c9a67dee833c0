"""A stand-in for TWS: speaks its protocol (server version 157) over a real socket, on a `Venue`."""

from __future__ import annotations

import socketserver
import struct
import threading
import time
from datetime import UTC, datetime
from typing import Any

from adapters.live.port import Bar
from tests.adapters.venue import Resting, Traded, Venue

ACCOUNT = "DU-canary-815"
VERSION = 157


class Session(socketserver.StreamRequestHandler):
    server: Tws

    def handle(self) -> None:
        self.rfile.read(4)  # API and a zero
        self._read()
        self._write(VERSION, "20240101 00:00:00 UTC", raw=True)
        while (fields := self._read()) is not None:
            with self.server.lock:
                if not self._answer(fields):
                    return

    def finish(self) -> None:
        if self.server.session is self:
            self.server.session = None
        try:
            super().finish()
        except OSError:
            return

    def _read(self) -> list[str] | None:
        try:
            head = self.rfile.read(4)
            if len(head) < 4:
                return None
            return self.rfile.read(struct.unpack(">I", head)[0]).decode().split("\0")[:-1]
        except OSError:
            return None

    def _write(self, *fields: object, raw: bool = False) -> None:
        body = "".join(f"{field}\0" for field in fields).encode()
        try:
            self.wfile.write(struct.pack(">I", len(body)) + body)
        except OSError:
            return

    def _answer(self, ask: list[str]) -> bool:
        """False ends the session."""
        tws, venue = self.server, self.server.venue
        match int(ask[0]):
            case 71:
                if tws.session is not None:
                    self._write(4, 2, -1, 326, "client id is already in use")
                    return False
                tws.session = self
                self._write(9, 1, max([1, *(n + 1 for n in venue.orders)]))
                self._write(15, 1, ACCOUNT)
            case 61:
                if venue.net:
                    mean = venue.cost / abs(venue.net)
                    self._write(61, 3, ACCOUNT, *stock(), venue.net, mean)
                self._write(62, 1)
            case 5:
                for order in venue.orders.values():
                    if order.status == "Submitted":
                        self.tell(order)
                self._write(53, 1)
            case 7:
                for fill in tws.told():
                    self.tell_fill(fill, ask[2])
                self._write(55, 1, ask[2])
            case 62:
                self._summary(ask[2], ask[4])
            case 9:
                self._write(*details(ask[2]))
                self._write(52, 1, ask[2])
            case 91:
                self._write(93, ask[1], 2, 0, 0.0001, 1, venue.step)
            case 49:
                self._write(49, 1, int(time.time() + tws.skew))
            case 20:
                tws.asked_for = next(field for field in ask if field in ("TRADES", "MIDPOINT"))
                self._history(ask[1])
            case 3:
                return self._place(ask)
            case 4:
                if venue.cancel(int(ask[2])):
                    self.tell(venue.orders[int(ask[2])])
                    self._write(4, 2, ask[2], 202, "Order Canceled - reason:")
                else:
                    self._write(4, 2, ask[2], 10148, "OrderId cannot be cancelled, state: Filled")
        return True

    def _place(self, ask: list[str]) -> bool:
        side = 1 if ask[16] == "BUY" else -1
        price = float(ask[19] or 0) or float(ask[20] or 0)
        order = Resting(int(ask[1]), ask[26], side, float(ask[17]), ask[18], price, int(ask[28]),
                        ask[22])  # fmt: skip
        self.server.received.append(order.ref)
        if order.kind != "MKT" and not self.server.venue.knows(price):
            self._write(4, 2, order.number, 110, "The price does not conform to the minimum")
            return True
        if self.server.refuses and order.ref.endswith(self.server.refuses):
            self._trade_early(order)
            self._write(4, 2, order.number, 201, "Order rejected - reason: precaution")
            return True
        why = self.server.venue.submit(order)
        if self.server.drop_next_answer:
            self.server.drop_next_answer = False
            return False
        if why:
            self._write(4, 2, order.number, 201, f"Order rejected - reason: {why}")
        else:
            self.tell(order)
        return True

    def _trade_early(self, order: Resting) -> None:
        """Before it is refused, a part of it is traded; or of its entry, if it is a stop."""
        tws, venue = self.server, self.server.venue
        if not tws.early:
            return
        venue.orders.setdefault(order.number, order)
        traded = venue.orders[order.parent or order.number]
        venue.part, usual = tws.early, venue.part
        venue._fill(traded, venue.bars[-1].close, venue.bars[-1].at)
        venue.part = usual
        self.tell(traded)
        self.tell_fill(venue.fills[-1])
        order.status = "Cancelled"

    def tell(self, order: Resting) -> None:
        self._write(*open_order(order))
        left = order.volume - order.filled
        self._write(3, order.number, order.status, order.filled, left, 0, order.number + 900,
                    order.parent, 0, self.server.client, "", 0)  # fmt: skip

    def tell_fill(self, fill: Traded, request: object = -1) -> None:
        moment = datetime.fromtimestamp(fill.at / 1e6, UTC).strftime("%Y%m%d %H:%M:%S UTC")
        order, number = fill.order, f"0000e0d5.{fill.number:08x}.01"
        self._write(11, request, order.number, *stock(), number, moment, ACCOUNT, "SMART",
                    "BOT" if order.side > 0 else "SLD", fill.volume, fill.price,
                    order.number + 900, self.server.client, 0, order.filled, fill.price,
                    order.ref, "", "", "", 1)  # fmt: skip
        self._write(59, 1, number, 0.0, "USD", "", "", "")

    def _summary(self, request: str, tags: str) -> None:
        """A tag that it does not know is passed over; what is not realised is in the ledger."""
        venue = self.server.venue
        known = {"NetLiquidation": venue.worth(), "InitMarginReq": venue.cost}
        rows = [(tag, known[tag], "USD") for tag in tags.split(",") if tag in known]
        if "$LEDGER:ALL" in tags:
            rows += [("UnrealizedPnL", venue.unrealised(), name) for name in ("EUR", "BASE")]
            rows += [("NetLiquidation", 1.0, "BASE")]
        for tag, value, currency in rows:
            self._write(63, 1, request, ACCOUNT, tag, value, currency)
        self._write(64, 1, request)

    def _history(self, request: str) -> None:
        rows: list[Any] = []
        for b in self.server.venue.bars:
            day = datetime.fromtimestamp(b.at / 1e6, UTC).strftime("%Y%m%d")
            rows += [day, b.open, b.high, b.low, b.close, b.volume, b.close, 1]
        self._write(17, request, "", "", len(self.server.venue.bars), *rows)


class Tws(socketserver.ThreadingTCPServer):
    """`twice` tells every fill two times and backwards; `skew` sets its clock wrong.

    `refuses`: the end of the reference of orders that it does not take; `early`: how much of them,
    or of their entry, is traded before it says so."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, venue: Venue) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.venue, self.lock = venue, threading.Lock()
        self.session: Session | None = None
        self.received: list[str] = []
        self.asked_for = ""
        self.drop_next_answer = self.twice = False
        self.skew, self.client, self.refuses, self.early = 0.0, 71, "", 0.0
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def told(self) -> list[Traded]:
        fills = list(self.venue.fills)
        return [*reversed(fills), *fills] if self.twice else fills

    def move(self, bar: Bar) -> None:
        """The market moves on, and whoever is connected is told."""
        with self.lock:
            fresh = self.venue.move(bar)
            for fill in [*reversed(fresh), *fresh] if self.twice else fresh:
                if self.session is not None:
                    self.session.tell(fill.order)
                    self.session.tell_fill(fill)


def stock() -> tuple[object, ...]:
    return (1, "X", "STK", "", 0, "", "", "SMART", "USD", "X", "X")


def details(request: str) -> list[object]:
    """Two rules: below one dollar prices are finer."""
    head = [10, 8, request, "X", "STK", "", 0, "", "SMART", "USD", "X", "NMS", "NMS", 1, 0.0001, 1]
    middle = ["", "LMT,MKT,STP", "SMART,NYSE", 1, 0, "X Inc", "NYSE", *[""] * 8, 0, 0]
    return [*head, *middle, 1, "", "", "26,26", "", "COMMON"]


def open_order(o: Resting) -> list[object]:
    limit, aux = (o.price, 0) if o.kind == "LMT" else (0, o.price)
    side = "BUY" if o.side > 0 else "SELL"
    head = [5, o.number, *stock(), side, o.volume, o.kind, limit, aux, "GTC", o.group, ACCOUNT,
            "", 0, o.ref, 71, o.number + 900, 0, 0, 0, "", "", "", "", "", ""]  # fmt: skip
    middle: list[object] = [""] * 29
    middle[23] = o.parent
    tail = [*[""] * 7, 0, 0, 0, "", "", "", "", 0, "", "", 0, 0, ""]
    state = [0, 0, o.status, *[""] * 9, "", "", "", "", "", 0, 0, 0]
    return [*head, *middle, *tail, *state, *[""] * 16]
