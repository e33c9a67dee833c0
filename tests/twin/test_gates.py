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


def limit(desk: Desk, *names: str, kind: str = "branch") -> None:
    chosen = {"protected_branches": False, "custom_branch_policies": True}
    made = desk.api("PUT", desk.at("/environments/live"), deployment_branch_policy=chosen)
    assert [r["type"] for r in made.json()["protection_rules"]] == ["branch_policy"]
    for name in names:
        path = desk.at("/environments/live/deployment-branch-policies")
        assert desk.api("POST", path, name=name, type=kind).status_code == 200


def deployed_from(desk: Desk, ref: str) -> tuple[str, str]:
    """How the run of a ref ends, and the log of its job."""
    path = desk.at("/actions/workflows/work.yml/dispatches")
    got = desk.api("POST", path, ref=ref, return_run_details=True)
    run = ended(desk, desk.repo().get_workflow_run(got.json()["workflow_run_id"]))
    log = desk.api("GET", desk.at(f"/actions/jobs/{run.jobs()[0].id}/logs")).text
    return run.conclusion, log


LIMITS = {
    "its branch": (["main"], "branch", {"main", "refs/heads/main"}),
    "another branch": (["release"], "branch", set()),
    "nothing yet": ([], "branch", set()),
    "a pattern": (["feat/*"], "branch", {"feat/a"}),
    "a tag of the same name": (["main"], "tag", {"refs/tags/main"}),
}


@pytest.mark.parametrize("name", LIMITS)
def test_an_environment_is_for_the_refs_that_it_names(desk: Desk, name: str) -> None:
    """No step runs and no secret is given; a tag is not the branch of its name."""
    names, kind, may = LIMITS[name]
    write(desk, GATED % "live")
    sha = desk.repo().get_branch("main").commit.sha
    for ref in ("refs/heads/feat/a", "refs/heads/feat/a-b/c", "refs/tags/main"):
        desk.repo().create_git_ref(ref, sha)
    limit(desk, *names, kind=kind)
    desk.repo().get_environment("live").create_secret("KEY", "deep")
    for ref in ("refs/heads/main", "feat/a", "feat/a-b/c", "refs/tags/main"):
        shown = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        words = f'{"Tag" if "tags" in ref else "Branch"} "{shown}" is not allowed to deploy to live'
        end, log = deployed_from(desk, ref)
        assert (end, words in log) == (("success", False) if ref in may else ("failure", True)), ref


def test_protected_branches_alone(desk: Desk) -> None:
    write(desk, GATED.replace("exit 3", "true") % "live")
    desk.repo().create_git_ref("refs/heads/side", desk.repo().get_branch("main").commit.sha)
    chosen = {"protected_branches": True, "custom_branch_policies": False}
    desk.api("PUT", desk.at("/environments/live"), deployment_branch_policy=chosen)
    assert deployed_from(desk, "side")[0] == "success"  # none is protected, so every one may
    desk.repo().get_branch("main").edit_protection(enforce_admins=True)
    assert [deployed_from(desk, ref)[0] for ref in ("main", "side")] == ["success", "failure"]


def test_the_names_of_an_environment(desk: Desk) -> None:
    path = desk.at("/environments/live/deployment-branch-policies")
    assert desk.api("GET", path).status_code == 404
    desk.repo().create_environment("live")
    assert desk.api("POST", path, name="main").status_code == 404  # it is not limited
    both = {"protected_branches": True, "custom_branch_policies": True}
    bad = desk.api("PUT", desk.at("/environments/live"), deployment_branch_policy=both)
    assert bad.status_code == 422
    limit(desk, "main", "release/*")
    assert desk.api("POST", path, name="main").status_code == 303
    assert desk.api("POST", path, "hubot", name="x").status_code == 403
    found = desk.api("GET", path).json()
    assert [(p["name"], p["type"]) for p in found["branch_policies"]] == [
        ("main", "branch"), ("release/*", "branch"),
    ]  # fmt: skip
    one = f"{path}/{found['branch_policies'][1]['id']}"
    assert desk.api("PUT", one, name="main").status_code == 422
    assert desk.api("PUT", one, name="next").json()["name"] == "next"
    assert desk.api("GET", one, "monalisa").json()["name"] == "next"
    assert desk.api("DELETE", one).status_code == 204
    assert (desk.api("GET", one).status_code, desk.api("DELETE", one).status_code) == (404, 404)
    assert desk.api("GET", path).json()["total_count"] == 1


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
