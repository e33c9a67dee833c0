"""Decides, over and over, what may go on: groups, needs, conditions, gates; then the verdict."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

from bot.twin.actions import expressions, gates, runs
from bot.twin.actions.runs import Json, finish_job, jobs_of
from bot.twin.actions.triggers import open_runs
from bot.twin.actions.workflow import Broken, Group, Job, Workflow, group_of
from bot.twin.site import Site
from bot.twin.store import Row, insert, many, one, update

KEPT = 100
"""The longest queue that `queue: max` keeps."""
MOST_JOBS = 256


def advance_all(site: Site) -> list[int]:
    """One step for every run that is not over; the jobs that a runner may take now."""
    with site.store.writing() as db:
        for run in open_runs(db):
            try:
                advance(site, db, run)
            except (Broken, expressions.Wrong, LookupError) as error:
                _give_up(site, db, run, str(error))
        sql = "SELECT id FROM jobs WHERE status = 'queued' ORDER BY id"
        return [row["id"] for row in many(db, sql)]


def _give_up(site: Site, db: sqlite3.Connection, run: Row, why: str) -> None:
    at = site.clock.stamp()
    for job in jobs_of(db, run):
        finish_job(site, db, job, "failure")
    update(db, "runs", run["id"], status="completed", conclusion="startup_failure", updated_at=at)
    insert(
        db, "jobs", run_id=run["id"], attempt=run["attempt"], key="", name="startup",
        status="completed", conclusion="failure", log=why, created_at=at, started_at=at,
        completed_at=at,
    )  # fmt: skip


def advance(site: Site, db: sqlite3.Connection, run: Row) -> None:
    file = runs.load(site, db, run)
    context = cache(lambda: runs.context(site, db, run, file))  # most looks need none
    if not _may_run(site, db, run, group_of(file.raw), context):
        return
    rows: dict[str, list[Row]] = {}
    for row in jobs_of(db, run):
        rows.setdefault(row["key"], []).append(row)
    for job in file.jobs.values():
        if job.key not in rows and all(_over(rows.get(need)) for need in job.needs):
            _ready(site, db, run, file, job, rows, context())
    _pass_groups(site, db, run)
    _settle(site, db, run, file)


def _over(rows: list[Row] | None) -> bool:
    return bool(rows) and all(row["status"] == "completed" for row in rows or ())


def _may_run(
    site: Site, db: sqlite3.Connection, run: Row, group: Group | None, known: Callable[[], Json]
) -> bool:
    """The group of the whole workflow, claimed when the run is first looked at."""
    if group is None or run["status"] in ("in_progress", "waiting"):
        return True
    context = known()
    name = expressions.fill(group.name, context)
    if run["concurrency"] is None:
        update(db, "runs", run["id"], concurrency=name)
        sql = """SELECT * FROM runs WHERE repo_id = ? AND concurrency = ? AND id != ?
                 AND status = 'pending' ORDER BY id"""
        waiting = many(db, sql, run["repo_id"], name, run["id"])
        for old in waiting[: -(KEPT - 1)] if group.keeps else waiting:
            runs.cancel(site, db, old)
    sql = """SELECT * FROM runs WHERE repo_id = ? AND concurrency = ? AND id != ? AND
             (status IN ('queued', 'in_progress', 'waiting') OR (status = 'pending' AND id < ?))"""
    before = many(db, sql, run["repo_id"], name, run["id"], run["id"])
    if before and expressions.truthy(expressions.value_of(group.cancels, context)):
        for old in before:
            runs.cancel(site, db, old)
        before = []
    if before and run["status"] != "pending":
        update(db, "runs", run["id"], status="pending")
    if not before and run["status"] == "pending":
        update(db, "runs", run["id"], status="queued")
    return not before


def _ready(
    site: Site, db: sqlite3.Connection, run: Row, file: Workflow, job: Job,
    rows: dict[str, list[Row]], context: Json,
) -> None:  # fmt: skip
    """All that it needs is over: claim its group, then ask its condition, then its gate."""
    context = {**context, **_after(job, rows)}
    group = group_of(job.raw)
    name = expressions.fill(group.name, context) if group else None
    if group and name:
        _claim(site, db, run, group, name, context)
    if not expressions.holds(job.raw.get("if"), context):
        _insert(site, db, run, job, {}, context, "skipped", None)
        return
    cells = _cells(expressions.value_of(job.matrix, context), context)
    for cell in cells[:MOST_JOBS]:
        _insert(site, db, run, job, cell, {**context, "matrix": cell}, "", name)


def _after(job: Job, rows: dict[str, list[Row]]) -> Json:
    needs = {need: result_of(rows[need]) for need in job.needs}
    results = {need["result"] for need in needs.values()}
    return {
        "needs": needs, "success": results <= {"success"}, "failure": "failure" in results,
        "cancelled": "cancelled" in results,
    }  # fmt: skip


def result_of(rows: list[Row]) -> Json:
    ends = [row["conclusion"] for row in rows]
    worst = next((e for e in ("failure", "cancelled", "skipped") if e in ends), "success")
    outputs: Json = {}
    for row in rows:
        outputs |= json.loads(row["outputs"])
    return {"result": worst, "outputs": outputs}


def _cells(matrix: Any, context: Json) -> list[Json]:
    if not matrix:
        return [{}]
    axes = {
        k: expressions.value_of(v, context)
        for k, v in matrix.items()
        if k not in ("include", "exclude")
    }
    found = [dict(zip(axes, row, strict=True)) for row in product(*axes.values())] if axes else []
    for out in matrix.get("exclude") or ():
        found = [cell for cell in found if not out.items() <= cell.items()]
    for more in matrix.get("include") or ():
        fits = [c for c in found if all(c.get(k, v) == v for k, v in more.items() if k in axes)]
        if axes and fits:
            for cell in fits:
                cell.update(more)
        else:
            found.append(dict(more))
    return found


def _insert(
    site: Site, db: sqlite3.Connection, run: Row, job: Job, cell: Json, context: Json,
    conclusion: str, group: str | None,
) -> None:  # fmt: skip
    at = site.clock.stamp()
    title = expressions.fill(str(job.raw.get("name") or job.key), context)
    if cell and not job.raw.get("name"):
        title += f" ({', '.join(expressions.shown(v) for v in cell.values())})"
    gate = expressions.fill(job.environment, context) if job.environment else None
    check = insert(
        db, "checks", repo_id=run["repo_id"], head_sha=run["head_sha"], name=title,
        suite_id=run["suite_id"], status="completed" if conclusion else "queued",
        conclusion=conclusion or None, started_at=at,
    )  # fmt: skip
    key = insert(
        db, "jobs", run_id=run["id"], attempt=run["attempt"], key=job.key, name=title,
        status="completed" if conclusion else "pending", conclusion=conclusion or None,
        environment=gate, check_id=check, matrix=json.dumps(cell), concurrency=group,
        created_at=at, started_at=at, completed_at=at if conclusion else None,
    )  # fmt: skip
    if gate and not conclusion:
        gates.arrive(site, db, run, key, gate)


def _claim(
    site: Site, db: sqlite3.Connection, run: Row, group: Group, name: str, context: Json
) -> None:
    sql = """SELECT jobs.* FROM jobs JOIN runs ON runs.id = run_id WHERE repo_id = ? AND
             jobs.concurrency = ? AND jobs.status = 'pending' ORDER BY jobs.id"""
    waiting = many(db, sql, run["repo_id"], name)
    for old in waiting[: -(KEPT - 1)] if group.keeps else waiting:
        finish_job(site, db, old, "cancelled")
    if expressions.truthy(expressions.value_of(group.cancels, context)):
        sql = sql.replace("= 'pending'", "IN ('queued', 'in_progress', 'waiting')")
        for old in many(db, sql, run["repo_id"], name):
            finish_job(site, db, old, "cancelled")


def _pass_groups(site: Site, db: sqlite3.Connection, run: Row) -> None:
    """Who waits for a group goes on when nobody else has it; the oldest first."""
    for job in jobs_of(db, run):
        if job["status"] != "pending":
            continue
        if job["concurrency"]:
            sql = """SELECT 1 FROM jobs JOIN runs ON runs.id = run_id WHERE repo_id = ? AND
                     jobs.concurrency = ? AND jobs.id != ? AND
                     (jobs.status IN ('queued', 'in_progress', 'waiting')
                      OR (jobs.status = 'pending' AND jobs.id < ?))"""
            values = (run["repo_id"], job["concurrency"], job["id"], job["id"])
            if one(db, sql, *values):
                continue
        status = "waiting" if gates.closed(site, db, run, job) else "queued"
        update(db, "jobs", job["id"], status=status)


def _settle(site: Site, db: sqlite3.Connection, run: Row, file: Workflow) -> None:
    jobs = jobs_of(db, run)
    states = {job["status"] for job in jobs}
    at = site.clock.stamp()
    if states <= {"completed"} and set(file.jobs) <= {job["key"] for job in jobs}:
        ends = {job["conclusion"] for job in jobs}
        worst = next((e for e in ("failure", "cancelled") if e in ends), "success")
        worst = "skipped" if ends == {"skipped"} else worst
        update(db, "runs", run["id"], status="completed", conclusion=worst, updated_at=at)
        return
    order = ("in_progress", "waiting", "queued", "pending")
    status = next((s for s in order if s in states), "queued")
    if status == "queued" and "completed" in states:
        status = "in_progress"
    if status != run["status"]:
        update(db, "runs", run["id"], status=status, updated_at=at)
