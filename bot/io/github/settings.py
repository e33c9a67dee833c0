"""Reads the settings of a repository that the journey needs, and changes none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.checkup import Settings
from bot.io.github.wire import Refused, Wire

HIDDEN = (401, 403, 404)
PLAN = re.compile(r"upgrade to github|billing plan", re.I)
"""GitHub's words where the plan of a private repository does not have what is asked for."""
EVERY, PROTECTED, UNSEEN = "every branch and tag", "every protected branch", "what cannot be seen"
"""For what has no name of its own in `live_from`."""


def look(wire: Wire, name: str) -> Settings:
    """`name` is owner/repository. Raises `Refused` if the repository itself cannot be seen."""
    base = f"/repos/{name}"
    about = read(wire, base)
    branch = str(about["default_branch"])
    rights = seen(wire, f"{base}/actions/permissions/workflow") or {}
    actions = seen(wire, f"{base}/actions/permissions") or {}
    live = seen(wire, f"{base}/environments/live")
    rulesets = _rulesets(wire, base)
    checks, owners = _rules(wire, base, branch, rulesets or ())
    return Settings(
        name=name,
        page=str(about["html_url"]),
        default_branch=branch,
        has_issues=bool(about.get("has_issues", True)),
        private=bool(about["private"]),
        workflows={w["path"].rsplit("/", 1)[-1]: w["state"]
                   for w in listed(wire, f"{base}/actions/workflows", "workflows") or ()},
        creates_pulls=rights.get("can_approve_pull_request_reviews"),
        default_rights=rights.get("default_workflow_permissions"),
        runs_actions=actions.get("enabled"),
        may_use=_may_use(wire, base, actions.get("allowed_actions", "all")),
        reviewers=_environments(wire, base),
        self_review=live is not None and approves_itself(live),
        live_from=None if live is None else live_from(wire, name, live),
        checks=checks,
        owners_asked=owners,
        has_rules=rulesets is not None,
        owner_errors=_owner_errors(wire, base),
        labels=frozenset(row["name"] for row in wire.rows(f"{base}/labels")),  # type: ignore[index]
        variables=_pairs(listed(wire, f"{base}/actions/variables", "variables")),
        secrets=_names(listed(wire, f"{base}/actions/secrets", "secrets")),
        live_secrets=_names(listed(wire, f"{base}/environments/live/secrets", "secrets")),
        has_pages=bool(about.get("has_pages")),
    )  # fmt: skip


def read(wire: Wire, url: str) -> Any:
    return wire.requestJsonAndCheck("GET", url)[1]


def seen(wire: Wire, url: str) -> Any:
    """None where this token may not look, or there is nothing."""
    try:
        return read(wire, url)
    except Refused as no:
        if no.status not in HIDDEN:
            raise
        return None


def lacks_plan(no: Refused) -> bool:
    return no.status in (403, 404, 422) and bool(PLAN.search(str(no)))


def _rulesets(wire: Wire, base: str) -> list[Any] | None:
    """None where the plan has none."""
    try:
        return list(read(wire, f"{base}/rulesets"))
    except Refused as no:
        if no.status not in HIDDEN:
            raise
        return None if lacks_plan(no) else []


def listed(wire: Wire, url: str, part: str) -> list[Any] | None:
    """None of these lists is longer than a page."""
    found = seen(wire, f"{url}?per_page=100")
    return None if found is None else list(found[part])


def _pairs(rows: list[Any] | None) -> dict[str, str] | None:
    return None if rows is None else {row["name"]: row["value"] for row in rows}


def _names(rows: list[Any] | None) -> frozenset[str] | None:
    return None if rows is None else frozenset(row["name"] for row in rows)


def _environments(wire: Wire, base: str) -> dict[str, int] | None:
    rows = listed(wire, f"{base}/environments", "environments")
    return None if rows is None else {row["name"]: reviewers(row) for row in rows}


def reviewers(environment: Any) -> int:
    rules = environment.get("protection_rules") or ()
    return sum(len(rule.get("reviewers") or ()) for rule in rules)


def approves_itself(environment: Any) -> bool:
    """Whether whoever started a run may be the one who approves it."""
    rules = environment.get("protection_rules") or ()
    return any(rule.get("reviewers") and not rule.get("prevent_self_review") for rule in rules)


def live_from(wire: Wire, name: str, environment: Any) -> frozenset[str]:
    """Which refs may reach the environment live: their full names, or words."""
    policy = environment.get("deployment_branch_policy") or {}
    if not policy.get("custom_branch_policies"):
        return frozenset({PROTECTED if policy else EVERY})
    rows = branch_policies(wire, name)
    return frozenset({UNSEEN} if rows is None else map(ref_of, rows))


def branch_policies(wire: Wire, name: str) -> list[Any] | None:
    url = f"/repos/{name}/environments/live/deployment-branch-policies"
    return listed(wire, url, "branch_policies")


def ref_of(policy: Any) -> str:
    return f"refs/{'tags' if policy.get('type') == 'tag' else 'heads'}/{policy['name']}"


def _may_use(wire: Wire, base: str, allowed: str) -> tuple[str, ...]:
    """The actions that may run, as GitHub's patterns."""
    if allowed != "selected":
        return ("*",) if allowed == "all" else ()
    chosen = seen(wire, f"{base}/actions/permissions/selected-actions") or {}
    own = ("actions/*", "github/*") if chosen.get("github_owned_allowed") else ()
    return (*own, *(chosen.get("patterns_allowed") or ()))


def _owner_errors(wire: Wire, base: str) -> tuple[str, ...] | None:
    found = seen(wire, f"{base}/codeowners/errors")
    return None if found is None else tuple(e["message"].splitlines()[0] for e in found["errors"])


def _rules(
    wire: Wire, base: str, branch: str, rulesets: Sequence[Any]
) -> tuple[frozenset[str], bool]:
    """Of active rulesets for the default branch, and of the branch's own protection."""
    checks, owners = set[str](), False
    for row in rulesets:
        whole = seen(wire, f"{base}/rulesets/{row['id']}") or {}
        if whole.get("enforcement") != "active" or not _meant(whole, branch):
            continue
        for rule in whole.get("rules") or ():
            given = rule.get("parameters") or {}
            checks |= {c["context"] for c in given.get("required_status_checks") or ()}
            owners |= bool(given.get("require_code_owner_review"))
    own = seen(wire, f"{base}/branches/{branch}/protection") or {}
    checks |= set((own.get("required_status_checks") or {}).get("contexts") or ())
    reviews = own.get("required_pull_request_reviews") or {}
    return frozenset(checks), owners or bool(reviews.get("require_code_owner_reviews"))


def _meant(ruleset: Any, branch: str) -> bool:
    names = (ruleset.get("conditions") or {}).get("ref_name") or {}
    return bool({"~ALL", "~DEFAULT_BRANCH", f"refs/heads/{branch}"} & set(names.get("include", ())))
