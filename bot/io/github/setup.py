"""Prepares a repository: look, compare, change only what differs; what is refused is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from bot.checkup import PLACEHOLDER, SANDBOX, Settings, read_policy
from bot.io.github.labels import Label
from bot.io.github.owners import name_owner
from bot.io.github.settings import branch_policies, lacks_plan, live_from, look, read, ref_of, seen
from bot.io.github.wire import Refused, Wire
from bot.text import billing
from schemas.live import Gate

RULESET = "stratbot"
CHOSEN = {"deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}}
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
    how: Literal["already", "done", "by hand", "no plan"]
    fix: str = ""
    """What to do, or where the plan does not offer it, what follows."""


class NotOnPlan(Exception):
    """What follows from it."""


@contextmanager
def offered(follows: str) -> Iterator[None]:
    try:
        yield
    except Refused as no:
        if not lacks_plan(no):
            raise
        raise NotOnPlan(follows) from no


Act = Callable[[Wire, Settings, Wish], bool]
"""Whether anything had to be changed."""


def prepare(wire: Wire, name: str, wish: Wish) -> Iterator[Step]:
    """Each step on its own: one that GitHub refuses does not keep the others from being done."""
    there = look(wire, name)
    for what, act, page, clicks in STEPS:
        try:
            yield Step(what, "done" if act(wire, there, wish) else "already")
        except NotOnPlan as no:
            yield Step(what, "no plan", str(no))
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


def _environment(wire: Wire, there: Settings, wish: Wish) -> bool:
    """One that is there stays as it is, unless it asks nobody and ought to, or lets people approve
    their own runs. The bot starts the runs, so this keeps no reviewer from approving one."""
    if not there.has_rules:
        raise NotOnPlan(billing.NO_ENVIRONMENTS)
    known, asks = there.reviewers or {}, read_policy(there).gate is Gate.ENVIRONMENT
    if "live" in known and (known["live"] or not asks) and not there.self_review:
        return False
    url = f"/repos/{there.name}/environments/live"
    kept = _kept(seen(wire, url))
    if there.self_review:
        wire.requestJsonAndCheck("PUT", url, input={**kept, "prevent_self_review": True})
        return True
    people = [{"type": "User", "id": n} for n in _people(wire, wish)] if asks else []
    try:
        asked = {"reviewers": people, "prevent_self_review": True} if people else {}
        wire.requestJsonAndCheck("PUT", url, input={**kept, **asked})
    except Refused as no:
        if not (people and lacks_plan(no)):
            raise
        with offered(billing.NO_ENVIRONMENTS):  # it keeps the key from other branches all the same
            wire.requestJsonAndCheck("PUT", url, input=kept)
        raise NotOnPlan(billing.NO_REVIEWERS) from no
    return True


def _kept(environment: Any) -> dict[str, Any]:
    """A change replaces the whole, so what is there already is said again."""
    if environment is None:
        return {}
    rules = environment["protection_rules"]
    waits = [r["wait_timer"] for r in rules if "wait_timer" in r]
    policy = environment.get("deployment_branch_policy")
    kept = {"wait_timer": max(waits, default=0), "deployment_branch_policy": policy}
    for rule in rules:
        if rule["type"] == "required_reviewers":
            kept["prevent_self_review"] = bool(rule.get("prevent_self_review"))
            kept["reviewers"] = [
                {"type": r["type"], "id": r["reviewer"]["id"]} for r in rule["reviewers"]
            ]
    return kept


def _limit(wire: Wire, there: Settings, wish: Wish) -> bool:
    """A run on any other ref could bring a workflow of its own to the key that signs."""
    if not there.has_rules:
        raise NotOnPlan(billing.NO_ENVIRONMENTS)
    url, wanted = f"/repos/{there.name}/environments/live", f"refs/heads/{there.default_branch}"
    found = seen(wire, url)
    if found is not None and live_from(wire, there.name, found) == {wanted}:
        return False
    if not ((found or {}).get("deployment_branch_policy") or {}).get("custom_branch_policies"):
        wire.requestJsonAndCheck("PUT", url, input={**_kept(found), **CHOSEN})
    rows, url = branch_policies(wire, there.name) or [], f"{url}/deployment-branch-policies"
    if wanted not in map(ref_of, rows):
        body = {"name": there.default_branch, "type": "branch"}
        wire.requestJsonAndCheck("POST", url, input=body)
    for row in rows:
        if ref_of(row) != wanted:
            wire.requestJsonAndCheck("DELETE", f"{url}/{row['id']}")
    return True


def _people(wire: Wire, wish: Wish) -> list[int]:
    """Whoever was named; else whose token this is."""
    urls = [f"/users/{login}" for login in wish.reviewers] or ["/user"]
    return [int(read(wire, url)["id"]) for url in urls]


def _ruleset(wire: Wire, there: Settings, wish: Wish) -> bool:
    if not there.has_rules:
        raise NotOnPlan(billing.NO_RULES)
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
        "code owner", name_owner, "",
        f"Put people with write access in the place of {PLACEHOLDER} in CODEOWNERS, on the default "
        "branch",
    ),
    (
        "environment live", _environment, "settings/environments",
        "New environment 'live', tick Required reviewers, add people, Save",
    ),
    (
        "live from the default branch alone", _limit, "settings/environments",
        "Open live, choose 'Selected branches and tags' under Deployment branches and tags, add "
        "the default branch, take out every other",
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
