"""What a protected branch asks for: reviews, code owners, checks. And who stands in the way."""

from __future__ import annotations

import json

import pathspec
from pygit2 import Commit, Repository

from bot.twin import gitrepo, rulesets
from bot.twin.access import at_least, role_of
from bot.twin.call import Call, Json, Problem
from bot.twin.rulesets import Doing
from bot.twin.store import Row, many, one

OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
REVIEWS = "required_pull_request_reviews"
GOOD = {"success", "neutral", "skipped"}


def rules_of(call: Call, branch: str) -> Json:
    sql = "SELECT rules FROM protections WHERE repo_id = ? AND branch = ?"
    row = one(call.db, sql, call.repo["id"], branch)
    return json.loads(row["rules"]) if row else {}


def bound(call: Call, rules: Json) -> bool:
    """An administrator is above the rules unless they say otherwise."""
    return bool(rules) and (bool(rules.get("enforce_admins")) or call.role != "admin")


def check_push(call: Call, ref: str, *, forced: bool = False, deletes: bool = False) -> None:
    why = push_refused(call, ref, forced=forced, deletes=deletes)
    if why:
        raise Problem(422, why)


def push_refused(call: Call, ref: str, *, forced: bool = False, deletes: bool = False) -> str:
    branch = ref.removeprefix("refs/heads/")
    rules = rules_of(call, branch)
    if not ref.startswith("refs/heads/"):
        return ""
    if deletes and rules and not rules.get("allow_deletions"):
        return "Cannot delete this branch"
    if forced and rules and not rules.get("allow_force_pushes"):
        return "Cannot force-push to this branch"
    for binding in binding_rules(call, branch, "push"):
        if deletes and binding.get("deletion"):
            return "Cannot delete this branch"
        if forced and binding.get("non_fast_forward"):
            return "Cannot force-push to this branch"
        if deletes:
            continue
        if binding.get("required_pull_request_reviews"):
            return "Changes must be made through a pull request."
        if binding.get("required_status_checks"):
            return "Required status checks are expected."
    return ""


def binding_rules(call: Call, branch: str, doing: Doing) -> list[Json]:
    """Of the branch's own protection and of every ruleset: those that bind whoever asks."""
    own = rules_of(call, branch)
    return [*([own] if bound(call, own) else []), *rulesets.binding(call, branch, doing)]


def merge_refused(call: Call, pull: Row, store: Repository) -> str:
    """Why this pull request may not be merged now, in GitHub's words; empty when it may."""
    return next(iter(merge_hindrances(call, pull, store)), "")


def merge_hindrances(call: Call, pull: Row, store: Repository) -> list[str]:
    missing = [
        why(call, pull, store, rules)
        for rules in binding_rules(call, pull["base_ref"], "merge")
        for why in (_reviews_missing, _checks_missing)
    ]
    return [why for why in missing if why]


def verdicts(call: Call, pull: Row) -> dict[int, str]:
    """The last word of each reviewer who may write."""
    sql = """SELECT user_id, state FROM reviews WHERE issue_id = ?
             AND state IN ('APPROVED', 'CHANGES_REQUESTED', 'DISMISSED') ORDER BY id"""
    found: dict[int, str] = {}
    for row in many(call.db, sql, pull["id"]):
        user = one(call.db, "SELECT * FROM users WHERE id = ?", row["user_id"])
        if user is not None and at_least(role_of(call.db, call.repo, user), "write"):
            found[row["user_id"]] = row["state"]
    return found


def dismiss_stale(call: Call, pull: Row) -> None:
    """What was approved before the newest push counts no more, where the branch asks for that."""
    branch = pull["base_ref"]
    asked = [rules_of(call, branch), *rulesets.all_of(call, branch)]
    if any((rules.get(REVIEWS) or {}).get("dismiss_stale_reviews") for rules in asked):
        sql = "UPDATE reviews SET state = 'DISMISSED' WHERE issue_id = ? AND state = 'APPROVED'"
        call.db.execute(sql, (pull["id"],))


def _reviews_missing(call: Call, pull: Row, store: Repository, rules: Json) -> str:
    wanted = rules.get("required_pull_request_reviews")
    if not wanted:
        return ""
    said = verdicts(call, pull)
    if "CHANGES_REQUESTED" in said.values():
        return "Changes have been requested by a reviewer with write access."
    approved = {user for user, state in said.items() if state == "APPROVED"}
    count = int(wanted.get("required_approving_review_count", 1))
    if len(approved) < count:
        plural = "review is" if count == 1 else "reviews are"
        return f"At least {count} approving {plural} required by reviewers with write access."
    if wanted.get("require_code_owner_reviews"):
        return _owner_missing(call, pull, store, approved)
    return ""


def _owner_missing(call: Call, pull: Row, store: Repository, approved: set[int]) -> str:
    base, head = (gitrepo.commit_of(store, pull[x]) for x in ("base_ref", "head_sha"))
    if base is None or head is None:
        return ""
    below = gitrepo.merge_base(store, base, head)
    changed = gitrepo.diff(store, below.tree if below else None, head.tree)
    names = {user["id"]: user["login"].lower() for user in many(call.db, "SELECT * FROM users")}
    said_yes = {names[user] for user in approved if user in names}
    for owners in owned_by(store, base, [f.path for f in changed]):
        if owners and not owners & said_yes:
            return f"Waiting on code owner review from {', '.join(sorted(owners))}."
    return ""


def owned_by(store: Repository, base: Commit, paths: list[str]) -> list[set[str]]:
    """The owners of each path, lower case: the last line that matches counts."""
    texts = (gitrepo.blob_at(store, base, name) for name in OWNERS)
    text = next((t for t in texts if t is not None), b"").decode(errors="replace")
    rows = [line.split("#")[0].split() for line in text.splitlines()]
    rules = [(pathspec.GitIgnoreSpec.from_lines(r[:1]), r[1:]) for r in rows if r]
    found = []
    for path in paths:
        owners: list[str] = []
        for spec, names in rules:
            owners = names if spec.match_file(path) else owners
        found.append({name.lstrip("@").lower() for name in owners})
    return found


def _checks_missing(call: Call, pull: Row, store: Repository, rules: Json) -> str:
    wanted = rules.get("required_status_checks") or {}
    names = list(wanted.get("contexts") or [])
    names += [c["context"] for c in wanted.get("checks") or [] if c["context"] not in names]
    states = check_states(call, pull["head_sha"])
    for name in names:
        state = states.get(name)
        if state is None or state == "pending":
            return f'Required status check "{name}" is expected.'
        if state not in GOOD:
            return f'Required status check "{name}" is failing.'
    if wanted.get("strict"):
        base = gitrepo.commit_of(store, pull["base_ref"])
        if base and not gitrepo.is_ancestor(store, str(base.id), pull["head_sha"]):
            return "Head branch is out of date with the base branch."
    return ""


def check_states(call: Call, sha: str) -> dict[str, str]:
    """The newest word of each status and check on a commit."""
    found: dict[str, str] = {}
    sql = "SELECT context, state FROM statuses WHERE repo_id = ? AND sha = ? ORDER BY id"
    for row in many(call.db, sql, call.repo["id"], sha):
        found[row["context"]] = row["state"]
    sql = (
        "SELECT name, status, conclusion FROM checks WHERE repo_id = ? AND head_sha = ? ORDER BY id"
    )
    for row in many(call.db, sql, call.repo["id"], sha):
        found[row["name"]] = row["conclusion"] if row["status"] == "completed" else "pending"
    return found
