"""Runs of `pull_request_target`, and by whom a run was started, and started again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.twin.desk import Desk
from tests.twin.pulls import branch, opened
from tests.twin.waiting import until
from tests.twin.workflows import GATED, dispatch, ended, runs, write

BOT = (41898282, "github-actions[bot]", "Bot")
TARGET = """
on: {pull_request_target: {types: [opened, synchronize, closed]}}
jobs:
  a:
    runs-on: x
    steps:
      - run: echo "%s $GITHUB_EVENT_NAME $GITHUB_REF $GITHUB_SHA to $GITHUB_BASE_REF"
"""
AGAIN = """
on: {issues: {types: [opened]}, workflow_dispatch: {}}
permissions: {actions: write}
jobs:
  a:
    runs-on: x
    steps:
      - if: github.event_name == 'issues'
        env:
          TOKEN: ${{ github.token }}
          AT: ${{ github.api_url }}/repos/${{ github.repository }}
        run: |
          curl -sf -X POST -H "Authorization: Bearer $TOKEN" -d '{"ref": "main"}' \\
            "$AT/actions/workflows/work.yml/dispatches"
      - run: echo "by ${{ github.actor }}, now ${{ github.triggering_actor }}"
"""


def log(desk: Desk, run: Any) -> str:
    return desk.api("GET", desk.at(f"/actions/jobs/{run.jobs()[0].id}/logs")).text


def actors(desk: Desk, run_id: int, attempt: int = 0) -> list[tuple[int, str, str]]:
    path = f"/actions/runs/{run_id}" + (f"/attempts/{attempt}" if attempt else "")
    shown = desk.api("GET", desk.at(path)).json()
    people = (shown["actor"], shown["triggering_actor"])
    return [(who["id"], who["login"], who["type"]) for who in people]


def person(desk: Desk, login: str) -> tuple[int, str, str]:
    return (desk.client().get_user(login).id, login, "User")


def test_a_target_runs_the_file_of_the_default_branch(desk: Desk) -> None:
    """Whatever the branches of the pull request hold: neither its head nor its base is asked."""
    write(desk, TARGET % "good")
    main = desk.repo().get_branch("main").commit.sha
    desk.repo().create_git_ref("refs/heads/old", main)
    for name in ("old", "side"):
        branch(desk, name, f"{name}.txt", "x")
        file = desk.repo().get_contents(".github/workflows/work.yml", ref=name)
        assert not isinstance(file, list)
        desk.repo().update_file(file.path, "Change", TARGET % "evil", file.sha, branch=name)
    pull = desk.repo("hubot").create_pull(title="x", head="side", base="old")
    [run] = runs(desk, 1)
    assert ended(desk, run).conclusion == "success"
    assert f"good pull_request_target refs/heads/main {main} to old" in log(desk, run)
    assert "evil" not in log(desk, run)
    assert (run.event, run.head_branch, run.head_sha) == (
        "pull_request_target", "side", pull.head.sha,
    )  # fmt: skip
    assert actors(desk, run.id) == [person(desk, "hubot")] * 2


def test_a_target_hears_people_and_not_the_token_of_a_job(desk: Desk) -> None:
    """No run at all, and so none that waits for somebody's click."""
    write(desk, TARGET % "x")
    token = desk.bot({"contents": "write", "pull_requests": "write"})
    sha = desk.repo().get_branch("main").commit.sha
    assert desk.as_bot(token, "POST", "/git/refs", ref="refs/heads/ai/x", sha=sha).ok
    for name in ("x", "y"):
        body = {"message": "x", "content": "eA==", "branch": "ai/x"}
        assert desk.as_bot(token, "PUT", f"/contents/{name}", **body).ok
        if name == "x":
            made = desk.as_bot(token, "POST", "/pulls", title="x", head="ai/x", base="main")
            assert made.status_code == 201
    desk.repo().create_file("z", "By a person [skip ci]", "z", branch="ai/x")
    [run] = runs(desk, 1)
    assert (run.event, ended(desk, run).conclusion) == ("pull_request_target", "success")
    desk.repo("hubot").get_pull(made.json()["number"]).edit(state="closed")
    assert [ended(desk, r).conclusion for r in runs(desk, 2)] == ["success", "success"]


def test_one_event_starts_both_kinds(desk: Desk) -> None:
    job = "jobs: {a: {runs-on: x, steps: [{run: 'true'}]}}"
    write(desk, f"on: [pull_request, pull_request_target]\n{job}")
    opened(desk)
    found = [ended(desk, run) for run in runs(desk, 2)]
    assert {r.event for r in found} == {"pull_request", "pull_request_target"}


@pytest.mark.parametrize(
    "event,ends", [("pull_request_target", "success"), ("pull_request", "failure")]
)
def test_an_environment_takes_a_target_for_the_default_branch(
    desk: Desk, event: str, ends: str
) -> None:
    text = GATED.replace("exit 3", "true") % "live"
    write(desk, text.replace("workflow_dispatch", event))
    chosen = {"protected_branches": False, "custom_branch_policies": True}
    desk.api("PUT", desk.at("/environments/live"), deployment_branch_policy=chosen)
    path = desk.at("/environments/live/deployment-branch-policies")
    assert desk.api("POST", path, name="main").status_code == 200
    opened(desk)
    assert [ended(desk, run).conclusion for run in runs(desk, 1)] == [ends]


def test_a_run_that_a_job_dispatched_is_the_bots(desk: Desk) -> None:
    write(desk, AGAIN)
    desk.repo("stranger").create_issue("x")
    second, first = (ended(desk, run) for run in runs(desk, 2))
    assert (first.event, second.event) == ("issues", "workflow_dispatch")
    assert actors(desk, first.id) == [person(desk, "stranger")] * 2
    assert actors(desk, second.id) == [BOT, BOT]
    by_hand = dispatch(desk, login="hubot")
    assert actors(desk, by_hand.id) == [person(desk, "hubot")] * 2
    found = desk.api("GET", desk.at("/actions/runs?actor=github-actions[bot]")).json()
    assert [run["id"] for run in found["workflow_runs"]] == [second.id]


def test_who_runs_it_again_is_the_triggering_actor(desk: Desk) -> None:
    write(desk, AGAIN)
    bot = desk.bot({"actions": "write"})
    made = desk.as_bot(
        bot, "POST", "/actions/workflows/work.yml/dispatches", ref="main", return_run_details=True
    )
    key = made.json()["workflow_run_id"]
    for attempt, login in enumerate(("hubot", "octocat"), 2):
        until(lambda: desk.repo().get_workflow_run(key), lambda run: run.status == "completed")
        assert desk.api("POST", desk.at(f"/actions/runs/{key}/rerun"), login).status_code == 201
        assert actors(desk, key) == [BOT, person(desk, login)]
        assert desk.repo().get_workflow_run(key).run_attempt == attempt
    run = ended(desk, desk.repo().get_workflow_run(key))
    assert "by github-actions[bot], now octocat" in log(desk, run)
    assert [actors(desk, key, n)[1] for n in (1, 2, 3)] == [
        BOT, person(desk, "hubot"), person(desk, "octocat"),
    ]  # fmt: skip


def test_nobody_approves_what_they_have_run_again(desk: Desk) -> None:
    write(desk, GATED % "live")
    ids = [person(desk, login)[0] for login in ("hubot", "octocat")]
    wish = {"prevent_self_review": True, "reviewers": [{"type": "User", "id": n} for n in ids]}
    assert desk.api("PUT", desk.at("/environments/live"), **wish).status_code == 200
    [rule] = desk.api("GET", desk.at("/environments/live")).json()["protection_rules"]
    assert (rule["type"], rule["prevent_self_review"]) == ("required_reviewers", True)
    assert [r["reviewer"]["id"] for r in rule["reviewers"]] == ids
    run = dispatch(desk, login="hubot")
    ended(desk, run, "waiting")
    path = desk.at(f"/actions/runs/{run.id}/pending_deployments")
    [gate] = desk.api("GET", path).json()
    review: dict[str, Any] = {"environment_ids": [gate["environment"]["id"]], "comment": ""}
    assert desk.api("POST", path, **review, state="rejected").status_code == 200
    ended(desk, run)
    assert desk.api("POST", desk.at(f"/actions/runs/{run.id}/rerun")).status_code == 201
    ended(desk, run, "waiting")
    may = [desk.api("GET", path, who).json()[0]["current_user_can_approve"]
           for who in ("hubot", "octocat")]  # fmt: skip
    assert may == [True, False]
    no = desk.api("POST", path, **review, state="approved")
    assert no.status_code == 422 and "your own deployment" in no.json()["message"]
    assert desk.api("POST", path, "hubot", **review, state="approved").status_code == 200


def test_every_reviewer_may_approve_what_the_bot_started(desk: Desk) -> None:
    write(desk, GATED % "live")
    wish = [{"type": "User", "id": person(desk, "octocat")[0]}]
    desk.api("PUT", desk.at("/environments/live"), prevent_self_review=True, reviewers=wish)
    bot = desk.bot({"actions": "write"})
    made = desk.as_bot(
        bot, "POST", "/actions/workflows/work.yml/dispatches", ref="main", return_run_details=True
    )
    run = desk.repo().get_workflow_run(made.json()["workflow_run_id"])
    ended(desk, run, "waiting")
    path = desk.at(f"/actions/runs/{run.id}/pending_deployments")
    [gate] = desk.api("GET", path).json()
    assert gate["current_user_can_approve"] is True
