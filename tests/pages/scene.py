"""A clone as a repository looks after a while: two strategies, two versions, an audit log."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from bot.handle import handle
from bot.io.gitref import GitRefStore
from bot.metrics import Line
from schemas import codec
from schemas.base import TaskId
from schemas.report import Ending, EndKind, Fold, Summary, TestReport
from schemas.workflow import Phase
from tests import samples
from tests.fakes import FakeHub, MemoryStore, lines
from tests.pictures import tables
from tests.world import STORY, play

NAME = "rsi_30_70"
HOSTILE = "<script>alert(1)</script><img src=//evil.example/x>"
FIGURES = Summary(
    total_trades=40,
    net_pnl=Decimal("96.71"),
    win_rate=0.33,
    max_drawdown=Decimal("35.69"),
    profit_factor=1.4,
    sharpe=0.9,
    buy_and_hold=Decimal("10.00"),
    net_pnl_at_double_costs=Decimal("76.71"),
    returns=400,
    periods=252,
    skewness=0.1,
    kurtosis=3.5,
    folds=tuple(
        Fold(net=Decimal(n), returns=50, mean=0.0001 * n, deviation=0.01) for n in range(-2, 6)
    ),
    best_trade=Decimal("31.00"),
    worst_trade=Decimal("-12.50"),
    hold_sharpe=0.12,
    hold_drawdown_pct=18.4,
    endings=(
        Ending(
            kind=EndKind.STOP,
            trades=27,
            win_rate=0.0,
            net=Decimal("-80.00"),
            average=Decimal("-2.96"),
        ),
        Ending(
            kind=EndKind.RULE,
            reason=f"RSI above 70 {HOSTILE}",
            trades=13,
            win_rate=1.0,
            net=Decimal("176.71"),
            average=Decimal("13.59"),
        ),
    ),
)


def report() -> TestReport:
    made = samples.report(TaskId.EXIT)
    sealed = replace(FIGURES, net_pnl=Decimal("-4.20"), total_trades=9)
    return replace(made, summary=FIGURES, sealed=sealed)


def results(folder: Path, bend: float = 3.0) -> Path:
    """What a run leaves behind: 400 days, 40 trades."""
    folder.mkdir(parents=True, exist_ok=True)
    equity = [10_000.0 + bend * (n % 37) + n * 0.3 for n in range(400)]
    (folder / "equity_curve.csv").write_text(tables.equity(equity))
    (folder / "trades.csv").write_text(tables.trades(40))
    (folder / "bars.csv").write_text(tables.bars(400))
    (folder / "test_report.json").write_text(codec.dump(report()))
    return folder


def git(clone: Path, *words: str) -> None:
    who = {
        f"GIT_{r}_{w}": "a@b.example" for r in ("AUTHOR", "COMMITTER") for w in ("NAME", "EMAIL")
    }
    env = {"PATH": os.environ["PATH"], "HOME": os.devnull, **who}
    subprocess.run(["git", "-C", str(clone), *words], check=True, env=env, capture_output=True)


def clone(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    home = folder / "strategies" / NAME
    results(home / "results")
    other = folder / "strategies" / "by_hand"
    other.mkdir()
    for place in (home, other):
        (place / "contract.json").write_text(codec.dump(samples.contract()))
        (place / "strategy.py").write_text("LOW = 30\nHIGH = 70\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Add the strategy")
    (home / "strategy.py").write_text("LOW = 25\nHIGH = 70\n")
    results(home / "results", bend=5.0)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", f"Lower the limit {HOSTILE}")
    _log(folder)
    return folder


def _log(folder: Path) -> None:
    """A request from its first word to a rollback, in refs/stratbot of the clone."""
    hub = FakeHub(clock=int(time.time()) - 600)
    store = GitRefStore(str(folder))
    play(hub, STORY, lambda event: handle(event, store, hub))


def told_until(phase: Phase) -> list[Line]:
    """The audit log of the same request, up to the last line in that phase."""
    store, hub = MemoryStore(), FakeHub()
    play(hub, STORY, lambda event: handle(event, store, hub))
    rows = lines(store)
    return rows[: max(n for n, row in enumerate(rows) if row.workflow.phase is phase) + 1]
