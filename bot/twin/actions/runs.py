"""Runs and jobs as rows: made, cancelled, finished. Every change of theirs is made here."""

from __future__ import annotations

import json
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.twin import gitrepo
from bot.twin.access import DEFAULT_BOT
from bot.twin.actions import expressions
from bot.twin.actions.workflow import Broken, Workflow, read
from bot.twin.rest.checks import suite_for
from bot.twin.site import Site
from bot.twin.store import Row, insert, many, one, update

Json = dict[str, Any]
TARGET = "pull_request_target"
"""Runs on the default branch, whatever the base of the pull request is: its file, its GITHUB_SHA,
its GITHUB_REF, and its name where an environment looks at branches (GitHub's changelog of
7 November 2025, in force since 8 December 2025). `head_branch` stays that of the pull request."""
OPEN = ("queued", "in_progress", "waiting", "pending", "requested")


def repo_row(db: sqlite3.Connection, repo_id: int) -> Row:
    sql = """SELECT repos.*, users.login AS owner FROM repos JOIN users ON users.id = owner_id
             WHERE repos.id = ?"""
    found = one(db, sql, repo_id)
    if found is None:
        raise LookupError(f"repository {repo_id} is gone")
    return found


def load(site: Site, db: sqlite3.Connection, run: Row) -> Workflow:
    """The file of the commit that the run was started from, however it looks by now."""
    repo = repo_row(db, run["repo_id"])
    sql = "SELECT path FROM workflows WHERE id = ?"
    path = str(db.execute(sql, (run["workflow_id"],)).fetchone()["path"])
    return _of_commit(site.folder(repo), path, run["file_sha"])


def file_at(site: Site, repo: Row, path: str, ref: str) -> Workflow:
    return _file(site.folder(repo), path, ref)


@lru_cache(maxsize=1024)
def _of_commit(folder: Path, path: str, sha: str) -> Workflow:
    """What a commit holds never changes, and every open run is looked at again and again."""
    return _file(folder, path, sha)


def _file(folder: Path, path: str, sha: str) -> Workflow:
    store = gitrepo.open_repo(folder)
    commit = gitrepo.commit_of(store, sha)
    text = gitrepo.blob_at(store, commit, path) if commit else None
    if text is None:
        raise Broken(f"{path}: not there at {sha[:12]}")
    return read(path, text.decode(errors="replace"))


def create_run(
    site: Site, db: sqlite3.Connection, workflow: Row, file: Workflow, *, event: str,
    payload: Json, ref: str, sha: str, file_sha: str, actor_id: int, inputs: Json,
    held: bool = False,
) -> int:  # fmt: skip
    repo, at = repo_row(db, workflow["repo_id"]), site.clock.stamp()
    db.execute("UPDATE workflows SET runs = runs + 1 WHERE id = ?", (workflow["id"],))
    number = db.execute("SELECT runs FROM workflows WHERE id = ?", (workflow["id"],)).fetchone()[0]
    branch = payload["pull_request"]["head"]["ref"] if "pull_request" in payload else ref
    branch = branch.removeprefix("refs/heads/").removeprefix("refs/tags/")
    key = insert(
        db, "runs", repo_id=repo["id"], workflow_id=workflow["id"], number=number, title="",
        event=event, status="completed" if held else "queued",
        conclusion="action_required" if held else None, actor_id=actor_id, branch=branch,
        head_sha=sha, file_sha=file_sha, payload=json.dumps(payload), inputs=json.dumps(inputs),
        suite_id=suite_for(db, repo["id"], sha, at, branch), created_at=at, started_at=at,
        updated_at=at, triggering=json.dumps([actor_id]),
    )  # fmt: skip
    run = find(db, key)
    title = _title(site, db, run, file, payload)
    update(db, "runs", key, title=title)
    return key


def _title(site: Site, db: sqlite3.Connection, run: Row, file: Workflow, payload: Json) -> str:
    if file.raw.get("run-name"):
        return expressions.fill(str(file.raw["run-name"]), context(site, db, run, file))
    for kind in ("pull_request", "issue"):
        if kind in payload:
            return str(payload[kind]["title"])
    if payload.get("head_commit"):
        return str(payload["head_commit"]["message"]).splitlines()[0]
    return file.name


def find(db: sqlite3.Connection, key: int) -> Row:
    found = one(db, "SELECT * FROM runs WHERE id = ?", key)
    if found is None:
        raise LookupError(f"run {key} is gone")
    return found


def triggering_actor(run: Row, attempt: int = 0) -> int:
    """Who started this attempt. `actor` stays who started the first: docs.github.com, "github
    context": `triggering_actor` may differ from `actor` if the run is a re-run."""
    known = json.loads(run["triggering"] or "[]")
    number = (attempt or run["attempt"]) - 1
    return int(known[number]) if number < len(known) else int(run["actor_id"])


def jobs_of(db: sqlite3.Connection, run: Row) -> list[Row]:
    sql = "SELECT * FROM jobs WHERE run_id = ? AND attempt = ? ORDER BY id"
    return many(db, sql, run["id"], run["attempt"])


def context(site: Site, db: sqlite3.Connection, run: Row, file: Workflow) -> Json:
    """What an expression of the workflow may look at, but for what belongs to one job."""
    repo = repo_row(db, run["repo_id"])
    payload = json.loads(run["payload"])
    login, again = (_login(db, key) for key in (run["actor_id"], triggering_actor(run)))
    pull = payload.get("pull_request") or {}
    ref = _ref(run, payload, pull)
    github = {
        "event_name": run["event"], "event": payload, "ref": ref,
        "sha": run["file_sha"] if run["event"] == TARGET else run["head_sha"],
        "ref_name": ref.split("/", 2)[2], "actor": login,
        "ref_type": "tag" if ref.startswith("refs/tags/") else "branch",
        "triggering_actor": again, "actor_id": str(run["actor_id"]), "run_id": str(run["id"]),
        "repository": f"{repo['owner']}/{repo['name']}", "repository_owner": repo["owner"],
        "repository_id": str(repo["id"]), "run_number": str(run["number"]),
        "run_attempt": str(run["attempt"]), "workflow": file.name, "server_url": site.url,
        "api_url": site.url, "graphql_url": f"{site.url}/graphql",
        "head_ref": pull.get("head", {}).get("ref", ""),
        "base_ref": pull.get("base", {}).get("ref", ""), "workflow_sha": run["file_sha"],
        "workflow_ref": f"{repo['owner']}/{repo['name']}/{file.path}@{ref}",
    }  # fmt: skip
    sql = "SELECT name, value FROM variables WHERE repo_id = ? AND environment = ''"
    known = {row["name"]: row["value"] for row in many(db, sql, repo["id"])}
    return {
        "github": github, "inputs": json.loads(run["inputs"]), "vars": known, "env": {},
        "needs": {}, "matrix": {}, "strategy": {}, "steps": {}, "secrets": {},
        "success": True, "failure": False, "cancelled": False,
        "runner": {"os": "Linux", "arch": "X64", "name": "twin", "temp": "", "tool_cache": ""},
    }  # fmt: skip


def _login(db: sqlite3.Connection, key: int) -> str:
    found = one(db, "SELECT login FROM users WHERE id = ?", key)
    return str(found["login"]) if found else DEFAULT_BOT


def _ref(run: Row, payload: Json, pull: Json) -> str:
    """A push and a dispatch name it in full: it may be a tag."""
    if run["event"] == TARGET:
        return f"refs/heads/{pull['base']['repo']['default_branch']}"
    if pull:
        return f"refs/pull/{pull['number']}/merge"
    named = str(payload.get("ref") or "")
    return named if named.startswith("refs/tags/") else f"refs/heads/{run['branch']}"


def kind_and_name(run: Row) -> tuple[str, str]:
    """What the rules of an environment look at. A pull request is a branch by its long name."""
    payload = json.loads(run["payload"])
    ref = _ref(run, payload, payload.get("pull_request") or {})
    kind = "tag" if ref.startswith("refs/tags/") else "branch"
    return kind, ref.removeprefix("refs/heads/").removeprefix("refs/tags/")


def finish_job(
    site: Site, db: sqlite3.Connection, job: Row, conclusion: str, **more: object
) -> None:
    """Once: whoever comes second, the runner or a cancel, changes nothing."""
    sql = "SELECT status FROM jobs WHERE id = ?"
    if db.execute(sql, (job["id"],)).fetchone()["status"] == "completed":
        return
    at = site.clock.stamp()
    update(
        db, "jobs", job["id"], status="completed", conclusion=conclusion, completed_at=at, **more
    )
    if job["check_id"]:
        update(
            db, "checks", job["check_id"], status="completed", conclusion=conclusion,
            completed_at=at,
        )  # fmt: skip
    db.execute("DELETE FROM tokens WHERE run_id = ? AND repo_id IS NOT NULL AND token IN "
               "(SELECT token FROM tokens WHERE token LIKE ?)",
               (job["run_id"], f"ghs_{job['id']}_%"))  # fmt: skip


def cancel(site: Site, db: sqlite3.Connection, run: Row) -> None:
    """Steps that run are killed by whoever runs them, as soon as it sees this."""
    for job in jobs_of(db, run):
        if job["status"] != "completed":
            finish_job(site, db, job, "cancelled")
    update(
        db, "runs", run["id"], status="completed", conclusion="cancelled",
        updated_at=site.clock.stamp(),
    )  # fmt: skip
