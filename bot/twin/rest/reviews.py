"""Reviews of a pull request and comments on its lines. Nobody approves their own."""

from __future__ import annotations

from typing import NoReturn

from bot.twin import gitrepo
from bot.twin.access import at_least
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.events import emit
from bot.twin.ranges import files_of
from bot.twin.rest.gitdata import opened
from bot.twin.rest.pulls import NO_BOTS, PULL, find_pull
from bot.twin.shapes.pull import pull_json, review_comment_json, review_json
from bot.twin.site import settings
from bot.twin.store import Row, insert, one, update

READ, WRITE = "pull_requests:read", "pull_requests:write"
STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
REVIEW = f"{PULL}/reviews/<int:key>"
COMMENT = f"{REPO}/pulls/comments/<int:key>"
NO_LINE = "must be part of the diff"


def _find(call: Call, pull: Row) -> Row:
    sql = "SELECT * FROM reviews WHERE id = ? AND issue_id = ?"
    row = one(call.db, sql, call.args["key"], pull["id"])
    if row is None or (row["state"] == "PENDING" and row["user_id"] != call.me["id"]):
        raise missing()
    return row


def _check(call: Call, pull: Row, event: str, body: str) -> None:
    if event not in STATES:
        raise Problem(422, "Unprocessable Entity", "Variable $event was provided invalid value")
    mine = pull["user_id"] == call.me["id"]
    if mine and event != "COMMENT":
        verb = "approve" if event == "APPROVE" else "request changes on"
        raise Problem(422, "Unprocessable Entity", f"Can not {verb} your own pull request")
    if call.silent and event == "APPROVE" and not settings(call.repo)["actions_create_pulls"]:
        raise Problem(403, NO_BOTS)
    silent = event == "COMMENT" and not call.body.get("comments") and "key" not in call.args
    if not body and (event == "REQUEST_CHANGES" or silent):
        raise Problem(422, "Unprocessable Entity", "Body can't be blank")


@route("POST", f"{PULL}/reviews", scope=WRITE)
def create(call: Call) -> Json:
    pull, body = find_pull(call), call.long_text("PullRequestReview") or ""
    event = call.text("event")
    if event is not None:
        _check(call, pull, event, body)
    commit = call.text("commit_id") or pull["head_sha"]
    key = insert(
        call.db, "reviews", issue_id=pull["id"], user_id=call.me["id"], body=body,
        state=STATES[event] if event else "PENDING", commit_id=commit,
        submitted_at=call.now() if event else None,
    )  # fmt: skip
    for comment in call.body.get("comments") or ():
        _add_comment(call, pull, comment, commit, key)
    return _submitted(call, pull, key)


def _submitted(call: Call, pull: Row, key: int) -> Json:
    row = one(call.db, "SELECT * FROM reviews WHERE id = ?", key)
    if row is None:
        raise missing()
    shown = review_json(call, pull, row)
    if row["state"] != "PENDING":
        sql = "DELETE FROM reviewers WHERE issue_id = ? AND user_id = ?"
        call.db.execute(sql, (pull["id"], row["user_id"]))
        told = {**shown, "state": row["state"].lower()}
        parts = {"review": told, "pull_request": pull_json(call, pull)}
        emit(call, "pull_request_review", "submitted", parts, sha=pull["head_sha"])
    return shown


@route("GET", f"{PULL}/reviews", scope=READ)
def listing(call: Call) -> Answer:
    pull = find_pull(call)
    me = call.user["id"] if call.user else 0
    sql = """SELECT * FROM reviews WHERE issue_id = ? AND (state != 'PENDING' OR user_id = ?)
             ORDER BY id"""
    return call.page(sql, (pull["id"], me), lambda r: review_json(call, pull, r))


@route("GET", REVIEW, scope=READ)
def get(call: Call) -> Json:
    pull = find_pull(call)
    return review_json(call, pull, _find(call, pull))


@route("PUT", REVIEW, scope=WRITE)
def edit(call: Call) -> Json:
    pull = find_pull(call)
    row, body = _find(call, pull), call.need("body")
    if row["user_id"] != call.me["id"] and not at_least(call.role, "write"):
        raise Problem(403, "Must have admin rights to Repository.")
    call.long_text("PullRequestReview")
    update(call.db, "reviews", row["id"], body=body)
    return review_json(call, pull, _find(call, pull))


@route("DELETE", REVIEW, scope=WRITE)
def delete(call: Call) -> Json:
    pull = find_pull(call)
    row = _find(call, pull)
    if row["state"] != "PENDING":
        raise Problem(422, "Can not delete a non-pending pull request review")
    call.db.execute("DELETE FROM reviews WHERE id = ?", (row["id"],))
    return review_json(call, pull, row)


@route("POST", f"{REVIEW}/events", scope=WRITE)
def submit(call: Call) -> Json:
    pull = find_pull(call)
    row, event = _find(call, pull), call.need("event")
    body = call.long_text("PullRequestReview") or row["body"]
    if row["state"] != "PENDING":
        raise Problem(422, "Unprocessable Entity", "Can not submit a review twice")
    _check(call, pull, event, body)
    update(call.db, "reviews", row["id"], body=body, state=STATES[event], submitted_at=call.now())
    return _submitted(call, pull, row["id"])


@route("PUT", f"{REVIEW}/dismissals", role="write", scope=WRITE)
def dismiss(call: Call) -> Json:
    pull = find_pull(call)
    row = _find(call, pull)
    call.need("message")
    if row["state"] not in ("APPROVED", "CHANGES_REQUESTED"):
        raise Problem(
            422, "Unprocessable Entity", "Can not dismiss a commented pull request review"
        )
    update(call.db, "reviews", row["id"], state="DISMISSED")
    shown = review_json(call, pull, _find(call, pull))
    parts = {"review": {**shown, "state": "dismissed"}, "pull_request": pull_json(call, pull)}
    emit(call, "pull_request_review", "dismissed", parts, sha=pull["head_sha"])
    return shown


def _add_comment(call: Call, pull: Row, given: Json, commit: str, review: int | None) -> int:
    path, body = str(given.get("path", "")), str(given.get("body", ""))
    file = next((f for f in files_of(opened(call), pull) if f.path == path), None)
    if file is None:
        error = {"resource": "PullRequestReviewComment", "field": "path", "code": "invalid"}
        raise Problem(422, "Validation Failed", error)
    at, line = call.now(), given.get("line")
    found = (file.patch, 1)
    if isinstance(line, int):
        found = gitrepo.hunk_at(file.patch, line, given.get("side") == "LEFT") or _no_line()
    hunk, position = found
    return insert(
        call.db, "review_comments", issue_id=pull["id"], review_id=review, user_id=call.me["id"],
        body=body, path=path, line=line or given.get("position"),
        side=given.get("side", "RIGHT"), start_line=given.get("start_line"),
        start_side=given.get("start_side"), position=position, diff_hunk=hunk,
        commit_id=commit,
        in_reply_to_id=given.get("in_reply_to"), subject_type=given.get("subject_type", "line"),
        created_at=at, updated_at=at,
    )  # fmt: skip


def _no_line() -> NoReturn:
    field = "pull_request_review_thread.line"
    error = {"resource": "PullRequestReviewComment", "code": "custom", "field": field}
    raise Problem(422, "Validation Failed", {**error, "message": f"{field} {NO_LINE}"})


def find_review_comment(call: Call, key: int) -> tuple[Row, Row]:
    sql = """SELECT review_comments.*, number FROM review_comments
             JOIN issues ON issues.id = issue_id WHERE review_comments.id = ? AND repo_id = ?"""
    row = one(call.db, sql, key, call.repo["id"])
    if row is None:
        raise missing()
    call.args["number"] = row["number"]
    return find_pull(call), row


@route("POST", f"{PULL}/comments", scope=WRITE)
def comment(call: Call) -> Answer:
    return _say(call)


def _say(call: Call) -> Answer:
    pull = find_pull(call)
    body = call.long_text("PullRequestReviewComment")
    reply = call.body.get("in_reply_to")
    if reply:
        _, above = find_review_comment(call, int(reply))
        call.body = {"path": above["path"], "line": above["line"], **call.body}
    if not body:
        raise Problem(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
    commit = call.text("commit_id") or pull["head_sha"]
    key = _add_comment(call, pull, call.body, commit, None)
    pull, row = find_review_comment(call, key)
    shown = review_comment_json(call, pull, row)
    parts = {"comment": shown, "pull_request": pull_json(call, pull)}
    emit(call, "pull_request_review_comment", "created", parts)
    return Answer(201, shown)


@route("POST", f"{PULL}/comments/<int:key>/replies", scope=WRITE)
def reply(call: Call) -> Answer:
    call.body = {"body": call.need("body"), "in_reply_to": call.args["key"]}
    return _say(call)


@route("GET", f"{PULL}/comments", scope=READ)
def comments(call: Call) -> Answer:
    pull = find_pull(call)
    sql = "SELECT * FROM review_comments WHERE issue_id = ? ORDER BY id"
    return call.page(sql, (pull["id"],), lambda r: review_comment_json(call, pull, r))


@route("GET", f"{REPO}/pulls/comments", scope=READ)
def of_repo(call: Call) -> Answer:
    order = "DESC" if call.query.get("direction") == "desc" else "ASC"
    sql = f"""SELECT review_comments.*, number FROM review_comments
              JOIN issues ON issues.id = issue_id WHERE repo_id = ? ORDER BY id {order}"""  # nosec B608
    return call.page(sql, (call.repo["id"],), lambda r: review_comment_json(call, r, r))


@route("GET", f"{REVIEW}/comments", scope=READ)
def of_review(call: Call) -> Answer:
    pull = find_pull(call)
    sql = "SELECT * FROM review_comments WHERE review_id = ? ORDER BY id"
    key = _find(call, pull)["id"]
    return call.page(sql, (key,), lambda r: review_comment_json(call, pull, r))


@route("GET", COMMENT, scope=READ)
def get_comment(call: Call) -> Json:
    return review_comment_json(call, *find_review_comment(call, call.args["key"]))


@route("PATCH", COMMENT, scope=WRITE)
def edit_comment(call: Call) -> Json:
    _, row = find_review_comment(call, call.args["key"])
    if row["user_id"] != call.me["id"] and not at_least(call.role, "write"):
        raise Problem(403, "Must have admin rights to Repository.")
    body = call.long_text("PullRequestReviewComment")
    update(call.db, "review_comments", row["id"], body=body, updated_at=call.now())
    return review_comment_json(call, *find_review_comment(call, row["id"]))


@route("DELETE", COMMENT, scope=WRITE)
def delete_comment(call: Call) -> Answer:
    _, row = find_review_comment(call, call.args["key"])
    if row["user_id"] != call.me["id"] and not at_least(call.role, "write"):
        raise Problem(403, "Must have admin rights to Repository.")
    call.db.execute("DELETE FROM review_comments WHERE id = ?", (row["id"],))
    return Answer(204)
