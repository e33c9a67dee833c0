"""A simulated exchange: a process of its own that holds an account and speaks JSON lines.

    python -m adapters.live.exchange --bars fixtures/bars/trending_D1.csv --symbol AAPL

Its market moves on when the client asks for the bar after the newest one. It serves one session at
a time, as brokers do: a new one waits until the old one has been read to its end.
"""

import argparse
import json
import random
import socket
import socketserver
import sys
import threading
import time
from dataclasses import asdict
from typing import Any

from adapters.live.paper import Paper
from adapters.live.port import Bar, Ticket
from simbroker.bars import tuples
from simbroker.load import read_csv
from simbroker.terms import FREE, Terms


class Market:
    """The account and the bars. `received` counts how often each ticket came in."""

    def __init__(self, bars: list[Bar], symbol: str, warmup: int, args: argparse.Namespace) -> None:
        self.paper = Paper(Terms(symbol=symbol, costs=FREE, initial_balance=args.balance))
        self.all, self.at, self.args = bars, 0, args
        self.received: list[dict[str, Any]] = []
        self._moved = 0.0
        self.chance = random.Random(args.seed)  # nosec B311
        for _ in range(warmup):
            self._move()

    def _move(self) -> None:
        self.paper.step(self.all[self.at])
        self.at += 1
        self._moved = time.monotonic()

    def bars(self, after: int) -> dict[str, Any]:
        rested = time.monotonic() - self._moved >= self.args.pace
        if after == self.all[self.at - 1].at and self.at < len(self.all) and rested:
            self._move()
        over = self.at == len(self.all) and after == self.all[-1].at
        return {"bars": [asdict(b) for b in self.all[: self.at] if b.at > after], "over": over}

    def answer(self, ask: dict[str, Any]) -> Any:
        match ask["op"]:
            case "clock":
                end = self.all[self.at - 1].at + self.args.period * 1_000_000
                return {"server": time.time() + self.args.skew, "market": end}
            case "bars":
                return self.bars(ask["after"])
            case "submit":
                self.received.append(ask["ticket"])
                return asdict(self.paper.submit(Ticket(**ask["ticket"])))
            case "cancel":
                return self.paper.cancel(ask["client_id"])
            case "protect":
                return self.paper.protect(ask["client_id"], ask["sl"], ask["tp"])
            case "orders":
                return [asdict(o) for o in self.paper.orders().values()]
            case "fills":
                return self._fills()
            case "stops":
                return sorted(self.paper.stops())
            case "net":
                return self.paper.net(ask["symbol"])
            case "funds":
                return asdict(self.paper.funds())
            case "received":
                return self.received
        return None

    def _fills(self) -> list[dict[str, Any]]:
        told = [asdict(f) for f in self.paper.fills()]
        if told and self.chance.random() < self.args.faults:
            told += self.chance.choices(told, k=2)
            self.chance.shuffle(told)
        return told


class Session(socketserver.StreamRequestHandler):
    """One client. With faults the line breaks before a request is read, or after it was done."""

    server: "Exchange"

    def handle(self) -> None:
        with self.server.one:
            self._serve()

    def _serve(self) -> None:
        market = self.server.market
        hello = json.loads(self.rfile.readline() or "{}")
        if hello.get("key") != market.args.key:
            # Brokers repeat what they were told; whoever logs it must clean it.
            self._say({"error": f"wrong key {hello.get('key')}"})
            return
        self._say({"ok": True})
        for line in self.rfile:
            if not line.endswith(b"\n") or self._breaks():
                return
            told = {"ok": market.answer(json.loads(line))}
            if self._breaks():
                return
            self._say(told)

    def _breaks(self) -> bool:
        return self.server.market.chance.random() < float(self.server.market.args.faults) / 10

    def _say(self, told: dict[str, Any]) -> None:
        try:
            self.wfile.write(json.dumps(told).encode() + b"\n")
        except OSError:
            return  # the client is gone; what it sent before still counts


class Exchange(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True

    def __init__(self, market: Market, port: int) -> None:
        self.market, self.one = market, threading.Lock()
        super().__init__(("127.0.0.1", port), Session)

    def get_request(self) -> tuple[socket.socket, Any]:
        request, address = super().get_request()
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return request, address


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="A simulated exchange for one symbol.")
    parser.add_argument("--bars", required=True, help="CSV with the bars of its market")
    parser.add_argument("--symbol", required=True)
    parser.add_argument("--port", type=int, default=8801, help="0 takes a free one")
    parser.add_argument("--key", default="", help="what a client must say to be let in")
    parser.add_argument("--warmup", type=int, default=60, help="bars that are history at the start")
    parser.add_argument("--most", type=int, default=10**9, help="bars that are used at all")
    parser.add_argument("--period", type=int, default=86_400, help="seconds of one bar")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two bars")
    parser.add_argument("--balance", type=float, default=10_000.0)
    parser.add_argument("--skew", type=float, default=0.0, help="seconds its clock is wrong")
    parser.add_argument("--faults", type=float, default=0.0, help="0 to 1: how often things break")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    df = read_csv(args.bars)
    volumes = df["Volume"] if "Volume" in df else [0.0] * len(df)
    rows = zip(tuples(df), volumes, strict=True)
    bars = [Bar(t[0], t[1], t[2], t[3], t[4], float(v)) for t, v in rows][: args.most]
    with Exchange(Market(bars, args.symbol, args.warmup, args), args.port) as server:
        print(f"exchange on 127.0.0.1:{server.server_address[1]}", flush=True)
        server.serve_forever(0.05)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
