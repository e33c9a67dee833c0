"""Generated tests pass on their strategy, are clean, and fail on a strategy that is broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bot.agents.coder import write_tests
from bot.agents.spelling import module_name
from sandbox.engine import ProcessEngine
from sandbox.intake import check
from sandbox.own_tests import MUTANTS, broken
from sandbox.static_tools import TOOLS
from sandbox.survey import Files, survey
from tests.agents.running import source_of
from tests.agents.table import CONTRACTS
from tests.agents.test_coder import SPOILT

ROOT = Path(__file__).parents[2]
EACH = pytest.mark.parametrize("name", CONTRACTS)
BROKEN = ("rsi", "macd", "bollinger", "wide_bar", "supertrend", "opening_range", "monday_open",
          "constant_rule", "two_of_many", "chandelier", "held_exits", "limit_entry", "risk_sized",
          "cooldown_stop", "pyramid", "adds", "Odd-name.2")  # fmt: skip


def lay_out(home: Path, folder: str, name: str, source: str) -> None:
    """As in the repository: one folder for each strategy."""
    inside = home / "strategies" / folder
    inside.mkdir(parents=True)
    for file in ("__init__.py", "template.py"):
        shutil.copy(ROOT / "strategies" / file, home / "strategies" / file)
    tests = write_tests(CONTRACTS[name]).replace(
        f"strategies.{module_name(name)}.strategy", f"strategies.{folder}.strategy"
    )
    (inside / "__init__.py").write_text("")
    (inside / "strategy.py").write_text(source)
    (inside / "test_strategy.py").write_text(tests)


def outcomes(home: Path) -> dict[str, Counter[str]]:
    """Folder -> how its tests ended."""
    report = home / "report.json"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir", str(home), "-p",
         "no:cacheprovider", "--json-report", f"--json-report-file={report}", "strategies"],
        cwd=home, capture_output=True, check=False,
    )  # fmt: skip
    found: dict[str, Counter[str]] = {}
    for test in json.loads(report.read_text())["tests"]:
        found.setdefault(test["nodeid"].split("/")[1], Counter())[test["outcome"]] += 1
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("written")
    for name, contract in CONTRACTS.items():
        lay_out(place, module_name(name), name, source_of(contract))
    return place


def test_they_pass_on_the_strategy_that_they_were_written_for(home: Path) -> None:
    found = outcomes(home)
    assert len(found) == len(CONTRACTS)
    assert all(set(ends) == {"passed"} and ends["passed"] >= 6 for ends in found.values()), found


@pytest.mark.parametrize("tool", ["ruff format", "ruff check", "flake8", "mypy"])
def test_no_tool_has_anything_to_say(tool: str, home: Path) -> None:
    ours = ["--config", str(ROOT / "pyproject.toml")]
    line = {
        "ruff format": ["ruff", "format", "--check", *ours],
        "ruff check": ["ruff", "check", *ours, "--config", f"src = ['{home}', '{ROOT}']"],
        **TOOLS,
    }[tool]
    files = sorted(str(p.relative_to(home)) for p in home.glob("strategies/*/test_strategy.py"))
    done = subprocess.run([sys.executable, "-m", *line, *files], capture_output=True, text=True,
                          cwd=home, env={"MYPYPATH": str(ROOT)}, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@EACH
def test_the_intake_accepts_them(name: str) -> None:
    contract = CONTRACTS[name]
    assert check(source_of(contract).encode(), write_tests(contract).encode()) == ()


def test_they_notice_every_broken_copy_that_the_sandbox_makes(tmp_path: Path) -> None:
    for name in BROKEN:
        for mutant, lines in MUTANTS.items():
            folder = f"{module_name(name)}_{mutant}"
            lay_out(tmp_path, folder, name, broken(source_of(CONTRACTS[name]), lines))
    found = outcomes(tmp_path)
    assert len(found) == len(BROKEN) * len(MUTANTS)
    assert [folder for folder, ends in found.items() if not ends["failed"]] == []


def test_they_notice_a_strategy_that_differs_in_one_thing(tmp_path: Path) -> None:
    for n, (name, old, new) in enumerate(SPOILT):
        lay_out(tmp_path, f"spoilt_{n}", name, source_of(CONTRACTS[name]).replace(old, new, 1))
    found = outcomes(tmp_path)
    assert len(found) == len(SPOILT)
    unseen = [SPOILT[int(f.split("_")[1])] for f, ends in found.items() if not ends["failed"]]
    assert unseen == []


@pytest.mark.parametrize("name", ["adds", "cooldown"])
def test_they_reach_the_lines_also_of_a_strategy_that_remembers_its_trades(name: str) -> None:
    """What it remembers is the same for every contract, and most of it is not met on made bars."""
    made = CONTRACTS[name]
    tests = {"test_strategy.py": write_tests(made).encode()}
    found = survey(ProcessEngine(), Files(made.name, source_of(made).encode(), tests))
    assert found.green and found.covered and found.covered.percent > 90.0
