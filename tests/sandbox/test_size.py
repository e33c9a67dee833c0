"""The size of the contract is what the sandbox, the command line and the paper run trade."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from adapters.config import config
from sandbox import lifecycle, paper
from sandbox.engine import DockerEngine, ProcessEngine
from sandbox.pipeline import run
from sandbox.submission import of_folder, read
from schemas import codec
from schemas.contract import Contract, Sizing
from schemas.report import CheckName, Outcome, TestReport
from tests.drafted import KEYS, ROOT, SETS, changed, draft

AAPL = ROOT / "fixtures/sample_aapl.csv"
VOLUME = "        return float("


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draft(tmp_path_factory.mktemp("drafted"))


@pytest.fixture
def drafted(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "hundred"))


def volumes(out: Path) -> set[float]:
    with open(out / "trades.csv", newline="") as file:
        return {float(row["volume"]) for row in csv.DictReader(file)}


def outcome(report: TestReport, name: CheckName) -> tuple[Outcome, set[str]]:
    check = next(c for c in report.checks if c.name is name)
    return check.outcome, {f.rule for f in check.findings}


def backtest(drafted: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(drafted / "strategy.py"), "--mode", "backtest", "--data"]
    command += [str(AAPL), "--out", str(drafted / "out"), *more]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_the_sandbox_trades_the_100_shares_that_were_asked_for(
    drafted: Path, docker_engine: DockerEngine, tmp_path: Path
) -> None:
    report = run(of_folder(drafted), tmp_path / "out", docker_engine)
    assert [c.name for c in report.checks if c.outcome is not Outcome.PASSED] == []
    assert volumes(tmp_path / "out") == {100.0}


def test_twenty_times_the_size_of_the_contract_does_not_pass(
    drafted: Path, docker_engine: DockerEngine, tmp_path: Path
) -> None:
    changed(drafted, VOLUME, "        return 20.0 * float(")
    report = run(of_folder(drafted), tmp_path / "out", docker_engine)
    assert outcome(report, CheckName.ACCEPTANCE) == (Outcome.FAILED, {"size_differs"})


@pytest.mark.parametrize("contract", ["beside it", "lost"])
def test_the_command_line_trades_100_shares(drafted: Path, contract: str) -> None:
    if contract == "lost":
        (drafted / "contract.json").unlink()
    done = backtest(drafted)
    assert done.returncode == 0, done.stderr
    assert volumes(drafted / "out") == {100.0}


def test_a_setting_on_the_command_line_still_wins(drafted: Path) -> None:
    assert backtest(drafted, "--cfg", '{"volume": 7}').returncode == 0
    assert volumes(drafted / "out") == {7.0}


@pytest.mark.parametrize("text", ["{", "[]", '{"symbol": "AAPL"}'])
def test_a_contract_that_cannot_be_read_is_named(drafted: Path, text: str) -> None:
    (drafted / "contract.json").write_text(text)
    done = backtest(drafted)
    assert done.returncode == 2 and "contract.json: cannot be used" in done.stderr
    assert "Traceback" not in done.stderr and not (drafted / "out").exists()


def on_paper(drafted: Path, tmp_path: Path) -> paper.Ran:
    taken = read(of_folder(drafted))
    assert taken.contract is not None
    with lifecycle.run(tmp_path / "run") as ledger:
        found = paper.compare(ProcessEngine(ledger), taken, taken.contract, 200)
        ledger.finish("passed")
    return found


def test_the_paper_run_holds_100_shares(drafted: Path, tmp_path: Path) -> None:
    """Both runs of it: a position of any other size raises."""
    held = 'if position["volume"] != 100.0:\n            raise ValueError(position["volume"])\n'
    start = drafted.joinpath("strategy.py").read_text().split("def find_exits", 1)[1]
    first = start.split("ExitRequest | None:\n", 1)[1].splitlines()[0]
    changed(drafted, f"ExitRequest | None:\n{first}", f"ExitRequest | None:\n        {held}{first}")
    found = on_paper(drafted, tmp_path)
    assert (found.trouble, found.differences) == ("", 0) and found.trades > 0


@pytest.mark.parametrize("kind", ["fixed_units", "percent_of_equity"])
def test_a_strategy_cannot_tell_by_its_settings_where_it_runs(
    drafted: Path, tmp_path: Path, kind: str
) -> None:
    file = drafted / "contract.json"
    contract = codec.load(Contract, file.read_bytes())
    sizing = Sizing(kind=kind, amount=Decimal(100))  # type: ignore[arg-type]
    file.write_text(codec.dump(replace(contract, risk=replace(contract.risk, sizing=sizing))))
    changed(drafted, SETS, KEYS)
    expected = "cfg has " + " ".join(config(file.read_text()))
    assert "leverage" in expected and ("volume" in expected) == (kind == "fixed_units")
    assert expected + "\n" in backtest(drafted).stderr
    assert on_paper(drafted, tmp_path).trouble.endswith(expected)


@pytest.mark.parametrize("units", [1, 1_000_000])
def test_how_often_it_trades_does_not_depend_on_the_number_of_units(
    drafted: Path, units: int
) -> None:
    """The account grows with the size, so no order fails for want of money."""
    hundred = json.loads(backtest(drafted).stdout)
    file = drafted / "contract.json"
    file.write_text(file.read_text().replace('"amount": "100"', f'"amount": "{units}"'))
    other = json.loads(backtest(drafted).stdout)
    assert volumes(drafted / "out") == {float(units)}
    assert other["total_trades"] == hundred["total_trades"] > 0
    assert other["initial_balance"] == 10_000.0 * units
