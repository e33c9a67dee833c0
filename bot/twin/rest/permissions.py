"""What Actions may do in a repository: whether it runs, which actions, and with which rights."""

from __future__ import annotations

import json

from bot.twin.call import REPO, Answer, Call, Json, Problem, route
from bot.twin.shapes.people import repo_url
from bot.twin.site import actions_enabled, settings
from bot.twin.store import update

PERMISSIONS = f"{REPO}/actions/permissions"
ALLOWED = ("all", "local_only", "selected")
SELECTED: Json = {"github_owned_allowed": True, "verified_allowed": False, "patterns_allowed": []}


@route("GET", PERMISSIONS, role="admin", scope="administration:read")
def get(call: Call) -> Json:
    """Where it is off, nothing is said of which actions may run."""
    if not actions_enabled(call.repo):
        return {"enabled": False}
    allowed = settings(call.repo).get("actions_allowed", "all")
    shown: Json = {"enabled": True, "allowed_actions": allowed, "sha_pinning_required": False}
    if allowed == "selected":
        url = f"{repo_url(call.view, call.repo)}/actions/permissions/selected-actions"
        shown["selected_actions_url"] = url
    return shown


@route("PUT", PERMISSIONS, role="admin", scope="administration:write")
def put(call: Call) -> Answer:
    if "enabled" not in call.body:
        raise Problem(422, 'Invalid request.\n\n"enabled" wasn\'t supplied.')
    allowed = call.text("allowed_actions")
    if allowed is not None and allowed not in ALLOWED:
        raise Problem(422, f"Invalid request.\n\n{allowed} is not a member of {list(ALLOWED)}.")
    told = {"actions_allowed": allowed} if allowed else {}
    return _keep(call, {"actions_enabled": call.flag("enabled"), **told})


@route("GET", f"{PERMISSIONS}/selected-actions", role="admin", scope="administration:read")
def selected(call: Call) -> Json:
    return {**SELECTED, **_chosen(call)}


@route("PUT", f"{PERMISSIONS}/selected-actions", role="admin", scope="administration:write")
def select(call: Call) -> Answer:
    told: Json = {n: call.flag(n) for n in list(SELECTED)[:2] if n in call.body}
    if "patterns_allowed" in call.body:
        told["patterns_allowed"] = call.names("patterns_allowed")
    return _keep(call, {"actions_selected": {**_chosen(call), **told}})


def _chosen(call: Call) -> Json:
    """Only where a selection is what decides."""
    found = settings(call.repo)
    if found.get("actions_allowed") != "selected":
        raise Problem(409, "Conflict: allowed_actions of this repository is not selected")
    chosen = found.get("actions_selected")
    return chosen if isinstance(chosen, dict) else {}


@route("GET", f"{PERMISSIONS}/workflow", role="admin", scope="administration:read")
def defaults(call: Call) -> Json:
    found = settings(call.repo)
    return {
        "default_workflow_permissions": found["actions_default"],
        "can_approve_pull_request_reviews": found["actions_create_pulls"],
    }


@route("PUT", f"{PERMISSIONS}/workflow", role="admin", scope="administration:write")
def set_defaults(call: Call) -> Answer:
    told: Json = {}
    if "default_workflow_permissions" in call.body:
        told["actions_default"] = call.need("default_workflow_permissions")
    if "can_approve_pull_request_reviews" in call.body:
        told["actions_create_pulls"] = call.flag("can_approve_pull_request_reviews")
    return _keep(call, told)


def _keep(call: Call, told: Json) -> Answer:
    found = {**settings(call.repo), **told}
    update(call.db, "repos", call.repo["id"], settings=json.dumps(found))
    return Answer(204)
