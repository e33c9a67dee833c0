"""The paper run: the live adapter's own logic over simulated bars, against the backtest. No orders.

The strategy stays in its container; the runner, the books and the guards are those of a live run.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import cast

import pandas as pd

from adapters.base_adapter import Config, Strategy
from adapters.config import config
from adapters.live import setup
from adapters.live.adapter import LiveAdapter
from adapters.live.book import Book
from adapters.live.dry_run import DryRun
from adapters.live.journal import Journal
from adapters.live.port import Bar, Clock, Fill, Funds, Kind, Order, Ticket
from adapters.live.runner import Runner
from adapters.live.sim import Over
from bot.live.audit import Audit
from bot.live.redact import Redactor
from bot.live.refused import Refused
from sandbox import market, runs
from sandbox.job import Engine
from sandbox.remote import Proxy, Remote
from sandbox.runs import Told, Trouble
from sandbox.submission import Taken
from schemas import codec
from schemas.contract import Contract
from schemas.live import Limits
from simbroker.bars import tuples
from simbroker.run import Run
from simbroker.terms import Terms

COUNT, SEED, START = 300, 20260202, "2022-01-03"
SECONDS = 900.0
SHOWN = 10
FAR = 1e9


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it. `trouble`: why it ended early; `shown`: the first differences in words."""

    bars: int = 0
    trades: int = 0
    differences: int = 0
    shown: tuple[str, ...] = ()
    trouble: str = ""


class Recorded:
    """A broker that has bars and a clock, and takes no order."""

    def __init__(self, bars: Sequence[Bar], period: int) -> None:
        self._bars, self._period, self._at = bars, period, 0

    def connect(self) -> None:
        return

    def close(self) -> None:
        return

    def kind(self) -> Kind:
        return Kind.PAPER

    def clock(self) -> Clock:
        seen = self._bars[max(self._at - 1, 0)].at
        return Clock(time.time(), seen + self._period * 1_000_000)

    def bars(self, after: int) -> list[Bar]:
        """One bar more each time, as they would come in."""
        if self._at == len(self._bars):
            raise Over
        self._at += 1
        return [self._bars[self._at - 1]]

    def submit(self, ticket: Ticket) -> Order:
        raise OrderSent(ticket.client_id)

    def cancel(self, client_id: str) -> bool:
        raise OrderSent(client_id)

    def orders(self) -> dict[str, Order]:
        return {}

    def fills(self) -> list[Fill]:
        return []

    def stops(self) -> frozenset[str]:
        return frozenset()

    def protect(self, client_id: str, sl: float | None, tp: float | None) -> str:
        raise OrderSent(client_id)

    def drop_protection(self, closed: frozenset[str]) -> frozenset[str]:
        return frozenset()

    def net(self, symbol: str) -> float:
        return 0.0

    def funds(self) -> Funds:
        return Funds(0.0, 0.0, 0.0)


class OrderSent(Exception):
    """A paper run must send none."""


def compare(engine: Engine, taken: Taken, contract: Contract, count: int = COUNT) -> Ran:
    """Both on the same bars, each with a strategy of its own."""
    df, cfg = market.market(contract.timeframe, count, SEED, START), config(codec.dump(contract))
    source, isolated = taken.strategy.decode(), engine.isolated
    job = runs.worker_job("backtest", SECONDS, locked=isolated)
    told = runs.talk(
        engine, job, source, {**cfg}, lambda r: runs.whole(r, df, {**cfg}, contract.correlation_id)
    )
    if told.run is None:
        return Ran(trouble=_said(told.trouble))
    job = runs.worker_job("paper", SECONDS, locked=isolated)
    dry = runs.talk(engine, job, source, {**cfg}, lambda r: _dry(r, df, {**cfg}, contract))
    if dry.run is None:
        return Ran(trouble=_said(dry.trouble))
    return _differ(told.run, dry.run, len(df))


def _dry(remote: Remote, df: pd.DataFrame, cfg: Config, contract: Contract) -> Told:
    with tempfile.TemporaryDirectory(prefix="stratbot-paper-") as name:
        folder, terms, period = Path(name), Terms.read(cfg), setup.market(contract).period
        broker = DryRun(Recorded(_bars(df), period), terms)
        journal = Journal(folder / "journal.jsonl")
        journal.write("baseline", net=0.0, balance=terms.initial_balance)
        runner: list[Runner] = []
        adapter = LiveAdapter(
            broker, Book(terms, period * 1_000_000), journal, contract.name,
            lambda ticket: runner[0].guard(ticket), contract.correlation_id,
        )  # fmt: skip
        audit = Audit(folder / "audit.jsonl", contract.correlation_id, Redactor(), time.time)

        def make(own: Config) -> Strategy:
            remote.cfg.update({"balance": own["balance"], "equity": own["equity"]})
            return cast(Strategy, Proxy(remote))

        runner.append(Runner(adapter, audit, _limits(contract), make, cfg, folder, 0.0))
        try:
            runner[0].start()
            runner[0].run(0)
        except Refused as refused:
            why = f"{refused.code}: {refused.detail}"
            return Told(runs.broker(cfg), None, (), Trouble("halted", why))
        finally:
            audit.close()
        return Told(runs.broker(cfg), adapter.book.run(), ())


def _limits(contract: Contract) -> Limits:
    """As wide as can be: what the owner allows is the owner's, and would hide a difference."""
    return Limits(
        symbols=(contract.symbol,), max_order=FAR, max_position=FAR, orders_per_minute=1000,
        max_daily_loss=Decimal(10) ** 9,
    )  # fmt: skip


def _bars(df: pd.DataFrame) -> list[Bar]:
    rows = zip(tuples(df), df["Volume"], strict=True)
    return [Bar(t[0], t[1], t[2], t[3], t[4], float(v)) for t, v in rows]


def _differ(backtest: Run, dry: Run, bars: int) -> Ran:
    """By what was done on which bar. What the end of the data closed was done by nobody."""
    ours, theirs = _done(dry), _done(backtest)
    apart = sorted(ours ^ theirs)
    shown = (f"bar {d[0]}: {'paper' if d in ours else 'backtest'} only: {d[1:]}" for d in apart)
    return Ran(bars, len(dry.trades), len({d[0] for d in apart}), tuple(shown)[:SHOWN])


def _done(run: Run) -> set[tuple[int, str, int, str, str]]:
    found = set()
    for t in run.trades:
        found.add((t.entry_idx, "entry", t.side, f"{t.volume:.6f}", f"{t.entry_price:.6f}"))
        if t.kind != "open":
            found.add((t.exit_idx, t.kind, t.side, f"{t.volume:.6f}", f"{t.exit_price:.6f}"))
    return found


def _said(trouble: Trouble | None) -> str:
    return f"{trouble.rule}: {trouble.message}"[:300] if trouble else "no run"
