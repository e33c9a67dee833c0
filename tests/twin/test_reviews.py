"""Reviews, code owners, statuses and checks: what stands before a merge; and releases."""

from __future__ import annotations

from typing import Any

from tests.twin.desk import Desk, refused
from tests.twin.pulls import branch, mergeable, opened


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


def test_an_approval_of_older_code_counts_no_more_where_that_is_asked(desk: Desk) -> None:
    pull = opened(desk)
    theirs = desk.repo().get_pull(1)
    theirs.create_review(body="Good", event="APPROVE")
    branch(desk, "side", "more.txt", "x")
    assert [r.state for r in pull.get_reviews()] == ["APPROVED"]
    main = desk.repo().get_branch("main")
    main.edit_protection(required_approving_review_count=1, dismiss_stale_reviews=True)
    branch(desk, "side", "even-more.txt", "x")
    assert [r.state for r in pull.get_reviews()] == ["DISMISSED"]
    with refused(405, "approving review is required"):
        pull.merge()


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
