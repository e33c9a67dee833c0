"""Sub-issues: an issue has at most one parent, and is never its own ancestor."""

from __future__ import annotations

from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.rest.issues import find_issue, shown
from bot.twin.shapes.talk import issue_json
from bot.twin.store import Row, many, one, update, value

ISSUE = f"{REPO}/issues/<int:number>"
MOST = 100


def _child(call: Call) -> Row:
    row = one(call.db, "SELECT * FROM issues WHERE id = ?", call.need_number("sub_issue_id"))
    if row is None or row["is_pull"]:
        raise Problem(422, "The provided sub-issue does not exist")
    return row


@route("GET", f"{ISSUE}/sub_issues", scope="issues:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM issues WHERE parent_id = ? ORDER BY position, id"
    key = find_issue(call)["id"]
    return call.page(sql, (key,), lambda r: issue_json(call.view, call.repo, r))


@route("POST", f"{ISSUE}/sub_issues", role="triage", scope="issues:write")
def add(call: Call) -> Answer:
    parent, child = find_issue(call), _child(call)
    if child["parent_id"] == parent["id"]:
        raise Problem(422, "Issue may not contain duplicate sub-issues")
    if child["parent_id"] and not call.flag("replace_parent"):
        raise Problem(422, "Sub issue may only have one parent")
    _check_no_circle(call, parent, child)
    count = value(call.db, "SELECT count(*) FROM issues WHERE parent_id = ?", parent["id"])
    if count >= MOST:
        raise Problem(422, f"Parent cannot have more than {MOST} sub-issues")
    update(call.db, "issues", child["id"], parent_id=parent["id"], position=count)
    return Answer(201, shown(call, child["id"]))


def _check_no_circle(call: Call, parent: Row, child: Row) -> None:
    here: Row | None = parent
    while here is not None:
        if here["id"] == child["id"]:
            raise Problem(422, "Sub-issues may not create a circular dependency")
        here = one(call.db, "SELECT * FROM issues WHERE id = ?", here["parent_id"])


@route("DELETE", f"{ISSUE}/sub_issue", role="triage", scope="issues:write")
def remove(call: Call) -> Json:
    parent, child = find_issue(call), _child(call)
    if child["parent_id"] != parent["id"]:
        raise missing()
    update(call.db, "issues", child["id"], parent_id=None, position=None)
    return shown(call, child["id"])


@route("PATCH", f"{ISSUE}/sub_issues/priority", role="triage", scope="issues:write")
def put_in_order(call: Call) -> Json:
    """Right after one of its siblings, or right before one."""
    parent, child = find_issue(call), _child(call)
    sql = "SELECT id FROM issues WHERE parent_id = ? ORDER BY position, id"
    keys = [row["id"] for row in many(call.db, sql, parent["id"])]
    after, before = call.body.get("after_id"), call.body.get("before_id")
    anchor = after if after is not None else before
    if child["id"] not in keys or anchor not in keys or anchor == child["id"]:
        raise Problem(422, "The sub-issue or the one beside it is not a sub-issue of this issue")
    keys.remove(child["id"])
    keys.insert(keys.index(anchor) + (after is not None), child["id"])
    for position, key in enumerate(keys):
        update(call.db, "issues", key, position=position)
    return shown(call, parent["id"])


@route("GET", f"{ISSUE}/parent", scope="issues:read")
def parent_of(call: Call) -> Json:
    key = find_issue(call)["parent_id"]
    if key is None:
        raise missing()
    return shown(call, key)
