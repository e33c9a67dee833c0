"""The protection of a branch, as a whole and part by part."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, route
from bot.twin.protection import rules_of
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.people import repo_url

PROTECTION = f"{REPO}/branches/<path:branch>/protection"
READ, WRITE = "administration:read", "administration:write"
SWITCHES = [
    "required_linear_history", "allow_force_pushes", "allow_deletions", "block_creations",
    "required_conversation_resolution", "lock_branch", "allow_fork_syncing",
]  # fmt: skip
PARTS = ("required_status_checks", "required_pull_request_reviews")


@route("GET", PROTECTION, role="admin", scope=READ)
def get(call: Call) -> Json:
    return _shown(call, call.args["branch"], _rules(call))


def _rules(call: Call) -> Json:
    rules = rules_of(call, call.args["branch"])
    if not rules:
        raise Problem(404, "Branch not protected")
    return rules


@route("PUT", PROTECTION, role="admin", scope=WRITE)
def protect(call: Call) -> Json:
    branch = call.args["branch"]
    if gitrepo.ref_target(opened(call), f"refs/heads/{branch}") is None:
        raise Problem(404, "Branch not found")
    rules = {**call.body, "on": True}
    _keep(call, rules)
    return _shown(call, branch, rules)


def _keep(call: Call, rules: Json) -> None:
    sql = "INSERT OR REPLACE INTO protections VALUES (?, ?, ?)"
    call.db.execute(sql, (call.repo["id"], call.args["branch"], json.dumps(rules)))


@route("DELETE", PROTECTION, role="admin", scope=WRITE)
def unprotect(call: Call) -> Answer:
    sql = "DELETE FROM protections WHERE repo_id = ? AND branch = ?"
    if not call.db.execute(sql, (call.repo["id"], call.args["branch"])).rowcount:
        raise Problem(404, "Branch not protected")
    return Answer(204)


def _shown(call: Call, branch: str, rules: Json) -> Json:
    url = f"{repo_url(call.view, call.repo)}/branches/{quote(branch, safe='')}/protection"
    shown: Json = {"url": url}
    shown["enforce_admins"] = {
        "url": f"{url}/enforce_admins", "enabled": bool(rules.get("enforce_admins")),
    }  # fmt: skip
    shown |= {name: {"enabled": bool(rules.get(name))} for name in SWITCHES}
    checks = rules.get("required_status_checks")
    if checks:
        names = checks.get("contexts") or [c["context"] for c in checks.get("checks") or []]
        shown["required_status_checks"] = {
            "url": f"{url}/required_status_checks", "strict": bool(checks.get("strict")),
            "contexts": names, "contexts_url": f"{url}/required_status_checks/contexts",
            "checks": [{"context": name, "app_id": None} for name in names],
        }  # fmt: skip
    reviews = rules.get("required_pull_request_reviews")
    if reviews:
        flags = (
            "dismiss_stale_reviews",
            "require_code_owner_reviews",
            "require_last_push_approval",
        )
        count = reviews.get("required_approving_review_count", 1)
        shown["required_pull_request_reviews"] = {
            "url": f"{url}/required_pull_request_reviews", "required_approving_review_count": count,
            **{flag: bool(reviews.get(flag)) for flag in flags},
        }  # fmt: skip
    return shown


@route("GET", f"{PROTECTION}/enforce_admins", role="admin", scope=READ)
def binds_admins(call: Call) -> Json:
    found: Json = _shown(call, call.args["branch"], _rules(call))["enforce_admins"]
    return found


@route("POST", f"{PROTECTION}/enforce_admins", role="admin", scope=WRITE)
def bind_admins(call: Call) -> Json:
    rules = {**_rules(call), "enforce_admins": True}
    _keep(call, rules)
    found: Json = _shown(call, call.args["branch"], rules)["enforce_admins"]
    return found


@route("DELETE", f"{PROTECTION}/enforce_admins", role="admin", scope=WRITE)
def free_admins(call: Call) -> Answer:
    _keep(call, {**_rules(call), "enforce_admins": False})
    return Answer(204)


def _part(call: Call) -> tuple[str, Json]:
    """What the path names, if it is there: a part that was never asked for is not."""
    name = call.path.rpartition("/")[2]
    found = _rules(call).get(name)
    if not found:
        raise Problem(404, f"{name.replace('_', ' ').capitalize()} not enabled")
    return name, found


def get_part(call: Call) -> Json:
    name, _ = _part(call)
    found: Json = _shown(call, call.args["branch"], _rules(call))[name]
    return found


@route("GET", f"{PROTECTION}/required_status_checks/contexts", role="admin", scope=READ)
def contexts(call: Call) -> list[Any]:
    checks = _rules(call).get("required_status_checks")
    if not checks:
        raise Problem(404, "Required status checks not enabled")
    return list(checks.get("contexts") or [c["context"] for c in checks.get("checks") or []])


def edit_part(call: Call) -> Json:
    """Contexts and checks are two ways to say the same, so a new word replaces both."""
    name, there = _part(call)
    if {"contexts", "checks"} & set(call.body):
        there = {k: v for k, v in there.items() if k not in ("contexts", "checks")}
    _keep(call, {**_rules(call), name: {**there, **call.body}})
    return get_part(call)


def remove_part(call: Call) -> Answer:
    name, _ = _part(call)
    _keep(call, {**_rules(call), name: None})
    return Answer(204)


for part in PARTS:
    route("GET", f"{PROTECTION}/{part}", role="admin", scope=READ)(get_part)
    route("PATCH", f"{PROTECTION}/{part}", role="admin", scope=WRITE)(edit_part)
    route("DELETE", f"{PROTECTION}/{part}", role="admin", scope=WRITE)(remove_part)
