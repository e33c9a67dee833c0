"""What every GitHub does, asked of two: the twin, and the emulator that others made.

A test that fails on both is wrong; one that fails on one says which of them is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.emulated import emulator
from tests.twin.listener import listening
from tests.twin.openapi import checked_exchanges
from tests.twin.pulls import branch, opened
from tests.twin.running import Twin
from tests.twin.waiting import until


@pytest.fixture(scope="module", params=["twin", "emulator"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Twin]:
    if request.param == "twin":
        yield request.getfixturevalue("twin")
        return
    with emulator(tmp_path_factory.mktemp("emulator")) as running:
        yield running


@pytest.fixture
def desk(server: Twin, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    if "emulator" in request.node.name:  # what it answers is not ours to hold to the description
        yield Desk(server, tmp_path)
        return
    with checked_exchanges():
        yield Desk(server, tmp_path)


def test_people_and_what_they_may(desk: Desk) -> None:
    assert desk.client("hubot").get_user().login == "hubot"
    repo = desk.repo()
    assert (repo.full_name, repo.private, repo.default_branch) == (desk.full_name, False, "main")
    assert repo.get_collaborator_permission("octocat") == "admin"
    assert {c.login for c in repo.get_collaborators()} >= {"hubot", "monalisa"}
    with refused(404):
        desk.client().get_repo("octocat/nowhere")


def test_issues_are_numbered_edited_and_closed(desk: Desk) -> None:
    repo = desk.repo()
    first, second = repo.create_issue("First", body="Body"), repo.create_issue("Second")
    assert (first.number, second.number, first.body, first.user.login) == (1, 2, "Body", "octocat")
    first.edit(title="Other", state="closed", state_reason="not_planned")
    again = repo.get_issue(1)
    assert (again.title, again.state, again.state_reason) == ("Other", "closed", "not_planned")
    assert [i.number for i in repo.get_issues()] == [2]
    assert {i.number for i in repo.get_issues(state="all")} == {1, 2}
    again.edit(state="open")
    assert repo.get_issue(1).closed_at is None
    with refused(404):
        repo.get_issue(3)


def test_comments_come_in_their_order(desk: Desk) -> None:
    issue = desk.repo().create_issue("x")
    made = [desk.repo("hubot").get_issue(1).create_comment(text) for text in ("a", "/help", "c")]
    assert [(c.id, c.body) for c in issue.get_comments()] == [(c.id, c.body) for c in made]
    made[0].edit("A")
    made[1].delete()
    assert [c.body for c in issue.get_comments()] == ["A", "c"]
    assert desk.repo().get_issue(1).comments == 2
    with refused(404):
        issue.get_comment(made[1].id)


def test_labels_and_assignees(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_label("urgent", "ff0000", "Now")
    with refused(422):
        repo.create_label("urgent", "00ff00")
    issue = repo.create_issue("x", labels=["urgent"], assignees=["hubot"])
    assert [x.name for x in issue.labels] == ["urgent"]
    assert [x.login for x in issue.assignees] == ["hubot"]
    issue.remove_from_labels("urgent")
    assert list(issue.get_labels()) == []
    repo.get_label("urgent").delete()
    with refused(404):
        repo.get_label("urgent")


def test_milestones(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_issue("x", milestone=repo.create_milestone("First"))
    assert [(m.number, m.title, m.open_issues) for m in repo.get_milestones()] == [(1, "First", 1)]
    repo.get_issue(1).edit(state="closed")
    assert (repo.get_milestone(1).open_issues, repo.get_milestone(1).closed_issues) == (0, 1)


def test_files_are_changed_only_by_who_saw_them(desk: Desk) -> None:
    repo = desk.repo()
    made = repo.create_file("a/b.txt", "Write it", "one\n")["content"]
    found = repo.get_contents("a/b.txt")
    assert not isinstance(found, list) and found.decoded_content == b"one\n"
    changed = repo.update_file("a/b.txt", "Change it", "two\n", made.sha)
    with refused(409):
        repo.update_file("a/b.txt", "Change it", "three\n", made.sha)
    assert repo.get_commits()[0].sha == changed["commit"].sha
    with refused(404):
        repo.get_contents("a/nothing.txt")


def test_a_commit_is_made_of_blob_tree_and_parent(desk: Desk) -> None:
    repo = desk.repo()
    head = repo.get_branch("main").commit
    made = desk.api(
        "POST", desk.at("/git/trees"), base_tree=head.commit.tree.sha,
        tree=[{"path": "x/y", "mode": "100644", "type": "blob", "content": "y\n"}],
    ).json()  # fmt: skip
    tree = repo.get_git_tree(made["sha"], recursive=True)
    assert {"README.md", "x/y"} <= {e.path for e in tree.tree}
    commit = desk.api(
        "POST", desk.at("/git/commits"), message="Add y", tree=made["sha"], parents=[head.sha]
    ).json()
    repo.create_git_ref("refs/heads/side", commit["sha"])
    assert repo.get_branch("side").commit.sha == commit["sha"]
    with refused(422):
        repo.create_git_ref("refs/heads/side", head.sha)
    assert [p["sha"] for p in commit["parents"]] == [head.sha]


def test_a_pull_request_is_opened_and_merged(desk: Desk) -> None:
    pull = opened(desk, body="Why.")
    assert (pull.state, pull.title, pull.head.ref, pull.base.ref) == (
        "open", "Merge side", "side", "main",
    )  # fmt: skip
    assert [p.number for p in desk.repo().get_pulls()] == [1]
    done = desk.repo("hubot").get_pull(1).merge()
    assert done.merged and desk.repo().get_branch("main").commit.sha == done.sha
    merged = desk.repo().get_pull(1)
    assert (merged.state, merged.merged, merged.merge_commit_sha) == ("closed", True, done.sha)


def test_a_pull_request_is_reviewed(desk: Desk) -> None:
    opened(desk)
    desk.repo().get_pull(1).create_review(body="Good", event="APPROVE")
    [review] = desk.repo().get_pull(1).get_reviews()
    assert (review.state, review.body, review.user.login) == ("APPROVED", "Good", "octocat")


def test_a_check_run_is_made_and_found(desk: Desk) -> None:
    sha = branch(desk, "side", "side.txt", "x")
    done = {"status": "completed", "conclusion": "failure"}
    made = desk.api("POST", desk.at("/check-runs"), name="sandbox", head_sha=sha, **done)
    assert made.status_code == 201
    [found] = desk.repo().get_commit(sha).get_check_runs()
    assert (found.name, found.status, found.conclusion) == ("sandbox", "completed", "failure")


def test_a_release_is_found_by_its_tag(desk: Desk) -> None:
    made = desk.repo().create_git_release("v1", "One", "Notes")
    assert desk.repo().get_latest_release().id == made.id
    assert [(r.tag_name, r.body) for r in desk.repo().get_releases()] == [("v1", "Notes")]


def test_a_listing_goes_on_over_its_pages(desk: Desk) -> None:
    for n in range(7):
        desk.repo().create_issue(str(n))
    first = desk.api("GET", desk.at("/issues?per_page=3"))
    assert set(first.links) == {"next", "last"} and len(first.json()) == 3
    last = desk.api("GET", desk.at("/issues?per_page=3&page=3"))
    assert set(last.links) >= {"prev", "first"} and len(last.json()) == 1


def test_a_webhook_tells_of_an_issue(desk: Desk) -> None:
    with listening() as server:
        config = {"url": server.url, "content_type": "json", "secret": "s"}
        desk.repo().create_hook("web", config, ["issues", "issue_comment"])
        desk.repo().create_issue("x").create_comment("/help")
        heard = until(
            lambda: [(n, p) for n, p in server.events() if n != "ping"], lambda e: len(e) == 2
        )
    assert [(n, p["action"]) for n, p in heard] == [
        ("issues", "opened"),
        ("issue_comment", "created"),
    ]
    assert heard[1][1]["comment"]["body"] == "/help" and heard[1][1]["issue"]["number"] == 1
    assert all(h.get("X-Hub-Signature-256", "").startswith("sha256=") for h, _ in server.got)
