"""Whatever a client sends is its own mistake, and is told so: never an error of the server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.twin.desk import Desk
from tests.twin.workflows import write

PLAIN = "on: workflow_dispatch\njobs: {a: {runs-on: x, steps: [{run: 'true'}]}}"
JUNK: list[Any] = [True, 7, "x", [None], [[1]], {"a": 1}]
PLACES = [
    ("POST", "/git/trees", "tree", {}),
    ("POST", "/issues", "labels", {"title": "x"}),
    ("POST", "/issues", "assignees", {"title": "x"}),
    ("POST", "/issues", "body", {"title": "x"}),
    ("POST", "/issues/1/labels", "labels", {}),
    ("PATCH", "/issues/1", "milestone", {}),
    ("PUT", "/environments/live", "reviewers", {}),
    ("PUT", "/environments/live", "deployment_branch_policy", {}),
    ("PUT", "/actions/permissions", "enabled", {}),
    ("PUT", "/actions/permissions", "allowed_actions", {"enabled": True}),
    ("POST", "/hooks", "config", {}),
    ("POST", "/hooks", "events", {"config": {"url": "http://127.0.0.1:1/"}}),
    ("POST", "/actions/workflows/work.yml/dispatches", "inputs", {"ref": "main"}),
    ("POST", "/rulesets", "bypass_actors", {"name": "x", "enforcement": "disabled"}),
]


@pytest.mark.parametrize("verb,path,name,rest", PLACES)
def test_a_wrong_kind_is_refused(
    desk: Desk, verb: str, path: str, name: str, rest: dict[str, Any]
) -> None:
    desk.repo().create_issue("x")
    write(desk, PLAIN)
    for junk in JUNK:
        got = ask(desk, verb, path, {**rest, name: junk})
        assert got < 500, (path, name, junk)


def ask(desk: Desk, verb: str, path: str, body: dict[str, Any]) -> int:
    """Some junk is taken, as what a description does not forbid: only a break is a mistake."""
    try:
        return desk.api(verb, desk.at(path), **body).status_code
    except AssertionError as violation:
        assert " asked: " in str(violation), violation
        return 200


@pytest.mark.parametrize("junk", JUNK)
def test_a_check_says_nothing_in_a_wrong_way(desk: Desk, junk: Any) -> None:
    sha = desk.repo().get_branch("main").commit.sha
    for output in (junk, {"summary": junk}, {"summary": "s", "annotations": junk}):
        got = ask(desk, "POST", "/check-runs", {"name": "x", "head_sha": sha, "output": output})
        assert got < 500, output


@pytest.mark.parametrize("time", ["", "yesterday", "2020-13-45T99:99:99Z", "-1"])
def test_what_is_no_time_is_refused(desk: Desk, time: str) -> None:
    for path in ("/commits", "/issues", "/issues/comments"):
        assert desk.api("GET", desk.at(f"{path}?since={time}")).status_code == 422
