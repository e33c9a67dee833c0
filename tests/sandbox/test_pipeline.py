"""The whole gate on a real engine: what passes, what does not, and what a finding says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.simbroker_adapter import SimBrokerAdapter
from bot import verdict
from sandbox.checks import KNOWN
from sandbox.engine import DockerEngine, ProcessEngine
from sandbox.findings import of_orders
from sandbox.pipeline import run
from sandbox.runs import Told
from sandbox.submission import Submission, of_folder
from sandbox.validate import problems, report_problems
from schemas import codec
from schemas.base import TaskId
from schemas.contract import Contract
from schemas.report import CheckName, Outcome, TestReport
from simbroker.broker import SimBroker
from simbroker.terms import FREE, Terms

ROOT = Path(__file__).parent.parent.parent
HOME = ROOT / "strategies" / "rsi_mean_reversion"
DIGESTS = {
    "rsi_mean_reversion": "c4a889df0aa0e2a59b95c86f1e4d7805ebe2cfcf547fe4757eed7c605e422051",
    "sma_cross": "31fbcdf082c6f98692a92c381b19a61772813fb54cfa02c250554a94ace9fa3b",
    "donchian_breakout": "9adc4af21b222e429f5d41be4f5b4238a6e29339bbaf640d86e78fbfe4c87deb",
}
"""Of every decision on the known bars: the same on every machine and on every run."""


def whole(home: Path) -> Submission:
    return of_folder(home)


def failures(report: TestReport, home: Path) -> list[tuple[str, str]]:
    contract = codec.load(Contract, (home / "contract.json").read_bytes())
    judged = verdict.judge(TaskId.EXIT, "0" * 40, contract, report.contract_digest, report)
    return [(f.check, f.rule) for f in judged]


@pytest.mark.parametrize("name", DIGESTS)
def test_an_example_passes_with_the_same_digest(
    name: str, docker_engine: DockerEngine, tmp_path: Path
) -> None:
    home = ROOT / "strategies" / name
    report = run(whole(home), tmp_path, docker_engine)
    assert failures(report, home) == []
    assert report.decisions_digest == f"sha256:{DIGESTS[name]}"
    assert {c.name for c in report.checks} == set(CheckName)
    assert problems(tmp_path) == report_problems(tmp_path) == []
    assert [t.outcome for t in report.tests] == [Outcome.PASSED] * 4


def changed(tmp_path: Path, old: str, new: str, file: str = "strategy.py") -> Submission:
    """The example with one thing changed, past the intake."""
    for name in ("strategy.py", "test_strategy.py", "contract.json"):
        text = (HOME / name).read_text()
        assert name != file or old in text
        (tmp_path / name).write_text(text.replace(old, new) if name == file else text)
    return whole(tmp_path)


def test_a_leak_is_named_with_bar_and_fix(docker_engine: DockerEngine, tmp_path: Path) -> None:
    leaky = changed(
        tmp_path, 'change = df["Close"].diff()', 'change = df["Close"].diff().shift(-1)'
    )
    report = run(leaky, tmp_path / "out", docker_engine, skip_intake=True)
    leak = next(c for c in report.checks if c.name is CheckName.CAUSALITY).findings[0]
    assert leak.rule == "look_ahead" and leak.bar is not None
    assert "with the bars up to it" in leak.message and "shift(-n)" in leak.fix
    assert "run_in_sandbox.py" in leak.reproduce_command and "--seed" in leak.reproduce_command
    assert ("causality", "look_ahead") in failures(report, HOME)


AHEAD = """
        later = df["Close"].iloc[idx : idx + 2]
        if {when} and len(later) == 2 and later.iloc[1] > later.iloc[0]:
            return {{"action": "BUY", "symbol": self.cfg["symbol"], "volume": 1.0,
                    "type": "MARKET"}}
        if idx <= self.params.length or not"""


def test_a_backtest_that_did_what_was_not_said_is_held_to_the_past(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    """It looks ahead unless it is asked about a position on the first bar, as no backtest asks."""
    ahead = AHEAD.format(when='not hasattr(self, "asked")')
    sly = changed(tmp_path, "\n        if idx <= self.params.length or not", ahead)
    text = sly.strategy.read_text()
    noted = (
        "if idx == 0:\n            self.asked = True\n        if rsi.iloc[idx] > self.params.high"
    )
    sly.strategy.write_text(text.replace("if rsi.iloc[idx] > self.params.high", noted))
    report = run(sly, tmp_path / "out", docker_engine, skip_intake=True)
    assert ("causality", "look_ahead") in failures(report, HOME)


def test_a_leak_that_waits_for_another_price_is_found(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    ahead = AHEAD.format(when='df["Close"].iloc[idx] > 50000.0')
    dormant = changed(tmp_path, "\n        if idx <= self.params.length or not", ahead)
    report = run(dormant, tmp_path / "out", docker_engine, skip_intake=True)
    assert {f for f in failures(report, HOME) if f[0] in ("causality", "unseen")} == {
        ("unseen", "look_ahead")
    }


def test_a_broken_copy_cannot_be_told_by_its_name(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    named = changed(tmp_path, "def test_", """def test_names() -> None:
    assert Strategy.find_entries.__name__ == "find_entries"
    assert "Strategy.find_entries" in str(Strategy.find_entries)


def no_""", "test_strategy.py")  # fmt: skip
    report = run(named, tmp_path / "out", docker_engine, skip_intake=True)
    assert ("mutants", "weak_tests") in failures(report, HOME)


def test_an_order_behind_one_that_works_is_no_fault() -> None:
    broker = SimBroker(Terms(symbol="X", costs=FREE))
    broker.step_bar((0, 100.0, 101.0, 99.0, 100.0, None))
    limit = {"action": "BUY", "symbol": "X", "volume": 1.0, "type": "LIMIT", "price": 90.0}
    for order in (limit, limit, {**limit, "volume": -1.0}):
        broker.place_order({**order, "good_for": 5})
    found = of_orders(Told(SimBrokerAdapter(broker, "corr_x"), broker.run(), ()), KNOWN)
    assert [f.rule for f in found] == ["order_refused"] and "volume" in found[0].message


def test_an_exception_carries_its_line_and_bar(docker_engine: DockerEngine, tmp_path: Path) -> None:
    broken = changed(tmp_path, '"comment": "rsi below 30",', '"comment": self.nothing,')
    report = run(broken, tmp_path / "out", docker_engine, skip_intake=True)
    found = next(c for c in report.checks if c.name is CheckName.BACKTEST).findings[0]
    line = 1 + (tmp_path / "strategy.py").read_text().splitlines().index(
        '            "comment": self.nothing,'
    )
    assert (found.rule, found.line) == ("raises", line) and found.bar is not None
    assert "AttributeError" in found.message and "self.nothing" in found.trace


def test_another_rule_than_the_contract_is_found(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    other = changed(tmp_path, "low: float = 30.0", "low: float = 35.0")
    report = run(other, tmp_path / "out", docker_engine, skip_intake=True)
    assert ("acceptance", "entry_differs") in failures(report, HOME)


def test_a_refusal_by_policy_runs_nothing(docker_engine: DockerEngine, tmp_path: Path) -> None:
    hostile = changed(tmp_path, "class Params", "import os\n\n\nclass Params")
    report = run(hostile, tmp_path / "out", docker_engine)
    assert [c.name for c in report.checks] == [CheckName.INTAKE]
    assert not [f for f in failures(report, HOME) if f[0] == "intake" and f[1] == "passed"]
    assert report.checks[0].outcome is Outcome.FAILED and report.summary is None


def test_without_isolation_nothing_passes(tmp_path: Path) -> None:
    report = run(whole(HOME), tmp_path, ProcessEngine())
    assert failures(report, HOME) == [("report", "not_isolated")]
    assert report.decisions_digest == f"sha256:{DIGESTS['rsi_mean_reversion']}"


def command(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "sandbox/run_in_sandbox.py", *args]
    return subprocess.run(
        line, capture_output=True, text=True, cwd=ROOT, env=env or None, check=False
    )


@pytest.mark.parametrize("kind", ["folder", "empty", "binary", "missing", "contract"])
def test_what_cannot_be_run_says_so(kind: str, tmp_path: Path) -> None:
    strategy, out = tmp_path / "s.py", tmp_path / "out"
    contract = tmp_path / "contract.json"
    contract.write_text('{"schema": 1}')
    match kind:
        case "folder":
            strategy.mkdir()
        case "empty":
            strategy.write_text("")
        case "binary":
            strategy.write_bytes(b"\x7fELF\0\0")
        case "contract":
            strategy.write_text("x = 1\n")
    more = ["--contract", str(contract)] if kind == "contract" else []
    done = command("--strategy", str(strategy), *more, "--out", str(out))
    assert done.returncode == 2 and done.stderr.startswith("could not run: ")
    assert "Traceback" not in done.stderr and not out.exists()


def test_a_folder_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    done = command("--strategy", str(HOME / "strategy.py"), "--out", str(tmp_path / "out"))
    assert done.returncode == 2 and done.stderr.startswith("could not run: File exists")
    assert "Traceback" not in done.stderr


def test_a_disk_without_room_says_so(tmp_path: Path) -> None:
    """No file may grow: the state of the run is the first that cannot be written."""
    line = f"ulimit -f 0; exec {sys.executable} sandbox/run_in_sandbox.py"
    line += f" --strategy {HOME}/strategy.py --backend process --out {tmp_path}/out"
    own = {k: v for k, v in os.environ.items() if not k.startswith("COV")}  # it writes files too
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=ROOT, env=own, check=False
    )
    assert done.returncode == 2 and "make room" in done.stderr
    assert "Traceback" not in done.stderr


WRONG = ("--timeout nan", "--timeout -5", "--cpus 0", "--seed -3", "--memory 64", "--memory 99999",
         "--pids 4", "--pids 100000")  # fmt: skip


@pytest.mark.parametrize("wrong", [tuple(w.split()) for w in WRONG], ids=" ".join)  # fmt: skip
def test_a_number_that_cannot_be_says_so(wrong: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = command("--strategy", str(HOME / "strategy.py"), *wrong, "--out", str(out))
    assert done.returncode == 2 and f"argument {wrong[0]}" in done.stderr
    assert not out.exists()


@pytest.mark.parametrize(("variable", "flag", "said"), [
    ("-5", [], "argument --timeout: -5 is not from 1 to 3600"),
    ("often", [], "argument --timeout"),
    ("-5", ["--timeout", "60"], "no Docker engine answers"),
    ("60", [], "no Docker engine answers"),
])  # fmt: skip
def test_the_time_limit_is_read_from_its_variable(
    variable: str, flag: list[str], said: str, tmp_path: Path
) -> None:
    done = command("--strategy", str(HOME / "strategy.py"), "--out", str(tmp_path), *flag,
                   SANDBOX_TIMEOUT=variable, PATH="/usr/bin:/bin",
                   DOCKER_HOST=f"unix://{tmp_path}/none.sock")  # fmt: skip
    assert done.returncode == 2 and said in done.stderr


def test_no_engine_says_what_to_do(tmp_path: Path) -> None:
    done = command("--strategy", str(HOME / "strategy.py"), "--out", str(tmp_path),
                   DOCKER_HOST=f"unix://{tmp_path}/none.sock", PATH="/usr/bin:/bin")  # fmt: skip
    assert done.returncode == 2 and "process backend" in done.stderr
    assert json.loads((tmp_path / "state.json").read_text())["state"] == "failed"
