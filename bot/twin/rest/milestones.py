"""Milestones."""

from __future__ import annotations

from bot.twin.call import REPO, Answer, Call, Json, invalid, missing, route
from bot.twin.shapes.talk import label_json, milestone_json
from bot.twin.store import Row, insert, one, update, value

MILESTONE = f"{REPO}/milestones/<int:number>"
READ, WRITE = "issues:read|pull_requests:read", "issues:write|pull_requests:write"


def _find(call: Call) -> Row:
    sql = "SELECT * FROM milestones WHERE repo_id = ? AND number = ?"
    row = one(call.db, sql, call.repo["id"], call.args["number"])
    if row is None:
        raise missing()
    return row


def _shown(call: Call, key: int) -> Json:
    return milestone_json(call.view, call.repo, key) or {}


@route("POST", f"{REPO}/milestones", role="triage", scope=WRITE)
def create(call: Call) -> Answer:
    title, at = call.need("title"), call.now()
    if (call.text("state") or "open") not in ("open", "closed"):
        raise invalid("Milestone", "state")
    sql = "SELECT 1 FROM milestones WHERE repo_id = ? AND title = ?"
    if one(call.db, sql, call.repo["id"], title):
        raise invalid("Milestone", "title", "already_exists")
    last = value(call.db, "SELECT max(number) FROM milestones WHERE repo_id = ?", call.repo["id"])
    key = insert(
        call.db, "milestones", repo_id=call.repo["id"], number=last + 1, title=title,
        description=call.text("description"), state=call.text("state") or "open",
        creator_id=call.me["id"], due_on=call.text("due_on"), created_at=at, updated_at=at,
    )  # fmt: skip
    return Answer(201, _shown(call, key))


@route("GET", f"{REPO}/milestones", scope=READ)
def listing(call: Call) -> Answer:
    state = call.query.get("state", "open")
    sql = "SELECT id FROM milestones WHERE repo_id = ? AND ? IN (state, 'all') ORDER BY number"
    return call.page(sql, (call.repo["id"], state), lambda r: _shown(call, r["id"]))


@route("GET", MILESTONE, scope=READ)
def get(call: Call) -> Json:
    return _shown(call, _find(call)["id"])


@route("PATCH", MILESTONE, role="triage", scope=WRITE)
def edit(call: Call) -> Json:
    row = _find(call)
    columns = {
        k: call.text(k) for k in ("title", "description", "due_on", "state") if k in call.body
    }
    if columns.get("state", "open") not in ("open", "closed"):
        raise invalid("Milestone", "state")
    closed: Json = {}
    if columns.get("state", row["state"]) != row["state"]:
        closed = {"closed_at": call.now() if columns["state"] == "closed" else None}
    update(call.db, "milestones", row["id"], **columns, **closed, updated_at=call.now())
    return _shown(call, row["id"])


@route("GET", f"{MILESTONE}/labels", scope=READ)
def labels(call: Call) -> Answer:
    sql = """SELECT * FROM labels WHERE id IN (SELECT label_id FROM issue_labels
             JOIN issues ON issues.id = issue_id WHERE milestone_id = ?) ORDER BY name"""
    key = _find(call)["id"]
    return call.page(sql, (key,), lambda r: label_json(call.view, call.repo, r))


@route("DELETE", MILESTONE, role="triage", scope=WRITE)
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM milestones WHERE id = ?", (_find(call)["id"],))
    return Answer(204)
