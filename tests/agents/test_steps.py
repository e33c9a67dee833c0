"""A strategy grows by steps: each file is whole in itself, clean, and passes its own tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.coder import write_strategy, write_tests
from bot.agents.spelling import module_name
from bot.agents.steps import so_far
from bot.tasks import STEPS
from sandbox.intake import check
from sandbox.static_tools import TOOLS
from schemas.base import TaskId
from tests.agents.table import CONTRACTS
from tests.agents.test_written_tests import ROOT, outcomes

EARLY = STEPS[:-1]
FEW = ("rsi", "monday_open", "limit_entry", "risk_sized", "cooldown_stop", "adds", "Odd-name.2")
ORDER = 'return {"action": "BUY", "symbol": "X", "volume": 1.0, "type": "MARKET"}'
SPOILT = {
    TaskId.DATA: ("return None", ORDER),
    TaskId.INDICATORS: ("length: int = 14", "length: int = 15"),
    TaskId.ENTRY: ('"BUY"', '"SELL"'),
}
"""What the tests of each step must notice in the strategy `rsi`."""


def lay_out(home: Path, names: tuple[str, ...], steps: tuple[TaskId, ...] = EARLY) -> None:
    """As in the repository: one folder for each step of each strategy."""
    (home / "strategies").mkdir()
    for file in ("__init__.py", "template.py"):
        shutil.copy(ROOT / "strategies" / file, home / "strategies" / file)
    for name in names:
        for step in steps:
            folder = home / "strategies" / f"{module_name(name)}_{step}"
            folder.mkdir()
            (folder / "__init__.py").write_text("")
            (folder / "strategy.py").write_text(write_strategy(CONTRACTS[name], step))
            tests = write_tests(CONTRACTS[name], step)
            own = f"strategies.{module_name(name)}.strategy"
            (folder / "test_strategy.py").write_text(
                tests.replace(own, f"strategies.{folder.name}.strategy")
            )


def passing(home: Path, names: tuple[str, ...]) -> list[str]:
    """What is wrong, by folder; the tools look at all files at once."""
    lay_out(home, names)
    found = outcomes(home)
    assert len(found) == len(names) * len(EARLY)
    wrong = [f for f, ends in found.items() if set(ends) != {"passed"} or ends["passed"] < 3]
    files = sorted(str(p.relative_to(home)) for p in home.glob("strategies/*_t?_*/*.py"))
    ours = ["--config", str(ROOT / "pyproject.toml")]
    for line in (["ruff", "format", "--check", *ours], ["ruff", "check", *ours, "--config",
                 f"src = ['{home}', '{ROOT}']"], *TOOLS.values()):  # fmt: skip
        given = [f for f in files if line[0] != "bandit" or f.endswith("/strategy.py")]
        done = subprocess.run([sys.executable, "-m", *line, *given], capture_output=True, text=True,
                              cwd=home, env={"MYPYPATH": str(ROOT)}, check=False)  # fmt: skip
        wrong += [done.stdout[-2000:] + done.stderr[-500:]] if done.returncode else []
    return wrong


def test_each_step_passes_its_own_tests_and_every_tool(tmp_path: Path) -> None:
    assert passing(tmp_path, FEW) == []


@pytest.mark.soak
def test_so_does_each_step_of_every_contract(tmp_path: Path) -> None:
    assert passing(tmp_path, tuple(CONTRACTS)) == []


@pytest.mark.parametrize("step", EARLY)
@pytest.mark.parametrize("name", FEW)
def test_the_intake_accepts_each_step(name: str, step: TaskId) -> None:
    strategy, tests = (write(CONTRACTS[name], step) for write in (write_strategy, write_tests))
    assert check(strategy.encode(), tests.encode()) == ()


def test_a_step_keeps_the_lines_of_the_step_before() -> None:
    files = [write_strategy(CONTRACTS["rsi"], step).splitlines() for step in STEPS]
    for early, late in zip(files, files[1:], strict=False):
        methods = [line for line in early if line.startswith("    def ")]
        assert methods and set(methods) <= set(late)
    series = [line for line in files[1] if line.startswith('            "')]
    assert series and set(series) <= set(files[2]) and set(files[2]) & set(files[3]) > set(series)


def test_only_the_last_step_has_everything() -> None:
    """The rules of an exit are not there before their step, nor are its tests."""
    contract = CONTRACTS["rsi"]
    assert contract.exits and not so_far(contract, TaskId.ENTRY).exits
    assert so_far(contract, TaskId.EXIT) is so_far(contract, TaskId.TESTS) is contract
    early, late = (write_tests(contract, step) for step in (TaskId.ENTRY, TaskId.EXIT))
    assert "test_exits_are" in late and "test_exits_are" not in early
    assert "find_entries is" not in early and "test_entries_are" in early
    assert write_strategy(contract) == write_strategy(contract, TaskId.TESTS)


def test_the_tests_of_a_step_notice_what_is_wrong_in_it(tmp_path: Path) -> None:
    lay_out(tmp_path, ("rsi",))
    for step, (old, new) in SPOILT.items():
        file = tmp_path / "strategies" / f"rsi_{step}" / "strategy.py"
        text = file.read_text()
        assert old in text, step
        file.write_text(text.replace(old, new, 1))
    found = outcomes(tmp_path)
    assert len(found) == len(SPOILT)
    assert [folder for folder, ends in found.items() if not ends["failed"]] == []
