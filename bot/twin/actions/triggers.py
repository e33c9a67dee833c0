"""From an event to the runs that it starts."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import Any

from pygit2 import Repository

from bot.twin import gitrepo
from bot.twin.actions.runs import TARGET, create_run, repo_row
from bot.twin.actions.workflow import Broken, Workflow, read, starts
from bot.twin.moves import workflow_files
from bot.twin.site import Site, actions_enabled
from bot.twin.store import Row, insert, many, one

Json = dict[str, Any]
FROM_ITS_OWN_COMMIT = {"push", "pull_request"}
"""All other events run the file of the default branch."""
ALSO = {"pull_request": TARGET}
"""One thing that happens, and two names for what it starts."""
SKIP = re.compile(r"\[(skip ci|ci skip|no ci|skip actions|actions skip)\]", re.I)
"""In the message of the newest commit: neither its push nor its pull request starts anything. Only
these two look at it."""
HELD = {"opened", "synchronize", "reopened"}


def start(site: Site, db: sqlite3.Connection, event: Row) -> list[int]:
    names = [event["name"], *([ALSO[event["name"]]] if event["name"] in ALSO else [])]
    return [key for name in names for key in _start(site, db, event, name)]


def _start(site: Site, db: sqlite3.Connection, event: Row, name: str) -> list[int]:
    """Made with the token of a job it starts nothing, but a pull request's runs that wait. None of
    `pull_request_target` does: docs.github.com, "Triggering a workflow from a workflow"."""
    if event["name"] == "workflow_dispatch":  # its run was made with the answer
        return []
    held = bool(event["silent"])
    if held and not (name == "pull_request" and event["action"] in HELD):
        return []
    repo, payload = repo_row(db, event["repo_id"]), json.loads(event["payload"])
    if not actions_enabled(repo):
        return []
    store = gitrepo.open_repo(site.folder(repo))
    head = gitrepo.commit_of(store, f"refs/heads/{repo['default_branch']}")
    own = name in FROM_ITS_OWN_COMMIT and event["sha"]
    source = gitrepo.commit_of(store, event["sha"]) if own else head
    if source is None or (own and SKIP.search(source.message)):
        return []
    changed = _changed(store, payload)
    ref = event["ref"] if event["name"] == "push" else f"refs/heads/{repo['default_branch']}"
    made = []
    for path, text in workflow_files(store, source):
        try:
            file = read(path, text)
        except Broken:
            continue
        if not starts(file, name, event["action"], payload, changed):
            continue
        workflow = known(site, db, repo, file)
        if workflow["state"] != "active":
            continue
        key = create_run(
            site, db, workflow, file, event=name, payload=payload, ref=ref,
            sha=event["sha"] if name == TARGET else str(source.id), file_sha=str(source.id),
            actor_id=event["actor_id"], inputs={}, held=held,
        )  # fmt: skip
        made.append(key)
    return made


def _changed(store: Repository, payload: Json) -> list[str] | None:
    """The files of a push or a pull request; None where there is nothing to compare with."""
    pull = payload.get("pull_request")
    ends = (pull["base"]["sha"], pull["head"]["sha"]) if pull else None
    if not pull and "before" in payload:
        ends = (payload["before"], payload["after"])
    if ends is None:
        return None
    old, new = (gitrepo.commit_of(store, sha) for sha in ends)
    below = gitrepo.merge_base(store, old, new) if pull and old and new else old
    if below is None or new is None:
        return None
    files = gitrepo.diff(store, below.tree, new.tree)
    return [path for f in files for path in {f.path, f.old_path}]


def known(site: Site, db: sqlite3.Connection, repo: Row, file: Workflow) -> Row:
    """A workflow that is only on a branch gets its row with its first run."""
    sql = "SELECT * FROM workflows WHERE repo_id = ? AND path = ?"
    found = one(db, sql, repo["id"], file.path)
    if found is None:
        at = site.clock.stamp()
        insert(
            db, "workflows", repo_id=repo["id"], path=file.path, name=file.name, created_at=at,
            updated_at=at,
        )  # fmt: skip
        found = one(db, sql, repo["id"], file.path)
    if found is None:
        raise LookupError(file.path)
    return found


def run_schedules(site: Site, db: sqlite3.Connection, repo: Row, actor_id: int) -> list[int]:
    """Every scheduled workflow that is on, now: nobody waits for the hour in a test."""
    store = gitrepo.open_repo(site.folder(repo))
    head = gitrepo.commit_of(store, f"refs/heads/{repo['default_branch']}")
    made = []
    for path, text in workflow_files(store, head) if head and actions_enabled(repo) else ():
        file = read(path, text)
        on = file.raw.get("on")
        times = on.get("schedule") if isinstance(on, dict) else None
        if not times or head is None:
            continue
        workflow = known(site, db, repo, file)
        if workflow["state"] != "active":
            continue
        payload = {"schedule": times[0]["cron"]}
        key = create_run(
            site, db, workflow, file, event="schedule", payload=payload,
            ref=f"refs/heads/{repo['default_branch']}", sha=str(head.id), file_sha=str(head.id),
            actor_id=actor_id, inputs={},
        )  # fmt: skip
        made.append(key)
    return made


def open_runs(db: sqlite3.Connection) -> list[Row]:
    return many(db, "SELECT * FROM runs WHERE status != 'completed' ORDER BY id")
