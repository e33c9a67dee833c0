"""Environments that hold back a run: what waits, who says yes or no, and what was said."""

from __future__ import annotations

import json

from bot.twin.actions import gates
from bot.twin.call import Call, Json, Problem, route
from bot.twin.rest.runs import READ, RUN, find_run
from bot.twin.shapes.actions import bare_environment_json, deployment_json, reviewers_json
from bot.twin.shapes.people import user_json
from bot.twin.store import Row, many, one


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
    wanted = call.several("environment_ids")
    numbers = all(isinstance(key, int) for key in wanted)
    if state not in ("approved", "rejected") or not numbers or comment is None:
        raise Problem(422, "Invalid request.\n\nenvironment_ids, state and comment are needed.")
    found = [gate for gate in gates.waiting(call.db, run) if gate["id"] in wanted]
    if len(found) != len(set(wanted)) or not found:
        raise Problem(422, "There are no pending deployment requests to approve or reject.")
    for gate in found:
        if not gates.may_review(gate, run, call.me):
            own = gates.own_review(gate, run, call.me)
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
