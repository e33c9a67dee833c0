"""Environments with their protection, and deployments with their statuses."""

from __future__ import annotations

import json

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.events import emit
from bot.twin.plans import asks_for_rules, lacks, no_rule
from bot.twin.protection import GOOD, check_states
from bot.twin.shapes.actions import deployment_json, deployment_status_json, environment_json
from bot.twin.store import Row, insert, one, update

ENVIRONMENT = f"{REPO}/environments/<name>"
DEPLOYMENT = f"{REPO}/deployments/<int:key>"
STATES = ("error", "failure", "inactive", "in_progress", "queued", "pending", "success")
MOST_REVIEWERS, LONGEST_WAIT = 6, 43_200


def find_environment(call: Call) -> Row:
    sql = "SELECT * FROM environments WHERE repo_id = ? AND name = ?"
    row = one(call.db, sql, call.repo["id"], call.args["name"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/environments", scope="actions:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM environments WHERE repo_id = ? ORDER BY id"
    return call.page(sql, (call.repo["id"],), lambda r: environment_json(call, r), "environments")


@route("GET", ENVIRONMENT, scope="actions:read")
def get(call: Call) -> Json:
    return environment_json(call, find_environment(call))


@route("PUT", ENVIRONMENT, role="admin", scope="administration:write")
def put(call: Call) -> Answer:
    """The token of a job can never do this: a bot cannot make its own gate."""
    wait = call.body.get("wait_timer") or 0
    given = call.parts("reviewers")
    if not isinstance(wait, int) or not 0 <= wait <= LONGEST_WAIT:
        raise Problem(422, "The wait timer must be between 0 and 43200 minutes")
    if len(given) > MOST_REVIEWERS:
        raise Problem(422, f"No more than {MOST_REVIEWERS} reviewers are allowed")
    for reviewer in given:
        user = one(call.db, "SELECT 1 FROM users WHERE id = ?", reviewer.get("id"))
        if reviewer.get("type") != "User" or user is None:
            raise Problem(422, "Failed to find the reviewer")
    policy = _policy(call)
    rule = asks_for_rules(call.body) if lacks(call.db, call.repo, "reviewers") else ""
    at, name = call.now(), call.args["name"]
    sql = """INSERT INTO environments (repo_id, name, created_at, updated_at) VALUES (?, ?, ?, ?)
             ON CONFLICT DO NOTHING"""
    call.db.execute(sql, (call.repo["id"], name, at, at))
    if rule:  # it is made all the same: terraform-provider-github #1311
        return Answer(422, no_rule(rule).body)
    update(
        call.db, "environments", find_environment(call)["id"], wait_timer=wait, updated_at=at,
        prevent_self_review=call.flag("prevent_self_review"),
        reviewers=json.dumps([r["id"] for r in given]),
        branch_policy=json.dumps(policy) if policy else None,
    )  # fmt: skip
    return Answer(200, environment_json(call, find_environment(call)))


def _policy(call: Call) -> Json:
    """Protected branches or chosen names; never both, and never a limit to neither."""
    told = call.part("deployment_branch_policy")
    sides = [told.get(side) for side in ("protected_branches", "custom_branch_policies")]
    if told and sorted(map(str, sides)) != ["False", "True"]:
        raise Problem(422, "Exactly one of protected_branches and custom_branch_policies is true")
    return told


@route("DELETE", ENVIRONMENT, role="admin", scope="administration:write")
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM environments WHERE id = ?", (find_environment(call)["id"],))
    return Answer(204)


@route("POST", f"{REPO}/deployments", role="write", scope="deployments:write")
def deploy(call: Call) -> Answer:
    ref, at = call.need("ref"), call.now()
    sha = gitrepo.resolve(call.site.folder(call.repo), ref)
    if sha is None:
        raise Problem(422, f"No ref found for: {ref}")
    name = call.text("environment") or "production"
    _check_contexts(call, ref, sha)
    key = insert(
        call.db, "deployments", repo_id=call.repo["id"], sha=sha, ref=ref, environment=name,
        task=call.text("task") or "deploy", payload=json.dumps(call.body.get("payload") or {}),
        description=call.text("description"), creator_id=call.me["id"],
        transient=call.flag("transient_environment"),
        production=call.flag("production_environment", name == "production"), created_at=at,
        updated_at=at,
    )  # fmt: skip
    sql = """INSERT INTO environments (repo_id, name, created_at, updated_at) VALUES (?, ?, ?, ?)
             ON CONFLICT DO NOTHING"""
    call.db.execute(sql, (call.repo["id"], name, at, at))
    call.args["key"] = key
    shown = deployment_json(call, _deployment(call))
    parts = {"deployment": shown, "workflow": None, "workflow_run": None}
    emit(call, "deployment", "created", parts, sha=sha)
    return Answer(201, shown)


def _check_contexts(call: Call, ref: str, sha: str) -> None:
    """Every status and check of the commit, or those that are named; none of them with `[]`."""
    states = check_states(call, sha)
    names = call.names("required_contexts") if "required_contexts" in call.body else list(states)
    bad = [name for name in names if states.get(name) not in GOOD]
    if bad:
        rows = [{"context": name, "state": states.get(name, "pending")} for name in bad]
        error = {"resource": "Deployment", "field": "required_contexts", "code": "invalid"}
        why = f"Conflict: Commit status checks failed for {ref}."
        raise Problem(409, why, {**error, "contexts": rows})


def _deployment(call: Call) -> Row:
    sql = "SELECT * FROM deployments WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/deployments", scope="deployments:read")
def deployments(call: Call) -> Answer:
    sql, values = "SELECT * FROM deployments WHERE repo_id = ?", [call.repo["id"]]
    for name in ("sha", "ref", "task", "environment"):
        if name in call.query:
            sql, values = f"{sql} AND {name} = ?", [*values, call.query[name]]
    return call.page(f"{sql} ORDER BY id DESC", values, lambda r: deployment_json(call, r))


@route("GET", DEPLOYMENT, scope="deployments:read")
def get_deployment(call: Call) -> Json:
    return deployment_json(call, _deployment(call))


@route("DELETE", DEPLOYMENT, role="write", scope="deployments:write")
def delete_deployment(call: Call) -> Answer:
    row = _deployment(call)
    sql = "SELECT state FROM deployment_statuses WHERE deployment_id = ? ORDER BY id DESC"
    last = one(call.db, sql, row["id"])
    if last is not None and last["state"] not in ("inactive", "failure", "error"):
        raise Problem(
            422, "We cannot delete an active deployment unless it is the only deployment."
        )
    call.db.execute("DELETE FROM deployments WHERE id = ?", (row["id"],))
    return Answer(204)


@route("POST", f"{DEPLOYMENT}/statuses", role="write", scope="deployments:write")
def add_status(call: Call) -> Answer:
    row, state = _deployment(call), call.need("state")
    if state not in STATES:
        raise Problem(422, "Validation Failed", {"field": "state", "code": "invalid"})
    if state == "success" and call.flag("auto_inactive", True):
        _retire(call, row)
    key = insert(
        call.db, "deployment_statuses", deployment_id=row["id"], state=state,
        description=call.text("description") or "", creator_id=call.me["id"],
        target_url=call.text("log_url") or call.text("target_url") or "",
        environment_url=call.text("environment_url") or "", created_at=call.now(),
    )  # fmt: skip
    made = one(call.db, "SELECT * FROM deployment_statuses WHERE id = ?", key)
    if made is None:
        raise missing()
    shown = deployment_status_json(call, row, made)
    parts = {"deployment_status": shown, "deployment": deployment_json(call, row)}
    emit(call, "deployment_status", "created", parts, sha=row["sha"])
    return Answer(201, shown)


def _retire(call: Call, row: Row) -> None:
    """What was live there before is not any more."""
    sql = """SELECT id FROM deployments d WHERE repo_id = ? AND environment = ? AND id != ? AND
             (SELECT state FROM deployment_statuses WHERE deployment_id = d.id
              ORDER BY id DESC LIMIT 1) = 'success'"""
    for old in call.db.execute(sql, (call.repo["id"], row["environment"], row["id"])).fetchall():
        insert(
            call.db, "deployment_statuses", deployment_id=old["id"], state="inactive",
            description="", target_url="", environment_url="", creator_id=call.me["id"],
            created_at=call.now(),
        )  # fmt: skip


@route("GET", f"{DEPLOYMENT}/statuses/<int:status>", scope="deployments:read")
def status(call: Call) -> Json:
    row = _deployment(call)
    sql = "SELECT * FROM deployment_statuses WHERE deployment_id = ? AND id = ?"
    found = one(call.db, sql, row["id"], call.args["status"])
    if found is None:
        raise missing()
    return deployment_status_json(call, row, found)


@route("GET", f"{DEPLOYMENT}/statuses", scope="deployments:read")
def statuses(call: Call) -> Answer:
    """What only waits is not among them: GitHub's own list of states does not know it."""
    row = _deployment(call)
    sql = """SELECT * FROM deployment_statuses WHERE deployment_id = ? AND state != 'waiting'
             ORDER BY id DESC"""
    return call.page(sql, (row["id"],), lambda r: deployment_status_json(call, row, r))
