"""The project's own CI costs nobody anything who only uses the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.twin.actions.expressions import holds
from bot.twin.actions.workflow import read, starts
from tests.workflows.files import HOME, WORKFLOWS, jobs

FILE = HOME / "workflows" / "ci.yml"
OURS, DELIVERED = "bot/decide.py", "strategies/rsi_dip_1/strategy.py"
PUSH = {"ref": "refs/heads/main", "deleted": False}
PULL = {"pull_request": {"base": {"ref": "main"}}}


@pytest.mark.parametrize(("variables", "runs"), [({}, False), ({"STRATBOT_CI": "on"}, True)])
def test_it_runs_only_where_its_variable_is_set(variables: dict[str, str], runs: bool) -> None:
    """A repository made from the template has none of its variables."""
    github = {"server_url": "https://github.com", "repository": "you/strategies"}
    context = {"github": github, "vars": variables, "success": True}
    assert [holds(job["if"], context) for job in jobs(FILE).values()] == [runs]


@pytest.mark.parametrize(
    ("changed", "runs"), [([DELIVERED], False), ([OURS], True), ([DELIVERED, OURS], True)]
)
@pytest.mark.parametrize(
    ("event", "action", "payload"), [("push", None, PUSH), ("pull_request", "opened", PULL)]
)
def test_a_delivery_alone_does_not_start_it(
    event: str, action: str | None, payload: dict[str, Any], changed: list[str], runs: bool
) -> None:
    file = read(str(FILE), FILE.read_text())
    assert starts(file, event, action, payload, changed) is runs


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
def test_runners_do_not_change_under_us(path: Path) -> None:
    assert {job["runs-on"] for job in jobs(path).values()} == {"ubuntu-24.04"}
