"""Issues: open, list, edit, close, lock, assign; and their timeline."""

from __future__ import annotations

from bot.twin.access import at_least, role_of
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit, record
from bot.twin.rest.labels import put_labels
from bot.twin.shapes.talk import comment_json, issue_json, timeline_json
from bot.twin.store import Row, inserted, many, one, update

ISSUE = f"{REPO}/issues/<int:number>"
SORTS = {"created": "issues.created_at", "updated": "updated_at", "comments": "comments"}
REASONS = {"completed", "not_planned", "duplicate", "reopened", None}
SCOPE = "issues:write|pull_requests:write"


def find_issue(call: Call, number: int | None = None) -> Row:
    """That of the path, if no other is asked for."""
    sql = "SELECT * FROM issues WHERE repo_id = ? AND number = ?"
    row = one(call.db, sql, call.repo["id"], number or call.args["number"])
    if row is None:
        raise missing()
    return row


def next_number(call: Call) -> int:
    """Issues and pull requests share their numbers; no number is given twice."""
    sql = "UPDATE repos SET last_number = last_number + 1 WHERE id = ? RETURNING last_number"
    return int(call.db.execute(sql, (call.repo["id"],)).fetchone()[0])


def shown(call: Call, key: int) -> Json:
    row = one(call.db, "SELECT * FROM issues WHERE id = ?", key)
    if row is None:
        raise missing()
    return issue_json(call.view, call.repo, row)


def new_issue(call: Call, title: str, body: str | None, *, is_pull: bool = False) -> Row:
    at = call.now()
    if not title.strip():
        raise invalid("Issue", "title", "missing_field")
    if len(title) > 256:
        why = "title is too long (maximum is 256 characters)"
        raise invalid("Issue", "title", "custom", message=why)
    return inserted(
        call.db, "issues", repo_id=call.repo["id"], number=next_number(call), title=title,
        body=body, user_id=call.me["id"], is_pull=is_pull, created_at=at, updated_at=at,
    )  # fmt: skip


@route("POST", f"{REPO}/issues", scope="issues:write")
def create(call: Call) -> Answer:
    title = call.body.get("title")
    title = str(title) if isinstance(title, int) else call.need("title")
    row = new_issue(call, title, call.long_text("Issue"))
    if at_least(call.role, "triage"):  # from others GitHub drops these without a word
        put_labels(call, row["id"], call.names("labels"))
        assign(call, row["id"], _wanted_assignees(call))
        if call.body.get("milestone") is not None:
            update(call.db, "issues", row["id"], milestone_id=_milestone(call))
            row = find_issue(call, row["number"])
    made = issue_json(call.view, call.repo, row)
    emit(call, "issues", "opened", {"issue": made})
    return Answer(201, made, {"Location": made["url"]})


@route("GET", f"{REPO}/issues", scope="issues:read|pull_requests:read")
def listing(call: Call) -> Answer:
    sql, values = "SELECT issues.* FROM issues WHERE repo_id = ?", [call.repo["id"]]
    q = call.query
    state = q.get("state", "open")
    if state not in ("open", "closed", "all"):
        raise invalid("Issue", "state")
    if state != "all":
        sql, values = sql + " AND state = ?", [*values, state]
    for label in (x for x in q.get("labels", "").split(",") if x):
        sql += """ AND id IN (SELECT issue_id FROM issue_labels JOIN labels ON label_id = labels.id
                   WHERE labels.repo_id = issues.repo_id AND name = ?)"""
        values.append(label.strip())
    if "since" in q:
        sql, values = sql + " AND updated_at >= ?", [*values, q["since"]]
    if "creator" in q:
        sql += " AND user_id = (SELECT id FROM users WHERE login = ?)"
        values.append(q["creator"])
    sql, values = _assigned(sql, values, q.get("assignee"))
    sql, values = _in_milestone(sql, values, q.get("milestone"))
    order = "ASC" if q.get("direction") == "asc" else "DESC"
    column = SORTS.get(q.get("sort", "created"), "issues.created_at")
    sql += f" ORDER BY {column} {order}, number {order}"
    return call.page(sql, values, lambda r: issue_json(call.view, call.repo, r))


def _assigned(sql: str, values: list[object], who: str | None) -> tuple[str, list[object]]:
    having = "id IN (SELECT issue_id FROM assignees)"
    if who == "none":
        return f"{sql} AND NOT {having}", values
    if who == "*":
        return f"{sql} AND {having}", values
    if who:
        of = "(SELECT issue_id FROM assignees JOIN users ON users.id = user_id WHERE login = ?)"
        return f"{sql} AND id IN {of}", [*values, who]
    return sql, values


def _in_milestone(sql: str, values: list[object], which: str | None) -> tuple[str, list[object]]:
    if which in ("none", "*"):
        return f"{sql} AND milestone_id IS {'' if which == 'none' else 'NOT'} NULL", values
    if which:
        of = "(SELECT id FROM milestones WHERE repo_id = issues.repo_id AND number = ?)"
        return f"{sql} AND milestone_id = {of}", [*values, which]
    return sql, values


@route("GET", ISSUE, scope="issues:read|pull_requests:read")
def get(call: Call) -> Json:
    return issue_json(call.view, call.repo, find_issue(call))


@route("PATCH", ISSUE, scope=SCOPE)
def edit(call: Call) -> Json:
    row = find_issue(call)
    if not (at_least(call.role, "triage") or row["user_id"] == call.me["id"]):
        raise Problem(403, "Must have admin rights to Repository.")
    columns: Json = {}
    if "title" in call.body:
        columns["title"] = call.need("title")
    if "body" in call.body:
        columns["body"] = call.long_text("Issue")
    if at_least(call.role, "triage"):
        if "labels" in call.body:
            call.db.execute("DELETE FROM issue_labels WHERE issue_id = ?", (row["id"],))
            put_labels(call, row["id"], call.names("labels"))
        if "assignees" in call.body or "assignee" in call.body:
            call.db.execute("DELETE FROM assignees WHERE issue_id = ?", (row["id"],))
            assign(call, row["id"], _wanted_assignees(call))
        if "milestone" in call.body:
            columns["milestone_id"] = _milestone(call)
    update(call.db, "issues", row["id"], **columns, updated_at=call.now())
    if columns.keys() & {"title", "body"}:
        changes = {k: {"from": row[k] or ""} for k in ("title", "body") if k in columns}
        emit(call, "issues", "edited", {"issue": shown(call, row["id"]), "changes": changes})
    if "state" in call.body:
        set_state(call, row, call.need("state"), call.text("state_reason"))
    return shown(call, row["id"])


def set_state(
    call: Call, row: Row, state: str, reason: str | None, commit: str | None = None
) -> None:
    if state not in ("open", "closed"):
        raise invalid("Issue", "state")
    if reason not in REASONS:
        raise invalid("Issue", "state_reason")
    if state == row["state"]:
        return
    closing = state == "closed"
    at = call.now()
    why = None if row["is_pull"] else (reason or "completed") if closing else "reopened"
    update(
        call.db, "issues", row["id"], state=state, state_reason=why, updated_at=at,
        closed_at=at if closing else None, closed_by=call.me["id"] if closing else None,
    )  # fmt: skip
    record(call, row["id"], "closed" if closing else "reopened", commit)
    if not row["is_pull"]:
        emit(call, "issues", "closed" if closing else "reopened", {"issue": shown(call, row["id"])})


def _milestone(call: Call) -> int | None:
    number = call.body.get("milestone")
    if number is None:
        return None
    sql = "SELECT id FROM milestones WHERE repo_id = ? AND number = ?"
    found = one(call.db, sql, call.repo["id"], number)
    if found is None:
        raise invalid("Issue", "milestone", value=number)
    return int(found["id"])


def _wanted_assignees(call: Call) -> list[str]:
    single = call.body.get("assignee")
    return call.names("assignees") or ([str(single)] if single else [])


def assign(call: Call, key: int, logins: list[str]) -> None:
    """Only people with access can be assigned; GitHub leaves the others out."""
    for login in logins[:10]:
        user = one(call.db, "SELECT * FROM users WHERE login = ?", login)
        if user is None or not _assignable(call, user):
            continue
        sql = "INSERT OR IGNORE INTO assignees VALUES (?, ?)"
        if call.db.execute(sql, (key, user["id"])).rowcount:
            record(call, key, "assigned")


def _assignable(call: Call, user: Row) -> bool:
    sql = "SELECT 1 FROM collaborators WHERE repo_id = ? AND user_id = ?"
    member = one(call.db, sql, call.repo["id"], user["id"])
    return member is not None or role_of(call.db, call.repo, user) == "admin"


@route("GET", f"{REPO}/assignees/<login>")
def can_be_assigned(call: Call) -> Answer:
    user = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    if user is None or not _assignable(call, user):
        raise missing()
    return Answer(204)


@route("POST", f"{ISSUE}/assignees", role="triage", scope=SCOPE)
def add_assignees(call: Call) -> Answer:
    row = find_issue(call)
    assign(call, row["id"], call.names("assignees"))
    return Answer(201, shown(call, row["id"]))


@route("DELETE", f"{ISSUE}/assignees", role="triage", scope=SCOPE)
def remove_assignees(call: Call) -> Json:
    row = find_issue(call)
    for login in call.names("assignees"):
        sql = """DELETE FROM assignees WHERE issue_id = ? AND user_id =
                 (SELECT id FROM users WHERE login = ?)"""
        if call.db.execute(sql, (row["id"], login)).rowcount:
            record(call, row["id"], "unassigned")
    return shown(call, row["id"])


@route("PUT", f"{ISSUE}/lock", role="write", scope=SCOPE)
def lock(call: Call) -> Answer:
    row = find_issue(call)
    update(call.db, "issues", row["id"], locked=1, lock_reason=call.text("lock_reason"))
    record(call, row["id"], "locked")
    return Answer(204)


@route("DELETE", f"{ISSUE}/lock", role="write", scope=SCOPE)
def unlock(call: Call) -> Answer:
    row = find_issue(call)
    update(call.db, "issues", row["id"], locked=0, lock_reason=None)
    record(call, row["id"], "unlocked")
    return Answer(204)


@route("GET", f"{ISSUE}/events", scope="issues:read|pull_requests:read")
def events(call: Call) -> Answer:
    sql = "SELECT * FROM timeline WHERE issue_id = ? ORDER BY id"
    key = find_issue(call)["id"]
    return call.page(sql, (key,), lambda r: timeline_json(call.view, call.repo, r))


@route("GET", f"{ISSUE}/timeline", scope="issues:read|pull_requests:read")
def timeline(call: Call) -> Answer:
    """Comments and what happened between them, oldest first."""
    issue = find_issue(call)
    happened = many(call.db, "SELECT * FROM timeline WHERE issue_id = ?", issue["id"])
    sql = "SELECT *, ? AS number, ? AS is_pull FROM comments WHERE issue_id = ?"
    said = many(call.db, sql, issue["number"], issue["is_pull"], issue["id"])
    rows = [(r["created_at"], 0, timeline_json(call.view, call.repo, r)) for r in happened]
    for row in said:
        comment = comment_json(call.view, call.repo, row)
        rows.append(
            (row["created_at"], 1, {**comment, "event": "commented", "actor": comment["user"]})
        )
    rows.sort(key=lambda r: (r[0], r[1], r[2]["id"]))
    return call.page_of(rows, lambda r: r[2])
