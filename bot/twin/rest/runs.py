"""Workflow runs, their jobs, logs and artifacts; cancel, approve, run again."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import zipfile

from bot.twin.actions import gates, runs
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.rest.dispatches import find_workflow
from bot.twin.shapes.actions import (
    artifact_json,
    bare_environment_json,
    deployment_json,
    job_json,
    jobs_of_attempt,
    reviewers_json,
    run_json,
)  # fmt: skip
from bot.twin.shapes.people import user_json
from bot.twin.store import Row, insert, many, one, update

READ, WRITE = "actions:read", "actions:write"
RUNS = f"{REPO}/actions/runs"
RUN = f"{RUNS}/<int:run>"
ARTIFACT = f"{REPO}/actions/artifacts/<int:key>"


def find_run(call: Call) -> Row:
    sql = "SELECT * FROM runs WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["run"], call.repo["id"])
    if row is None:
        raise missing()
    return row


def _list(call: Call, sql: str, values: list[object]) -> Answer:
    q = call.query
    if "status" in q:  # GitHub takes a conclusion here too
        sql, values = f"{sql} AND ? IN (status, conclusion)", [*values, q["status"]]
    for name in ("branch", "event", "head_sha"):
        if name in q:
            sql, values = f"{sql} AND {name} = ?", [*values, q[name]]
    if "actor" in q:
        sql += " AND actor_id = (SELECT id FROM users WHERE login = ?)"
        values = [*values, q["actor"]]
    if q.get("created", "").startswith(">="):
        sql, values = f"{sql} AND created_at >= ?", [*values, q["created"][2:]]
    return call.page(
        f"{sql} ORDER BY id DESC", values, lambda r: run_json(call, r), "workflow_runs"
    )


@route("GET", RUNS, scope=READ)
def listing(call: Call) -> Answer:
    return _list(call, "SELECT * FROM runs WHERE repo_id = ?", [call.repo["id"]])


@route("GET", f"{REPO}/actions/workflows/<key>/runs", scope=READ)
def of_workflow(call: Call) -> Answer:
    return _list(call, "SELECT * FROM runs WHERE workflow_id = ?", [find_workflow(call)["id"]])


@route("GET", RUN, scope=READ)
def get(call: Call) -> Json:
    return run_json(call, find_run(call))


@route("DELETE", RUN, role="write", scope=WRITE)
def delete(call: Call) -> Answer:
    run = find_run(call)
    if run["status"] != "completed":
        raise Problem(403, "Cannot delete a workflow run that is in progress.")
    call.db.execute("DELETE FROM runs WHERE id = ?", (run["id"],))
    return Answer(204)


@route("POST", f"{RUN}/cancel", role="write", scope=WRITE)
def cancel(call: Call) -> Answer:
    return _stop(call)


@route("POST", f"{RUN}/force-cancel", role="write", scope=WRITE)
def force_cancel(call: Call) -> Answer:
    return _stop(call)


def _stop(call: Call) -> Answer:
    run = find_run(call)
    if run["status"] == "completed":
        raise Problem(409, "Cannot cancel a workflow run that is completed.")
    runs.cancel(call.site, call.db, run)
    return Answer(202, {})


def _again(call: Call, keep: set[str]) -> Answer:
    """A new attempt; the jobs whose end is to be kept are carried over."""
    run = find_run(call)
    if run["status"] != "completed":
        raise Problem(403, "This workflow is already running")
    at = call.now()
    update(
        call.db, "runs", run["id"], attempt=run["attempt"] + 1, status="queued", conclusion=None,
        concurrency=None, started_at=at, updated_at=at,
    )  # fmt: skip
    for job in jobs_of_attempt(call, run, run["attempt"]):
        if job["conclusion"] in keep:
            kept = {k: job[k] for k in tuple(job.keys()) if k not in ("id", "attempt")}
            insert(call.db, "jobs", attempt=run["attempt"] + 1, **kept)
    return Answer(201, {})


@route("POST", f"{RUN}/rerun", role="write", scope=WRITE)
def rerun(call: Call) -> Answer:
    return _again(call, set())


@route("POST", f"{RUN}/rerun-failed-jobs", role="write", scope=WRITE)
def rerun_failed(call: Call) -> Answer:
    return _again(call, {"success", "skipped"})


@route("POST", f"{RUN}/approve", role="write", scope=WRITE)
def approve(call: Call) -> Answer:
    run = find_run(call)
    if call.silent or run["conclusion"] != "action_required":
        raise Problem(403, "This run does not need approval, or not from you")
    update(call.db, "runs", run["id"], status="queued", conclusion=None, updated_at=call.now())
    return Answer(201, {})


@route("GET", f"{RUN}/jobs", scope=READ)
def jobs(call: Call) -> Answer:
    run = find_run(call)
    sql = "SELECT * FROM jobs WHERE run_id = ? AND attempt = ? ORDER BY id"
    values: tuple[object, ...] = (run["id"], run["attempt"])
    if call.query.get("filter") == "all":
        sql, values = "SELECT * FROM jobs WHERE run_id = ? ORDER BY id", (run["id"],)
    return call.page(sql, values, lambda r: job_json(call, run, r), "jobs")


def _job(call: Call) -> tuple[Row, Row]:
    job = one(call.db, "SELECT * FROM jobs WHERE id = ?", call.args["key"])
    if job is None:
        raise missing()
    call.args["run"] = job["run_id"]
    return find_run(call), job


@route("GET", f"{REPO}/actions/jobs/<int:key>", scope=READ)
def get_job(call: Call) -> Json:
    return job_json(call, *_job(call))


@route("GET", f"{REPO}/actions/jobs/<int:key>/logs", scope=READ)
def job_log(call: Call) -> Answer:
    _, job = _job(call)
    return _elsewhere(call, f"jobs/{job['id']}")


@route("GET", f"{RUN}/logs", scope=READ)
def run_log(call: Call) -> Answer:
    return _elsewhere(call, f"runs/{find_run(call)['id']}")


@route("GET", f"{ARTIFACT}/<form>", scope=READ)
def artifact_zip(call: Call) -> Answer:
    if call.args["form"] != "zip":
        raise missing()
    return _elsewhere(call, f"artifacts/{_artifact(call)['id']}")


def _elsewhere(call: Call, what: str) -> Answer:
    """Files come from another address, without a token and signed, as on GitHub."""
    url = f"{call.view.web}/_files/{what}?sig={_signature(call, what)}"
    return Answer(302, None, {"Location": url})


def _signature(call: Call, what: str) -> str:
    return hmac.new(call.site.key, what.encode(), hashlib.sha256).hexdigest()


@route("GET", "/_files/<kind>/<int:key>")
def file(call: Call) -> Answer:
    what = f"{call.args['kind']}/{call.args['key']}"
    if not hmac.compare_digest(call.query.get("sig", ""), _signature(call, what)):
        raise Problem(403, "The signature does not fit")
    key = call.args["key"]
    if call.args["kind"] == "artifacts":
        found = one(call.db, "SELECT content FROM artifacts WHERE id = ?", key)
        return Answer(raw=found["content"], kind="application/zip") if found else Answer(404)
    if call.args["kind"] == "jobs":
        job = one(call.db, "SELECT log FROM jobs WHERE id = ?", key)
        text = str(job["log"]) if job else ""
        return Answer(raw=text.encode(), kind="text/plain; charset=utf-8")
    rows = many(call.db, "SELECT name, log FROM jobs WHERE run_id = ? ORDER BY id", key)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, row in enumerate(rows):
            archive.writestr(f"{number}_{row['name'].replace('/', '_')}.txt", row["log"])
    return Answer(raw=held.getvalue(), kind="application/zip")


def _artifact(call: Call) -> Row:
    sql = "SELECT * FROM artifacts WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/actions/artifacts", scope=READ)
def artifacts(call: Call) -> Answer:
    sql, values = "SELECT * FROM artifacts WHERE repo_id = ?", [call.repo["id"]]
    if "name" in call.query:
        sql, values = f"{sql} AND name = ?", [*values, call.query["name"]]
    return call.page(
        f"{sql} ORDER BY id DESC", values, lambda r: artifact_json(call, r), "artifacts"
    )


@route("GET", f"{RUN}/artifacts", scope=READ)
def of_run(call: Call) -> Answer:
    sql = "SELECT * FROM artifacts WHERE run_id = ? ORDER BY id"
    key = find_run(call)["id"]
    return call.page(sql, (key,), lambda r: artifact_json(call, r), "artifacts")


@route("GET", ARTIFACT, scope=READ)
def get_artifact(call: Call) -> Json:
    return artifact_json(call, _artifact(call))


@route("DELETE", ARTIFACT, role="write", scope=WRITE)
def delete_artifact(call: Call) -> Answer:
    call.db.execute("DELETE FROM artifacts WHERE id = ?", (_artifact(call)["id"],))
    return Answer(204)


@route("GET", f"{RUN}/pending_deployments", scope=READ)
def pending(call: Call) -> list[Json]:
    run = find_run(call)
    return [_pending(call, run, gate) for gate in gates.waiting(call.db, run)]


def _pending(call: Call, run: Row, gate: Row) -> Json:
    shown = bare_environment_json(call, gate)
    shown = {k: shown[k] for k in ("id", "node_id", "name", "url", "html_url")}
    may = call.user is not None and gates.may_review(gate, run, call.user)
    return {
        "environment": shown, "wait_timer": gate["wait_timer"],
        "wait_timer_started_at": run["started_at"] if gate["wait_timer"] else None,
        "current_user_can_approve": may, "reviewers": reviewers_json(call, gate),
    }  # fmt: skip


@route("POST", f"{RUN}/pending_deployments", scope="deployments:write")
def review(call: Call) -> list[Json]:
    run, state, comment = find_run(call), call.need("state"), call.text("comment")
    wanted = call.body.get("environment_ids")
    if state not in ("approved", "rejected") or not isinstance(wanted, list) or comment is None:
        raise Problem(422, "Invalid request.\n\nenvironment_ids, state and comment are needed.")
    found = [gate for gate in gates.waiting(call.db, run) if gate["id"] in wanted]
    if len(found) != len(set(wanted)) or not found:
        raise Problem(422, "There are no pending deployment requests to approve or reject.")
    for gate in found:
        if not gates.may_review(gate, run, call.me):
            own = gate["prevent_self_review"] and call.me["id"] == run["actor_id"]
            why = "You cannot approve your own deployment." if own else "You are not a reviewer."
            raise Problem(422, f"{why} Environment: {gate['name']}")
    gates.decide(call.site, call.db, run, found, call.me, state, comment)
    names = [gate["name"] for gate in found]
    sql = """SELECT deployments.* FROM deployments JOIN jobs ON jobs.id = job_id
             WHERE run_id = ? ORDER BY deployments.id"""
    rows = [r for r in many(call.db, sql, run["id"]) if r["environment"] in names]
    return [deployment_json(call, row) for row in rows]


@route("GET", f"{RUN}/approvals", scope=READ)
def approvals(call: Call) -> list[Json]:
    """No time, no attempt, no job: that is all that GitHub tells."""
    run = find_run(call)
    rows = many(call.db, "SELECT * FROM approvals WHERE run_id = ? ORDER BY id", run["id"])
    return [_approval(call, row) for row in rows]


def _approval(call: Call, row: Row) -> Json:
    ids = json.loads(row["environments"])
    found = (one(call.db, "SELECT * FROM environments WHERE id = ?", key) for key in ids)
    return {
        "state": row["state"], "comment": row["comment"],
        "user": user_json(call.view, row["user_id"]),
        "environments": [bare_environment_json(call, gate) for gate in found if gate],
    }  # fmt: skip
