"""What the README says is there: its table is the registry, its files and folders exist.

Its commands are run by `tests/readme`.
"""

from __future__ import annotations

import re
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


def test_the_shown_files_are_there() -> None:
    shown = re.findall(r"(?:strategies|sandbox|fixtures)/[\w/.]+\.\w+", README)
    assert len(shown) >= 8 and all((ROOT / name).is_file() for name in shown)


@pytest.mark.parametrize(
    "folder", sorted(set(re.findall(r"`(\w+/(?:\w+/)?)`", README)) - {"results/"})
)
def test_the_folders_are_there(folder: str) -> None:
    assert (ROOT / folder).is_dir()
