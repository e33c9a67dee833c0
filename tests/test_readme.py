"""What the README says is true: its commands run, its table is the registry."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.commands import COMMANDS
from bot.text import WHO

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def table() -> str:
    return "\n".join(f"| `{c.example}` | {c.help} | {WHO[c.who]} |" for c in COMMANDS.values())


def test_the_commands_are_those_of_the_registry() -> None:
    found = re.search(r"\|---\|---\|---\|\n(.*?)\n?<!-- end of commands -->", README, re.DOTALL)
    assert found and found[1] == table(), f"write this into the README:\n{table()}"


@pytest.mark.parametrize("target", re.findall(r"(?m)^make (\S+)", README))
def test_make_has_the_target(target: str) -> None:
    assert re.search(rf"(?m)^{target}:", (ROOT / "Makefile").read_text())


@pytest.mark.parametrize("line", re.findall(r"(?m)^\.venv/bin/python (-m schemas .*)$", README))
def test_the_shown_command_works(line: str) -> None:
    subprocess.run([sys.executable, *line.split()], cwd=ROOT, check=True, capture_output=True)


def test_the_shown_backtest_works(tmp_path: Path) -> None:
    line = next(w for w in README.splitlines() if "--mode backtest" in w)
    words = line.replace("results/", str(tmp_path)).split()[1:]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
    assert {p.name for p in tmp_path.iterdir()} >= {"trades.csv", "summary.json"}


def test_the_shown_files_are_there() -> None:
    shown = re.findall(r"(?:strategies|sandbox|fixtures)/[\w/.]+\.\w+", README)
    assert len(shown) >= 8 and all((ROOT / name).is_file() for name in shown)


@pytest.mark.parametrize("name", re.findall(r"(?m)^\.venv/bin/stratbot (\w+)", README))
def test_the_shown_stratbot_command_exists(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", name, "--help"], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    "folder", sorted(set(re.findall(r"`(\w+/(?:\w+/)?)`", README)) - {"results/"})
)
def test_the_folders_are_there(folder: str) -> None:
    assert (ROOT / folder).is_dir()
