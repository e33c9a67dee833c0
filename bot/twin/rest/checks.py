"""Check runs and their annotations. At most 50 annotations fit into one request."""

from __future__ import annotations

import sqlite3

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.checks import MARKS, annotation_json, check_json, told_suite_json
from bot.twin.store import Row, insert, one, update

STATUSES = ("queued", "in_progress", "completed", "waiting", "requested", "pending")
CONCLUSIONS = ("action_required", "cancelled", "failure", "neutral", "success", "skipped",
               "stale", "timed_out")  # fmt: skip
CHECK = f"{REPO}/check-runs/<int:key>"
READ, WRITE = "checks:read", "checks:write"
MOST = 50
NEEDED_MARKS = ("path", "start_line", "end_line", "annotation_level", "message")
LEVELS = ("notice", "warning", "failure")


def suite_for(db: sqlite3.Connection, repo_id: int, sha: str, at: str, branch: str | None) -> int:
    found = one(db, "SELECT id FROM suites WHERE repo_id = ? AND head_sha = ?", repo_id, sha)
    if found is not None:
        return int(found["id"])
    return insert(db, "suites", repo_id=repo_id, head_sha=sha, head_branch=branch, created_at=at)


def _find(call: Call) -> Row:
    sql = "SELECT * FROM checks WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


def _fields(call: Call) -> Json:
    found: Json = {
        k: call.text(k)
        for k in ("external_id", "details_url", "name", "started_at", "completed_at")
        if call.body.get(k) is not None
    }
    status, conclusion = call.text("status"), call.text("conclusion")
    if status is not None and status not in STATUSES:
        raise invalid("CheckRun", "status")
    if conclusion is not None and conclusion not in CONCLUSIONS:
        raise invalid("CheckRun", "conclusion")
    if conclusion:
        status = "completed"
        found |= {"conclusion": conclusion}
        found.setdefault("completed_at", call.now())
    if status == "completed" and not conclusion:
        why = "missing required key: conclusion"
        raise Problem(422, f"Invalid request.\n\n{why}")
    if status:
        found["status"] = status
    output = call.part("output")
    if output:
        _check_output(output)
        found |= {k: output.get(k) for k in ("title", "summary", "text") if k in output}
    return found


def _check_output(output: Json) -> None:
    marks = output.get("annotations") or ()
    if not isinstance(marks, list | tuple) or not all(isinstance(m, dict) for m in marks):
        raise Problem(422, "Invalid request.\n\nFor 'annotations', an array of objects is wanted.")
    if output.get("summary") is None:
        raise Problem(422, 'Invalid request.\n\n"summary" wasn\'t supplied.')
    for k in ("summary", "text"):
        if len(str(output.get(k) or "")) > 65_535:
            raise Problem(422, f"Invalid request.\n\nOnly 65535 characters are allowed; {k}")
    if len(marks) > MOST:
        why = f"No more than {MOST} items are allowed; {len(marks)} were supplied."
        raise Problem(422, f"Invalid request.\n\n{why}")
    for mark in marks:
        lacking = [k for k in NEEDED_MARKS if mark.get(k) is None]
        if lacking:
            raise Problem(422, f'Invalid request.\n\n"{lacking[0]}" wasn\'t supplied.')
        if mark["annotation_level"] not in LEVELS:
            raise Problem(422, f"Invalid request.\n\n{mark['annotation_level']} is not a level.")


def _annotate(call: Call, key: int) -> None:
    for mark in call.part("output").get("annotations") or ():
        insert(call.db, "annotations", check_id=key, **{k: mark.get(k) for k in MARKS})


def _shown(call: Call, key: int) -> Json:
    row = one(call.db, "SELECT * FROM checks WHERE id = ?", key)
    if row is None:
        raise missing()
    return check_json(call.view, call.repo, row)


@route("POST", f"{REPO}/check-runs", role="write", scope=WRITE)
def create(call: Call) -> Answer:
    name, sha = call.need("name"), call.need("head_sha")
    if len(sha) != 40 or gitrepo.commit_of(opened(call), sha) is None:
        raise Problem(422, f"No commit found for SHA: {sha}")
    fields = {"status": "queued", **_fields(call), "name": name}
    fields.setdefault("started_at", call.now())
    suite = suite_for(call.db, call.repo["id"], sha, call.now(), None)
    key = insert(call.db, "checks", repo_id=call.repo["id"], head_sha=sha, suite_id=suite, **fields)
    _annotate(call, key)
    shown = _shown(call, key)
    _tell(call, "created", shown)
    return Answer(201, shown)


def _tell(call: Call, action: str, shown: Json) -> None:
    suite = one(call.db, "SELECT * FROM suites WHERE id = ?", shown["check_suite"]["id"])
    if suite is not None:
        shown = {**shown, "check_suite": told_suite_json(call.view, call.repo, suite)}
        emit(call, "check_run", action, {"check_run": shown}, sha=shown["head_sha"])


@route("PATCH", CHECK, role="write", scope=WRITE)
def edit(call: Call) -> Json:
    row = _find(call)
    update(call.db, "checks", row["id"], **_fields(call))
    _annotate(call, row["id"])
    shown = _shown(call, row["id"])
    if shown["status"] == "completed" and row["status"] != "completed":
        _tell(call, "completed", shown)
    return shown


@route("GET", CHECK, scope=READ)
def get(call: Call) -> Json:
    return _shown(call, _find(call)["id"])


@route("GET", f"{CHECK}/annotations", scope=READ)
def list_annotations(call: Call) -> Answer:
    sql = "SELECT * FROM annotations WHERE check_id = ? ORDER BY id"
    row = _find(call)
    return call.page(
        sql, (row["id"],), lambda r: annotation_json(call.view, call.repo, row["head_sha"], r)
    )


@route("GET", f"{REPO}/commits/<path:ref>/check-runs", scope=READ)
def of_commit(call: Call) -> Answer:
    commit = gitrepo.commit_of(opened(call), call.args["ref"])
    if commit is None:
        raise Problem(422, f"No commit found for SHA: {call.args['ref']}")
    return list_checks(call, "repo_id = ? AND head_sha = ?", [call.repo["id"], str(commit.id)])


def list_checks(call: Call, sql: str, values: list[object]) -> Answer:
    """The newest of each name, unless all are asked for."""
    if call.query.get("filter", "latest") != "all":
        newest = f"SELECT max(id) FROM checks WHERE {sql} GROUP BY name"  # nosec B608
        sql, values = f"{sql} AND id IN ({newest})", values * 2
    if "check_name" in call.query:
        sql, values = f"{sql} AND name = ?", [*values, call.query["check_name"]]
    if "status" in call.query:
        sql, values = f"{sql} AND status = ?", [*values, call.query["status"]]
    return call.page(
        f"SELECT * FROM checks WHERE {sql} ORDER BY id DESC",  # nosec B608
        values,
        lambda r: check_json(call.view, call.repo, r),
        "check_runs",
    )
