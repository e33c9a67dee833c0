"""What the README says is there: its table is the registry, its files and folders exist.

Its commands are run by `tests/readme`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.commands import COMMANDS
from bot.live.refused import Code
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


QUESTIONS = ("makes no trades", "`determinism` fails", "is not built", "run does not start")


def test_the_four_questions_are_answered_and_the_readme_leads_there() -> None:
    assert "](sandbox/README.md)" in README
    page = (ROOT / "sandbox/README.md").read_text()
    heads = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert [head.endswith(end) for head, end in zip(heads, QUESTIONS, strict=True)] == [True] * 4
    reasons = {"expired", "edited_file", "no_dry_run", "not_generated", "earlier_generator"}
    assert all(f"`{word}`" in page for word in reasons) and reasons <= {str(c) for c in Code}


def test_the_hook_stops_a_commit_where_the_check_fails(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=o", "-c", "user.email=o@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    hooks = ROOT / ".ci/hooks"
    for works in (False, True):
        (tmp_path / "Makefile").write_text(f"check:\n\t@{str(works).lower()}\n")
        line = [*git, "-c", f"core.hooksPath={hooks}", "commit", "--allow-empty", "-qm", "x"]
        done = subprocess.run(line, cwd=tmp_path, check=False, capture_output=True)
        assert (done.returncode == 0) is works
    assert "git config core.hooksPath .ci/hooks" in (ROOT / "Makefile").read_text()
