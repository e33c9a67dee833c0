"""Issues, comments, labels, reactions, milestones and sub-issues, as PyGithub sees them."""

from typing import Any

import pytest
import requests

from tests.twin.desk import Desk, refused


def test_an_issue_has_what_it_was_given(desk: Desk) -> None:
    repo = desk.repo()
    milestone = repo.create_milestone("First")
    made = repo.create_issue(
        "Breakout", body="Buy.", labels=["strategy"], assignees=["hubot"], milestone=milestone
    )
    found = desk.repo("stranger").get_issue(made.number)
    assert (found.number, found.title, found.body, found.state) == (1, "Breakout", "Buy.", "open")
    assert [x.name for x in found.labels] == ["strategy"]
    assert [x.login for x in found.assignees] == ["hubot"]
    assert found.milestone and found.milestone.title == "First" and found.milestone.open_issues == 1
    assert found.user.login == "octocat" and found.id != found.number


def test_a_strangers_labels_and_assignees_are_dropped(desk: Desk) -> None:
    made = desk.repo("stranger").create_issue("x", labels=["urgent"], assignees=["octocat"])
    assert made.labels == [] and made.assignees == []
    assert desk.api("GET", desk.at("/labels/urgent")).status_code == 404


def test_closing_and_reopening_are_told_in_the_timeline(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    issue.create_comment("first")
    issue.edit(state="closed", state_reason="not_planned")
    issue.edit(state="closed")
    closed = desk.repo().get_issue(1)
    assert (closed.state, closed.state_reason) == ("closed", "not_planned")
    assert closed.closed_by and closed.closed_by.login == "octocat" and closed.closed_at
    issue.edit(state="open")
    assert desk.repo().get_issue(1).state_reason == "reopened"
    assert [e.event for e in issue.get_events()] == ["closed", "reopened"]
    assert {e.event for e in issue.get_timeline()} == {"closed", "reopened", "commented"}


def test_issues_are_listed_as_asked(desk: Desk) -> None:
    repo = desk.repo()
    for n in range(1, 5):
        repo.create_issue(f"issue {n}", labels=["even"] if n % 2 == 0 else ["odd"])
    repo.get_issue(3).edit(state="closed")
    assert [i.number for i in repo.get_issues()] == [4, 2, 1]
    assert [i.number for i in repo.get_issues(state="all", direction="asc")] == [1, 2, 3, 4]
    assert [i.number for i in repo.get_issues(labels=["EVEN"])] == [4, 2]
    assert [i.number for i in repo.get_issues(labels=["even", "odd"])] == []
    assert [i.number for i in repo.get_issues(assignee="none")] == [4, 2, 1]


def test_a_listing_has_pages_with_links(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    for n in range(7):
        issue.create_comment(f"comment {n}")
    first = desk.api("GET", desk.at("/issues/1/comments?per_page=3"))
    assert [c["body"] for c in first.json()] == ["comment 0", "comment 1", "comment 2"]
    assert set(first.links) == {"next", "last"}
    assert first.links["last"]["url"].endswith("per_page=3&page=3")
    last = desk.api("GET", desk.at("/issues/1/comments?per_page=3&page=3"))
    assert [c["body"] for c in last.json()] == ["comment 6"]
    assert set(last.links) == {"prev", "first"}
    assert [c.body for c in issue.get_comments()] == [f"comment {n}" for n in range(7)]


def test_an_unchanged_answer_is_304_and_free(desk: Desk) -> None:
    desk.repo().create_issue("x")
    first = desk.api("GET", desk.at("/issues/1"))
    same = desk.api("GET", desk.at("/issues/1"), headers={"If-None-Match": first.headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    used = [int(r.headers["X-RateLimit-Used"]) for r in (first, same)]
    assert used[1] == used[0]
    desk.repo().get_issue(1).edit(title="y")
    new = desk.api("GET", desk.at("/issues/1"), headers={"If-None-Match": first.headers["ETag"]})
    assert new.status_code == 200 and new.json()["title"] == "y"


def test_comments_are_edited_and_deleted_by_whom_they_belong_to(desk: Desk) -> None:
    desk.repo().create_issue("x")
    comment = desk.repo("stranger").get_issue(1).create_comment("mine")
    comment.edit("mine, changed")
    assert desk.repo().get_issue(1).get_comment(comment.id).body == "mine, changed"
    other = desk.repo().get_issue(1).create_comment("octocat's")
    with refused(403):
        desk.repo("stranger").get_issue(1).get_comment(other.id).edit("taken over")
    with refused(403):
        desk.repo("stranger").get_issue(1).get_comment(other.id).delete()
    desk.repo("hubot").get_issue(1).get_comment(comment.id).delete()
    assert desk.repo().get_issue(1).comments == 1
    with refused(404):
        desk.repo().get_issue(1).get_comment(comment.id).edit("gone")


def test_a_body_has_a_limit(desk: Desk) -> None:
    issue = desk.repo().create_issue("x", body="a" * 65_536)
    issue.create_comment("a" * 65_536)
    for say in (issue.create_comment, lambda body: desk.repo().create_issue("y", body=body)):
        with refused(422, "65536"):
            say("a" * 65_537)
    assert desk.repo().get_issue(1).comments == 1


def test_labels_are_made_once_and_whatever_their_case(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_label("Bug", "d73a4a", "It is broken")
    with refused(422, "already_exists"):
        repo.create_label("bug", "ffffff")
    issue = repo.create_issue("x")
    issue.add_to_labels("bug", "new one")
    assert [x.name for x in issue.get_labels()] == ["Bug", "new one"]
    assert repo.get_label("new one").color == "ededed"
    issue.remove_from_labels("BUG")
    with refused(404, "Label does not exist"):
        issue.remove_from_labels("Bug")
    issue.set_labels("a", "b")
    assert [x.name for x in issue.get_labels()] == ["a", "b"]
    issue.delete_labels()
    repo.get_label("Bug").edit("Defect", "000000")
    repo.get_label("a").delete()
    assert {x.name for x in repo.get_labels()} == {"b", "Defect", "new one"}
    with refused(403):
        desk.repo("stranger").get_issue(1).add_to_labels("b")
    desk.repo("monalisa").get_issue(1).add_to_labels("b")


def test_one_reaction_of_a_kind_per_person(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    comment = issue.create_comment("/help")
    first, again = comment.create_reaction("eyes"), comment.create_reaction("eyes")
    desk.repo("hubot").get_issue(1).get_comment(comment.id).create_reaction("eyes")
    assert first.id == again.id
    assert [r.user.login for r in comment.get_reactions()] == ["octocat", "hubot"]
    assert issue.get_comment(comment.id).reactions["eyes"] == 2
    with refused(422):
        comment.create_reaction("applause")
    comment.delete_reaction(first.id)
    issue.create_reaction("rocket")
    assert [r.content for r in issue.get_reactions()] == ["rocket"]
    assert comment.get_reactions().totalCount == 1


def test_sub_issues_have_one_parent_and_no_circle(desk: Desk) -> None:
    repo = desk.repo()
    parent, child, third = (repo.create_issue(t) for t in "abc")
    parent.add_sub_issue(child.id)
    child.add_sub_issue(third.id)
    assert [s.number for s in parent.get_sub_issues()] == [2]
    with refused(422, "duplicate"):
        parent.add_sub_issue(child.id)
    with refused(422, "circular"):
        third.add_sub_issue(parent.id)
    with refused(422, "one parent"):
        parent.add_sub_issue(third.id)
    with refused(422):
        parent.add_sub_issue(child.number)
    assert desk.api("GET", desk.at("/issues/3/parent")).json()["number"] == 2
    parent.remove_sub_issue(child.id)
    assert list(parent.get_sub_issues()) == []


def test_milestones_count_their_issues(desk: Desk) -> None:
    repo = desk.repo()
    milestone = repo.create_milestone("One", description="first")
    with refused(422, "already_exists"):
        repo.create_milestone("One")
    issue = repo.create_issue("x", milestone=milestone)
    issue.edit(state="closed")
    found = repo.get_milestone(1)
    assert (found.open_issues, found.closed_issues) == (0, 1)
    milestone.edit("Two", state="closed")
    assert [m.title for m in repo.get_milestones(state="closed")] == ["Two"]
    milestone.delete()
    assert repo.get_issue(1).milestone is None


def test_a_locked_issue_is_for_writers(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    issue.lock("resolved")
    with refused(403, "locked"):
        desk.repo("stranger").get_issue(1).create_comment("but")
    desk.repo("hubot").get_issue(1).create_comment("well")
    issue.unlock()
    desk.repo("stranger").get_issue(1).create_comment("thanks")


@pytest.mark.parametrize(
    "body,status,words",
    [
        ({"body": "no title"}, 422, '"title" wasn\'t supplied'),
        ({"title": ["x"]}, 422, "is not a string"),
        ({"title": "   "}, 422, "missing_field"),
        ({"title": "a" * 257}, 422, "256"),
        ({"title": "x", "labels": "bug"}, 422, "is not an array"),
    ],
)
def test_a_wrong_issue_is_refused_in_words(
    desk: Desk, body: dict[str, Any], status: int, words: str
) -> None:
    got = desk.api("POST", desk.at("/issues"), **body)
    assert got.status_code == status and words in got.text.replace('\\"', '"')
    assert list(desk.repo().get_issues()) == []


def test_what_is_no_json_is_400(desk: Desk) -> None:
    for raw in ("{", '"x"', '{"title": "\\ud800"}'):
        headers = {"Authorization": "token token-of-octocat"}
        url = desk.twin.url + desk.at("/issues")
        got = requests.post(url, data=raw, headers=headers, timeout=20)
        assert got.status_code == 400 and got.json()["status"] == "400"
