"""Comments on issues and pull requests."""

from __future__ import annotations

from bot.twin.access import at_least
from bot.twin.call import MAX_BODY, REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit, heard
from bot.twin.rest.issues import find_issue, shown
from bot.twin.shapes.talk import comment_json
from bot.twin.store import Row, inserted, one, update

JOINED = """SELECT comments.*, number, is_pull FROM comments
            JOIN issues ON issues.id = comments.issue_id"""
ISSUE = f"{REPO}/issues/<int:number>/comments"
COMMENT = f"{REPO}/issues/comments/<int:key>"
READ, WRITE = "issues:read|pull_requests:read", "issues:write|pull_requests:write"


def find_comment(call: Call) -> Row:
    sql = f"{JOINED} WHERE comments.repo_id = ? AND comments.id = ?"
    row = one(call.db, sql, call.repo["id"], call.args["key"])
    if row is None:
        raise missing()
    return row


def _tell(call: Call, action: str, row: Row, **more: object) -> None:
    if not heard(call.view, call.repo):
        return
    comment = comment_json(call.view, call.repo, row)
    parts = {"issue": shown(call, row["issue_id"]), "comment": comment, **more}
    emit(call, "issue_comment", action, parts)


def _body(call: Call) -> str:
    body = call.need("body")
    why = "can't be blank" if not body.strip() else "is too long (maximum is 65536 characters)"
    if not body.strip() or len(body) > MAX_BODY:
        raise invalid("IssueComment", "data", "unprocessable", message=f"Body {why}")
    return body


@route("POST", ISSUE, scope=WRITE)
def create(call: Call) -> Answer:
    issue, body, at = find_issue(call), _body(call), call.now()
    if issue["locked"] and not at_least(call.role, "write"):
        raise Problem(403, "Unable to create comment because issue is locked.")
    row = inserted(
        call.db, "comments", repo_id=call.repo["id"], issue_id=issue["id"], body=body,
        user_id=call.me["id"], created_at=at, updated_at=at,
    )  # fmt: skip
    update(call.db, "issues", issue["id"], comments=issue["comments"] + 1, updated_at=at)
    made = comment_json(call.view, call.repo, row, issue)
    if heard(call.view, call.repo):
        parts = {"issue": shown(call, issue["id"]), "comment": made}
        emit(call, "issue_comment", "created", parts)
    return Answer(201, made, {"Location": made["url"]})


@route("GET", ISSUE, scope=READ)
def listing(call: Call) -> Answer:
    sql, values = f"{JOINED} WHERE issue_id = ?", [find_issue(call)["id"]]
    if "since" in call.query:
        sql, values = f"{sql} AND comments.updated_at >= ?", [*values, call.time("since")]
    sql += " ORDER BY comments.id"
    return call.page(sql, values, lambda r: comment_json(call.view, call.repo, r))


@route("GET", f"{REPO}/issues/comments", scope=READ)
def of_repo(call: Call) -> Answer:
    sql, values = f"{JOINED} WHERE comments.repo_id = ?", [call.repo["id"]]
    if "since" in call.query:
        sql, values = f"{sql} AND comments.updated_at >= ?", [*values, call.time("since")]
    order = "DESC" if call.query.get("direction") == "desc" else "ASC"
    sql += f" ORDER BY comments.id {order}"
    return call.page(sql, values, lambda r: comment_json(call.view, call.repo, r))


@route("GET", COMMENT, scope=READ)
def get(call: Call) -> Json:
    return comment_json(call.view, call.repo, find_comment(call))


def _may_change(call: Call, row: Row) -> None:
    if not (row["user_id"] == call.me["id"] or at_least(call.role, "write")):
        raise Problem(403, "Must have admin rights to Repository.")


@route("PATCH", COMMENT, scope=WRITE)
def edit(call: Call) -> Json:
    row = find_comment(call)
    _may_change(call, row)
    update(call.db, "comments", row["id"], body=_body(call), updated_at=call.now())
    changed = find_comment(call)
    _tell(call, "edited", changed, changes={"body": {"from": row["body"]}})
    return comment_json(call.view, call.repo, changed)


@route("DELETE", COMMENT, scope=WRITE)
def delete(call: Call) -> Answer:
    row = find_comment(call)
    _may_change(call, row)
    call.db.execute("DELETE FROM comments WHERE id = ?", (row["id"],))
    sql = "UPDATE issues SET comments = comments - 1 WHERE id = ?"
    call.db.execute(sql, (row["issue_id"],))
    _tell(call, "deleted", row)
    return Answer(204)
