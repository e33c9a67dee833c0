"""Workflows, and the two dispatches that start them on demand."""

from __future__ import annotations

import json
from typing import Any

from bot.twin import gitrepo
from bot.twin.actions.runs import create_run, file_at
from bot.twin.actions.workflow import Broken, Workflow
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.events import emit
from bot.twin.shapes.actions import workflow_json
from bot.twin.shapes.people import html_url, repo_json, repo_url, user_of
from bot.twin.site import actions_enabled
from bot.twin.store import Row, one, update

WORKFLOW = f"{REPO}/actions/workflows/<key>"
MOST_INPUTS, LONGEST_INPUTS = 25, 65_535
MOST_KEYS, LONGEST_TYPE, LARGEST_PAYLOAD = 10, 100, 65_536


def find_workflow(call: Call) -> Row:
    """By number, or by the name of its file."""
    key = call.args["key"]
    sql = "SELECT * FROM workflows WHERE repo_id = ? AND (id = ? OR path = ?)"
    number = int(key) if key.isdecimal() else -1
    row = one(call.db, sql, call.repo["id"], number, f".github/workflows/{key}")
    if row is None:
        raise missing()
    return row


@route("GET", f"{REPO}/actions/workflows", scope="actions:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM workflows WHERE repo_id = ? ORDER BY id"
    return call.page(sql, (call.repo["id"],), lambda r: workflow_json(call, r), "workflows")


@route("GET", WORKFLOW, scope="actions:read")
def get(call: Call) -> Json:
    return workflow_json(call, find_workflow(call))


@route("PUT", f"{WORKFLOW}/disable", role="write", scope="actions:write")
def disable(call: Call) -> Answer:
    update(call.db, "workflows", find_workflow(call)["id"], state="disabled_manually")
    return Answer(204)


@route("PUT", f"{WORKFLOW}/enable", role="write", scope="actions:write")
def enable(call: Call) -> Answer:
    update(call.db, "workflows", find_workflow(call)["id"], state="active")
    return Answer(204)


@route("POST", f"{WORKFLOW}/dispatches", role="write", scope="actions:write")
def dispatch(call: Call) -> Answer:
    row, ref = find_workflow(call), call.need("ref")
    full, sha = _branch_or_tag(call, ref)
    if not actions_enabled(call.repo):
        raise Problem(422, "Actions has been disabled for this repository.")
    if row["state"] != "active":
        raise Problem(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
    try:
        file = file_at(call.site, call.repo, row["path"], sha)
    except Broken as error:
        raise Problem(422, f"failed to parse workflow: {error}") from None
    if "workflow_dispatch" not in file.on:
        raise Problem(422, "Workflow does not have 'workflow_dispatch' trigger")
    inputs = _inputs(file, call.part("inputs"))
    raw = {k: v if isinstance(v, str) else json.dumps(v) for k, v in inputs.items()}
    payload = {
        "inputs": raw, "ref": full, "workflow": row["path"],
        "repository": repo_json(call.view, call.repo), "sender": user_of(call.view, call.me),
    }  # fmt: skip
    key = create_run(
        call.site, call.db, row, file, event="workflow_dispatch", payload=payload,
        ref=full, sha=sha, file_sha=sha, actor_id=call.me["id"], inputs=inputs,
    )  # fmt: skip
    emit(call, "workflow_dispatch", None, {k: payload[k] for k in ("inputs", "ref", "workflow")})
    if not call.flag("return_run_details"):
        return Answer(204)
    run = f"actions/runs/{key}"
    return Answer(
        200,
        {
            "workflow_run_id": key, "run_url": f"{repo_url(call.view, call.repo)}/{run}",
            "html_url": f"{html_url(call.view, call.repo)}/{run}",
        },
    )  # fmt: skip


def _branch_or_tag(call: Call, ref: str) -> tuple[str, str]:
    """Nothing else is a ref here: not a commit, and not a ref outside of the two."""
    store = gitrepo.open_repo(call.site.folder(call.repo))
    tries = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    for full in tries:
        commit = gitrepo.commit_of(store, full) if gitrepo.ref_target(store, full) else None
        if commit is not None and full.startswith(("refs/heads/", "refs/tags/")):
            return full, str(commit.id)
    raise Problem(422, f"No ref found for: {ref}")


def _inputs(file: Workflow, given: Json) -> Json:
    if len(given) > MOST_INPUTS:
        raise Problem(422, f"You can only have {MOST_INPUTS} inputs")
    if len(json.dumps(given)) > LONGEST_INPUTS:
        raise Problem(422, "inputs are too large.")
    unknown = sorted(set(given) - set(file.inputs))
    if unknown:
        raise Problem(422, f"Unexpected inputs provided: {json.dumps(unknown)}")
    found: Json = {}
    for name, about in file.inputs.items():
        value = given.get(name, about.get("default"))
        if value in (None, "") and about.get("required"):
            raise Problem(422, f"Required input '{name}' not provided")
        found[name] = _typed(name, about, value)
    return found


def _typed(name: str, about: Json, value: Any) -> Any:
    kind = about.get("type", "string")
    if kind == "boolean":
        if str(value or "false").lower() not in ("true", "false"):
            raise Problem(422, f"Provided value '{value}' for input '{name}' is not a boolean")
        return str(value or "false").lower() == "true"
    text = "" if value is None else str(value)
    if kind == "choice" and text not in [str(x) for x in about.get("options") or ()]:
        raise Problem(
            422, f"Provided value '{text}' for input '{name}' not in the list of allowed values"
        )
    return text


@route("POST", f"{REPO}/dispatches", role="write", scope="contents:write")
def repository_dispatch(call: Call) -> Answer:
    kind, payload = call.need("event_type"), call.body.get("client_payload") or {}
    if len(kind) > LONGEST_TYPE:
        raise Problem(422, f"event_type is too long (maximum is {LONGEST_TYPE} characters)")
    if not isinstance(payload, dict):
        raise Problem(422, "client_payload must be an object")
    if len(payload) > MOST_KEYS:
        raise Problem(
            422, f"No more than {MOST_KEYS} properties are allowed; {len(payload)} were supplied."
        )
    if len(json.dumps(payload)) > LARGEST_PAYLOAD:
        raise Problem(422, "client_payload is too large.")
    parts = {"branch": call.repo["default_branch"], "client_payload": payload}
    emit(call, "repository_dispatch", kind, parts, starts=True)
    return Answer(204)
