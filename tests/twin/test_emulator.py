"""The larger tests of clients against a GitHub that others made (0.11.2), and what it lacks.

What it lacks, or does otherwise than GitHub says, must fail: a version that can do more shows here.
github3.py refuses all of its repositories (no `network_count`), so PyGithub is the only client.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.twin import test_code, test_pulls, test_reviews, test_talk
from tests.twin.desk import Desk
from tests.twin.emulated import Emulator, emulator

LACKS = {
    "reactions": {"test_one_reaction_of_a_kind_per_person"},
    "sub-issues": {"test_sub_issues_have_one_parent_and_no_circle"},
    "commit statuses": {"test_the_newest_status_of_each_context_counts"},
    "a pull request seen as an issue": {"test_a_pull_request_is_an_issue_too"},
    "ETag and 304": {"test_an_unchanged_answer_is_304_and_free"},
    "git over HTTP": {
        "test_git_clones_and_pushes", "test_a_push_with_a_lease_is_a_compare_and_swap",
        "test_git_is_refused_where_the_api_is",
    },
    "`git/refs/{ref}`, by which PyGithub asks for one ref": {
        "test_a_commit_is_made_of_its_parts", "test_two_branches_are_compared",
        "test_what_git_merged_is_merged", "test_releases",
    },
    "a ref is moved anywhere, a commit made of what is not there": {
        "test_refs_move_forward_only", "test_what_is_not_there_makes_no_commit",
        "test_a_repository_without_a_commit[POST-/git/trees]",
    },
    "tags: without an object none is listed, with one it is the object's": {
        "test_tags_with_and_without_an_object",
    },
    "real diffs, commits and conflicts of a pull request": {
        "test_its_commits_and_files_are_git_s", "test_squash_and_rebase_leave_no_merge_commit",
        "test_a_conflict_is_refused", "test_a_pull_request_that_cannot_be",
        "test_a_stale_sha_a_draft_and_a_method_that_is_off", "test_comments_on_lines",
        "test_merge_commits",
    },
    "mergeability is known at once": {"test_mergeability_is_not_known_at_once"},
    "closing words": {
        "test_closing_words_close_on_the_default_branch_only",
        "test_closing_words_name_an_issue_in_more_than_one_way",
    },
    "no self-approval, reviewers, code owners, protection as PyGithub reads it": {
        "test_nobody_approves_their_own", "test_reviewers_are_asked_and_answer",
        "test_reviews_and_code_owners_and_checks_stand_before_the_merge",
        "test_a_protected_branch_takes_no_push",
        "test_an_approval_of_older_code_counts_no_more_where_that_is_asked",
    },
    "a check run is completed by its conclusion; its annotations add up": {
        "test_check_runs_and_their_annotations",
    },
    "who may do what to an issue: it lets anybody": {
        "test_a_strangers_labels_and_assignees_are_dropped", "test_a_locked_issue_is_for_writers",
        "test_comments_are_edited_and_deleted_by_whom_they_belong_to",
    },
    "limits and GitHub's words for what is refused": {
        "test_a_body_has_a_limit", "test_a_wrong_issue_is_refused_in_words",
        "test_what_is_no_json_is_400", "test_labels_are_made_once_and_whatever_their_case",
        "test_milestones_count_their_issues",
    },
    "listings by label and milestone, counts, what an issue's events are": {
        "test_issues_are_listed_as_asked", "test_an_issue_has_what_it_was_given",
        "test_closing_and_reopening_are_told_in_the_timeline",
    },
}  # fmt: skip
WHY = {name: why for why, names in LACKS.items() for name in names}

for _suite in (test_talk, test_code, test_pulls, test_reviews):
    globals().update({k: v for k, v in vars(_suite).items() if k.startswith("test_")})


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with emulator(tmp_path_factory.mktemp("emulator")) as running:
        yield running


@pytest.fixture
def desk(other: Emulator, tmp_path: Path, request: pytest.FixtureRequest) -> Desk:
    why = WHY.get(request.node.name) or WHY.get(request.node.originalname)
    if why:
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))
    return Desk(other, tmp_path)
