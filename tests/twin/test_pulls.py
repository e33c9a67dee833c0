"""Pull requests from opened to merged, and every reason why one is not, as PyGithub sees them."""

from __future__ import annotations

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.pulls import branch, mergeable, opened


def test_a_pull_request_is_an_issue_too(desk: Desk) -> None:
    desk.repo().create_issue("first")
    pull = opened(desk, body="Why.")
    assert (pull.number, pull.title, pull.body, pull.state) == (2, "Merge side", "Why.", "open")
    assert (pull.additions, pull.deletions, pull.changed_files, pull.commits) == (1, 0, 1, 1)
    issue = desk.repo().get_issue(2)
    assert issue.pull_request and issue.title == pull.title
    issue.create_comment("/help")
    issue.add_to_labels("urgent")
    again = desk.repo().get_pull(2)
    assert (again.comments, [x.name for x in again.labels]) == (1, ["urgent"])
    assert [i.number for i in desk.repo().get_issues(state="all")] == [2, 1]
    with refused(404):
        desk.repo().get_pull(1)


def test_its_commits_and_files_are_git_s(desk: Desk) -> None:
    pull = opened(desk)
    sha = branch(desk, "side", "more/b.txt", "b\n")
    assert [c.sha for c in pull.get_commits()][-1] == sha and pull.get_commits().totalCount == 2
    assert [f.filename for f in pull.get_files()] == ["more/b.txt", "side.txt"]
    desk.repo().create_file("main.txt", "Meanwhile", "x")
    assert pull.get_files().totalCount == 2
    assert desk.repo().get_pull(1).head.sha == sha
    diff = desk.api(
        "GET", desk.at("/pulls/1"), headers={"Accept": "application/vnd.github.v3.diff"}
    ).text
    assert "diff --git a/side.txt b/side.txt" in diff and "main.txt" not in diff


@pytest.mark.parametrize(
    "head,base,words",
    [
        ("side", "main", "A pull request already exists for octocat:side."),
        ("octocat:side", "main", "A pull request already exists"),
        ("nowhere", "main", '"field": "head"'),
        ("stranger:side", "main", '"field": "head"'),
        ("side", "nowhere", '"field": "base"'),
        ("main", "side", "No commits between side and main"),
    ],
)
def test_a_pull_request_that_cannot_be(desk: Desk, head: str, base: str, words: str) -> None:
    opened(desk)
    with refused(422, words):
        desk.repo("hubot").create_pull(base, head, title="x", body="")
    assert desk.repo().get_pulls(state="all").totalCount == 1


def test_pull_requests_are_found_by_head_and_base(desk: Desk) -> None:
    opened(desk)
    opened(desk, "other", "other.txt")
    repo = desk.repo()
    assert [p.number for p in repo.get_pulls()] == [2, 1]
    assert [p.number for p in repo.get_pulls(head="octocat:side")] == [1]
    assert [p.number for p in repo.get_pulls(head="stranger:side")] == []
    assert [p.number for p in repo.get_pulls(base="side")] == []
    repo.get_pull(1).edit(state="closed")
    assert [p.number for p in repo.get_pulls(state="closed")] == [1]
    repo.get_pull(1).edit(state="open", title="Again")
    assert repo.get_pull(1).title == "Again"


def test_mergeability_is_not_known_at_once(desk: Desk) -> None:
    pull = opened(desk)
    assert pull.mergeable is None
    assert mergeable(desk, 1) == (True, "clean")
    branch(desk, "side", "more.txt", "x")
    assert desk.repo().get_pull(1).mergeable is None
    desk.repo("hubot").get_commit(desk.repo().get_pull(1).head.sha).create_status("failure")
    assert mergeable(desk, 1) == (True, "unstable")
    desk.repo().create_file("side.txt", "Other", "conflict\n")
    assert mergeable(desk, 1) == (False, "dirty")


def test_merge_commits(desk: Desk) -> None:
    pull = opened(desk)
    done = (
        desk.repo("hubot")
        .get_pull(1)
        .merge(commit_title="T", commit_message="M", sha=pull.head.sha)
    )
    assert done.merged
    merged = desk.repo().get_pull(1)
    assert (merged.state, merged.merged, merged.merge_commit_sha) == ("closed", True, done.sha)
    assert merged.merged_by and merged.merged_by.login == "hubot" and merged.is_merged()
    top = desk.repo().get_commit("main")
    assert (top.sha, top.commit.message) == (done.sha, "T\n\nM")
    assert [p.sha for p in top.parents][1] == pull.head.sha
    with refused(405, "not mergeable"):
        merged.merge()
    assert merged.get_files().totalCount == 1
    assert [e.event for e in desk.repo().get_issue(1).get_events()] == ["merged", "closed"]


def test_squash_and_rebase_leave_no_merge_commit(desk: Desk) -> None:
    opened(desk, "one", "one.txt")
    branch(desk, "one", "one2.txt", "x")
    opened(desk, "two", "two.txt")
    branch(desk, "two", "two2.txt", "x")
    repo = desk.repo()
    repo.get_pull(1).merge(merge_method="squash")
    assert repo.get_commit("main").commit.message.startswith("Merge one (#1)\n\n* Write one.txt")
    repo.get_pull(2).merge(merge_method="rebase")
    messages = [c.commit.message.splitlines()[0] for c in repo.get_commits()]
    assert messages[:3] == ["Write two2.txt", "Write two.txt", "Merge one (#1)"]
    assert all(len(c.parents) == 1 for c in list(repo.get_commits())[:-1])
    files = repo.get_contents("")
    assert isinstance(files, list)
    assert {f.path for f in files} >= {"one.txt", "one2.txt", "two.txt", "two2.txt"}


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_a_conflict_is_refused(desk: Desk, method: str) -> None:
    opened(desk)
    desk.repo().create_file("side.txt", "Other", "conflict\n")
    before = desk.repo().get_branch("main").commit.sha
    with refused(405, "not mergeable"):
        desk.repo().get_pull(1).merge(merge_method=method)
    assert desk.repo().get_branch("main").commit.sha == before
    assert not desk.repo().get_pull(1).merged


def test_a_stale_sha_a_draft_and_a_method_that_is_off(desk: Desk) -> None:
    pull = opened(desk)
    branch(desk, "side", "more.txt", "x")
    with refused(409, "Head branch was modified"):
        pull.merge(sha=pull.head.sha)
    desk.repo().edit(allow_squash_merge=False)
    with refused(405, "Squash merges are not allowed"):
        pull.merge(merge_method="squash")
    branch(desk, "draft", "draft.txt", "x")
    draft = desk.repo("hubot").create_pull("main", "draft", title="x", body="", draft=True)
    with refused(405, "draft"):
        draft.merge()
    with refused(403):
        desk.repo("monalisa").get_pull(1).merge()


def test_closing_words_close_on_the_default_branch_only(desk: Desk) -> None:
    repo = desk.repo()
    for title in "abc":
        repo.create_issue(title)
    repo.create_git_ref("refs/heads/deliver", repo.get_branch("main").commit.sha)
    branch(desk, "one", "one.txt", "x")
    repo.create_pull("deliver", "one", title="x", body="Closes #1").merge()
    assert repo.get_issue(1).state == "open"
    repo.create_pull("main", "deliver", title="x", body="Fixes #2, and resolved: #3.").merge()
    assert [repo.get_issue(n).state for n in (1, 2, 3)] == ["open", "closed", "closed"]
    repo.create_file("x", "Write x\n\ncloses #1", "x")
    assert repo.get_issue(1).state == "closed"


def test_closing_words_name_an_issue_in_more_than_one_way(desk: Desk) -> None:
    repo = desk.repo()
    for title in "abcd":
        repo.create_issue(title)
    url = f"{desk.twin.url}/{desk.full_name}/issues/3"
    words = f"Closes {desk.full_name}#1, fixes GH-2, resolves {url}"
    opened(desk, body=f"{words}, closes octocat/other#4").merge()
    assert [repo.get_issue(n).state for n in (1, 2, 3, 4)] == ["closed"] * 3 + ["open"]


def test_what_git_merged_is_merged(desk: Desk) -> None:
    pull = opened(desk)
    desk.repo().get_git_ref("heads/main").edit(pull.head.sha)
    assert desk.repo().get_pull(1).merged
    opened(desk, "gone", "gone.txt")
    desk.repo().get_git_ref("heads/gone").delete()
    closed = desk.repo().get_pull(2)
    assert (closed.state, closed.merged) == ("closed", False)
    with refused(422):
        closed.edit(state="open")


def test_a_merged_branch_can_be_deleted_by_itself(desk: Desk) -> None:
    desk.repo().edit(delete_branch_on_merge=True)
    opened(desk).merge()
    assert [b.name for b in desk.repo().get_branches()] == ["main"]
    assert desk.repo().get_pull(1).merged
