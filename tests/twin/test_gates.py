"""What a run waits for, what ends it early, and what only a deployment is given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.waiting import until
from tests.twin.workflows import GATED, SLOW, dispatch, ended, write


def test_a_gate_waits_for_a_reviewer(desk: Desk) -> None:
    write(desk, GATED % "live")
    people = {login: desk.client().get_user(login).id for login in ("hubot", "octocat")}
    desk.repo().create_environment("live")
    made = desk.api(
        "PUT", desk.at("/environments/live"), prevent_self_review=True,
        reviewers=[{"type": "User", "id": key} for key in people.values()],
    )  # fmt: skip
    assert [r["type"] for r in made.json()["protection_rules"]] == ["required_reviewers"]
    environment = desk.repo().get_environment("live")
    environment.create_secret("KEY", "deep")
    run = dispatch(desk, "work.yml", "hubot")
    ended(desk, run, "waiting")
    path = desk.at(f"/actions/runs/{run.id}/pending_deployments")
    [gate] = desk.api("GET", path).json()
    assert gate["current_user_can_approve"] is True
    review: dict[str, Any] = {"environment_ids": [gate["environment"]["id"]], "comment": "ok"}
    assert desk.api("POST", path, "hubot", **review, state="approved").status_code == 422
    assert desk.api("POST", path, "stranger", **review, state="approved").status_code == 422
    assert desk.api("GET", desk.at(f"/actions/runs/{run.id}/approvals")).json() == []
    [deployment] = desk.api("POST", path, **review, state="approved").json()
    assert ended(desk, run).conclusion == "success"
    [approval] = desk.api("GET", desk.at(f"/actions/runs/{run.id}/approvals")).json()
    assert (approval["user"]["login"], approval["state"]) == ("octocat", "approved")
    states = [s.state for s in desk.repo().get_deployment(deployment["id"]).get_statuses()]
    assert states == ["success", "in_progress"]
    again = dispatch(desk, "work.yml", "hubot")
    ended(desk, again, "waiting")
    path = desk.at(f"/actions/runs/{again.id}/pending_deployments")
    assert desk.api("POST", path, **review, state="rejected").status_code == 200
    assert ended(desk, again).conclusion == "failure"


def test_a_gate_that_is_not_there_is_open(desk: Desk) -> None:
    """GitHub's trap: the environment is made without protection."""
    write(desk, GATED.replace("exit 3", "true") % "live")
    run = ended(desk, dispatch(desk))
    assert run.conclusion == "success"
    assert desk.repo().get_environment("live").protection_rules == []
    assert desk.api("GET", desk.at(f"/actions/runs/{run.id}/approvals")).json() == []


@pytest.mark.parametrize(
    "group,ends",
    [
        ("one", ["success", "cancelled", "success"]),
        ("{group: one, queue: max}", ["success", "success", "success"]),
        ("{group: one, cancel-in-progress: true}", ["cancelled", "cancelled", "success"]),
    ],
)
def test_a_group_has_one_at_a_time(desk: Desk, group: str, ends: list[str]) -> None:
    gate = desk.folder / "gate"
    write(desk, SLOW % (group, gate))
    first = dispatch(desk, n="1")
    ended(desk, first, "in_progress")
    second = dispatch(desk, n="2")
    until(lambda: second.jobs().totalCount, lambda n: n > 0)
    third = dispatch(desk, n="3")
    until(lambda: third.jobs().totalCount, lambda n: n > 0)
    gate.write_text("")
    assert [ended(desk, r).conclusion for r in (first, second, third)] == ends


def test_a_cancelled_run_leaves_no_process(desk: Desk) -> None:
    gate = desk.folder / "gate"
    write(desk, SLOW % ("one", gate))
    run = dispatch(desk)
    pid = until(lambda: gate.with_suffix(".pid"), lambda p: p.exists() and bool(p.read_text()))
    assert run.cancel()
    assert ended(desk, run).conclusion == "cancelled"
    number = int(pid.read_text())
    until(lambda: desk.alive(number), lambda alive: not alive)
    again = desk.api("POST", desk.at(f"/actions/runs/{run.id}/cancel"))
    assert again.status_code == 409
    gate.write_text("")
    assert desk.api("POST", desk.at(f"/actions/runs/{run.id}/rerun")).status_code == 201
    done = until(lambda: desk.repo().get_workflow_run(run.id), lambda r: r.conclusion == "success")
    assert done.run_attempt == 2


def test_variables_and_secrets(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_variable("MODE", "fast")
    assert repo.get_variable("MODE").value == "fast"
    assert repo.get_variable("mode").edit("slow")
    with refused(409):
        repo.create_variable("mode", "x")
    with refused(422):
        repo.create_variable("GITHUB_X", "x")
    assert [v.value for v in repo.get_variables()] == ["slow"]
    repo.delete_variable("MODE")
    repo.create_secret("KEY", "deep")
    assert [s.name for s in repo.get_secrets()] == ["KEY"]
    assert "deep" not in desk.api("GET", desk.at("/actions/secrets/KEY")).text
    bad = desk.api("PUT", desk.at("/actions/secrets/K"), encrypted_value="eA==", key_id="1")
    assert bad.status_code == 422
    with refused(403):
        desk.repo("stranger").create_variable("A", "b")
    repo.delete_secret("KEY")
    assert repo.get_secrets().totalCount == 0


def test_deployments_and_their_statuses(desk: Desk) -> None:
    repo = desk.repo("hubot")
    first, second = (repo.create_deployment("main", environment="live") for _ in range(2))
    first.create_status("success")
    second.create_status("success", description="now")
    assert [s.state for s in first.get_statuses()] == ["inactive", "success"]
    assert [d.id for d in repo.get_deployments(environment="live")] == [second.id, first.id]
    with refused(422):
        repo.create_deployment("nowhere")
    with refused(422):
        second.create_status("great")
    with refused(403):
        desk.repo("monalisa").create_deployment("main")
