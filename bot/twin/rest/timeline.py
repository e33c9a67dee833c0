"""What happened to an issue or pull request: its events, and with what was said its timeline."""

from __future__ import annotations

from bot.twin.call import REPO, Answer, Call, Json, missing, route
from bot.twin.rest.issues import find_issue
from bot.twin.rest.pulls import find_pull
from bot.twin.shapes.pull import review_json
from bot.twin.shapes.talk import comment_json, issue_json, timeline_json
from bot.twin.store import Row, many, one

ISSUE = f"{REPO}/issues/<int:number>"
READ = "issues:read|pull_requests:read"


@route("GET", f"{ISSUE}/events", scope=READ)
def events(call: Call) -> Answer:
    sql = "SELECT * FROM timeline WHERE issue_id = ? ORDER BY id"
    key = find_issue(call)["id"]
    return call.page(sql, (key,), lambda r: timeline_json(call.view, call.repo, r))


@route("GET", f"{REPO}/issues/events", scope=READ)
def of_repo(call: Call) -> Answer:
    sql = "SELECT * FROM timeline WHERE repo_id = ? ORDER BY id DESC"
    return call.page(sql, (call.repo["id"],), lambda r: _with_issue(call, r))


@route("GET", f"{REPO}/issues/events/<int:key>", scope=READ)
def get(call: Call) -> Json:
    sql = "SELECT * FROM timeline WHERE repo_id = ? AND id = ?"
    row = one(call.db, sql, call.repo["id"], call.args["key"])
    if row is None:
        raise missing()
    return _with_issue(call, row)


def _with_issue(call: Call, row: Row) -> Json:
    issue = one(call.db, "SELECT * FROM issues WHERE id = ?", row["issue_id"])
    if issue is None:
        raise missing()
    shown = timeline_json(call.view, call.repo, row)
    return {**shown, "issue": issue_json(call.view, call.repo, issue)}


@route("GET", f"{ISSUE}/timeline", scope=READ)
def timeline(call: Call) -> Answer:
    """Comments, reviews and what happened between them, oldest first."""
    issue = find_issue(call)
    happened = many(call.db, "SELECT * FROM timeline WHERE issue_id = ?", issue["id"])
    sql = "SELECT *, ? AS number, ? AS is_pull FROM comments WHERE issue_id = ?"
    said = many(call.db, sql, issue["number"], issue["is_pull"], issue["id"])
    rows = [(r["created_at"], 0, timeline_json(call.view, call.repo, r)) for r in happened]
    for row in said:
        comment = comment_json(call.view, call.repo, row)
        more = {"event": "commented", "actor": comment["user"]}
        rows.append((row["created_at"], 1, {**comment, **more}))
    if issue["is_pull"]:
        rows += _reviews(call, issue)
    rows.sort(key=lambda r: (r[0], r[1], r[2]["id"]))
    return call.page_of(rows, lambda r: r[2])


def _reviews(call: Call, issue: Row) -> list[tuple[str, int, Json]]:
    pull = find_pull(call)
    sql = "SELECT * FROM reviews WHERE issue_id = ? AND state != 'PENDING' ORDER BY id"
    found = []
    for row in many(call.db, sql, issue["id"]):
        shown = review_json(call, pull, row)
        state = {"event": "reviewed", "state": str(row["state"]).lower()}
        found.append((str(row["submitted_at"]), 2, {**shown, **state}))
    return found
