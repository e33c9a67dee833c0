"""Who is assigned to an issue or pull request, and who can be."""

from __future__ import annotations

from bot.twin.access import role_of
from bot.twin.call import REPO, Answer, Call, Json, invalid, missing, route
from bot.twin.events import record
from bot.twin.moves import tell_issue
from bot.twin.shapes.people import user_json, user_of
from bot.twin.shapes.talk import issue_json
from bot.twin.store import Row, many, one

ISSUE = f"{REPO}/issues/<int:number>"
SCOPE = "issues:write|pull_requests:write"
MOST = 10


def wanted_assignees(call: Call) -> list[str]:
    """What a new or an edited issue asks for: one who cannot be assigned refuses it all."""
    single = call.body.get("assignee")
    logins = call.names("assignees") or ([str(single)] if single else [])
    for login in logins:
        if _assignable(call, login) is None:
            raise invalid("Issue", "assignees", value=login)
    return logins


def assign(call: Call, key: int, logins: list[str]) -> None:
    """Only people with access can be assigned; GitHub leaves the others out."""
    for login in logins[:MOST]:
        user = _assignable(call, login)
        sql = "INSERT OR IGNORE INTO assignees VALUES (?, ?)"
        if user is not None and call.db.execute(sql, (key, user["id"])).rowcount:
            _tell(call, key, "assigned", user)


def unassign(call: Call, key: int, logins: list[str]) -> None:
    for login in logins:
        user = one(call.db, "SELECT * FROM users WHERE login = ?", login)
        sql = "DELETE FROM assignees WHERE issue_id = ? AND user_id = ?"
        if user is not None and call.db.execute(sql, (key, user["id"])).rowcount:
            _tell(call, key, "unassigned", user)


def set_assignees(call: Call, key: int, logins: list[str]) -> None:
    sql = "SELECT login FROM assignees JOIN users ON users.id = user_id WHERE issue_id = ?"
    wanted = {login.lower() for login in logins}
    there = [row["login"] for row in many(call.db, sql, key)]
    unassign(call, key, [login for login in there if login.lower() not in wanted])
    assign(call, key, logins)


def _tell(call: Call, key: int, what: str, user: Row) -> None:
    shown = user_of(call.view, user)
    record(call, key, what, assignee=shown, assigner=user_of(call.view, call.me))
    tell_issue(call, key, what, assignee=shown)


def _assignable(call: Call, login: str) -> Row | None:
    user = one(call.db, "SELECT * FROM users WHERE login = ?", login)
    if user is None:
        return None
    sql = "SELECT 1 FROM collaborators WHERE repo_id = ? AND user_id = ?"
    member = one(call.db, sql, call.repo["id"], user["id"])
    admin = role_of(call.db, call.repo, user) == "admin"
    return user if member is not None or admin else None


def _issue(call: Call) -> Row:
    sql = "SELECT * FROM issues WHERE repo_id = ? AND number = ?"
    row = one(call.db, sql, call.repo["id"], call.args["number"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/assignees")
def listing(call: Call) -> Answer:
    sql = """SELECT user_id FROM collaborators WHERE repo_id = ?
             UNION SELECT owner_id FROM repos WHERE id = ? ORDER BY user_id"""
    key = call.repo["id"]
    return call.page(sql, (key, key), lambda r: user_json(call.view, r["user_id"]))


@route("GET", f"{REPO}/assignees/<login>")
def can_be_assigned(call: Call) -> Answer:
    if _assignable(call, call.args["login"]) is None:
        raise missing()
    return Answer(204)


@route("POST", f"{ISSUE}/assignees", role="triage", scope=SCOPE)
def add(call: Call) -> Answer:
    row = _issue(call)
    assign(call, row["id"], call.names("assignees"))
    return Answer(201, issue_json(call.view, call.repo, row))


@route("DELETE", f"{ISSUE}/assignees", role="triage", scope=SCOPE)
def remove(call: Call) -> Json:
    row = _issue(call)
    unassign(call, row["id"], call.names("assignees"))
    return issue_json(call.view, call.repo, row)
