"""What else is done to issues: events, assignees, order, locks, and what is refused."""

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.listener import Listener
from tests.twin.pulls import opened
from tests.twin.waiting import until


def test_who_cannot_be_assigned_refuses_a_new_issue(desk: Desk) -> None:
    with refused(422, "assignees"):
        desk.repo().create_issue("x", assignees=["hubot", "stranger"])
    assert desk.repo().get_issues(state="all").totalCount == 0
    issue = desk.repo().create_issue("x")
    with refused(422, "assignees"):
        issue.edit(assignees=["nobody-at-all"])
    issue.add_to_assignees("stranger")
    assert desk.repo().get_issue(1).assignees == []


def test_who_can_be_assigned_is_listed(desk: Desk) -> None:
    assert [u.login for u in desk.repo().get_assignees()] == ["octocat", "hubot", "monalisa"]


@pytest.mark.parametrize("title,words", [("", "missing_field"), ("x" * 257, "too long")])
def test_a_title_that_no_issue_may_have_cannot_be_given_later(
    desk: Desk, title: str, words: str
) -> None:
    issue = desk.repo().create_issue("x")
    with refused(422, words):
        issue.edit(title=title)
    assert desk.repo().get_issue(1).title == "x"


@pytest.mark.parametrize(
    "body,words",
    [("", "Body can't be blank"), ("x" * 65_537, "Body is too long (maximum is 65536 characters)")],
)
def test_a_comment_is_refused_in_githubs_words(desk: Desk, body: str, words: str) -> None:
    desk.repo().create_issue("x")
    [error] = desk.api("POST", desk.at("/issues/1/comments"), body=body).json()["errors"]
    wanted = {"resource": "IssueComment", "code": "unprocessable", "field": "data"}
    assert error == {**wanted, "message": words}


def test_the_reason_of_a_closed_issue_is_changed(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    issue.edit(state="closed", state_reason="not_planned")
    issue.edit(state="closed", state_reason="completed")
    assert desk.repo().get_issue(1).state_reason == "completed"


def test_every_event_is_found_by_its_number(desk: Desk) -> None:
    repo = desk.repo()
    milestone = repo.create_milestone("First")
    issue = repo.create_issue("x", labels=["a"], assignees=["hubot"])
    issue.edit(title="y", milestone=milestone, labels=[], assignees=[])
    issue.edit(milestone=None)
    names = [e.event for e in issue.get_events()]
    assert names == [
        "labeled", "assigned", "unlabeled", "unassigned", "milestoned", "renamed", "demilestoned",
    ]  # fmt: skip
    every = {e.event: e for e in repo.get_issues_events()}
    assert every["renamed"].raw_data["rename"] == {"from": "x", "to": "y"}
    assert every["assigned"].assignee.login == "hubot"
    assert every["milestoned"].raw_data["milestone"] == {"title": "First"}
    found = repo.get_issues_event(every["labeled"].id)
    assert found.issue.number == 1 and found.label.name == "a"
    assert milestone.get_labels().totalCount == 0
    with refused(404):
        repo.get_issues_event(7)


def test_a_review_is_part_of_the_timeline(desk: Desk) -> None:
    pull = opened(desk)
    desk.repo().get_pull(1).create_review(body="Good", event="APPROVE")
    found = {e.event: e for e in desk.repo().get_issue(pull.number).get_timeline()}
    assert found["reviewed"].raw_data["state"] == "approved"


def test_a_pull_request_is_closed_as_the_issue_that_it_is(desk: Desk, listener: Listener) -> None:
    opened(desk)
    desk.repo().get_issue(1).edit(state="closed")
    desk.repo().get_issue(1).edit(state="open")
    pulls = until(
        lambda: [p["action"] for n, p in listener.events() if n == "pull_request"],
        lambda found: len(found) == 3,
    )
    assert pulls == ["opened", "closed", "reopened"]
    desk.repo().get_pull(1).merge()
    with refused(422, "state cannot be changed"):
        desk.repo().get_issue(1).edit(state="open")


def test_sub_issues_are_put_in_order(desk: Desk) -> None:
    repo = desk.repo()
    above = repo.create_issue("above")
    subs = [repo.create_issue(f"sub {n}") for n in range(3)]
    for sub in subs:
        above.add_sub_issue(sub)
    above.prioritize_sub_issue(subs[0], subs[2])
    assert [s.title for s in above.get_sub_issues()] == ["sub 1", "sub 2", "sub 0"]
    path = desk.at("/issues/1/sub_issues/priority")
    ids = {"sub_issue_id": subs[2].id, "before_id": subs[1].id}
    assert desk.api("PATCH", path, **ids).status_code == 200
    assert [s.title for s in above.get_sub_issues()] == ["sub 2", "sub 1", "sub 0"]
    other = repo.create_issue("other")
    with refused(422):
        above.prioritize_sub_issue(other, subs[0])


def test_a_lock_keeps_strangers_out(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    assert desk.api("PUT", desk.at("/issues/1/lock"), lock_reason="boring").status_code == 422
    issue.lock("too heated")
    theirs = desk.repo("stranger").get_issue(1)
    for say in (lambda: theirs.create_comment("x"), lambda: theirs.create_reaction("+1")):
        with refused(403, "locked"):
            say()
    issue.create_reaction("+1")


def test_a_repository_that_has_put_its_issues_away(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_issue("x")
    pull = opened(desk)
    repo.edit(has_issues=False)
    assert desk.repo().has_issues is False
    for path in ("/issues/1", "/issues/1/comments"):
        assert desk.api("GET", desk.at(path)).status_code == 410
    assert [i.number for i in repo.get_issues()] == [pull.number]
    assert desk.api("POST", desk.at("/issues"), title="x").status_code == 410
    pull.create_issue_comment("still here")


def test_times_of_a_question_may_have_a_zone_and_must_be_times(desk: Desk) -> None:
    desk.repo().create_issue("x")
    assert desk.api("GET", desk.at("/issues?since=2020-01-01T00:00:00%2B05:00")).json()
    assert desk.api("GET", desk.at("/issues?since=2020-01-01T00:00:00Z")).json()
    assert desk.api("GET", desk.at("/issues?since=yesterday")).status_code == 422


@pytest.mark.parametrize("color", ["#ff0000", "red", "ff00000"])
def test_a_color_is_six_digits(desk: Desk, color: str) -> None:
    label = desk.repo().create_label("x", "ff0000")
    with refused(422, "color"):
        desk.repo().create_label("y", color)
    with refused(422, "color"):
        label.edit("x", color)


def test_a_milestone_that_is_open_again_was_never_closed(desk: Desk) -> None:
    milestone = desk.repo().create_milestone("First")
    milestone.edit("First", state="closed")
    assert desk.repo().get_milestone(1).closed_at is not None
    milestone.edit("First", state="open")
    assert desk.repo().get_milestone(1).closed_at is None


def test_a_comment_on_a_line_gets_reactions(desk: Desk) -> None:
    pull = opened(desk)
    commit = desk.repo().get_commit(pull.head.sha)
    said = pull.create_review_comment("Why?", commit, "side.txt", line=1)
    made = said.create_reaction("heart")
    assert [r.content for r in said.get_reactions()] == ["heart"]
    assert [c.id for c in desk.repo().get_pulls_comments()] == [said.id]
    said.delete_reaction(made.id)
    assert said.get_reactions().totalCount == 0
