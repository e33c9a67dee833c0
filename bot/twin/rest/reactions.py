"""Reactions: one of a kind per person, so a second one answers 200 with the first."""

from __future__ import annotations

from bot.twin.access import at_least
from bot.twin.call import REPO, Answer, Call, Problem, invalid, missing, route
from bot.twin.rest.comments import find_comment
from bot.twin.rest.issues import find_issue
from bot.twin.rest.reviews import find_review_comment
from bot.twin.shapes.talk import REACTIONS, reaction_json
from bot.twin.store import insert, one

ISSUE = f"{REPO}/issues/<int:number>/reactions"
COMMENT = f"{REPO}/issues/comments/<int:key>/reactions"
REVIEW_COMMENT = f"{REPO}/pulls/comments/<int:key>/reactions"
READ, WRITE = "issues:read|pull_requests:read", "issues:write|pull_requests:write"


def _react(call: Call, kind: str, subject: int, locked: bool = False) -> Answer:
    content = call.need("content")
    if locked and not at_least(call.role, "write"):
        raise Problem(403, "Unable to create reaction because issue is locked.")
    if content not in REACTIONS:
        raise invalid("Reaction", "content")
    sql = """SELECT * FROM reactions
             WHERE kind = ? AND subject_id = ? AND user_id = ? AND content = ?"""
    wanted = (kind, subject, call.me["id"], content)
    there = one(call.db, sql, *wanted)
    if there is None:
        insert(
            call.db, "reactions", kind=kind, subject_id=subject, user_id=call.me["id"],
            content=content, created_at=call.now(),
        )  # fmt: skip
    made = one(call.db, sql, *wanted)
    if made is None:
        raise missing()
    return Answer(200 if there else 201, reaction_json(call.view, made))


def _list(call: Call, kind: str, subject: int) -> Answer:
    sql, values = "SELECT * FROM reactions WHERE kind = ? AND subject_id = ?", [kind, subject]
    if "content" in call.query:
        sql, values = f"{sql} AND content = ?", [*values, call.query["content"]]
    return call.page(f"{sql} ORDER BY id", values, lambda r: reaction_json(call.view, r))


def _remove(call: Call, kind: str, subject: int) -> Answer:
    sql = "SELECT * FROM reactions WHERE id = ? AND kind = ? AND subject_id = ?"
    row = one(call.db, sql, call.args["reaction"], kind, subject)
    if row is None:
        raise missing()
    if row["user_id"] != call.me["id"] and not at_least(call.role, "admin"):
        raise Problem(403, "Must have admin rights to Repository.")
    call.db.execute("DELETE FROM reactions WHERE id = ?", (row["id"],))
    return Answer(204)


@route("POST", ISSUE, scope=WRITE)
def to_issue(call: Call) -> Answer:
    issue = find_issue(call)
    return _react(call, "issue", issue["id"], bool(issue["locked"]))


@route("GET", ISSUE, scope=READ)
def of_issue(call: Call) -> Answer:
    return _list(call, "issue", find_issue(call)["id"])


@route("DELETE", f"{ISSUE}/<int:reaction>", scope=WRITE)
def from_issue(call: Call) -> Answer:
    return _remove(call, "issue", find_issue(call)["id"])


@route("POST", COMMENT, scope=WRITE)
def to_comment(call: Call) -> Answer:
    return _react(call, "comment", find_comment(call)["id"])


@route("GET", COMMENT, scope=READ)
def of_comment(call: Call) -> Answer:
    return _list(call, "comment", find_comment(call)["id"])


@route("DELETE", f"{COMMENT}/<int:reaction>", scope=WRITE)
def from_comment(call: Call) -> Answer:
    return _remove(call, "comment", find_comment(call)["id"])


@route("POST", REVIEW_COMMENT, scope="pull_requests:write")
def to_review_comment(call: Call) -> Answer:
    return _react(call, "review_comment", find_review_comment(call, call.args["key"])[1]["id"])


@route("GET", REVIEW_COMMENT, scope="pull_requests:read")
def of_review_comment(call: Call) -> Answer:
    return _list(call, "review_comment", find_review_comment(call, call.args["key"])[1]["id"])


@route("DELETE", f"{REVIEW_COMMENT}/<int:reaction>", scope="pull_requests:write")
def from_review_comment(call: Call) -> Answer:
    return _remove(call, "review_comment", find_review_comment(call, call.args["key"])[1]["id"])
