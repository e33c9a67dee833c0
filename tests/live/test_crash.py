"""The run dies before and after each write and each call to the broker, then starts again."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.live.adapter import LiveAdapter, apply
from adapters.live.book import Book
from adapters.live.exchange import Market
from adapters.live.journal import Journal, Record
from adapters.live.port import Bar, Ticket
from adapters.live.runner import Runner
from adapters.live.sim import SimExchange
from bot.live.audit import Audit
from bot.live.redact import Redactor
from schemas.live import Limits
from simbroker.bars import tuples
from simbroker.load import read_csv
from simbroker.terms import FREE, Terms
from tests.live.restless import Strategy
from tests.live.stage import ROOT

WARMUP, BARS = 5, 13
PERIOD = 86_400
LIMITS = Limits(symbols=("AAPL",), max_order=5.0, max_position=5.0, orders_per_minute=1000)


class Died(BaseException):
    """Not an Exception: nothing may catch it, as nothing catches SIGKILL."""


class Fuse:
    """Burns down by one at each step; at zero the process is dead."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Died


class Line(SimExchange):
    """The real client of the exchange, with the exchange in the same process."""

    def __init__(self, market: Market, fuse: Fuse) -> None:
        super().__init__("", 0, "")
        self._market, self._fuse = market, fuse

    def connect(self) -> None:
        return

    def _ask(self, op: str, **facts: object) -> Any:
        self._fuse.burn()
        told = self._market.answer({"op": op, **facts})
        self._fuse.burn()
        return told


class Disk(Journal):
    def __init__(self, file: Path, fuse: Fuse) -> None:
        super().__init__(file)
        self._fuse = fuse

    def write(self, kind: str, **facts: object) -> Record:
        self._fuse.burn()
        record = super().write(kind, **facts)
        self._fuse.burn()
        return record


def market() -> Market:
    rows = tuples(read_csv(str(ROOT / "fixtures/bars/trending_D1.csv")))
    bars = [Bar(t[0], t[1], t[2], t[3], t[4]) for t, _ in zip(rows, range(BARS), strict=False)]
    args = argparse.Namespace(balance=10_000.0, period=PERIOD, pace=0.0, skew=0.0, faults=0.0,
                              seed=1, key="")  # fmt: skip
    return Market(bars, "AAPL", WARMUP, args)


def run(world: Market, folder: Path, fuse: Fuse) -> Book:
    """One life of the process: it knows what is on the disk and what the broker tells."""
    journal = Disk(folder / "journal.jsonl", fuse)
    terms = Terms(symbol="AAPL", costs=FREE)
    book = Book(terms, PERIOD * 1_000_000)
    for record in journal.read():
        apply(book, record)
    lives: list[Runner] = []
    guard: Callable[[Ticket], str] = lambda ticket: lives[0].guard(ticket)  # noqa: E731
    adapter = LiveAdapter(Line(world, fuse), book, journal, "restless x", guard, "corr")
    audit = Audit(folder / "audit.jsonl", "corr", Redactor(), lambda: 0.0)
    lives.append(Runner(adapter, audit, LIMITS, Strategy, {"symbol": "AAPL"}, folder, 0.0))
    try:
        lives[0].start()
        lives[0].run(0)
    finally:
        journal.close()
        audit.close()
    return book


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Market, int]:
    """The story without a crash, and how many steps it has."""
    world, fuse = market(), Fuse(10**9)
    run(world, tmp_path_factory.mktemp("calm"), fuse)
    assert len(world.received) >= 6 and len(world.paper.fills()) >= 5
    return world, 10**9 - fuse.left


@pytest.mark.parametrize("part", range(4))
def test_it_may_die_at_every_step(calm: tuple[Market, int], tmp_path: Path, part: int) -> None:
    right, steps = calm
    assert steps > 200
    for step in range(1 + part, steps + 1, 4):
        world, folder = market(), tmp_path / str(step)
        folder.mkdir()
        with pytest.raises(Died):
            run(world, folder, Fuse(step))
        book = run(world, folder, Fuse(10**9))
        twice = [n for n, c in Counter(t["client_id"] for t in world.received).items() if c > 1]
        assert not twice, f"died at step {step}: sent twice"
        assert world.received == right.received, f"died at step {step}"
        assert world.paper.fills() == right.paper.fills(), f"died at step {step}"
        assert book.net() == world.paper.net("AAPL"), f"died at step {step}"


def test_it_may_die_again_and_again(calm: tuple[Market, int], tmp_path: Path) -> None:
    """Each life is a few steps longer than what a start needs."""
    right, _ = calm
    world, lives = market(), 0
    while lives < 200:
        lives += 1
        try:
            run(world, tmp_path, Fuse(11 + lives % 7))
            break
        except Died:
            continue
    else:
        run(world, tmp_path, Fuse(10**9))
    assert world.received == right.received and lives > 10
