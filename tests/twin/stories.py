"""What makes the twin tell every kind of event."""

from __future__ import annotations

from typing import Any

from tests.twin.desk import Desk
from tests.twin.listener import Listener
from tests.twin.pulls import branch, opened
from tests.twin.waiting import until
from tests.twin.workflows import WORK, write


def talk(desk: Desk) -> None:
    issue = desk.repo().create_issue("x", labels=["a"], assignees=["hubot"])
    issue.edit(title="y", body="z", assignees=[])
    issue.remove_from_labels("a")
    issue.lock("resolved")
    issue.unlock()
    comment = issue.create_comment("/help")
    comment.edit("/plan")
    comment.delete()
    issue.edit(state="closed")
    issue.edit(state="open")


def told_as_an_issue(desk: Desk, number: int) -> None:
    """What is done to the issue that a pull request is too."""
    issue = desk.repo().get_issue(number)
    issue.add_to_labels("a")
    issue.remove_from_labels("a")
    issue.add_to_assignees("hubot")
    issue.remove_from_assignees("hubot")
    issue.lock("resolved")
    issue.unlock()
    desk.repo().get_pull(number).create_review_request(["monalisa"])


def code(desk: Desk) -> None:
    pull = opened(desk)
    sha = branch(desk, "side", "more.txt", "x")
    pull.edit(title="Other")
    told_as_an_issue(desk, pull.number)
    pull.edit(state="closed")
    pull.edit(state="open")
    commit = desk.repo().get_commit(sha)
    pull.create_review_comment("Why?", commit, "side.txt", line=1)
    desk.repo().get_pull(2).create_review(body="Well", event="APPROVE").dismiss("Not so well")
    desk.repo().get_pull(2).create_review(body="Good", event="APPROVE")
    commit.create_status("success", context="sandbox")
    desk.repo().create_check_run("lint", sha).edit(conclusion="success")
    desk.repo().get_pull(2).merge()
    desk.repo().create_git_release("v1", "One", "Notes")


def ship(desk: Desk) -> None:
    desk.repo().create_deployment("main", environment="live").create_status("success")
    write(desk, WORK)
    desk.repo().get_workflow("work.yml").create_dispatch("main", {"issue": "1"}, throw=True)
    desk.repo().create_repository_dispatch("finish", {"key": "k"})


def heard(listener: Listener, last: str) -> list[tuple[str, dict[str, Any]]]:
    """All that was told until an event of this name."""
    return until(listener.events, lambda found: last in [name for name, _ in found])
