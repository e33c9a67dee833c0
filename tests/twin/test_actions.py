"""Workflows: what starts, who may start it, what a job may do and what it leaves behind."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
import requests

from tests.twin.desk import Desk, refused
from tests.twin.listener import Listener
from tests.twin.waiting import until
from tests.twin.workflows import SHAPES, TALK, WORK, dispatch, ended, runs, write


def test_a_dispatched_run_does_its_jobs(desk: Desk) -> None:
    write(desk, WORK)
    run = ended(desk, dispatch(desk, issue="7"))
    assert (run.display_title, run.event, run.conclusion) == (
        "wf_7 plan", "workflow_dispatch", "success",
    )  # fmt: skip
    ends = {j.name: j.conclusion for j in run.jobs()}
    assert ends == {"draft": "success", "finish": "success", "never": "skipped"}
    [artifact] = run.get_artifacts()
    url = desk.api("GET", desk.at(f"/actions/artifacts/{artifact.id}/zip")).url
    with zipfile.ZipFile(io.BytesIO(requests.get(url, timeout=20).content)) as archive:
        assert archive.read("result.json") == b'{"a": 1}\n'
    log = desk.api("GET", desk.at(f"/actions/jobs/{run.jobs()[1].id}/logs")).text
    assert '{"a": 1}' in log and "plan-done" in log
    checks = desk.repo().get_commit("main").get_check_runs()
    assert {c.name for c in checks} == {"draft", "finish", "never"}
    assert [r.id for r in desk.repo().get_workflow("work.yml").get_runs()] == [run.id]


@pytest.mark.parametrize(
    "ref,inputs,words",
    [
        ("main", {}, "Required input 'issue' not provided"),
        ("main", {"issue": "1", "other": "x"}, "Unexpected inputs provided"),
        ("main", {"issue": "1", "fast": "maybe"}, "not a boolean"),
        ("main", {"issue": "x" * 65_536}, "inputs are too large"),
        ("main", {f"i{n}": "x" for n in range(26)}, "25 inputs"),
        ("nowhere", {"issue": "1"}, "No ref found for: nowhere"),
    ],
)
def test_a_dispatch_that_is_refused(
    desk: Desk, ref: str, inputs: dict[str, str], words: str
) -> None:
    write(desk, WORK)
    with refused(422, words):
        desk.repo().get_workflow("work.yml").create_dispatch(ref, inputs, throw=True)
    assert desk.repo().get_workflow_runs().totalCount == 0


def test_who_may_dispatch_what(desk: Desk) -> None:
    write(desk, WORK)
    write(desk, "on: push\njobs: {a: {runs-on: x, steps: [{run: 'true'}]}}", "push.yml", "main")
    with refused(403):
        desk.repo("monalisa").get_workflow("work.yml").create_dispatch("main", {}, throw=True)
    with refused(422, "does not have 'workflow_dispatch' trigger"):
        desk.repo().get_workflow("push.yml").create_dispatch("main", {}, throw=True)
    with refused(404):
        desk.repo().get_workflow("none.yml").create_dispatch("main", {}, throw=True)
    desk.repo().get_workflow("work.yml").disable()
    with refused(422, "disabled"):
        desk.repo().get_workflow("work.yml").create_dispatch("main", {"issue": "1"}, throw=True)


def test_events_start_what_listens_and_the_bot_does_not_hear_itself(desk: Desk) -> None:
    write(desk, TALK)
    desk.repo("stranger").create_issue("x")
    issue = desk.repo().get_issue(1)
    issue.edit(title="y")
    ended(desk, runs(desk, 1)[0])
    issue.create_comment("/help")
    found = [ended(desk, r) for r in runs(desk, 3)]
    assert [r.event for r in found] == ["repository_dispatch", "issue_comment", "issues"]
    assert {r.conclusion for r in found} == {"success"}
    assert [c.user.login for c in issue.get_comments()] == ["octocat", "github-actions[bot]"]
    log = desk.api("GET", desk.at(f"/actions/jobs/{found[1].jobs()[0].id}/logs")).text
    assert "the token is ***" in log
    assert desk.repo().get_workflow_runs().totalCount == 3


def test_a_token_of_a_job_may_what_it_was_given(desk: Desk) -> None:
    desk.repo().create_issue("x")
    token = desk.bot({"issues": "write", "contents": "read"})
    assert desk.as_bot(token, "POST", "/issues/1/comments", body="x").status_code == 201
    for verb, path, body in (
        ("POST", "/git/refs", {"ref": "refs/heads/x", "sha": "0" * 40}),
        ("POST", "/dispatches", {"event_type": "x"}),
        ("PUT", "/environments/live", {}),
        ("POST", "/statuses/" + "0" * 40, {"state": "success"}),
    ):
        got = desk.as_bot(token, verb, path, **body)
        assert got.status_code == 403, (path, got.text)
        assert got.json()["message"] == "Resource not accessible by integration"
    assert desk.as_bot(token, "GET", "/contents/README.md").status_code == 200
    assert desk.as_bot(token, "GET", "/actions/runs").status_code == 403


CHECK = """
name: check
on: {pull_request: {branches: [main]}, push: {branches: ["ai/**"]}}
jobs: {a: {runs-on: ubuntu-latest, steps: [{run: "true"}]}}
"""


def test_a_bots_pull_request_waits_for_a_person(desk: Desk) -> None:
    write(desk, CHECK)
    repo, token = desk.repo(), desk.bot({"contents": "write", "pull_requests": "write"})
    sha = repo.get_branch("main").commit.sha
    assert desk.as_bot(token, "POST", "/git/refs", ref="refs/heads/ai/x", sha=sha).ok
    body = {"message": "x", "content": "eA==", "branch": "ai/x"}
    assert desk.as_bot(token, "PUT", "/contents/x", **body).ok
    assert desk.as_bot(token, "POST", "/pulls", title="x", head="ai/x", base="main").ok
    [run] = runs(desk, 1)
    assert (run.event, run.status, run.conclusion) == (
        "pull_request",
        "completed",
        "action_required",
    )
    assert desk.as_bot(token, "POST", f"/actions/runs/{run.id}/approve").status_code == 403
    assert desk.api("POST", desk.at(f"/actions/runs/{run.id}/approve"), "hubot").status_code == 201
    assert until(lambda: repo.get_workflow_run(run.id), lambda r: r.conclusion == "success")
    repo.create_file("y", "By a person", "y", branch="ai/x")
    assert {r.event for r in runs(desk, 3)} == {"pull_request", "push"}


def test_the_setting_that_lets_actions_open_pull_requests(desk: Desk) -> None:
    path = desk.at("/actions/permissions/workflow")
    assert desk.api("GET", path).json()["can_approve_pull_request_reviews"] is True
    off = desk.api(
        "PUT", path, can_approve_pull_request_reviews=False, default_workflow_permissions="write"
    )
    assert off.status_code == 204
    got = desk.as_bot(
        desk.bot({"pull_requests": "write"}), "POST", "/pulls", title="x", head="a", base="b"
    )
    assert got.status_code == 403 and "not permitted to create" in got.json()["message"]


def test_actions_that_are_switched_off(desk: Desk, listener: Listener) -> None:
    write(desk, WORK)
    write(desk, TALK, "talk.yml")
    path = desk.at("/actions/permissions")
    before = desk.api("GET", path).json()
    assert (before["enabled"], before["allowed_actions"]) == (True, "all")
    assert desk.api("GET", path, "hubot").status_code == 403
    assert desk.api("PUT", path, allowed_actions="all").status_code == 422
    assert desk.api("PUT", path, enabled=False).status_code == 204
    assert desk.api("GET", path).json() == {"enabled": False}
    with refused(422, "Actions has been disabled for this repository"):
        desk.repo().get_workflow("work.yml").create_dispatch("main", {"issue": "1"}, throw=True)
    desk.repo().create_issue("nobody listens")
    until(lambda: [name for name, _ in listener.events()], lambda names: "issues" in names)
    assert desk.api("PUT", path, enabled=True).status_code == 204
    desk.repo().create_issue("somebody does")
    assert [ended(desk, run).display_title for run in runs(desk, 1)] == ["somebody does"]


def test_which_actions_may_run_is_told(desk: Desk) -> None:
    path = desk.at("/actions/permissions")
    chosen = f"{path}/selected-actions"
    assert desk.api("PUT", path, enabled=True, allowed_actions="selected").status_code == 204
    assert desk.api("GET", path).json()["selected_actions_url"].endswith(chosen)
    told = {"github_owned_allowed": False, "patterns_allowed": ["actions/checkout@*"]}
    assert desk.api("PUT", chosen, **told).status_code == 204
    assert desk.api("GET", chosen).json() == {**told, "verified_allowed": False}
    assert desk.api("PUT", path, enabled=True, allowed_actions="local_only").status_code == 204
    assert desk.api("PUT", path, enabled=True, allowed_actions="some").status_code == 422


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_jobs(desk: Desk, shape: str) -> None:
    text, ends = SHAPES[shape]
    act = """
inputs: {word: {required: true}, tail: {default: there}}
outputs: {said: {value: "${{ steps.x.outputs.said }}"}}
runs:
  using: composite
  steps:
    - {id: x, shell: bash, run: 'echo "said=$A $B" >> "$GITHUB_OUTPUT"',
       env: {A: "${{ inputs.word }}", B: "${{ inputs.tail }}"}}
"""
    desk.repo().create_file("act/action.yml", "Add act", act)
    write(desk, f"on: workflow_dispatch\njobs:\n  a:\n    runs-on: x\n    {text}\n")
    run = ended(desk, dispatch(desk))
    assert {j.name: j.conclusion for j in run.jobs()} == ends


def test_schedules_run_on_demand(desk: Desk) -> None:
    write(
        desk,
        "on: {schedule: [{cron: '0 * * * *'}]}\njobs: {a: {runs-on: x, steps: [{run: 'true'}]}}",
    )
    path = f"/_twin/schedules/{desk.full_name}"
    assert desk.api("POST", path).status_code == 404
    [key] = desk.api("POST", path, "root").json()["runs"]
    assert desk.repo().get_workflow_run(key).event == "schedule"
    [workflow] = desk.repo().get_workflows()
    assert workflow.disable()
    assert desk.api("POST", path, "root").json()["runs"] == []
    assert workflow.enable()
    assert len(desk.api("POST", path, "root").json()["runs"]) == 1


def test_dispatch_limits(desk: Desk) -> None:
    path = desk.at("/dispatches")
    cases: list[tuple[dict[str, Any], int]] = [
        ({"event_type": "x" * 100, "client_payload": {str(n): n for n in range(10)}}, 204),
        ({"event_type": "x" * 101}, 422),
        ({"event_type": "x", "client_payload": {str(n): n for n in range(11)}}, 422),
        ({"event_type": "x", "client_payload": {"a": "x" * 65_536}}, 422),
    ]
    for body, status in cases:
        assert desk.api("POST", path, **body).status_code == status
