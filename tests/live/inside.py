"""A live run inside the test's own process, on an exchange whose hands the test can move."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.live.adapter import LiveAdapter, apply
from adapters.live.book import Book
from adapters.live.decide import Make
from adapters.live.exchange import Market
from adapters.live.journal import Journal
from adapters.live.port import Broker, Ticket
from adapters.live.runner import Runner
from adapters.live.sim import SimExchange
from bot.live.audit import Audit
from bot.live.redact import Redactor
from schemas.live import Limits
from simbroker.terms import FREE, Terms
from tests.live.restless import Strategy
from tests.live.test_crash import LIMITS, PERIOD


class Line(SimExchange):
    """The real client, with the exchange in the same process."""

    def __init__(self, market: Market) -> None:
        super().__init__("", 0, "")
        self.market = market

    def connect(self) -> None:
        return

    def _ask(self, op: str, **facts: object) -> Any:
        return self.market.answer({"op": op, **facts})


class Log(Audit):
    """`full`: the disk has no room any more."""

    full = False

    def write(self, event: str, **facts: object) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        super().write(event, **facts)


def life(
    broker: Broker, folder: Path, make: Make = Strategy, limits: Limits = LIMITS, owner: str = "x"
) -> Runner:
    """One life of the process: it knows what is on the disk and what the broker tells."""
    journal = Journal(folder / "journal.jsonl")
    book = Book(Terms(symbol="AAPL", costs=FREE), PERIOD * 1_000_000)
    for record in journal.read():
        apply(book, record)
    lives: list[Runner] = []
    guard: Callable[[Ticket], str] = lambda ticket: lives[0].guard(ticket)  # noqa: E731
    adapter = LiveAdapter(broker, book, journal, owner, guard, "corr")
    audit = Log(folder / "audit.jsonl", "corr", Redactor(), lambda: 0.0)
    lives.append(Runner(adapter, audit, limits, make, {"symbol": "AAPL"}, folder, 0.0))
    lives[0].say = lambda words: None
    return lives[0]


def end(run: Runner) -> None:
    run.adapter.journal.close()
    run.audit.close()


def events(folder: Path) -> list[str]:
    return [json.loads(row)["event"] for row in (folder / "audit.jsonl").read_text().splitlines()]
