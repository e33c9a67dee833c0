"""Blobs, trees, commits, tags and refs: git's own objects, made and read one by one."""

from __future__ import annotations

import base64
from typing import Any

import pygit2
from pygit2 import Blob, Commit, Oid, Repository, Signature, Tag, Tree
from pygit2.enums import ObjectType

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.clock import instant
from bot.twin.shapes.code import (
    blob_json,
    git_commit_json,
    tag_json,
    tree_json,
)  # fmt: skip

READ, WRITE = "contents:read", "contents:write"
MODES = {mode: int(mode, 8) for mode in ("100644", "100755", "040000", "120000", "160000")}
KINDS = {
    "commit": ObjectType.COMMIT, "tree": ObjectType.TREE, "blob": ObjectType.BLOB,
    "tag": ObjectType.TAG,
}  # fmt: skip


def opened(call: Call) -> Repository:
    """A repository without any commit has nothing to give, and GitHub says so."""
    return gitrepo.open_repo(call.site.folder(call.repo))


def not_empty(store: Repository) -> Repository:
    if gitrepo.is_empty(store):
        raise Problem(409, "Git Repository is empty.")
    return store


def find_object(store: Repository, sha: str, kind: type[Any]) -> Any:
    try:
        found = store[sha] if len(sha) == 40 else None
    except (KeyError, ValueError):
        found = None
    return found if isinstance(found, kind) else None


@route("POST", f"{REPO}/git/blobs", role="write", scope=WRITE)
def create_blob(call: Call) -> Answer:
    store, text = not_empty(opened(call)), call.need("content")
    try:
        coded = call.text("encoding", "utf-8") == "base64"
        data = base64.b64decode("".join(text.split()), validate=True) if coded else text.encode()
    except ValueError:
        raise Problem(422, "content is not valid Base64") from None
    blob = store[store.create_blob(data)]
    shown = blob_json(call.view, call.repo, blob.peel(Blob))
    return Answer(201, {"sha": shown["sha"], "url": shown["url"]})


@route("GET", f"{REPO}/git/blobs/<sha>", scope=READ)
def get_blob(call: Call) -> Json:
    blob = find_object(opened(call), call.args["sha"], Blob)
    if blob is None:
        raise missing()
    return blob_json(call.view, call.repo, blob)


@route("POST", f"{REPO}/git/trees", role="write", scope=WRITE)
def create_tree(call: Call) -> Answer:
    store = not_empty(opened(call))
    if "tree" not in call.body:
        raise Problem(422, 'Invalid request.\n\n"tree" wasn\'t supplied.')
    rows = call.parts("tree")
    base = None
    if call.body.get("base_tree"):
        name = call.need("base_tree")
        base = find_object(store, name, Tree)
        commit = find_object(store, name, Commit)
        base = commit.tree if commit else base
        if base is None:
            raise missing()
    made = gitrepo.write_tree(store, dict(_entry(store, row) for row in rows), base)
    return Answer(201, tree_json(call.view, call.repo, store[made].peel(Tree), False))


def check_path(path: str, name: str) -> None:
    if any(part in ("", ".", "..") or part.lower() == ".git" for part in path.split("/")):
        raise Problem(422, f"{name} contains a malformed path component")


def _entry(store: Repository, row: Json) -> tuple[str, tuple[str, int]]:
    path, mode = str(row.get("path", "")), MODES.get(str(row.get("mode") or "100644"))
    check_path(path, "tree.path")
    if mode is None:
        raise Problem(422, "tree.mode must be one of 100644, 100755, 040000, 160000, 120000")
    if "content" in row:
        return path, (str(store.create_blob(str(row["content"]).encode())), mode)
    sha = row.get("sha")
    if sha is None:
        if "sha" in row:
            return path, ("", mode)
        raise Problem(422, "Must supply either tree.sha or tree.content")
    if mode != 0o160000 and (len(str(sha)) != 40 or str(sha) not in store):
        raise Problem(422, f"tree.sha {sha} is not a valid {row.get('type', 'blob')}")
    return path, (str(sha), mode)


@route("GET", f"{REPO}/git/trees/<path:sha>", scope=READ)
def get_tree(call: Call) -> Json:
    store = not_empty(opened(call))
    tree = find_object(store, call.args["sha"], Tree)
    if tree is None:
        commit = gitrepo.commit_of(store, call.args["sha"])
        if commit is None:
            raise missing()
        tree = commit.tree
    return tree_json(call.view, call.repo, tree, "recursive" in call.query)


@route("POST", f"{REPO}/git/commits", role="write", scope=WRITE)
def create_commit(call: Call) -> Answer:
    store, message = not_empty(opened(call)), call.need("message")
    tree = find_object(store, call.need("tree"), Tree)
    parents = call.names("parents")
    if tree is None:
        raise Problem(422, "Tree SHA does not exist")
    for parent in parents:
        if find_object(store, parent, Commit) is None:
            raise Problem(422, "Parent SHA does not exist or is not a commit object")
    me = gitrepo.person(call.me["login"], call.site.clock.now())
    author = signed(call.body.get("author"), me)
    committer = signed(call.body.get("committer"), author)
    made = store.create_commit(
        None, author, committer, message, tree.id, [Oid(hex=p) for p in parents]
    )
    return Answer(201, git_commit_json(call.view, call.repo, store[made].peel(Commit)))


def signed(given: Any, default: Signature) -> Signature:
    if not isinstance(given, dict):
        return default
    name, email = given.get("name") or default.name, given.get("email") or default.email
    at = default.time
    if given.get("date"):
        try:
            at = int(instant(str(given["date"])))
        except (ValueError, OverflowError):
            raise Problem(422, f"{given['date']} is not a valid date-time") from None
    return Signature(str(name), str(email), at, 0)


@route("GET", f"{REPO}/git/commits/<sha>", scope=READ)
def get_commit(call: Call) -> Json:
    commit = find_object(opened(call), call.args["sha"], Commit)
    if commit is None:
        raise missing()
    return git_commit_json(call.view, call.repo, commit)


@route("POST", f"{REPO}/git/tags", role="write", scope=WRITE)
def create_tag(call: Call) -> Answer:
    store, name = not_empty(opened(call)), call.need("tag")
    target, kind = call.need("object"), call.need("type")
    there = find_object(store, target, pygit2.Object)
    if there is None or kind not in KINDS or there.type_str != kind:
        raise Problem(422, "object is not of the given type")
    who = signed(call.body.get("tagger"), gitrepo.person(call.me["login"], call.site.clock.now()))
    by = f"tagger {who.name} <{who.email}> {who.time} +0000"
    text = f"object {target}\ntype {kind}\ntag {name}\n{by}\n"
    # A tag object alone: git/tags makes no ref, that is a second request.
    key = store.write(ObjectType.TAG, f"{text}\n{call.need('message')}\n".encode())
    return Answer(201, tag_json(call.view, call.repo, store[key].peel(Tag)))


@route("GET", f"{REPO}/git/tags/<sha>", scope=READ)
def get_tag(call: Call) -> Json:
    tag = find_object(opened(call), call.args["sha"], Tag)
    if tag is None:
        raise missing()
    return tag_json(call.view, call.repo, tag)
