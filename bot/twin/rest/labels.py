"""Labels of a repository and of an issue. A label that is put on an issue is made if need be."""

from __future__ import annotations

import re

from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import record
from bot.twin.moves import tell_issue
from bot.twin.shapes.talk import label_json, labels_of
from bot.twin.store import Row, insert, one, update

ISSUE = f"{REPO}/issues/<int:number>/labels"
SCOPE = "issues:write|pull_requests:write"
GREY = "ededed"
COLOR = re.compile("[0-9a-fA-F]{6}")
"""Without a leading `#`: GitHub refuses one."""


def set_labels(call: Call, issue: Row, names: list[str]) -> None:
    wanted = {name.lower() for name in names}
    for label in labels_of(call.view, issue["id"]):
        if label["name"].lower() not in wanted:
            _take(call, issue, label)
    put_labels(call, issue["id"], names)


def put_labels(call: Call, issue_id: int, names: list[str]) -> None:
    for name in names:
        label = _find(call, name) or _make(call, name, GREY, None)
        sql = "INSERT OR IGNORE INTO issue_labels VALUES (?, ?)"
        if call.db.execute(sql, (issue_id, label["id"])).rowcount:
            _tell(call, issue_id, "labeled", label)


def _tell(call: Call, issue_id: int, what: str, label: Row) -> None:
    record(call, issue_id, what, label={"name": label["name"], "color": label["color"]})
    tell_issue(call, issue_id, what, label=label_json(call.view, call.repo, label))


def _find(call: Call, name: str) -> Row | None:
    return one(
        call.db, "SELECT * FROM labels WHERE repo_id = ? AND name = ?", call.repo["id"], name
    )


def _make(call: Call, name: str, color: str, description: str | None) -> Row:
    if not name.strip() or len(name) > 50:
        raise invalid("Label", "name")
    _check_color(color)
    key = insert(
        call.db, "labels", repo_id=call.repo["id"], name=name, color=color, description=description
    )
    row = one(call.db, "SELECT * FROM labels WHERE id = ?", key)
    if row is None:
        raise missing()
    return row


def _check_color(color: str | None) -> None:
    if color is None or not COLOR.fullmatch(color):
        raise invalid("Label", "color")


def _issue(call: Call) -> Row:
    sql = "SELECT * FROM issues WHERE repo_id = ? AND number = ?"
    row = one(call.db, sql, call.repo["id"], call.args["number"])
    if row is None:
        raise missing()
    return row


def _shown(call: Call, issue: Row) -> list[Json]:
    return [label_json(call.view, call.repo, x) for x in labels_of(call.view, issue["id"])]


def _names(call: Call) -> list[str]:
    """In a bare list, or under their name."""
    return call.names("" if "" in call.body else "labels")


@route("GET", f"{REPO}/labels", scope="issues:read|pull_requests:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM labels WHERE repo_id = ? ORDER BY name"
    return call.page(sql, (call.repo["id"],), lambda r: label_json(call.view, call.repo, r))


@route("POST", f"{REPO}/labels", role="write", scope=SCOPE)
def create(call: Call) -> Answer:
    name = call.need("name")
    if _find(call, name):
        raise invalid("Label", "name", "already_exists")
    color = call.text("color") or GREY
    row = _make(call, name, color, call.text("description"))
    return Answer(201, label_json(call.view, call.repo, row))


@route("GET", f"{REPO}/labels/<name>", scope="issues:read|pull_requests:read")
def get(call: Call) -> Json:
    row = _find(call, call.args["name"])
    if row is None:
        raise missing()
    return label_json(call.view, call.repo, row)


@route("PATCH", f"{REPO}/labels/<name>", role="write", scope=SCOPE)
def edit(call: Call) -> Json:
    row = _find(call, call.args["name"])
    if row is None:
        raise missing()
    new = call.text("new_name")
    if new and new.lower() != row["name"].lower() and _find(call, new):
        raise invalid("Label", "name", "already_exists")
    columns = {k: call.text(k) for k in ("color", "description") if k in call.body}
    if "color" in columns:
        _check_color(columns["color"])
    update(call.db, "labels", row["id"], **columns, **({"name": new} if new else {}))
    changed = one(call.db, "SELECT * FROM labels WHERE id = ?", row["id"])
    return label_json(call.view, call.repo, changed or row)


@route("DELETE", f"{REPO}/labels/<name>", role="write", scope=SCOPE)
def delete(call: Call) -> Answer:
    row = _find(call, call.args["name"])
    if row is None:
        raise missing()
    call.db.execute("DELETE FROM labels WHERE id = ?", (row["id"],))
    return Answer(204)


@route("GET", ISSUE, scope="issues:read|pull_requests:read")
def of_issue(call: Call) -> Answer:
    return call.page_of(_shown(call, _issue(call)), lambda r: r)


@route("POST", ISSUE, role="triage", scope=SCOPE)
def add(call: Call) -> list[Json]:
    issue = _issue(call)
    put_labels(call, issue["id"], _names(call))
    return _shown(call, issue)


@route("PUT", ISSUE, role="triage", scope=SCOPE)
def replace(call: Call) -> list[Json]:
    issue = _issue(call)
    set_labels(call, issue, _names(call))
    return _shown(call, issue)


def _take(call: Call, issue: Row, label: Row) -> None:
    sql = "DELETE FROM issue_labels WHERE issue_id = ? AND label_id = ?"
    call.db.execute(sql, (issue["id"], label["id"]))
    _tell(call, issue["id"], "unlabeled", label)


@route("DELETE", ISSUE, role="triage", scope=SCOPE)
def remove_all(call: Call) -> Answer:
    issue = _issue(call)
    for label in labels_of(call.view, issue["id"]):
        _take(call, issue, label)
    return Answer(204)


@route("DELETE", f"{ISSUE}/<name>", role="triage", scope=SCOPE)
def remove(call: Call) -> list[Json]:
    issue = _issue(call)
    wanted = call.args["name"].lower()
    for label in labels_of(call.view, issue["id"]):
        if label["name"].lower() == wanted:
            _take(call, issue, label)
            return _shown(call, issue)
    raise Problem(404, "Label does not exist")
