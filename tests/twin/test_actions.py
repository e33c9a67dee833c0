"""Workflows: what starts, what waits, what a job may do, and what it leaves behind."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
import requests
from github.WorkflowRun import WorkflowRun

from tests.twin.desk import Desk, refused
from tests.twin.waiting import until

WORK = """
name: work
run-name: wf_${{ inputs.issue }} ${{ inputs.key }}
on:
  workflow_dispatch:
    inputs:
      issue: {required: true}
      key: {default: plan}
      fast: {type: boolean}
permissions: {contents: read, issues: write}
jobs:
  draft:
    runs-on: ubuntu-latest
    outputs: {word: "${{ steps.say.outputs.word }}"}
    steps:
      - uses: actions/checkout@v7
      - id: say
        env: {KEY: "${{ inputs.key }}"}
        run: |
          test -f README.md
          echo "word=$KEY-done" >> "$GITHUB_OUTPUT"
          echo "### Summary" >> "$GITHUB_STEP_SUMMARY"
          mkdir out && echo '{"a": 1}' > out/result.json
      - uses: actions/upload-artifact@v7
        with: {name: result, path: out}
  finish:
    needs: draft
    if: needs.draft.outputs.word == 'plan-done'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/download-artifact@v8
        with: {name: result, path: in}
      - run: cat in/result.json && echo "${{ needs.draft.outputs.word }}"
      - if: failure()
        run: echo never
  never:
    needs: draft
    if: inputs.fast
    runs-on: ubuntu-latest
    steps: [{run: exit 1}]
"""


def write(desk: Desk, text: str, name: str = "work.yml", branch: str = "main") -> None:
    desk.repo().create_file(f".github/workflows/{name}", f"Add {name}", text, branch=branch)


def dispatch(
    desk: Desk, name: str = "work.yml", login: str = "hubot", **inputs: str
) -> WorkflowRun:
    got = desk.api(
        "POST", desk.at(f"/actions/workflows/{name}/dispatches"), login, ref="main", inputs=inputs,
        return_run_details=True,
    )  # fmt: skip
    assert got.status_code == 200, got.text
    return desk.repo().get_workflow_run(got.json()["workflow_run_id"])


def ended(desk: Desk, run: WorkflowRun, status: str = "completed") -> WorkflowRun:
    return until(lambda: desk.repo().get_workflow_run(run.id), lambda r: r.status == status)


def runs(desk: Desk, count: int) -> list[WorkflowRun]:
    found = until(lambda: list(desk.repo().get_workflow_runs()), lambda r: len(r) >= count)
    assert len(found) == count
    return found


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


TALK = """
name: talk
on:
  issues: {types: [opened]}
  issue_comment: {types: [created]}
  repository_dispatch: {types: [finish]}
permissions: {issues: write, contents: write}
jobs:
  answer:
    if: github.event_name != 'issue_comment' || startsWith(github.event.comment.body, '/help')
    runs-on: ubuntu-latest
    env: {GH: "${{ github.token }}"}
    steps:
      - env: {N: "${{ github.event.issue.number }}"}
        if: github.event_name == 'issue_comment'
        run: |
          curl -sf -X POST -H "Authorization: token $GH" -d '{"body": "/help, said the bot"}' \\
            "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$N/comments"
          code=$(curl -s -o /dev/null -w '%{http_code}' -X PUT -H "Authorization: token $GH" \\
            -d '{}' "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/environments/live")
          test "$code" = 403
          curl -sf -X POST -H "Authorization: token $GH" -d '{"event_type": "finish"}' \\
            "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/dispatches"
          echo "the token is $GH"
"""


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


GATED = """
name: live
on: workflow_dispatch
jobs:
  deploy:
    environment: %s
    runs-on: ubuntu-latest
    steps: [{run: 'test "$S" = deep || exit 3', env: {S: "${{ secrets.KEY }}"}}]
"""


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


SLOW = """
name: slow
run-name: ${{ inputs.n }}
on: {workflow_dispatch: {inputs: {n: {default: "0"}}}}
jobs:
  wait:
    concurrency: %s
    runs-on: ubuntu-latest
    steps: [{run: "echo $$ > $GATE.pid; until test -e $GATE; do sleep 0.05; done"}]
    env: {GATE: "%s"}
"""


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


SHAPES: dict[str, tuple[str, dict[str, str]]] = {
    "matrix": (
        "strategy: {matrix: {n: [1, 2], include: [{n: 3}], exclude: [{n: 2}]}}\n"
        "    steps: [{run: 'test ${{ matrix.n }} != 2'}]",
        {"a (1)": "success", "a (3)": "success"},
    ),
    "fails": ("steps: [{run: exit 4}]", {"a": "failure"}),
    "excused": ("steps: [{run: exit 4, continue-on-error: true}]", {"a": "success"}),
    "unknown action": ("steps: [{uses: other/thing@v1}]", {"a": "failure"}),
    "composite": (
        "steps: [{uses: actions/checkout@v7}, {uses: ./act, with: {word: hi}, id: c},"
        ' {run: \'test "${{ steps.c.outputs.said }}" = "hi there"\'}]',
        {"a": "success"},
    ),
}


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
