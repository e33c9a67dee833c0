"""A stand-in for TWS: speaks its protocol (server version 157) over a real socket, on a `Venue`."""

from __future__ import annotations

import socketserver
import struct
import threading
import time
from datetime import UTC, datetime
from typing import Any

from adapters.live.port import Bar
from tests.adapters.tws_messages import (
    INVALID_ACCOUNT,
    PRICE_STEP,
    READ_ONLY,
    TIF_PRESET,
    After,
    Message,
)
from tests.adapters.tws_wire import completed_order, details, open_order, stock
from tests.adapters.venue import Resting, Traded, Venue

ACCOUNT = "DU-canary-815"
"""Of a paper account the id starts with DU (or DF, of an adviser's); of a real one with U."""
REAL_ACCOUNT = "U-canary-815"
WRITES = {3, 4, 5, 16, 99}
"""Requests that need write access: orders, and also the lists of orders (ib_insync #1, #7; ib_async
leaves them out of `connect(readonly=True)`). They get 321 and are not answered."""
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
        if tws.read_only and int(ask[0]) in WRITES:
            number = ask[{"3": 1, "4": 2}[ask[0]]] if ask[0] in "34" else -1
            return self._error(number, READ_ONLY)
        match int(ask[0]):
            case 71:
                if tws.session is not None:
                    self._write(4, 2, -1, 326, "client id is already in use")
                    return False
                tws.session = self
                self._write(9, 1, max([1, *(n + 1 for n in venue.orders)]))
                self._write(15, 1, ",".join(tws.accounts))
            case 61:
                if venue.net:
                    mean = venue.cost / abs(venue.net)
                    self._write(61, 3, tws.accounts[0], *stock(), venue.net, mean)
                self._write(62, 1)
            case 5 | 16:
                for order in venue.orders.values():
                    if order.open:
                        self.tell(order)
                self._write(53, 1)
            case 99:
                for order in venue.orders.values():
                    if order.status in ("Filled", "Cancelled"):
                        self._write(*completed_order(order, tws.accounts[0]))
                self._write(102)
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
                self._cancel(int(ask[2]))
        return True

    def _error(self, number: object, message: Message) -> bool:
        self._write(4, 2, number, message.code, message.text)
        return True

    def _cancel(self, number: int) -> None:
        """10147 and 10148: QuantConnect/Lean.Brokerages.InteractiveBrokers #248."""
        order, what = self.server.venue.orders.get(number), f"OrderId {number} that needs to be"
        if order is None:
            self._write(4, 2, number, 10147, f"{what} cancelled is not found.")
        elif self.server.venue.cancel(number):
            self.tell(order)
            self._write(4, 2, number, 202, "Order Canceled - reason:")
        else:
            self._write(4, 2, number, 10148, f"{what} cancelled can not be cancelled, state: "
                        f"{order.status}.")  # fmt: skip

    def _place(self, ask: list[str]) -> bool:
        side = 1 if ask[16] == "BUY" else -1
        price = float(ask[19] or 0) or float(ask[20] or 0)
        order = Resting(int(ask[1]), ask[26], side, float(ask[17]), ask[18], price, int(ask[28]),
                        ask[22], tif=ask[21] or "DAY")  # fmt: skip
        self.server.received.append(order.ref)
        if ask[23] and ask[23] not in self.server.accounts:
            return self._error(order.number, INVALID_ACCOUNT)
        if order.kind != "MKT" and not self.server.venue.knows(price):
            return self._error(order.number, PRICE_STEP)
        message = self.server.message(order.ref, ask[21])
        if message is not None:
            return self._say(order, message)
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

    def _say(self, order: Resting, message: Message) -> bool:
        """Send the message, and do with the order what the message stands for."""
        orders = self.server.venue.orders
        match message.after:
            case After.NEVER:
                self._error(order.number, message)
            case After.LIVES | After.SILENT:
                self._error(order.number, message)
                orders[order.number] = order
                if message.after is After.LIVES:
                    self.tell(order)
            case After.HELD:
                self._error(order.number, message)
                orders[order.number], order.status, order.held = order, "Inactive", True
                self.tell(order)
            case After.CANCELLED:
                orders[order.number], order.status = order, "Cancelled"
                self.tell(order)
                self._error(order.number, message)
            case After.DISCARDED:
                self._error(order.number, message)
                orders[order.number], order.status = order, "Cancelled"
                self.tell(order)
                self._write(4, 2, order.number, 201, "Order was discarded.")
            case After.REJECTED:
                orders[order.number], order.status = order, "Inactive"
                self.tell(order)
                self._error(order.number, message)
                self.tell(order)
            case After.GONE:
                orders[order.number], order.status = order, "Cancelled"
                self._error(order.number, message)
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
        self._write(*open_order(order, self.server.accounts[0]))
        left = order.volume - order.filled
        self._write(3, order.number, order.status, order.filled, left, 0, order.number + 900,
                    order.parent, 0, self.server.client, "", 0)  # fmt: skip

    def tell_fill(self, fill: Traded, request: object = -1) -> None:
        moment = datetime.fromtimestamp(fill.at / 1e6, UTC).strftime("%Y%m%d %H:%M:%S UTC")
        order, number = fill.order, f"0000e0d5.{fill.number:08x}.01"
        self._write(11, request, order.number, *stock(), number, moment, self.server.accounts[0],
                    "SMART", "BOT" if order.side > 0 else "SLD", fill.volume, fill.price,
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
            self._write(63, 1, request, self.server.accounts[0], tag, value, currency)
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
    or of their entry, is traded before it says so.

    `says`: what it answers to orders whose reference ends so (see tws_messages.py); `preset`: an
    order without a time in force gets the one of its order preset, which TWS 10.3x announces;
    `read_only`: the box "Read-Only API" is ticked, as it is when TWS is new."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, venue: Venue) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.venue, self.lock = venue, threading.Lock()
        self.session: Session | None = None
        self.received: list[str] = []
        self.asked_for = ""
        self.drop_next_answer = self.twice = False
        self.says: dict[str, Message] = {}
        self.preset = self.read_only = False
        self.accounts: tuple[str, ...] = (ACCOUNT,)
        self.skew, self.client, self.refuses, self.early = 0.0, 71, "", 0.0
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def message(self, ref: str, tif: str) -> Message | None:
        found = [said for end, said in self.says.items() if ref.endswith(end)]
        if self.preset and not tif:
            found.append(TIF_PRESET)
        return found[0] if found else None

    def release(self, ref: str) -> None:
        """A person presses Transmit, or the shares are found: a held order works from now on."""
        with self.lock:
            (order,) = (o for o in self.venue.orders.values() if o.ref == ref and o.held)
            order.status, order.held = "Submitted", False
            if self.session is not None:
                self.session.tell(order)

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
