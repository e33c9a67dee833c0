"""Rulesets: what is in force on a branch, for whom, and what it forbids."""

from __future__ import annotations

from typing import Any

import pytest

from tests.twin.desk import Desk, refused
from tests.twin.pulls import branch, opened

ADMIN = {"actor_id": 5, "actor_type": "RepositoryRole", "bypass_mode": "always"}
MAIN = {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}}


def rule(desk: Desk, *rules: dict[str, Any], **more: Any) -> int:
    wish = {"name": "main", "target": "branch", "enforcement": "active", "conditions": MAIN, **more}
    made = desk.api("POST", desk.at("/rulesets"), rules=list(rules), **wish)
    assert made.status_code == 201, made.text
    return int(made.json()["id"])


def test_the_rules_of_a_branch(desk: Desk) -> None:
    key = rule(desk, {"type": "deletion"}, {"type": "non_fast_forward"})
    rule(desk, {"type": "required_linear_history"}, name="off", enforcement="disabled")
    found = desk.api("GET", desk.at("/rules/branches/main")).json()
    assert [(r["type"], r["ruleset_id"]) for r in found] == [
        ("deletion", key), ("non_fast_forward", key),
    ]  # fmt: skip
    assert desk.api("GET", desk.at("/rules/branches/side")).json() == []


def test_no_force_and_no_deletion(desk: Desk) -> None:
    sha = desk.repo().get_branch("main").commit.sha
    names = {"ref_name": {"include": ["refs/heads/keep/*"], "exclude": []}}
    rule(desk, {"type": "deletion"}, {"type": "non_fast_forward"}, conditions=names)
    branch(desk, "keep/this", "a.txt", "x")
    ref = desk.repo().get_git_ref("heads/keep/this")
    with refused(422, "Cannot force-push"):
        ref.edit(sha, force=True)
    with refused(422, "Cannot delete"):
        ref.delete()
    branch(desk, "keep/this", "b.txt", "x")


def test_who_may_bypass(desk: Desk) -> None:
    names = {"ref_name": {"include": ["~ALL"], "exclude": ["refs/heads/main"]}}
    rule(desk, {"type": "deletion"}, conditions=names, bypass_actors=[ADMIN])
    branch(desk, "side", "a.txt", "x")
    with refused(422, "Cannot delete"):
        desk.repo("hubot").get_git_ref("heads/side").delete()
    desk.repo().get_git_ref("heads/side").delete()


def test_a_line_without_merge_commits(desk: Desk) -> None:
    rule(desk, {"type": "required_linear_history"})
    pull = opened(desk)
    with refused(405, "must not contain merge commits"):
        pull.merge()
    pull.merge(merge_method="squash")


@pytest.mark.parametrize("allowed", [True, False])
def test_a_protected_branch_is_deleted_where_that_is_allowed(desk: Desk, allowed: bool) -> None:
    branch(desk, "side", "a.txt", "x")
    wish = {
        "required_status_checks": None, "enforce_admins": True, "restrictions": None,
        "required_pull_request_reviews": None, "allow_deletions": allowed,
    }  # fmt: skip
    assert desk.api("PUT", desk.at("/branches/side/protection"), **wish).status_code == 200
    got = desk.api("DELETE", desk.at("/git/refs/heads/side"))
    assert got.status_code == (204 if allowed else 422)


def test_a_rule_that_is_not_held_to_is_refused(desk: Desk) -> None:
    wish = {"name": "x", "enforcement": "active", "rules": [{"type": "required_signatures"}]}
    assert desk.api("POST", desk.at("/rulesets"), **wish).status_code == 422
