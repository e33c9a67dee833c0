"""Workflow runs and their jobs; cancel, approve, run again."""

from __future__ import annotations

import json
from collections.abc import Callable

from bot.twin.actions import runs
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.rest.dispatches import find_workflow
from bot.twin.shapes.actions import job_json, jobs_of_attempt, run_json
from bot.twin.shapes.people import user_json
from bot.twin.store import Row, insert, one, update

READ, WRITE = "actions:read", "actions:write"
RUNS = f"{REPO}/actions/runs"
RUN = f"{RUNS}/<int:run>"


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


def _again(call: Call, keeps: Callable[[Row], bool]) -> Answer:
    """A new attempt; the jobs whose end is to be kept are carried over."""
    run = find_run(call)
    if run["status"] != "completed":
        raise Problem(403, "This workflow is already running")
    at = call.now()
    by = [runs.triggering_actor(run, n) for n in range(1, run["attempt"] + 1)] + [call.me["id"]]
    update(
        call.db, "runs", run["id"], attempt=run["attempt"] + 1, status="queued", conclusion=None,
        concurrency=None, started_at=at, updated_at=at, triggering=json.dumps(by),
    )  # fmt: skip
    for job in jobs_of_attempt(call, run, run["attempt"]):
        if keeps(job):
            kept = {k: job[k] for k in tuple(job.keys()) if k not in ("id", "attempt")}
            insert(call.db, "jobs", attempt=run["attempt"] + 1, **kept)
    return Answer(201, {})


@route("POST", f"{RUN}/rerun", role="write", scope=WRITE)
def rerun(call: Call) -> Answer:
    return _again(call, lambda job: False)


@route("POST", f"{RUN}/rerun-failed-jobs", role="write", scope=WRITE)
def rerun_failed(call: Call) -> Answer:
    return _again(call, lambda job: job["conclusion"] in ("success", "skipped"))


@route("POST", f"{REPO}/actions/jobs/<int:key>/rerun", role="write", scope=WRITE)
def rerun_job(call: Call) -> Answer:
    """It and all that needs it."""
    run, chosen = find_job(call)
    jobs = runs.load(call.site, call.db, run).jobs
    again = {chosen["key"]}
    while more := {k for k, job in jobs.items() if again & set(job.needs)} - again:
        again |= more
    return _again(call, lambda job: job["key"] not in again)


@route("POST", f"{RUN}/approve", role="write", scope=WRITE)
def approve(call: Call) -> Answer:
    run = find_run(call)
    if call.silent or run["conclusion"] != "action_required":
        raise Problem(403, "This run does not need approval, or not from you")
    update(call.db, "runs", run["id"], status="queued", conclusion=None, updated_at=call.now())
    return Answer(201, {})


@route("GET", f"{RUN}/attempts/<int:attempt>", scope=READ)
def attempt(call: Call) -> Json:
    run, number = find_run(call), call.args["attempt"]
    if not 1 <= number <= run["attempt"]:
        raise missing()
    shown = run_json(call, run)
    if number == run["attempt"]:
        return shown
    ends = {job["conclusion"] for job in jobs_of_attempt(call, run, number)}
    worst = next((end for end in ("failure", "cancelled") if end in ends), "success")
    before = f"{shown['url']}/attempts/{number - 1}" if number > 1 else None
    by = user_json(call.view, runs.triggering_actor(run, number))
    past = {
        "run_attempt": number, "status": "completed", "conclusion": worst, "triggering_actor": by,
    }  # fmt: skip
    return {**shown, **past, "previous_attempt_url": before}


@route("GET", f"{RUN}/attempts/<int:attempt>/jobs", scope=READ)
def jobs_then(call: Call) -> Answer:
    run = find_run(call)
    found = jobs_of_attempt(call, run, call.args["attempt"])
    return call.page_of(found, lambda r: job_json(call, run, r), "jobs")


@route("GET", f"{RUN}/jobs", scope=READ)
def jobs(call: Call) -> Answer:
    run = find_run(call)
    sql = "SELECT * FROM jobs WHERE run_id = ? AND attempt = ? ORDER BY id"
    values: tuple[object, ...] = (run["id"], run["attempt"])
    if call.query.get("filter") == "all":
        sql, values = "SELECT * FROM jobs WHERE run_id = ? ORDER BY id", (run["id"],)
    return call.page(sql, values, lambda r: job_json(call, run, r), "jobs")


def find_job(call: Call) -> tuple[Row, Row]:
    job = one(call.db, "SELECT * FROM jobs WHERE id = ?", call.args["key"])
    if job is None:
        raise missing()
    call.args["run"] = job["run_id"]
    return find_run(call), job


@route("GET", f"{REPO}/actions/jobs/<int:key>", scope=READ)
def get_job(call: Call) -> Json:
    return job_json(call, *find_job(call))
