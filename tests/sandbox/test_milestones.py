"""Milestones as the bot has them tested: each step of a request passes by its own checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import verdict
from bot.agents.coder import write_strategy, write_tests
from bot.desk import written_for
from bot.io.offline import OfflineWriter
from sandbox.engine import DockerEngine, Engine, ProcessEngine
from sandbox.pipeline import About, run
from sandbox.submission import of_folder
from schemas import codec
from schemas.base import TaskId
from schemas.contract import Contract
from schemas.report import EXPECTED, CheckName, TestReport
from tests.requests.corpus import requests

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = (ROOT / "fixtures/requests/example.md").read_text()
EARLY = (TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY)
SHA = "1" * 40


def contract_of(title: str, body: str) -> Contract:
    return codec.load(Contract, written_for(OfflineWriter(), title, body)["contract.json"])


def gated(contract: Contract, task: TaskId, home: Path, engine: Engine) -> TestReport:
    home.mkdir(parents=True)
    (home / "strategy.py").write_text(write_strategy(contract, task))
    (home / "test_strategy.py").write_text(write_tests(contract, task))
    (home / "contract.json").write_text(codec.dump(contract))
    return run(of_folder(home), home / "out", engine, about=About(task, SHA))


def failures(contract: Contract, task: TaskId, report: TestReport) -> list[str]:
    digest = codec.digest(contract)
    found = verdict.judge(task, SHA, contract, digest, report, unisolated=True)
    return [f"{task} {f.check}: {f.message}" for f in found]


@pytest.mark.parametrize("task", EARLY)
def test_each_step_of_the_example_passes_by_its_own_checks(task: TaskId, tmp_path: Path) -> None:
    contract = contract_of("RSI dip on SPY", EXAMPLE)
    report = gated(contract, task, tmp_path / "home", ProcessEngine())
    assert failures(contract, task, report) == []
    assert {c.name for c in report.checks} == EXPECTED[task]
    assert (report.summary is None) == (CheckName.DETERMINISM not in EXPECTED[task])


def test_the_example_trades_often_enough_to_say_something(
    docker_engine: DockerEngine, tmp_path: Path
) -> None:
    contract = contract_of("RSI dip on SPY", EXAMPLE)
    report = gated(contract, TaskId.EXIT, tmp_path / "home", docker_engine)
    assert verdict.judge(TaskId.EXIT, SHA, contract, codec.digest(contract), report) == ()
    assert report.summary and report.summary.total_trades >= 25


def test_an_order_before_its_step_is_noticed(tmp_path: Path) -> None:
    """A strategy of a later step under the tests of an earlier one does not pass."""
    contract, home = contract_of("RSI dip on SPY", EXAMPLE), tmp_path / "home"
    home.mkdir()
    (home / "strategy.py").write_text(write_strategy(contract, TaskId.ENTRY))
    (home / "test_strategy.py").write_text(write_tests(contract, TaskId.DATA))
    (home / "contract.json").write_text(codec.dump(contract))
    report = run(of_folder(home), home / "out", ProcessEngine(), about=About(TaskId.DATA, SHA))
    assert any("pytest" in told for told in failures(contract, TaskId.DATA, report))


@pytest.mark.soak
@pytest.mark.parametrize("name", requests())
def test_so_does_each_step_of_every_request(name: str, tmp_path: Path) -> None:
    asked = requests()[name]
    contract = contract_of(asked.title, asked.body)
    for task in EARLY:
        report = gated(contract, task, tmp_path / task, ProcessEngine())
        assert failures(contract, task, report) == []
