"""The bot's own adapters against the twin: every request of theirs, checked both ways."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.events import Identity, IssueMade, Published, PullMerged, PullOpened
from bot.io.github import GitHubHub
from bot.io.gitref import GitRefStore
from bot.ports import Conflict, Rejected
from schemas.acts import (
    CloseIssue,
    CommitStatus,
    File,
    Labels,
    MergePull,
    OpenIssue,
    OpenPull,
    Publish,
    React,
    Reply,
    StatusComment,
    StopWork,
)  # fmt: skip
from schemas.base import TaskId
from schemas.work import Request, WorkKind, WorkOrder
from schemas.workflow import Policy, Record, Role, Task, Workflow
from tests.twin.desk import Desk
from tests.twin.waiting import until
from tests.twin.workflows import ended, write

ROLE = {"contents": "write", "issues": "write", "pull_requests": "write", "statuses": "write",
        "actions": "write"}  # fmt: skip
BOT_ID = 41898282
REQUEST = Request(title="Breakout", body="Buy the breakout of 20 days.", author="stranger")
DELIVER, BRANCH = "ai/generated/wf_1/deliver", "ai/generated/wf_1/t1_data"
WORK = """
name: work
run-name: wf_${{ inputs.issue }} ${{ inputs.key }} ${{ inputs.kind }}
on: {workflow_dispatch: {inputs: {issue: {}, key: {}, kind: {}, head: {}}}}
jobs: {a: {runs-on: x, steps: [{run: "until test -e %s; do sleep 0.05; done"}]}}
"""


@pytest.fixture
def hub(desk: Desk) -> GitHubHub:
    desk.repo("stranger").create_issue("Breakout", body="Buy the breakout of 20 days.")
    token = desk.bot(ROLE)
    me = Identity(BOT_ID, frozenset())
    return GitHubHub(desk.full_name, token, me, Policy(), base_url=desk.twin.url, spacing=0)


@pytest.fixture
def workflow() -> Workflow:
    return Workflow(issue=1, request=REQUEST, author_id=7)


def publish(text: str, digit: str) -> Publish:
    return Publish(
        branch=BRANCH, base=DELIVER, digest="sha256:" + digit * 64, message="Draft the data step",
        files=(File(path="strategies/wf_1/strategy.py", text=text),),
    )  # fmt: skip


def test_from_a_branch_to_a_merge(desk: Desk, hub: GitHubHub, workflow: Workflow) -> None:
    made = hub.perform(workflow, publish("x = 1\n", "a"))
    assert isinstance(made, Published)
    assert hub.perform(workflow, publish("x = 1\n", "a")) == made
    again = hub.perform(workflow, publish("x = 2\n", "b"))
    assert isinstance(again, Published) and again.sha != made.sha
    pull = OpenPull(branch=BRANCH, base=DELIVER, title="Data", body="Part of #1.")
    assert hub.perform(workflow, pull) == PullOpened(BRANCH, 2) == hub.perform(workflow, pull)
    status = CommitStatus(sha=again.sha, state="success", description="passed")
    hub.show(workflow, status)
    hub.show(workflow, status)
    assert desk.repo().get_commit(again.sha).get_statuses().totalCount == 1
    stale = MergePull(branch=BRANCH, base=DELIVER, sha=made.sha)
    assert hub.perform(workflow, stale) is None
    merge = MergePull(branch=BRANCH, base=DELIVER, sha=again.sha)
    merged = hub.perform(workflow, merge)
    assert isinstance(merged, PullMerged) and merged == hub.perform(workflow, merge)
    assert desk.repo().get_pull(2).merge_commit_sha == merged.sha


def test_a_conflict_is_for_a_person(desk: Desk, hub: GitHubHub, workflow: Workflow) -> None:
    made = hub.perform(workflow, publish("x = 1\n", "a"))
    assert isinstance(made, Published)
    hub.perform(workflow, OpenPull(branch=BRANCH, base=DELIVER, title="Data", body="x"))
    path = "strategies/wf_1/strategy.py"
    desk.repo().create_file(path, "Other", "x = 3\n", branch=DELIVER)
    with pytest.raises(Rejected, match="cannot be merged"):
        hub.perform(workflow, MergePull(branch=BRANCH, base=DELIVER, sha=made.sha))


def test_talk(desk: Desk, hub: GitHubHub, workflow: Workflow) -> None:
    asked = desk.repo("stranger").get_issue(1).create_comment("/help")
    assert [event.at for event in hub.news(workflow)] == [int(asked.created_at.timestamp())]
    hub.perform(workflow, React(comment_id=asked.id, content="eyes"))
    hub.perform(workflow, Reply(number=1, comment_id=asked.id, body="Help."))
    hub.perform(workflow, Reply(number=1, comment_id=asked.id, body="Help."))
    for body in ("## One", "## Two"):
        hub.show(workflow, StatusComment(body=body))
    hub.show(workflow, Labels(names=("stratbot:planned",)))
    hub.show(workflow, Labels(names=("stratbot:approved",)))
    issue = desk.repo().get_issue(1)
    bodies = [c.body for c in issue.get_comments()]
    assert len(bodies) == 3 and bodies[2].endswith("## Two")
    assert [x.name for x in issue.labels] == ["stratbot:approved"]
    debug = OpenIssue(topic="debug-t1_data-1", title="It fails", body="Look.", label="debug")
    assert hub.perform(workflow, debug) == IssueMade("debug-t1_data-1", 2)
    assert hub.perform(workflow, debug) == IssueMade("debug-t1_data-1", 2)
    assert [s.number for s in issue.get_sub_issues()] == [2]
    hub.perform(workflow, CloseIssue(topic="debug-t1_data-1", body="Repaired."))
    assert desk.repo().get_issue(2).state == "closed"
    assert hub.open_requests() == (1,)


def test_roles(desk: Desk, hub: GitHubHub) -> None:
    people = ("octocat", "hubot", "monalisa", "stranger", "nobody-at-all")
    found = [hub.role(login) for login in people]
    assert found == [Role.WRITE, Role.WRITE, Role.READ, Role.READ, Role.READ]


def test_work_is_started_once_and_stopped(desk: Desk, hub: GitHubHub, workflow: Workflow) -> None:
    write(desk, WORK % (desk.folder / "never"), "stratbot-work.yml")
    order = WorkOrder(
        key="plan-0123abcd", kind=WorkKind.PLAN, issue=1, workflow_id="wf_1",
        correlation_id="corr_1", request=REQUEST, deadline=0,
    )  # fmt: skip
    hub.dispatch(order)
    hub.dispatch(order)
    [run] = desk.repo().get_workflow_runs()
    assert (run.display_title, run.actor.id) == ("wf_1 plan-0123abcd plan", BOT_ID)
    until(lambda: desk.repo().get_workflow_run(run.id).status, lambda s: s == "in_progress")
    hub.perform(workflow, StopWork(comment_id=1, force=False))
    assert ended(desk, run).conclusion == "cancelled"


def test_a_push_by_a_person_is_news(desk: Desk, hub: GitHubHub, workflow: Workflow) -> None:
    made = hub.perform(workflow, publish("x = 1\n", "a"))
    assert isinstance(made, Published)
    hub.perform(workflow, OpenPull(branch=BRANCH, base=DELIVER, title="Data", body="x"))
    task = Task(id=TaskId.DATA, pull=2, head=made.sha)
    watching = replace(workflow, tasks=(task,))
    assert hub.news(watching) == ()
    desk.repo().create_file("note.txt", "By hand", "x", branch=BRANCH)
    [pushed] = hub.news(watching)
    assert pushed.key.startswith(f"push/{BRANCH}/")


def test_state_on_a_ref_with_compare_and_swap(desk: Desk, workflow: Workflow) -> None:
    remote = f"{desk.twin.url}/{desk.full_name}.git"
    store = GitRefStore(remote, desk.bot({"contents": "write"}))
    record = Record(
        correlation_id="corr_1", workflow_id="wf_1", at=0, because=("issue/1",), actor="stranger",
        phase=workflow.phase,
    )  # fmt: skip
    first = store.write(workflow, "", record)
    assert store.read(1) == (workflow, first) and store.issues() == (1,)
    with pytest.raises(Conflict):
        GitRefStore(remote, desk.bot({"contents": "write"})).write(workflow, "", record)
    reader = GitRefStore(remote, desk.bot({"contents": "read"}))
    assert reader.read(1) == (workflow, first)
    with pytest.raises(Rejected):
        reader.write(workflow, first, record)
