"""Commit statuses: the newest of each context is what counts."""

from __future__ import annotations

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.code import commit_json
from bot.twin.shapes.people import node_id, repo_json, repo_url, user_json
from bot.twin.store import Row, insert, many, one

STATES = ("error", "failure", "pending", "success")
LONGEST = 140
MOST = 1000


def _simple(call: Call, row: Row) -> Json:
    user = user_json(call.view, row["creator_id"]) or {}
    return {
        "url": f"{repo_url(call.view, call.repo)}/statuses/{row['sha']}",
        "avatar_url": user.get("avatar_url"), "id": row["id"],
        "node_id": node_id("StatusContext", row["id"]), "state": row["state"],
        "description": row["description"], "target_url": row["target_url"],
        "context": row["context"], "created_at": row["created_at"],
        "updated_at": row["created_at"],
    }  # fmt: skip


def _full(call: Call, row: Row) -> Json:
    return {**_simple(call, row), "creator": user_json(call.view, row["creator_id"])}


@route("POST", f"{REPO}/statuses/<sha>", role="write", scope="statuses:write")
def create(call: Call) -> Answer:
    state, sha = call.need("state"), call.args["sha"]
    description = call.text("description")
    if state not in STATES:
        raise invalid("Status", "state", "custom", message="state is not included in the list")
    if len(description or "") > LONGEST:
        why = f"description is too long (maximum is {LONGEST} characters)"
        raise invalid("Status", "description", "custom", message=why)
    commit = gitrepo.commit_of(opened(call), sha) if len(sha) == 40 else None
    if commit is None:
        raise Problem(422, f"No commit found for SHA: {sha}")
    url = call.text("target_url")
    if url and not url.startswith(("http://", "https://")):
        why = "target_url must use http(s) scheme"
        raise invalid("Status", "target_url", "custom", message=why)
    context = call.text("context") or "default"
    count = "SELECT count(*) FROM statuses WHERE repo_id = ? AND sha = ? AND context = ?"
    if call.db.execute(count, (call.repo["id"], sha, context)).fetchone()[0] >= MOST:
        why = "This SHA and context has reached the maximum number of statuses."
        raise invalid("Status", "context", "custom", message=why)
    key = insert(
        call.db, "statuses", repo_id=call.repo["id"], sha=sha, state=state, context=context,
        description=description, target_url=url, creator_id=call.me["id"],
        created_at=call.now(),
    )  # fmt: skip
    row = one(call.db, "SELECT * FROM statuses WHERE id = ?", key)
    if row is None:
        raise missing()
    shown = _full(call, row)
    kept = ("id", "state", "description", "target_url", "context", "created_at", "updated_at")
    parts = {
        **{k: shown[k] for k in kept}, "sha": sha,
        "name": f"{call.repo['owner']}/{call.repo['name']}",
        "avatar_url": shown["avatar_url"], "commit": commit_json(call.view, call.repo, commit),
        "branches": [],
    }  # fmt: skip
    emit(call, "status", None, parts, sha=sha)
    return Answer(201, shown)


def _commit(call: Call) -> str:
    commit = gitrepo.commit_of(opened(call), call.args["ref"])
    if commit is None:
        raise missing()
    return str(commit.id)


@route("GET", f"{REPO}/statuses/<path:ref>", scope="statuses:read")
@route("GET", f"{REPO}/commits/<path:ref>/statuses", scope="statuses:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM statuses WHERE repo_id = ? AND sha = ? ORDER BY id DESC"
    return call.page(sql, (call.repo["id"], _commit(call)), lambda r: _full(call, r))


@route("GET", f"{REPO}/commits/<path:ref>/status", scope="statuses:read")
def combined(call: Call) -> Json:
    sha, base = _commit(call), repo_url(call.view, call.repo)
    sql = """SELECT * FROM statuses WHERE id IN (SELECT max(id) FROM statuses
             WHERE repo_id = ? AND sha = ? GROUP BY context) ORDER BY id"""
    rows = many(call.db, sql, call.repo["id"], sha)
    states = {row["state"] for row in rows}
    state = "failure" if states & {"error", "failure"} else "pending"
    if rows and states == {"success"}:
        state = "success"
    size, number = call.paging()
    part = rows[(number - 1) * size : number * size]
    return {
        "state": state, "statuses": [_simple(call, r) for r in part], "sha": sha,
        "total_count": len(rows), "repository": repo_json(call.view, call.repo),
        "commit_url": f"{base}/commits/{sha}", "url": f"{base}/commits/{sha}/status",
    }  # fmt: skip
