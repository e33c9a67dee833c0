"""Who is called when a person is needed, and how often."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bot.flow import escalate
from schemas.workflow import Policy, Workflow
from tests.io.desk import Desk

ROOT = Path(__file__).parents[2]
OWNED = Workflow(issue=1, policy=Policy(owners=("@octocat", "@acme/traders")))


def test_the_owners_are_called_once_for_each_build() -> None:
    once = escalate(OWNED, "It fails.")
    twice = escalate(once, "It fails again.")
    assert [act.key for act in twice.outbox] == ["call/1"]
    assert escalate(replace(OWNED, build=2), "No.").outbox[0].key == "call/2"
    assert escalate(Workflow(issue=1), "Nobody owns it.").outbox == ()


def test_the_call_is_one_comment_that_names_them(desk: Desk) -> None:
    called = escalate(OWNED, "It fails.")
    for _ in range(2):
        desk.another().perform(called, called.outbox[0])
    [body] = desk.bodies()
    assert "@octocat @acme/traders: this request needs a person. It fails." in body


@pytest.mark.parametrize(
    ("file", "owners"),
    [
        ("* @octocat\n", ("@octocat",)),
        ("* @octocat # all\n/strategies/ @acme/traders @hubot\n", ("@acme/traders", "@hubot")),
        ("/docs/ @octocat\n", ()),
        ("* someone@example.com @octocat <b>\n", ("@octocat",)),
        ("* @owners\n", ()),
        ("", ()),
    ],
)
def test_they_are_read_from_codeowners(tmp_path: Path, file: str, owners: tuple[str, ...]) -> None:
    (tmp_path / "CODEOWNERS").write_text(file)
    code = "from bot.cli.outside import policy; print(policy().owners)"
    env = {"PYTHONPATH": str(ROOT), "PATH": ""}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert told.stdout.strip() == str(owners), told.stderr


def test_the_first_file_that_github_would_read_is_read(tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    (tmp_path / "CODEOWNERS").write_text("* @octocat\n")
    (tmp_path / ".github" / "CODEOWNERS").write_text("* @hubot\n")
    code = "from bot.cli.outside import policy; print(policy().owners)"
    env = {"PYTHONPATH": str(ROOT), "PATH": ""}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert told.stdout.strip() == str(("@hubot",)), told.stderr
