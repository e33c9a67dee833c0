"""Rulesets: to which branches they apply, whom they bind, and what they ask for."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Literal

from bot.twin.access import at_least
from bot.twin.call import Call, Json
from bot.twin.store import Row, many

Doing = Literal["push", "merge"]
PLAIN = ("deletion", "non_fast_forward", "required_linear_history")
"""Rules that have no parameters."""
ROLE_IDS = {2: "write", 4: "maintain", 5: "admin"}
"""GitHub's numbers of the roles that may bypass."""


def binding(call: Call, branch: str, doing: Doing) -> list[Json]:
    """What each one that binds the caller asks for, in the words of a protected branch."""
    return [
        asked(json.loads(row["rules"]))
        for row in applying(call, branch)
        if not bypassed(call, row, doing)
    ]


def all_of(call: Call, branch: str) -> list[Json]:
    """What each one asks for, whoever comes."""
    return [asked(json.loads(row["rules"])) for row in applying(call, branch)]


def applying(call: Call, branch: str) -> list[Row]:
    sql = """SELECT * FROM rulesets WHERE repo_id = ? AND target = 'branch'
             AND enforcement = 'active' ORDER BY id"""
    rows = many(call.db, sql, call.repo["id"])
    return [row for row in rows if applies(call, row, branch)]


def applies(call: Call, row: Row, branch: str) -> bool:
    names = json.loads(row["conditions"]).get("ref_name") or {}
    return _named(call, names.get("include"), branch) and not _named(
        call, names.get("exclude"), branch
    )


def _named(call: Call, patterns: list[str] | None, branch: str) -> bool:
    for pattern in patterns or ():
        if pattern == "~ALL" or fnmatchcase(f"refs/heads/{branch}", pattern):
            return True
        if pattern == "~DEFAULT_BRANCH" and branch == call.repo["default_branch"]:
            return True
    return False


def bypassed(call: Call, row: Row, doing: Doing) -> bool:
    """Who may only bypass for pull requests may not push past the rules."""
    for actor in json.loads(row["bypass"]):
        role = ROLE_IDS.get(actor.get("actor_id") or 0)
        if actor.get("actor_type") != "RepositoryRole" or role is None:
            continue
        if actor.get("bypass_mode", "always") == "pull_request" and doing == "push":
            continue
        if at_least(call.role, role):
            return True
    return False


def asked(rules: list[Json]) -> Json:
    found: Json = {}
    for rule in rules:
        given = rule.get("parameters") or {}
        if rule["type"] in PLAIN:
            found[rule["type"]] = True
        if rule["type"] == "pull_request":
            found["required_pull_request_reviews"] = {
                "required_approving_review_count": given["required_approving_review_count"],
                "require_code_owner_reviews": given["require_code_owner_review"],
                "dismiss_stale_reviews": given.get("dismiss_stale_reviews_on_push"),
            }
        if rule["type"] == "required_status_checks":
            found["required_status_checks"] = {
                "strict": given["strict_required_status_checks_policy"],
                "checks": given["required_status_checks"],
            }
    return found
