"""Lost events are found, and nobody who is not listened to is heard."""

from dataclasses import replace

import pytest

from bot.events import (
    CommentPosted,
    IssueDisowned,
    IssueOpened,
    PullClosed,
    PullPushed,
    WorkFinished,
)
from bot.ports import Gone, Rejected, Unavailable
from schemas.acts import MergePull, OpenIssue, OpenPull
from schemas.base import TaskId
from schemas.workflow import Delivery, Phase, Role, Step, Task, Workflow
from tests.io.desk import BRANCH, DELIVER, Desk, publish
from tests.test_commands import workflow_in

ROLES = {
    "admin": Role.WRITE, "maintain": Role.WRITE, "write": Role.WRITE,
    "triage": Role.READ, "read": Role.READ, "none": Role.READ,
}  # fmt: skip


@pytest.mark.parametrize("role,expected", ROLES.items())
def test_a_role_is_the_effective_permission(desk: Desk, role: str, expected: Role) -> None:
    desk.world.permissions["stranger"] = role
    with desk.server.count(3):
        assert desk.hub.role("stranger") is expected


def test_an_unknown_person_may_only_read(desk: Desk) -> None:
    assert desk.hub.role("nobody[bot]") is Role.READ


def test_a_permission_that_our_token_may_not_read_is_none(desk: Desk) -> None:
    desk.fault("GET", "/permission$", status=403, message="Resource not accessible by integration")
    assert desk.hub.role("octocat") is Role.READ


@pytest.mark.parametrize("status,error", [(500, Unavailable), (401, Rejected)])
def test_a_role_that_cannot_be_read_is_no_role(
    desk: Desk, status: int, error: type[Exception]
) -> None:
    desk.fault("GET", "/permission$", status=status, times=9)
    with pytest.raises(error):
        desk.hub.role("octocat")


def test_a_request_that_nobody_told_us_of(desk: Desk) -> None:
    desk.world.comment(desk.octocat, 1, "/plan")
    with desk.server.count(4):
        opened, said = desk.hub.news(Workflow(issue=1))
    assert isinstance(opened, IssueOpened) and opened.body == "Buy the breakout of 20 days."
    assert isinstance(said, CommentPosted) and (said.body, said.edited) == ("/plan", False)


@pytest.mark.parametrize("label", ["debug", "incident", "not-a-request"])
def test_an_issue_that_is_no_request(desk: Desk, label: str) -> None:
    desk.world.issues[1]["labels"] = [desk.world.label(label)]
    assert desk.hub.news(Workflow(issue=1)) == ()


def test_a_request_that_somebody_disowned(desk: Desk) -> None:
    desk.world.issues[1]["labels"] = [desk.world.label("not-a-request")]
    [event] = desk.hub.news(desk.workflow)
    assert isinstance(event, IssueDisowned) and (event.issue, event.label) == (1, "not-a-request")


def test_the_bots_own_issue_is_no_request(desk: Desk) -> None:
    desk.world.issue(desk.token, "x", "x", [])
    assert desk.hub.news(Workflow(issue=2)) == ()


def test_comments_that_were_not_seen(desk: Desk) -> None:
    lost = desk.world.comment(desk.octocat, 1, "/plan")
    seen = desk.world.comment(desk.octocat, 1, "/approve")
    edited = desk.world.comment(desk.octocat, 1, "/cancel")
    edited["updated_at"] = desk.world.tick()
    desk.world.comment(desk.token, 1, "/help by ourselves")
    helped = desk.world.comment(desk.helper, 1, "/status by a bot that is listed")
    desk.world.users[desk.stranger]["type"] = "Bot"
    desk.world.comment(desk.stranger, 1, "/approve by a bot that is not")
    known = replace(desk.workflow, seen=(f"comment/{seen['id']}",), since=desk.world.time)
    with desk.server.count(3):
        found = desk.hub.news(known)
    comments = [(e.comment_id, e.edited) for e in found if isinstance(e, CommentPosted)]
    assert comments == [(lost["id"], False), (edited["id"], True), (helped["id"], False)]


def test_a_deleted_account_is_not_heard(desk: Desk) -> None:
    desk.world.comment(desk.stranger, 1, "/plan")["user"] = None
    assert desk.hub.news(desk.workflow) == ()


def test_news_of_a_long_talk(desk: Desk) -> None:
    for _ in range(250):
        desk.world.comment(desk.octocat, 1, "prose")
    with desk.server.count(5):
        assert len(desk.hub.news(desk.workflow)) == 250
    with desk.server.count(5) as made:
        desk.hub.news(desk.workflow)
    assert {s.status for s in made} == {304}


def building(desk: Desk) -> Workflow:
    """A workflow with an open pull request 2 that it knows all of."""
    desk.hub.perform(desk.workflow, publish())
    pull = OpenPull(branch=BRANCH, base=DELIVER, title="Data", body="")
    desk.hub.perform(desk.workflow, pull)
    head = desk.world.refs[BRANCH]
    task = Task(id=TaskId.DATA, step=Step.TESTING, head=head, pull=2)
    return replace(desk.workflow, tasks=(task,))


def test_a_pull_request_with_no_news(desk: Desk) -> None:
    known = building(desk)
    with desk.server.count(4):
        assert desk.hub.news(known) == ()


def test_a_lost_push(desk: Desk) -> None:
    known = building(desk)
    head = desk.world.commit(BRANCH, {"a": "b"}, "a person's")
    [event] = desk.hub.news(known)
    assert isinstance(event, PullPushed) and (event.issue, event.sha) == (1, head)
    assert desk.hub.news(replace(known, outbox=(publish("x = 2\n", "b"),))) == ()


def test_a_lost_comment_on_our_pull_request(desk: Desk) -> None:
    known = building(desk)
    desk.world.comment(desk.octocat, 2, "/retry")
    with desk.server.count(5):
        [event] = desk.hub.news(known)
    assert isinstance(event, CommentPosted) and (event.issue, event.number) == (1, 2)


def test_comments_on_somebody_elses_pull_request_are_not_heard(desk: Desk) -> None:
    known = building(desk)
    desk.world.issues[2]["user"] = desk.world.users[desk.octocat]
    desk.world.comment(desk.octocat, 2, "/retry")
    assert desk.hub.news(known) == ()


def test_a_lost_comment_on_our_debug_issue(desk: Desk) -> None:
    opened = OpenIssue(topic="debug-t1_data-0", title="t", body="b", label="debug")
    desk.hub.perform(desk.workflow, opened)
    desk.world.comment(desk.octocat, 2, "/retry")
    task = Task(id=TaskId.DATA, step=Step.TESTING, debug_issue=2)
    with desk.server.count(4):
        [event] = desk.hub.news(replace(desk.workflow, tasks=(task,)))
    assert isinstance(event, CommentPosted) and (event.issue, event.number) == (1, 2)


def test_a_lost_comment_on_our_incident(desk: Desk) -> None:
    opened = OpenIssue(topic="incident-halt-1", title="t", body="b", label="incident")
    desk.hub.perform(desk.workflow, opened)
    forged = desk.world.issue(desk.stranger, "t", desk.world.issues[2]["body"], ["incident"])
    for number in (2, forged["number"]):
        desk.world.comment(desk.octocat, number, "/rollback flatten")
    live = replace(workflow_in(Phase.LIVE), issue=1, request=desk.workflow.request, tasks=())
    with desk.server.count(5):
        found = desk.hub.news(live)
    assert [(e.issue, e.number) for e in found if isinstance(e, CommentPosted)] == [(1, 2)]


def test_a_lost_merge(desk: Desk) -> None:
    known = building(desk)
    merge = MergePull(branch=BRANCH, base=DELIVER, sha=desk.world.refs[BRANCH])
    desk.hub.perform(known, merge)
    with desk.server.count(4):
        [event] = desk.hub.news(known)
    assert isinstance(event, PullClosed)
    assert (event.merged, event.sha) == (True, desk.world.refs[DELIVER])
    assert desk.hub.news(replace(known, outbox=(merge,))) == ()
    assert desk.hub.news(replace(known, seen=(event.key,))) == ()


def test_a_pull_request_closed_by_hand(desk: Desk) -> None:
    known = building(desk)
    desk.second().issue("acme", "desk", 2).close()
    with desk.server.count(5):
        [event] = desk.hub.news(known)
    assert isinstance(event, PullClosed) and (event.merged, event.login) == (False, "octocat")


def test_the_delivery_is_watched_until_it_is_delivered(desk: Desk) -> None:
    known = building(desk)
    desk.world.refs[DELIVER] = desk.world.refs[BRANCH]
    pull = OpenPull(branch=DELIVER, base="main", title="Deliver", body="")
    desk.hub.perform(known, pull)
    desk.hub.perform(known, MergePull(branch=DELIVER, base="main", sha=desk.world.refs[DELIVER]))
    delivering = replace(desk.workflow, delivery_pull=3)
    [event] = desk.hub.news(delivering)
    assert isinstance(event, PullClosed) and event.branch == DELIVER
    assert desk.hub.news(replace(delivering, delivered_sha=event.sha)) == ()


def test_an_unreadable_row_does_not_hide_the_others(desk: Desk) -> None:
    desk.world.comment(desk.octocat, 1, "/plan")["id"] = -1
    desk.world.comment(desk.octocat, 1, "/help")
    desk.world.issue(desk.octocat, "x", "x", [])["title"] = None
    assert [e.key for e in desk.hub.news(desk.workflow)] == [f"comment/{desk.world.last_id - 1}"]
    assert desk.hub.open_requests() == (1,)


def test_a_closed_issue_does_not_become_a_request(desk: Desk) -> None:
    desk.world.issues[1]["state"] = "closed"
    desk.world.comment(desk.octocat, 1, "thanks")
    assert desk.hub.news(Workflow(issue=1)) == ()


def test_an_old_issue_is_not_looked_for(desk: Desk) -> None:
    desk.world.time += 8 * 24 * 3600
    assert desk.hub.open_requests() == ()


def test_a_push_to_the_delivery(desk: Desk) -> None:
    known = building(desk)
    desk.world.refs[DELIVER] = desk.world.refs[BRANCH]
    desk.hub.perform(known, OpenPull(branch=DELIVER, base="main", title="Deliver", body=""))
    whole = replace(
        desk.workflow, delivery_pull=3, delivery=Delivery(head=desk.world.refs[DELIVER])
    )
    assert desk.hub.news(whole) == ()
    head = desk.world.commit(DELIVER, {"a": "b"}, "a person's")
    [event] = desk.hub.news(whole)
    assert isinstance(event, PullPushed) and (event.branch, event.sha) == (DELIVER, head)


def test_open_requests(desk: Desk) -> None:
    building(desk)  # issue 1, and pull request 2
    desk.world.issues[2]["user"] = desk.world.users[desk.octocat]
    for by, labels in ((desk.stranger, []), (desk.octocat, ["debug"]), (desk.token, [])):
        desk.world.issue(by, "x", "x", labels)
    desk.world.issue(desk.octocat, "x", "x", [])["state"] = "closed"
    with desk.server.count(3):
        assert desk.hub.open_requests() == (1, 3)
    with desk.server.count(1) as made:
        assert set(desk.hub.stirred()) == {1, 2, 3, 4, 5, 6}
    assert [s.status for s in made] == [304]
    desk.world.time += 8 * 24 * 3600
    desk.world.issues[3]["updated_at"] = desk.world.tick()
    assert set(desk.hub.stirred()) == {3}


def test_a_deleted_request_is_gone_and_one_out_of_sight_is_not(desk: Desk) -> None:
    desk.fault("GET", "/issues/1$", status=410)
    with pytest.raises(Gone, match="deleted"):
        desk.hub.news(desk.workflow)
    desk.fault("GET", "/issues/1$", status=404)
    with pytest.raises(Rejected) as told:
        desk.hub.news(desk.workflow)
    assert not isinstance(told.value, Gone)


def test_a_run_that_a_person_started_without_a_key_is_passed_over(desk: Desk) -> None:
    waiting = replace(desk.workflow, phase=Phase.OPENED)
    desk.world.run("wf_1", status="completed", conclusion="success")
    assert not [e for e in desk.hub.news(waiting) if isinstance(e, WorkFinished)]
