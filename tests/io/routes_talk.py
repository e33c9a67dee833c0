"""GitHub's endpoints about people, issues, comments and labels."""

from __future__ import annotations

from typing import Any

from tests.io.github_world import Problem, World, stamp
from tests.io.routes import Call, checked, get, route


@route("GET", "")
def repository(world: World, call: Call) -> tuple[int, Any]:
    return 200, world.repo_json()


@route("GET", "/collaborators/([^/]+)/permission")
def permission(world: World, call: Call) -> tuple[int, Any]:
    if call.path[0] not in world.permissions:
        raise Problem(404, f"{call.path[0]} is not a user")
    role = world.permissions[call.path[0]]
    shown = "write" if role == "maintain" else role
    return 200, {"permission": shown, "role_name": role, "user": None}


@route("GET", "/issues")
def list_issues(world: World, call: Call) -> tuple[int, Any]:
    wanted = {x for x in call.query.get("labels", "").split(",") if x}
    state = call.query.get("state", "open")
    return 200, [
        issue
        for issue in sorted(world.issues.values(), key=lambda i: -int(i["number"]))
        if state in ("all", issue["state"])
        and wanted <= {x["name"] for x in issue["labels"]}
        and issue["updated_at"] >= call.query.get("since", "")
    ]


@route("POST", "/issues")
def create_issue(world: World, call: Call) -> tuple[int, Any]:
    body = checked(call.body.get("body"))
    return 201, world.issue(call.token, call.body["title"], body, call.body.get("labels", []))


@route("GET", r"/issues/(\d+)")
def get_issue(world: World, call: Call) -> tuple[int, Any]:
    return 200, get(world.issues, call.number)


@route("PATCH", r"/issues/(\d+)")
def edit_issue(world: World, call: Call) -> tuple[int, Any]:
    issue = get(world.issues, call.number)
    allowed = {k: v for k, v in call.body.items() if k in ("state", "state_reason", "body")}
    issue.update(allowed, updated_at=world.tick())
    if issue["state"] == "closed":
        issue.update(closed_at=stamp(world.time), closed_by=world.users[call.token])
    return 200, issue


@route("GET", r"/issues/(\d+)/comments")
def list_comments(world: World, call: Call) -> tuple[int, Any]:
    url = str(get(world.issues, call.number)["url"])
    return 200, [c for c in world.comments.values() if c["issue_url"] == url]


@route("POST", r"/issues/(\d+)/comments")
def create_comment(world: World, call: Call) -> tuple[int, Any]:
    get(world.issues, call.number)
    return 201, world.comment(call.token, call.number, checked(call.body["body"]) or "")


@route("GET", r"/issues/comments/(\d+)")
def get_comment(world: World, call: Call) -> tuple[int, Any]:
    return 200, get(world.comments, call.number)


@route("PATCH", r"/issues/comments/(\d+)")
def edit_comment(world: World, call: Call) -> tuple[int, Any]:
    comment = get(world.comments, call.number)
    comment.update(body=checked(call.body["body"]), updated_at=world.tick())
    return 200, comment


@route("DELETE", r"/issues/comments/(\d+)")
def delete_comment(world: World, call: Call) -> tuple[int, Any]:
    get(world.comments, call.number)
    del world.comments[call.number]
    return 204, None


@route("POST", r"/issues/comments/(\d+)/reactions")
def add_reaction(world: World, call: Call) -> tuple[int, Any]:
    get(world.comments, call.number)
    wanted = {"user": world.users[call.token], "content": call.body["content"]}
    for reaction in world.reactions:
        if reaction["comment"] == call.number and wanted.items() <= reaction.items():
            return 200, reaction
    world.reactions.append(
        {**wanted, "id": world.new_id(), "comment": call.number, "created_at": world.tick()}
    )
    return 201, world.reactions[-1]


@route("GET", r"/issues/(\d+)/labels")
def list_labels(world: World, call: Call) -> tuple[int, Any]:
    return 200, get(world.issues, call.number)["labels"]


@route("POST", r"/issues/(\d+)/labels")
def add_labels(world: World, call: Call) -> tuple[int, Any]:
    issue = get(world.issues, call.number)
    names = call.body if isinstance(call.body, list) else call.body["labels"]
    issue["labels"] += [x for x in map(world.label, names) if x not in issue["labels"]]
    return 200, issue["labels"]


@route("DELETE", r"/issues/(\d+)/labels/([^/]+)")
def remove_label(world: World, call: Call) -> tuple[int, Any]:
    issue = get(world.issues, call.number)
    left = [x for x in issue["labels"] if x["name"] != call.path[1]]
    if left == issue["labels"]:
        raise Problem(404, "Label does not exist")
    issue["labels"] = left
    return 200, left


@route("GET", r"/issues/(\d+)/sub_issues")
def list_subs(world: World, call: Call) -> tuple[int, Any]:
    return 200, [world.issues[n] for n in world.subs.get(call.number, [])]


@route("POST", r"/issues/(\d+)/sub_issues")
def add_sub(world: World, call: Call) -> tuple[int, Any]:
    child = next(i for i in world.issues.values() if i["id"] == call.body["sub_issue_id"])
    if any(child["number"] in there for there in world.subs.values()):
        raise Problem(422, "Validation Failed", "Sub issue may only have one parent")
    world.subs.setdefault(call.number, []).append(int(child["number"]))
    return 201, child
