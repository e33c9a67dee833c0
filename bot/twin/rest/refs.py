"""Refs, also outside of heads and tags: made, listed, moved forward, deleted."""

from __future__ import annotations

from pygit2 import Repository, reference_is_valid_name

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.moves import moved
from bot.twin.protection import check_push
from bot.twin.rest.gitdata import find_object, not_empty, opened
from bot.twin.selfrule import check_workflows
from bot.twin.shapes.code import ref_json

READ, WRITE = "contents:read", "contents:write"
REFS = f"{REPO}/git/refs"


def _shown(call: Call, store: Repository, name: str, sha: str) -> Json:
    return ref_json(call.view, call.repo, store, name, sha)


@route("GET", f"{REPO}/git/ref/<path:ref>", scope=READ)
def get(call: Call) -> Json:
    store, name = not_empty(opened(call)), f"refs/{call.args['ref']}"
    sha = gitrepo.ref_target(store, name)
    if sha is None:
        raise missing()
    return _shown(call, store, name, sha)


@route("GET", f"{REPO}/git/matching-refs/<path:ref>", scope=READ)
def matching(call: Call) -> Answer:
    store = opened(call)
    found = list(gitrepo.refs(store, f"refs/{call.args['ref']}"))
    return call.page_of(found, lambda r: _shown(call, store, *r))


@route("GET", REFS, scope=READ)
@route("GET", f"{REPO}/git/matching-refs/", scope=READ)
def listing(call: Call) -> Answer:
    """All of them, by the older path that clients still use."""
    store = not_empty(opened(call))
    found = list(gitrepo.refs(store, "refs/"))
    return call.page_of(found, lambda r: _shown(call, store, *r))


@route("POST", REFS, role="write", scope=WRITE)
def create(call: Call) -> Answer:
    store, name, sha = opened(call), call.need("ref"), call.need("sha")
    if not name.startswith("refs/") or name.count("/") < 2 or not reference_is_valid_name(name):
        raise Problem(422, f"{name} is not a valid ref name")
    if name.startswith("refs/pull/"):
        raise Problem(422, "Reference cannot be created")
    if find_object(store, sha, object) is None:
        raise Problem(422, "Object does not exist")
    if name.startswith("refs/heads/") and store[sha].type_str != "commit":
        raise Problem(422, "Object is not a commit")
    if gitrepo.ref_target(store, name) is not None:
        raise Problem(422, "Reference already exists")
    check_workflows(call, store, sha)
    try:
        gitrepo.move_ref(store, name, sha, None)
    except gitrepo.Moved:
        raise Problem(422, "Reference already exists") from None
    moved(call, name, None, sha)
    shown = _shown(call, store, name, sha)
    return Answer(201, shown, {"Location": shown["url"]})


@route("PATCH", f"{REFS}/<path:ref>", role="write", scope=WRITE)
def edit(call: Call) -> Json:
    store, name, sha = opened(call), f"refs/{call.args['ref']}", call.need("sha")
    before = gitrepo.ref_target(store, name)
    if before is None or name.startswith("refs/pull/"):
        raise Problem(422, "Reference does not exist")
    if find_object(store, sha, object) is None:
        raise Problem(422, "Object does not exist")
    forced = not gitrepo.is_ancestor(store, before, sha)
    if forced and not call.flag("force"):
        raise Problem(422, "Update is not a fast forward")
    check_push(call, name, forced=forced)
    check_workflows(call, store, sha)
    try:
        gitrepo.move_ref(store, name, sha, before)
    except gitrepo.Moved:
        raise Problem(409, "Reference cannot be updated") from None
    if before != sha:
        moved(call, name, before, sha)
    return _shown(call, store, name, sha)


@route("DELETE", f"{REFS}/<path:ref>", role="write", scope=WRITE)
def delete(call: Call) -> Answer:
    store, name = opened(call), f"refs/{call.args['ref']}"
    before = gitrepo.ref_target(store, name)
    if before is None:
        raise Problem(422, "Reference does not exist")
    if name == f"refs/heads/{call.repo['default_branch']}":
        raise Problem(422, "Cannot delete the default branch")
    check_push(call, name, deletes=True)
    gitrepo.delete_ref(store, name)
    moved(call, name, before, None)
    return Answer(204)
