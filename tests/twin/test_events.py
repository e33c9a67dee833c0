"""Every kind of event that the twin tells, against GitHub's own description of webhooks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.twin.desk import Desk
from tests.twin.listener import Listener, listening
from tests.twin.openapi import check_event, description
from tests.twin.pulls import branch, opened
from tests.twin.waiting import until
from tests.twin.workflows import WORK, write


@pytest.fixture
def listener(desk: Desk) -> Iterator[Listener]:
    with listening() as server:
        desk.repo().create_hook("web", {"url": server.url, "content_type": "json"}, ["*"])
        yield server


def talk(desk: Desk) -> None:
    issue = desk.repo().create_issue("x", labels=["a"], assignees=["hubot"])
    issue.edit(title="y", body="z")
    issue.remove_from_labels("a")
    comment = issue.create_comment("/help")
    comment.edit("/plan")
    comment.delete()
    issue.edit(state="closed")
    issue.edit(state="open")


def code(desk: Desk) -> None:
    pull = opened(desk)
    sha = branch(desk, "side", "more.txt", "x")
    pull.edit(title="Other")
    pull.edit(state="closed")
    pull.edit(state="open")
    commit = desk.repo().get_commit(sha)
    pull.create_review_comment("Why?", commit, "side.txt", line=1)
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


def test_every_event_is_as_github_describes_it(desk: Desk, listener: Listener) -> None:
    for story in (talk, code, ship):
        story(desk)
    until(lambda: [n for n, _ in listener.events()], lambda n: "repository_dispatch" in n)
    seen = set()
    for name, payload in listener.events():
        check_event(name, payload)
        full = f"{name}-{payload['action']}" if "action" in payload else name
        seen.add(full.replace("_", "-"))
    told = {n for n in description()["events"] if not n.startswith("repository-dispatch")}
    never = {"issue-comment-pinned", "issue-comment-unpinned"}
    assert told - never - seen == set()


def test_a_wrong_event_is_found_out(desk: Desk, listener: Listener) -> None:
    desk.repo().create_issue("x")
    until(lambda: len(listener.got), lambda n: n == 2)
    name, payload = listener.events()[1]
    broken: dict[str, Any] = json.loads(json.dumps(payload))
    del broken["issue"]["number"]
    with pytest.raises(AssertionError, match="number"):
        check_event(name, broken)
    with pytest.raises(AssertionError, match="no event"):
        check_event("gossip", payload)
