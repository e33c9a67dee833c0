"""Prepares a repository: look, compare, change only what differs; what is refused is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from bot.checkup import ENVIRONMENTS, SANDBOX, Settings
from bot.io.github.labels import Label
from bot.io.github.settings import look, read, seen
from bot.io.github.wire import Refused, Wire

RULESET = "stratbot"
ADMIN = 5
"""GitHub's number of the role. An administrator may merge past the rules, in a pull request."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person asked for; the rest follows from the repository."""

    labels: tuple[Label, ...]
    reviewers: tuple[str, ...] = ()
    writer: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    how: Literal["already", "done", "by hand"]
    fix: str = ""


Act = Callable[[Wire, Settings, Wish], bool]
"""Whether anything had to be changed."""


def prepare(wire: Wire, name: str, wish: Wish) -> Iterator[Step]:
    """Each step on its own: one that GitHub refuses does not keep the others from being done."""
    there = look(wire, name)
    for what, act, page, clicks in STEPS:
        try:
            yield Step(what, "done" if act(wire, there, wish) else "already")
        except Refused as no:
            yield Step(what, "by hand", f"{clicks}: {there.page}/{page} ({no})")


def _labels(wire: Wire, there: Settings, wish: Wish) -> bool:
    url = f"/repos/{there.name}/labels"
    rows: list[Any] = list(wire.rows(url))
    known = {row["name"]: (row["color"], row["description"] or "") for row in rows}
    changed = False
    for label in wish.labels:
        wanted = {"color": label.color, "description": label.description}
        if label.name not in known:
            wire.requestJsonAndCheck("POST", url, input={"name": label.name, **wanted})
        elif known[label.name] != (label.color, label.description):
            wire.requestJsonAndCheck("PATCH", f"{url}/{label.name}", input=wanted)
        else:
            continue
        changed = True
    return changed


def _environments(wire: Wire, there: Settings, wish: Wish) -> bool:
    """One that is there stays as it is, but for a live one that asks nobody."""
    changed, known = False, there.reviewers or {}
    for name in ENVIRONMENTS:
        asks = name == "live"
        if name in known and (known[name] or not asks):
            continue
        url = f"/repos/{there.name}/environments/{name}"
        people = _people(wire, wish) if asks else []
        asked = {"reviewers": [{"type": "User", "id": n} for n in people]} if people else {}
        wire.requestJsonAndCheck("PUT", url, input={**_kept(seen(wire, url)), **asked})
        changed = True
    return changed


def _kept(environment: Any) -> dict[str, Any]:
    """A change replaces the whole, so what is there already is said again."""
    if environment is None:
        return {}
    waits = [r["wait_timer"] for r in environment["protection_rules"] if "wait_timer" in r]
    policy = environment.get("deployment_branch_policy")
    return {"wait_timer": max(waits, default=0), "deployment_branch_policy": policy}


def _people(wire: Wire, wish: Wish) -> list[int]:
    """Whoever was named; else whose token this is."""
    urls = [f"/users/{login}" for login in wish.reviewers] or ["/user"]
    return [int(read(wire, url)["id"]) for url in urls]


def _ruleset(wire: Wire, there: Settings, wish: Wish) -> bool:
    if SANDBOX in there.checks and there.owners_asked:
        return False
    url, wanted = f"/repos/{there.name}/rulesets", _wanted_ruleset()
    rows = [row for row in read(wire, url) if row["name"] == RULESET]
    if rows:
        wire.requestJsonAndCheck("PUT", f"{url}/{rows[0]['id']}", input=wanted)
    else:
        wire.requestJsonAndCheck("POST", url, input=wanted)
    return True


def _wanted_ruleset() -> dict[str, Any]:
    review = {
        "required_approving_review_count": 1, "require_code_owner_review": True,
        "dismiss_stale_reviews_on_push": True, "require_last_push_approval": False,
        "required_review_thread_resolution": False,
    }  # fmt: skip
    checks = {
        "strict_required_status_checks_policy": False,
        "required_status_checks": [{"context": SANDBOX}],
    }
    bypass = {"actor_id": ADMIN, "actor_type": "RepositoryRole", "bypass_mode": "pull_request"}
    return {
        "name": RULESET, "target": "branch", "enforcement": "active", "bypass_actors": [bypass],
        "conditions": {"ref_name": {"include": ["~DEFAULT_BRANCH"], "exclude": []}},
        "rules": [
            {"type": "pull_request", "parameters": review},
            {"type": "required_status_checks", "parameters": checks},
        ],
    }  # fmt: skip


def _variables(wire: Wire, there: Settings, wish: Wish) -> bool:
    """What somebody has set stays, unless they ask for something else now."""
    known, url = there.variables or {}, f"/repos/{there.name}/actions/variables"
    wanted = {"STRATBOT_WRITER": wish.writer or known.get("STRATBOT_WRITER") or "offline"}
    if there.default_branch != "main":
        policy = f'{{"default_branch": "{there.default_branch}"}}'
        wanted["STRATBOT_POLICY"] = known.get("STRATBOT_POLICY") or policy
    changed = {k: v for k, v in wanted.items() if known.get(k) != v}
    for name, value in changed.items():
        body = {"name": name, "value": value}
        if name in known:
            wire.requestJsonAndCheck("PATCH", f"{url}/{name}", input=body)
        else:
            wire.requestJsonAndCheck("POST", url, input=body)
    return bool(changed)


def _pulls(wire: Wire, there: Settings, wish: Wish) -> bool:
    if there.creates_pulls and there.default_rights == "read":
        return False
    body = {
        "can_approve_pull_request_reviews": True,
        "default_workflow_permissions": "read",
    }
    url = f"/repos/{there.name}/actions/permissions/workflow"
    wire.requestJsonAndCheck("PUT", url, input=body)
    return True


STEPS: tuple[tuple[str, Act, str, str], ...] = (
    ("labels", _labels, "labels", "New label, for each line of .github/labels.yml"),
    (
        "pull requests by Actions", _pulls, "settings/actions",
        "Choose 'Read repository contents', tick 'Allow GitHub Actions to create and approve "
        "pull requests', Save",
    ),
    (
        "environments paper and live", _environments, "settings/environments",
        "New environment 'paper'; New environment 'live', tick Required reviewers, add people, "
        "Save",
    ),
    (
        "rules of the default branch", _ruleset, "settings/rules/new?target=branch",
        f"Name it stratbot, Active, target the default branch, require a pull request with one "
        f"approval and review from code owners, require the status check {SANDBOX}, Create",
    ),
    (
        "variables", _variables, "settings/variables/actions",
        "New repository variable STRATBOT_WRITER with the value offline (or llm)",
    ),
)  # fmt: skip
