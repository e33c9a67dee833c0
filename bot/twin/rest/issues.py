"""Issues: open, list, edit, close, lock."""

from __future__ import annotations

from bot.twin.access import at_least
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit, record
from bot.twin.moves import tell_issue
from bot.twin.rest.assignees import assign, set_assignees, wanted_assignees
from bot.twin.rest.labels import put_labels, set_labels
from bot.twin.shapes.talk import issue_json
from bot.twin.site import settings
from bot.twin.store import Row, inserted, one, update

ISSUE = f"{REPO}/issues/<int:number>"
SORTS = {"created": "issues.created_at", "updated": "updated_at", "comments": "comments"}
REASONS = {"completed", "not_planned", "duplicate", "reopened", None}
SCOPE = "issues:write|pull_requests:write"
LOCKS = {"off-topic", "too heated", "resolved", "spam", None}


def find_issue(call: Call, number: int | None = None) -> Row:
    """That of the path, if no other is asked for."""
    sql = "SELECT * FROM issues WHERE repo_id = ? AND number = ?"
    row = one(call.db, sql, call.repo["id"], number or call.args["number"])
    if row is None:
        raise missing()
    if not row["is_pull"]:
        _check_on(call)
    return row


def _has_issues(call: Call) -> bool:
    """Pull requests stay where a repository has put its issues away."""
    return bool(settings(call.repo).get("has_issues", True))


def _check_on(call: Call) -> None:
    if not _has_issues(call):
        raise Problem(410, "Issues has been disabled in this repository.")


def next_number(call: Call) -> int:
    """Issues and pull requests share their numbers; no number is given twice."""
    sql = "UPDATE repos SET last_number = last_number + 1 WHERE id = ? RETURNING last_number"
    return int(call.db.execute(sql, (call.repo["id"],)).fetchone()[0])


def shown(call: Call, key: int) -> Json:
    row = one(call.db, "SELECT * FROM issues WHERE id = ?", key)
    if row is None:
        raise missing()
    return issue_json(call.view, call.repo, row)


def good_title(title: str) -> str:
    if not title.strip():
        raise invalid("Issue", "title", "missing_field")
    if len(title) > 256:
        why = "title is too long (maximum is 256 characters)"
        raise invalid("Issue", "title", "custom", message=why)
    return title


def new_issue(call: Call, title: str, body: str | None, *, is_pull: bool = False) -> Row:
    at, title = call.now(), good_title(title)
    return inserted(
        call.db, "issues", repo_id=call.repo["id"], number=next_number(call), title=title,
        body=body, user_id=call.me["id"], is_pull=is_pull, created_at=at, updated_at=at,
    )  # fmt: skip


@route("POST", f"{REPO}/issues", scope="issues:write")
def create(call: Call) -> Answer:
    _check_on(call)
    title = call.body.get("title")
    title = str(title) if isinstance(title, int) else call.need("title")
    row = new_issue(call, title, call.long_text("Issue"))
    if at_least(call.role, "triage"):  # from others GitHub drops these without a word
        put_labels(call, row["id"], call.names("labels"))
        assign(call, row["id"], wanted_assignees(call))
        if call.body.get("milestone") not in (None, ""):
            update(call.db, "issues", row["id"], milestone_id=_milestone(call))
            row = find_issue(call, row["number"])
    made = issue_json(call.view, call.repo, row)
    emit(call, "issues", "opened", {"issue": made})
    return Answer(201, made, {"Location": made["url"]})


@route("GET", f"{REPO}/issues", scope="issues:read|pull_requests:read")
def listing(call: Call) -> Answer:
    sql, values = "SELECT issues.* FROM issues WHERE repo_id = ?", [call.repo["id"]]
    sql += "" if _has_issues(call) else " AND is_pull"
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
        sql, values = sql + " AND updated_at >= ?", [*values, call.time("since")]
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
        columns["title"] = good_title(call.need("title"))
    if "body" in call.body:
        columns["body"] = call.long_text("Issue")
    if at_least(call.role, "triage"):
        if "labels" in call.body:
            set_labels(call, row, call.names("labels"))
        if "assignees" in call.body or "assignee" in call.body:
            set_assignees(call, row["id"], wanted_assignees(call))
        if "milestone" in call.body:
            columns["milestone_id"] = _milestone(call)
            _note_milestone(call, row, columns["milestone_id"])
    update(call.db, "issues", row["id"], **columns, updated_at=call.now())
    if columns.get("title", row["title"]) != row["title"]:
        record(call, row["id"], "renamed", rename={"from": row["title"], "to": columns["title"]})
    changes = {k: {"from": row[k] or ""} for k in ("title", "body") if k in columns}
    if changes:
        tell_issue(call, row["id"], "edited", changes=changes)
    if "state" in call.body or "state_reason" in call.body:
        _change_state(call, row)
    return shown(call, row["id"])


def _change_state(call: Call, row: Row) -> None:
    from bot.twin.rest.pulls import change_state, find_pull

    state = call.text("state") or row["state"]
    if row["is_pull"]:
        change_state(call, find_pull(call), state)
    else:
        set_state(call, row, state, call.text("state_reason"))


def set_state(
    call: Call, row: Row, state: str, reason: str | None, commit: str | None = None
) -> None:
    if state not in ("open", "closed"):
        raise invalid("Issue", "state")
    if reason not in REASONS:
        raise invalid("Issue", "state_reason")
    if state == row["state"]:
        if reason and not row["is_pull"] and reason != row["state_reason"]:
            update(call.db, "issues", row["id"], state_reason=reason, updated_at=call.now())
        return
    closing = state == "closed"
    at = call.now()
    why = None if row["is_pull"] else (reason or "completed") if closing else "reopened"
    update(
        call.db, "issues", row["id"], state=state, state_reason=why, updated_at=at,
        closed_at=at if closing else None, closed_by=call.me["id"] if closing else None,
    )  # fmt: skip
    what = "closed" if closing else "reopened"
    more = {} if row["is_pull"] else {"state_reason": why}
    record(call, row["id"], what, commit, **more)
    tell_issue(call, row["id"], what)


def _note_milestone(call: Call, row: Row, key: int | None) -> None:
    if key == row["milestone_id"]:
        return
    sql = "SELECT title FROM milestones WHERE id = ?"
    named = one(call.db, sql, key or row["milestone_id"])
    if named is not None:
        what = "milestoned" if key else "demilestoned"
        record(call, row["id"], what, milestone={"title": named["title"]})


def _milestone(call: Call) -> int | None:
    number = call.body.get("milestone")
    if number in (None, ""):  # a client says it either way
        return None
    sql = "SELECT id FROM milestones WHERE repo_id = ? AND number = ?"
    found = one(call.db, sql, call.repo["id"], number) if isinstance(number, str | int) else None
    if found is None:
        raise invalid("Issue", "milestone", value=str(number))
    return int(found["id"])


@route("PUT", f"{ISSUE}/lock", role="write", scope=SCOPE)
def lock(call: Call) -> Answer:
    row = find_issue(call)
    why = call.text("lock_reason")
    if why not in LOCKS:
        raise invalid("Issue", "lock_reason")
    update(call.db, "issues", row["id"], locked=1, lock_reason=why)
    record(call, row["id"], "locked", lock_reason=why)
    tell_issue(call, row["id"], "locked")
    return Answer(204)


@route("DELETE", f"{ISSUE}/lock", role="write", scope=SCOPE)
def unlock(call: Call) -> Answer:
    row = find_issue(call)
    update(call.db, "issues", row["id"], locked=0, lock_reason=None)
    record(call, row["id"], "unlocked")
    tell_issue(call, row["id"], "unlocked")
    return Answer(204)
