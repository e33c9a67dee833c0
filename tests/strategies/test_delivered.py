"""A strategy delivered into `strategies/` is not ours: no test imports it or asks for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.strategies.examples import NAMES, ROOT

NAME = "delivered_by_somebody"
LEFT_OUT = (".git", ".venv*", ".demo", "results", "node_modules", "__pycache__", ".*_cache")
SIDE_EFFECT = """
from pathlib import Path

Path({mark!r}).write_text("imported")
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The project, and a delivered strategy that leaves a mark wherever it is imported."""
    home = tmp_path / "project"
    shutil.copytree(ROOT, home, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copytree(home / "strategies" / NAMES[0], home / "strategies" / NAME)
    for file in ("__init__.py", "strategy.py", "test_strategy.py", "conftest.py"):
        text = SIDE_EFFECT.format(mark=str(tmp_path / "mark"))
        (home / "strategies" / NAME / file).write_text(text)
    return home


def pytest_in(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=home, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip


def test_collecting_everything_neither_imports_nor_mentions_it(tree: Path) -> None:
    done = pytest_in(tree, "--collect-only")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "tests/strategies/test_examples.py" in done.stdout
    asking = [line for line in done.stdout.splitlines() if NAME in line]
    # That table is about every file of the project, which it reads and does not run.
    assert [line for line in asking if not line.startswith("tests/test_architecture.py")] == []
    assert not (tree.parent / "mark").exists()


def test_the_tests_of_the_examples_do_not_run_it(tree: Path) -> None:
    done = pytest_in(
        tree, "tests/strategies/test_contracts.py", "tests/strategies/test_examples.py"
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert not (tree.parent / "mark").exists()
