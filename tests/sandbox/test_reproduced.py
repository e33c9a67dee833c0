"""What a finding says to run shows the same finding in anybody's clone, and its bars are a file."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from adapters.config import config
from sandbox import market
from sandbox.engine import DockerEngine, ProcessEngine
from sandbox.pipeline import About, run
from sandbox.results import files
from sandbox.submission import of_folder
from schemas import codec
from schemas.base import TaskId
from schemas.report import CheckName, Finding, TestReport
from schemas.work import Tested
from simbroker.load import read_csv
from tests.readme import clone

NAME = "rsi_mean_reversion"
HOME, SEED = f"strategies/{NAME}", 7
FIRST = "if idx <= "
AHEAD = 'if df["Close"].iloc[min(idx + 3, len(df) - 1)] < df["Close"].iloc[idx] or idx <= '
"""Looks ahead, and so it does not do what its contract says either."""
SEEN = {CheckName.CAUSALITY: "look_ahead", CheckName.ACCEPTANCE: "entry_differs"}


def git(place: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    line = ["git", *who, "-C", str(place), *words]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()


def found(report: TestReport, name: CheckName) -> list[Finding]:
    return [f for c in report.checks if c.name is name for f in c.findings]


@pytest.fixture(scope="module")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TestReport, Path]:
    """The repository with the mistake on a branch, the report of its test, and what that left."""
    place = tmp_path_factory.mktemp("reproduced")
    origin = clone.cloned(place / "origin")
    git(origin, "checkout", "-q", "-b", f"ai/generated/{NAME}")
    strategy = origin / HOME / "strategy.py"
    text = strategy.read_text()
    assert FIRST in text
    strategy.write_text(text.replace(FIRST, AHEAD))
    git(origin, "commit", "-q", "-a", "-m", "Look ahead")
    about = About(TaskId.EXIT, git(origin, "rev-parse", "HEAD"))
    report = run(of_folder(origin / HOME), place / "out", ProcessEngine(), about=about, seed=SEED)
    git(origin, "checkout", "-q", "-B", "main", "HEAD~1")
    return origin, report, place / "out"


def test_the_command_shows_the_same_in_a_fresh_clone(
    pushed: tuple[Path, TestReport, Path], docker_engine: DockerEngine, tmp_path: Path
) -> None:
    origin, report, _ = pushed
    commands = {f.reproduce_command for name in SEEN for f in found(report, name)}
    assert len(commands) == 1 and str(origin) not in min(commands)
    fresh = tmp_path / "fresh"
    git(tmp_path, "clone", "-q", "--single-branch", str(origin), str(fresh))
    (fresh / ".venv").symlink_to(origin / ".venv")
    done = clone.run(fresh, commands.pop())
    assert done.returncode == 1, done.stderr
    again = codec.load(TestReport, (fresh / "results/test_report.json").read_bytes())
    for name, rule in SEEN.items():
        assert rule in {f.rule for f in found(report, name)}
        shown = [(f.rule, f.message, f.bar, f.fixture) for f in found(report, name)]
        assert shown == [(f.rule, f.message, f.bar, f.fixture) for f in found(again, name)]


def test_the_bars_that_show_it_are_a_file_of_the_run(
    pushed: tuple[Path, TestReport, Path],
) -> None:
    _, report, out = pushed
    listed = {a.path: a for a in report.artifacts}
    for name, rule in SEEN.items():
        for one in (f for f in found(report, name) if f.rule == rule):
            path = out / one.fixture
            assert listed[one.fixture].digest == codec.digest_of(path.read_bytes())
            bars = read_csv(str(path))
            assert one.bar is not None and one.bar < len(bars) < 1500
            table = market.known("D1") if "known" in one.fixture else market.unseen("D1", SEED)
            assert bars["Close"].tolist() == table["Close"][: len(bars)].tolist()
    whole, kept = files(report, out)
    assert {f.fixture for f in found(whole, CheckName.CAUSALITY)} <= {f.path for f in kept}
    codec.dump(Tested(report=whole, files=kept))


def test_a_leak_shows_on_its_file_alone(pushed: tuple[Path, TestReport, Path]) -> None:
    origin, report, out = pushed
    leak = found(report, CheckName.CAUSALITY)[-1]
    bars = read_csv(str(out / leak.fixture))
    source = git(origin, "show", f"ai/generated/{NAME}:{HOME}/strategy.py")
    assert leak.bar is not None and len(bars) <= leak.bar + 1 + 5
    assert entry(source, bars, leak.bar) != entry(source, bars[: leak.bar + 1], leak.bar)


def entry(source: str, bars: Any, bar: int) -> Any:
    names: dict[str, Any] = {"__name__": "strategy"}
    exec(source, names)
    strategy = names["Strategy"](config(""))
    return strategy.find_entries(bars, strategy.prepare_indicators(bars), bar)
