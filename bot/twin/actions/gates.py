"""Environments before a job: who must say yes, and what their word does."""

from __future__ import annotations

import json
import sqlite3
from fnmatch import fnmatchcase

from bot.twin.actions.runs import finish_job, jobs_of, kind_and_name, repo_row, triggering_actor
from bot.twin.clock import instant
from bot.twin.plans import lacks
from bot.twin.site import Site
from bot.twin.store import Row, insert, many, one, update


def environment(db: sqlite3.Connection, repo_id: int, name: str) -> Row | None:
    return one(db, "SELECT * FROM environments WHERE repo_id = ? AND name = ?", repo_id, name)


def arrive(site: Site, db: sqlite3.Connection, run: Row, job_id: int, name: str) -> None:
    """An environment that is not there is made without protection, as on GitHub: an open gate."""
    at = site.clock.stamp()
    if environment(db, run["repo_id"], name) is None:
        insert(db, "environments", repo_id=run["repo_id"], name=name, created_at=at, updated_at=at)
    key = insert(
        db, "deployments", repo_id=run["repo_id"], sha=run["head_sha"], ref=run["branch"],
        task="deploy", payload="{}", environment=name, description=None,
        creator_id=run["actor_id"], transient=0, production=name == "production", job_id=job_id,
        created_at=at, updated_at=at,
    )  # fmt: skip
    say(site, db, run, key, "waiting")
    refused = refusal(db, run, name)
    if refused:
        job = db.execute("SELECT * FROM jobs WHERE id = ?", (job_id,)).fetchone()
        finish_job(site, db, job, "failure", log=refused)
        tell(site, db, run, job, "failure")


def policy_of(gate: Row) -> dict[str, bool]:
    """Empty: every branch and every tag."""
    return json.loads(gate["branch_policy"]) if gate["branch_policy"] else {}


def refusal(db: sqlite3.Connection, run: Row, name: str) -> str:
    """GitHub's words, where the ref of this run may not deploy here. No reviewer is asked then."""
    gate = environment(db, run["repo_id"], name)
    if lacks(db, repo_row(db, run["repo_id"]), "environments"):
        return ""
    kind, ref = kind_and_name(run)
    if gate is None or _allowed(db, gate, policy_of(gate), kind, ref):
        return ""
    return (
        f'{kind.title()} "{ref}" is not allowed to deploy to {name} due to environment protection '
        "rules.\nThe deployment was rejected or didn't satisfy other protection rules."
    )


def _allowed(
    db: sqlite3.Connection, gate: Row, policy: dict[str, bool], kind: str, ref: str
) -> bool:
    if not policy:
        return True
    if policy["protected_branches"]:  # where no branch is protected at all, every one may
        sql = "SELECT branch FROM protections WHERE repo_id = ?"
        known = {row["branch"] for row in many(db, sql, gate["repo_id"])}
        return not known or (kind == "branch" and ref in known)
    sql = "SELECT name FROM branch_policies WHERE environment_id = ? AND type = ?"
    return any(_fits(row["name"], ref) for row in many(db, sql, gate["id"], kind))


def _fits(pattern: str, name: str) -> bool:
    """Part by part: a star stops at a slash."""
    wanted, parts = pattern.split("/"), name.split("/")
    return len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted))


def say(site: Site, db: sqlite3.Connection, run: Row, deployment_id: int, state: str) -> None:
    insert(
        db, "deployment_statuses", deployment_id=deployment_id, state=state, description="",
        target_url="", environment_url="", creator_id=run["actor_id"],
        created_at=site.clock.stamp(),
    )  # fmt: skip


def tell(site: Site, db: sqlite3.Connection, run: Row, job: Row, state: str) -> None:
    """The deployment that belongs to a job follows it."""
    found = one(db, "SELECT id FROM deployments WHERE job_id = ?", job["id"])
    if found is not None:  # of a cancelled job GitHub knows no state
        say(site, db, run, found["id"], "error" if state == "cancelled" else state)


def closed(site: Site, db: sqlite3.Connection, run: Row, job: Row) -> bool:
    """Whether the job still waits for a yes, or for its time."""
    gate = environment(db, run["repo_id"], job["environment"]) if job["environment"] else None
    if gate is None or lacks(db, repo_row(db, run["repo_id"]), "reviewers"):
        return False  # docs: in a private repository they are "ignored", and the gate is open
    opens = instant(job["created_at"]) + 60 * gate["wait_timer"]
    if gate["wait_timer"] and site.clock.now() < opens:
        return True
    return bool(json.loads(gate["reviewers"])) and not approved(db, run, gate)


def approved(db: sqlite3.Connection, run: Row, gate: Row) -> bool:
    sql = """SELECT 1 FROM approvals WHERE run_id = ? AND attempt = ? AND state = 'approved' AND
             EXISTS (SELECT 1 FROM json_each(environments) WHERE value = ?)"""
    return one(db, sql, run["id"], run["attempt"], gate["id"]) is not None


def own_review(gate: Row, run: Row, user: Row) -> bool:
    """docs.github.com, "Reviewing deployments": who triggered the run may not approve it. After a
    re-run that is who ran it again; of a run that a job dispatched it is github-actions[bot], so
    that every reviewer may, also the one who asked the bot for it."""
    return bool(gate["prevent_self_review"]) and user["id"] == triggering_actor(run)


def may_review(gate: Row, run: Row, user: Row) -> bool:
    if own_review(gate, run, user):
        return False
    return user["id"] in json.loads(gate["reviewers"])


def waiting(db: sqlite3.Connection, run: Row) -> list[Row]:
    """The environments that hold back a job of this run."""
    names = {job["environment"] for job in jobs_of(db, run) if job["status"] == "waiting"}
    found = (environment(db, run["repo_id"], name) for name in sorted(names))
    return [gate for gate in found if gate is not None]


def decide(
    site: Site, db: sqlite3.Connection, run: Row, gates: list[Row], user: Row, state: str,
    comment: str,
) -> None:  # fmt: skip
    ids = [gate["id"] for gate in gates]
    insert(
        db, "approvals", run_id=run["id"], attempt=run["attempt"], environments=json.dumps(ids),
        state=state, user_id=user["id"], comment=comment,
    )  # fmt: skip
    names = {gate["name"].lower() for gate in gates}
    for job in jobs_of(db, run):
        if job["status"] != "waiting" or job["environment"].lower() not in names:
            continue
        if state == "rejected":
            finish_job(site, db, job, "failure", log="The deployment was rejected.")
            tell(site, db, run, job, "failure")
        elif not closed(site, db, run, job):
            update(db, "jobs", job["id"], status="queued")


def open_by_time(site: Site, db: sqlite3.Connection) -> None:
    """Wait timers that have run out."""
    sql = """SELECT jobs.*, runs.repo_id FROM jobs JOIN runs ON runs.id = run_id
             WHERE jobs.status = 'waiting'"""
    for job in db.execute(sql).fetchall():
        run = one(db, "SELECT * FROM runs WHERE id = ?", job["run_id"])
        if run is not None and not closed(site, db, run, job):
            update(db, "jobs", job["id"], status="queued")
