"""The sealed bars reach no container but the one that opens them, and that one only at delivery."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sandbox import image, market
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.job import Ended, Job, Running
from sandbox.pipeline import About, run
from sandbox.remote import columns
from sandbox.submission import Submission, of_folder
from schemas.base import TaskId
from schemas.report import CheckName, Outcome, TestReport
from simbroker.load import read_csv

ROOT = Path(__file__).parents[2]
HOME = ROOT / "strategies" / "rsi_mean_reversion"
FRAMES = ("M15", "H1", "D1", "W1")
SEED = 7


class Overheard:
    """A real engine; every byte that goes into one of its jobs is kept, by the job's name."""

    def __init__(self, inner: Engine) -> None:
        self.inner, self.heard = inner, defaultdict[str, list[bytes]](list)

    @property
    def isolated(self) -> bool:
        return self.inner.isolated

    def start(self, job: Job) -> Running:
        self._files(job)
        running = self.inner.start(job)
        send, kept = running.send, self.heard[job.name]

        def overheard(line: bytes) -> None:
            kept.append(line)
            send(line)

        object.__setattr__(running, "send", overheard)
        return running

    def run(self, job: Job, stdin: bytes = b"") -> Ended:
        self._files(job)
        self.heard[job.name].append(stdin)
        return self.inner.run(job, stdin)

    def _files(self, job: Job) -> None:
        told = " ".join((*job.command, *job.env.values())).encode()
        self.heard[job.name] += [*job.files.values(), told]

    def has(self, words: set[bytes]) -> set[str]:
        return {name for name, heard in self.heard.items() if _any(words, b"\n".join(heard))}


def _any(words: set[bytes], text: bytes) -> bool:
    return any(word in text for word in words)


def words(timeframe: str, first: int, last: int) -> set[bytes]:
    """Times, bars and closes in a row, as a container would be told them; one price is no proof."""
    df = market.history(timeframe, SEED).iloc[first:last]
    rows = columns(df)
    closes = [repr(value) for value in rows["c"]]
    bars = [
        ",".join(map(repr, bar)) for bar in df[["Open", "High", "Low", "Close"]].to_numpy().tolist()
    ]
    three = [", ".join(part) for part in zip(closes, closes[1:], closes[2:], strict=False)]
    return {word.encode() for word in (*map(repr, rows["t"]), *bars, *three)}


SEALED = words("D1", market.COUNT, market.COUNT + market.SEALED)
KNOWN = words("D1", 0, market.COUNT)


def report_of(
    engine: Engine,
    out: Path,
    submission: Submission,
    task: TaskId = TaskId.EXIT,
    opens: bool = False,
) -> TestReport:
    about = About(task=task, opens=opens)
    return run(submission, out, engine, about=about, seed=SEED, most_mutants=2)


@pytest.mark.parametrize("timeframe", FRAMES)
def test_the_sealed_bars_are_the_last_fifth_and_follow_the_known_ones(timeframe: str) -> None:
    whole, known = market.history(timeframe, SEED), market.known(timeframe)
    assert whole.iloc[: len(known)].equals(known)
    assert len(whole) - len(known) == len(whole) // 5
    assert whole.index.is_monotonic_increasing and whole.index.is_unique
    assert whole.equals(market.history(timeframe, SEED))


@pytest.mark.parametrize("timeframe", FRAMES)
def test_who_knows_the_repository_does_not_know_them(timeframe: str) -> None:
    """Another draw moves otherwise, and so do the unseen bars of the same draw."""
    mine = market.history(timeframe, SEED).iloc[market.COUNT :]
    other = market.history(timeframe, SEED + 1).iloc[market.COUNT :]
    assert likeness(mine, mine) == pytest.approx(1)
    assert abs(likeness(mine, other)) < 0.4
    assert abs(likeness(mine, market.unseen(timeframe, SEED))) < 0.4


def likeness(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """How far the first 100 bars of both move together, from -1 to 1."""
    moves = [(df["Close"] / df["Open"]).to_numpy()[:100] for df in (one, other)]
    return float(np.corrcoef(moves[0], moves[1])[0, 1])


def test_each_run_draws_its_own(tmp_path: Path) -> None:
    """And writes it down, so that its bars can be made again."""
    broken = changed(tmp_path, "import", "import os\nimport")
    told = {run(broken, tmp_path / f"{n}", ProcessEngine()).environment for n in range(3)}
    assert len({text.rpartition("seed ")[2] for text in told}) == 3


@pytest.mark.parametrize("task", [TaskId.INDICATORS, TaskId.EXIT, TaskId.TESTS])
def test_no_test_knows_the_sealed_bars(task: TaskId, tmp_path: Path) -> None:
    engine = Overheard(ProcessEngine())
    report = report_of(engine, tmp_path, of_folder(HOME), task=task)
    assert report.sealed is None
    assert engine.has(SEALED) == set()
    if CheckName.BACKTEST in {c.name for c in report.checks}:
        assert {"whole", "past", "varied"} <= engine.has(KNOWN), "it would have been overheard"


def test_the_delivery_opens_them_in_a_container_of_their_own(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    engine = Overheard(docker_engine)
    report = report_of(engine, tmp_path, of_folder(HOME), opens=True)
    assert all(c.outcome is Outcome.PASSED for c in report.checks)
    assert engine.has(SEALED) == {"sealed"}
    assert report.sealed is not None and report.summary is not None
    assert 0 < report.sealed.total_trades < report.summary.total_trades
    assert report.sealed.returns == market.SEALED
    again = report_of(ProcessEngine(), tmp_path / "again", of_folder(HOME), opens=True)
    assert again.sealed == report.sealed


def changed(tmp_path: Path, old: str, new: str) -> Submission:
    for file in ("strategy.py", "test_strategy.py", "contract.json"):
        text = (HOME / file).read_text()
        (tmp_path / file).write_text(text.replace(old, new) if file == "strategy.py" else text)
    assert (tmp_path / "strategy.py").read_text() != (HOME / "strategy.py").read_text()
    return of_folder(tmp_path)


def test_what_fails_before_does_not_open_them(tmp_path: Path) -> None:
    engine = Overheard(ProcessEngine())
    broken = changed(tmp_path, "import", "import os\nimport")
    report = report_of(engine, tmp_path / "out", broken, opens=True)
    assert any(c.outcome is not Outcome.PASSED for c in report.checks)
    assert report.sealed is None and engine.has(SEALED) == set()


def test_nothing_that_a_container_or_a_writer_reads_holds_them() -> None:
    """The image, what is committed as data, and the words for the writers."""
    inside = image.ingredients()
    assert not [name for name in inside if "market" in name or name.endswith(".csv")]
    assert not [name for name, content in inside.items() if _any(SEALED, content)]
    assert not [str(path) for path in _read() if _any(SEALED, path.read_bytes())]
    last = market.known("D1").index[-1]
    assert all(read_csv(str(p)).index[-1] < last for p in ROOT.glob("fixtures/bars/*_D1.csv"))


def _read() -> Iterator[Path]:
    yield from (p for p in ROOT.glob("fixtures/**/*") if p.is_file())
    yield from ROOT.glob("bot/agents/prompts/**/*.md")
    yield from ROOT.glob("strategies/**/*.py")
