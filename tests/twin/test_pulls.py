"""Pull requests from opened to merged, and every reason why one is not, as PyGithub sees them."""

from typing import Any

import pytest
from github.PullRequest import PullRequest

from tests.twin.desk import Desk, refused


def branch(desk: Desk, name: str, path: str, text: str, login: str = "hubot") -> str:
    repo = desk.repo(login)
    if name not in {b.name for b in repo.get_branches()}:
        repo.create_git_ref(f"refs/heads/{name}", repo.get_branch("main").commit.sha)
    made = repo.create_file(path, f"Write {path}", text, branch=name)
    return str(made["commit"].sha)


def opened(desk: Desk, name: str = "side", path: str = "side.txt", body: str = "") -> PullRequest:
    branch(desk, name, path, f"{name}\n")
    return desk.repo("hubot").create_pull("main", name, title=f"Merge {name}", body=body)


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


def mergeable(desk: Desk, number: int) -> tuple[bool | None, str]:
    """The first look makes the twin look; the answer comes with a later one, as on GitHub."""
    for _ in range(100):
        pull = desk.repo().get_pull(number)
        if pull.mergeable is not None:
            break
    return pull.mergeable, pull.mergeable_state


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


def test_nobody_approves_their_own(desk: Desk) -> None:
    pull = opened(desk)
    with refused(422, "Can not approve your own pull request"):
        pull.create_review(event="APPROVE")
    pull.create_review(body="A word", event="COMMENT")
    with refused(422, "blank"):
        desk.repo().get_pull(1).create_review(event="REQUEST_CHANGES")
    review = desk.repo().get_pull(1).create_review(body="Good", event="APPROVE")
    assert (review.state, review.commit_id) == ("APPROVED", pull.head.sha)
    assert [r.state for r in pull.get_reviews()] == ["COMMENTED", "APPROVED"]
    review.dismiss("No more")
    assert [r.state for r in pull.get_reviews()] == ["COMMENTED", "DISMISSED"]


def test_comments_on_lines(desk: Desk) -> None:
    pull = opened(desk)
    head = desk.repo().get_commit(pull.head.sha)
    made = pull.create_review_comment("Why?", head, "side.txt", line=1)
    pull.create_review_comment_reply(made.id, "Because.")
    found = list(pull.get_review_comments())
    assert [c.body for c in found] == ["Why?", "Because."]
    assert found[1].in_reply_to_id == made.id and found[0].diff_hunk.startswith("@@")
    with refused(422, "path"):
        pull.create_review_comment("Where?", head, "nowhere.txt", line=1)
    made.edit("Why so?")
    assert pull.get_review_comment(made.id).body == "Why so?"
    made.delete()
    assert desk.repo().get_pull(1).review_comments == 1
    review = (
        desk.repo()
        .get_pull(1)
        .create_review(
            body="x", event="COMMENT", comments=[{"path": "side.txt", "line": 1, "body": "here"}]
        )
    )
    assert [c.body for c in pull.get_single_review_comments(review.id)] == ["here"]


def test_reviewers_are_asked_and_answer(desk: Desk) -> None:
    pull = opened(desk)
    pull.create_review_request(reviewers=["octocat"])
    assert [u.login for u in pull.get_review_requests()[0]] == ["octocat"]
    with refused(422, "collaborator"):
        pull.create_review_request(reviewers=["stranger"])
    with refused(422, "author"):
        pull.create_review_request(reviewers=["hubot"])
    desk.repo().get_pull(1).create_review(event="APPROVE")
    assert pull.get_review_requests()[0].totalCount == 0


OWNERS = "* @monalisa\n/strategies/ @octocat # live money\n*.md\n"


def test_reviews_and_code_owners_and_checks_stand_before_the_merge(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_file("CODEOWNERS", "Say who owns", OWNERS)
    pull = opened(desk, path="strategies/x.py")
    repo.get_branch("main").edit_protection(
        contexts=["sandbox", "lint"], enforce_admins=True, required_approving_review_count=1,
        require_code_owner_reviews=True,
    )  # fmt: skip
    assert mergeable(desk, 1) == (True, "blocked")
    with refused(405, "At least 1 approving review"):
        pull.merge()
    desk.repo("stranger").get_pull(1).create_review(event="APPROVE")
    with refused(405, "At least 1 approving review"):
        pull.merge()
    repo.add_to_collaborators("stranger", "push")
    with refused(405, "code owner review from octocat"):
        pull.merge()
    repo.get_pull(1).create_review(event="REQUEST_CHANGES", body="no")
    with refused(405, "Changes have been requested"):
        pull.merge()
    repo.get_pull(1).create_review(event="APPROVE")
    with refused(405, 'Required status check \\"sandbox\\" is expected'):
        pull.merge()
    head = desk.repo("hubot").get_commit(pull.head.sha)
    head.create_status("pending", context="sandbox")
    with refused(405, "is expected"):
        pull.merge()
    head.create_status("success", context="sandbox")
    check = repo.create_check_run("lint", pull.head.sha, conclusion="failure")
    with refused(405, 'check \\"lint\\" is failing'):
        pull.merge()
    check.edit(conclusion="success")
    assert pull.merge().merged
    repo.get_branch("main").remove_protection()
    with refused(404, "Branch not protected"):
        repo.get_branch("main").get_protection()


def test_the_newest_status_of_each_context_counts(desk: Desk) -> None:
    repo = desk.repo("hubot")
    head = repo.get_branch("main").commit
    assert head.get_combined_status().state == "pending"
    for state, context in (("failure", "a"), ("success", "a"), ("pending", "b")):
        head.create_status(state, description=f"{context} {state}", context=context)
    combined = head.get_combined_status()
    assert (combined.state, combined.total_count) == ("pending", 2)
    assert {s.context: s.state for s in combined.statuses} == {"a": "success", "b": "pending"}
    assert head.get_statuses().totalCount == 3
    head.create_status("error", context="b")
    assert head.get_combined_status().state == "failure"
    with refused(422, "140"):
        head.create_status("success", description="x" * 141)
    with refused(422, "list"):
        head.create_status("green")
    with refused(403):
        desk.repo("monalisa").get_commit("main").create_status("success")


def test_check_runs_and_their_annotations(desk: Desk) -> None:
    repo, sha = desk.repo("hubot"), desk.repo().get_branch("main").commit.sha
    mark: dict[str, str | int] = {"path": "README.md", "start_line": 1, "end_line": 1}
    mark |= {"annotation_level": "warning", "message": "m"}
    output: dict[str, Any] = {"title": "T", "summary": "S", "annotations": [mark] * 50}
    check = repo.create_check_run("sandbox", sha, status="in_progress", output=output)
    assert check.output.annotations_count == 50
    check.edit(conclusion="success", output={**output, "annotations": [mark] * 3})
    found = repo.get_check_run(check.id)
    assert (found.status, found.conclusion, found.output.annotations_count) == (
        "completed", "success", 53,
    )  # fmt: skip
    assert found.get_annotations().totalCount == 53
    with refused(422, "No more than 50 items"):
        repo.create_check_run("x", sha, output={**output, "annotations": [mark] * 51})
    with refused(422, "No commit found"):
        repo.create_check_run("x", "0" * 40)
    repo.create_check_run("sandbox", sha, conclusion="failure")
    assert [c.conclusion for c in repo.get_commit(sha).get_check_runs()] == ["failure"]
    assert repo.get_commit(sha).get_check_runs(filter="all").totalCount == 2
    assert repo.get_commit(sha).get_check_suites()[0].conclusion == "failure"


def test_releases(desk: Desk) -> None:
    repo = desk.repo("hubot")
    made = repo.create_git_release("v1.0", "One", "Notes")
    assert repo.get_git_ref("tags/v1.0").object.sha == repo.get_branch("main").commit.sha
    with refused(422, "already_exists"):
        repo.create_git_release("v1.0", "Again", "")
    draft = repo.create_git_release("v2.0", "Two", "", draft=True)
    assert [r.name for r in desk.repo("stranger").get_releases()] == ["One"]
    assert repo.get_latest_release().id == made.id == repo.get_release("v1.0").id
    draft.update_release("Two!", "Done", draft=False)
    assert [r.name for r in desk.repo("stranger").get_releases()] == ["Two!", "One"]
    made.delete_release()
    with refused(404):
        repo.get_release("v1.0")
