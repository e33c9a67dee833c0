"""Files by their path: read, made, changed and deleted, each change one commit."""

from __future__ import annotations

import base64

from pygit2 import Blob, Commit, Repository, Tree

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.moves import moved
from bot.twin.protection import push_refused
from bot.twin.rest.gitdata import check_path, opened, signed
from bot.twin.selfrule import check_workflows
from bot.twin.shapes.code import entry_json, git_commit_json, wrapped

CONTENTS = f"{REPO}/contents/<path:path>"
READ, WRITE = "contents:read", "contents:write"


def _find(commit: Commit, path: str) -> Blob | Tree | None:
    try:
        found = commit.tree[path] if path else commit.tree
    except KeyError:
        return None
    return found if isinstance(found, Blob | Tree) else None


@route("GET", f"{REPO}/contents", scope=READ)
def root(call: Call) -> Answer | Json | list[Json]:
    return get(call)


@route("GET", CONTENTS, scope=READ)
def get(call: Call) -> Answer | Json | list[Json]:
    path, ref = call.args.get("path", "").strip("/"), call.query.get("ref", "")
    store = opened(call)
    ref = ref or call.repo["default_branch"]
    commit = gitrepo.commit_of(store, ref)
    if commit is None:
        empty = gitrepo.is_empty(store)
        raise Problem(
            404, "This repository is empty." if empty else f"No commit found for the ref {ref}"
        )
    found = _find(commit, path)
    if found is None:
        raise missing()
    if isinstance(found, Tree):
        return [_child(call, entry, path, ref) for entry in found]
    if "raw" in call.headers.get("Accept", ""):
        return Answer(raw=found.data, kind="application/vnd.github.raw; charset=utf-8")
    shown = entry_json(call.view, call.repo, found, path, ref)
    return {**shown, "content": wrapped(found.data), "encoding": "base64"}


def _child(call: Call, entry: object, path: str, ref: str) -> Json:
    if not isinstance(entry, Blob | Tree):
        raise missing()
    name = f"{path}/{entry.name}" if path else str(entry.name)
    return entry_json(call.view, call.repo, entry, name, ref)


@route("GET", f"{REPO}/readme", scope=READ)
def readme(call: Call) -> Answer | Json | list[Json]:
    commit = gitrepo.commit_of(opened(call), call.query.get("ref") or call.repo["default_branch"])
    names = [str(entry.name) for entry in commit.tree] if commit else []
    found = [name for name in names if name.lower().partition(".")[0] == "readme"]
    if not found:
        raise missing()
    call.args["path"] = found[0]
    return get(call)


@route("PUT", CONTENTS, role="write", scope=WRITE)
def put(call: Call) -> Answer:
    message, path = call.need("message"), call.args["path"]
    try:
        data = base64.b64decode("".join(call.need("content").split()), validate=True)
    except ValueError:
        raise Problem(422, "content is not valid Base64") from None
    check_path(path, "path")
    store, branch, before = _branch(call)
    there = _find(before, path) if before else None
    _check_place(before, there, path)
    _check_sha(call, there, path)
    blob = store.create_blob(data)
    commit = _commit(call, store, branch, before, message, {path: (str(blob), 0o100644)})
    shown = entry_json(call.view, call.repo, store[blob].peel(Blob), path, branch)
    made = git_commit_json(call.view, call.repo, commit)
    return Answer(200 if there else 201, {"content": shown, "commit": made})


@route("DELETE", CONTENTS, role="write", scope=WRITE)
def delete(call: Call) -> Json:
    asked = {**call.query, **call.body}
    call.body = asked
    message, path = call.need("message"), call.args["path"]
    store, branch, before = _branch(call)
    there = _find(before, path) if before else None
    if there is None:
        raise missing()
    call.need("sha")
    _check_sha(call, there, path)
    commit = _commit(call, store, branch, before, message, {path: ("", 0)})
    return {"content": None, "commit": git_commit_json(call.view, call.repo, commit)}


def _branch(call: Call) -> tuple[Repository, str, Commit | None]:
    store, branch = opened(call), call.text("branch") or call.repo["default_branch"]
    sha = gitrepo.ref_target(store, f"refs/heads/{branch}")
    if sha is None and not (gitrepo.is_empty(store) and branch == call.repo["default_branch"]):
        raise Problem(404, f"Branch {branch} not found")
    return store, branch, store[sha].peel(Commit) if sha else None


def _check_place(before: Commit | None, there: Blob | Tree | None, path: str) -> None:
    """A file takes the place of a file only: neither of a folder nor of what lies above it."""
    above = path.split("/")[:-1]
    over = [_find(before, "/".join(above[:n])) for n in range(1, len(above) + 1) if before]
    if isinstance(there, Tree) or any(isinstance(entry, Blob) for entry in over):
        raise Problem(422, f"{path} is a directory, or lies below a file")


def _check_sha(call: Call, there: Blob | Tree | None, path: str) -> None:
    sha = call.text("sha")
    if there is not None and sha is None:
        raise Problem(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
    if sha is not None and (there is None or str(there.id) != sha):
        raise Problem(409, f"{path} does not match {sha}")


def _commit(
    call: Call, store: Repository, branch: str, before: Commit | None, message: str,
    files: gitrepo.Entries,
) -> Commit:  # fmt: skip
    ref, old = f"refs/heads/{branch}", str(before.id) if before else None
    why = push_refused(call, ref, forced=False)
    if why:
        raise Problem(409, f"Repository rule violations found\n\n{why}")
    tree = gitrepo.write_tree(store, files, before.tree if before else None)
    me = gitrepo.person(call.me["login"], call.site.clock.now())
    author, committer = signed(call.body.get("author"), me), signed(call.body.get("committer"), me)
    made = store.create_commit(
        None, author, committer, message, tree, [before.id] if before else []
    )
    check_workflows(call, store, str(made))
    try:
        gitrepo.move_ref(store, ref, str(made), old)
    except gitrepo.Moved:
        raise Problem(409, f"{branch} is at another commit now") from None
    moved(call, ref, old, str(made))
    return store[made].peel(Commit)
