"""What an account pays for, and what that leaves out in its private repositories.

Sources: github/docs `data/reusables/gated-features/environments.md` and "Managing environments for
deployment"; for the words of a refusal backstage#28977, ALZ-PowerShell-Module#193,
branch-deploy#345. What a Free account hears when it asks for a bare environment in a private
repository is the least certain answer here: the documents only say that it cannot have one.
An account without a plan is one of the twin's own, to which nothing is refused.
"""

from __future__ import annotations

import sqlite3

from bot.twin.call import Call, Json, Problem, Route, missing
from bot.twin.store import Row, seldom

PLANS = {"User": ("free", "pro"), "Organization": ("free", "team", "enterprise")}
LEFT_OUT = {
    "rules": {"free"},  # rulesets and the protection of branches
    "environments": {"free"},  # with their secrets, variables and branch policies
    "reviewers": {"free", "pro", "team"},  # and wait timers
}
GATED = {
    "/rulesets": "rules", "/rules/": "rules", "/branches/<path:branch>/protection": "rules",
    "/environments": "environments",
}  # fmt: skip


def lacks(db: sqlite3.Connection, repo: Row, what: str) -> bool:
    """Public repositories have it all."""
    if not repo["private"]:
        return False
    owner = seldom(db, "SELECT plan FROM users WHERE id = ?", repo["owner_id"])
    return owner is not None and owner["plan"] in LEFT_OUT[what]


def admit(call: Call, route: Route) -> None:
    """Rules answer that they cost money. Environments are not there (github-deploy-center #6, #9);
    only the wish for a protection rule is told why, and that is the handler's."""
    what = next((what for part, what in GATED.items() if part in route.path), "")
    if not what or not lacks(call.db, call.repo, what):
        return
    if what == "rules":
        owner = seldom(call.db, "SELECT type FROM users WHERE id = ?", call.repo["owner_id"])
        name = "Team" if owner is not None and owner["type"] == "Organization" else "Pro"
        raise Problem(
            403, f"Upgrade to GitHub {name} or make this repository public to enable this feature."
        )
    if not (route.verb == "PUT" and asks_for_rules(call.body)):
        raise missing()


def asks_for_rules(body: Json) -> str:
    """What the refusal calls the rule that this plan does not have."""
    named = {"reviewers": "required reviewers", "wait_timer": "wait timer"}
    return next((words for key, words in named.items() if body.get(key)), "")


def no_rule(words: str) -> Problem:
    return Problem(
        422,
        "Failed to create the environment protection rule. Please ensure the billing plan supports "
        f"the {words} protection rule.",
    )


def plan_json(row: Row) -> Json:
    """Nothing where the twin has no plan to tell of."""
    if not row["plan"]:
        return {}
    shown = {"name": row["plan"], "space": 976_562_499, "private_repos": 10_000}
    more = {"collaborators": 0} if row["type"] == "User" else {"filled_seats": 1, "seats": 1}
    return {"plan": {**shown, **more}}


def checked(kind: str, plan: str) -> str:
    if plan not in PLANS.get(kind, ()):
        raise ValueError(f"the plan of a {kind} is one of {', '.join(PLANS.get(kind, ()))}")
    return plan
