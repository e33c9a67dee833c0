"""Contracts by chance: whatever can be said is written cleanly, and means the same everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.coder import write_strategy, write_tests
from bot.agents.faults import faults
from sandbox.intake import check
from tests.agents.chance import by_chance
from tests.agents.running import differences, known
from tests.agents.test_coder import ROOT

NUMBERS = range(100)


def test_they_can_be_written() -> None:
    """None has a fault, and enough of them use each part of the language."""
    made = [by_chance(n) for n in NUMBERS]
    assert [faults(contract) for contract in made if faults(contract)] == []
    text = "".join(write_strategy(contract) for contract in made)
    words = ("held.", "Journal()", "crossed(", "lately(", "lasted(", "in_session(", "lesser(")
    for word in words:
        assert text.count(word) > 3, word


def test_the_intake_and_the_tools_have_nothing_to_say(tmp_path: Path) -> None:
    for number in NUMBERS:
        contract = by_chance(number)
        strategy, tests = write_strategy(contract), write_tests(contract)
        assert check(strategy.encode(), tests.encode()) == (), number
        (tmp_path / f"{contract.name}.py").write_text(strategy)
        (tmp_path / f"test_{contract.name}.py").write_text(tests)
    ours = ["--config", str(ROOT / "pyproject.toml")]
    for line in (["ruff", "format", "--check", *ours], ["ruff", "check", "--ignore=I", *ours]):
        done = subprocess.run([sys.executable, "-m", *line, str(tmp_path)], capture_output=True,
                              text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("number", range(0, 100, 4))
def test_code_and_reference_agree_on_every_bar(number: int) -> None:
    contract = by_chance(number)
    df = known(contract.timeframe).iloc[:800]
    run, found = differences(contract, write_strategy(contract), df)
    assert found == [] and run.refused == 0
