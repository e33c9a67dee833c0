"""Commits, trees, refs, files and diffs as GitHub shows them."""

from __future__ import annotations

import base64
from urllib.parse import quote

from pygit2 import Blob, Commit, Repository, Signature, Tag, Tree

from bot.twin.call import Json, View
from bot.twin.clock import stamp
from bot.twin.gitrepo import HOST, FileDiff
from bot.twin.shapes.people import html_url, node_id, repo_url, user_of
from bot.twin.store import Row, one

UNSIGNED: Json = {
    "verified": False, "reason": "unsigned", "signature": None, "payload": None,
    "verified_at": None,
}  # fmt: skip
MODES = {0o100644: "100644", 0o100755: "100755", 0o40000: "040000", 0o120000: "120000",
         0o160000: "160000"}  # fmt: skip


def signature_json(who: Signature) -> Json:
    return {"name": who.name, "email": who.email, "date": stamp(who.time)}


def author_json(view: View, who: Signature) -> Json | None:
    """The user with this address; nobody, as on GitHub, when no user has it."""
    name, _, host = who.email.partition("@")
    login = name.partition("+")[2] or name if host == HOST else ""
    row = one(view.db, "SELECT * FROM users WHERE login = ? OR email = ?", login, who.email)
    return user_of(view, row) if row else None


def git_commit_json(view: View, repo: Row, commit: Commit) -> Json:
    base, html = repo_url(view, repo), html_url(view, repo)
    return {
        "sha": str(commit.id), "node_id": node_id("Commit", str(commit.id)),
        "url": f"{base}/git/commits/{commit.id}", "html_url": f"{html}/commit/{commit.id}",
        "author": signature_json(commit.author), "committer": signature_json(commit.committer),
        "tree": {"sha": str(commit.tree_id), "url": f"{base}/git/trees/{commit.tree_id}"},
        "message": commit.message.rstrip("\n"),
        "parents": [_parent(f"{base}/git/commits", html, p) for p in commit.parent_ids],
        "verification": UNSIGNED,
    }  # fmt: skip


def _parent(base: str, html: str, sha: object) -> Json:
    return {"sha": str(sha), "url": f"{base}/{sha}", "html_url": f"{html}/commit/{sha}"}


def commit_json(view: View, repo: Row, commit: Commit) -> Json:
    base, html = repo_url(view, repo), html_url(view, repo)
    inner = git_commit_json(view, repo, commit)
    url = f"{base}/commits/{commit.id}"
    kept = ("author", "committer", "message", "tree", "url", "verification")
    return {
        "sha": str(commit.id), "node_id": inner["node_id"], "url": url,
        "html_url": inner["html_url"], "comments_url": f"{url}/comments",
        "commit": {**{k: inner[k] for k in kept}, "comment_count": 0},
        "author": author_json(view, commit.author),
        "committer": author_json(view, commit.committer),
        "parents": [_parent(f"{base}/commits", html, p) for p in commit.parent_ids],
    }  # fmt: skip


def file_json(view: View, repo: Row, sha: str, file: FileDiff) -> Json:
    path, html = quote(file.path), html_url(view, repo)
    shown: Json = {
        "sha": file.sha, "filename": file.path, "status": file.status,
        "additions": file.additions, "deletions": file.deletions,
        "changes": file.additions + file.deletions, "blob_url": f"{html}/blob/{sha}/{path}",
        "raw_url": f"{html}/raw/{sha}/{path}",
        "contents_url": f"{repo_url(view, repo)}/contents/{path}?ref={sha}",
    }  # fmt: skip
    if file.patch:
        shown["patch"] = file.patch
    if file.status == "renamed":
        shown["previous_filename"] = file.old_path
    return shown


def ref_json(view: View, repo: Row, store: Repository, name: str, sha: str) -> Json:
    base, kind = f"{repo_url(view, repo)}/git", store[sha].type_str
    return {
        "ref": name, "node_id": node_id("Ref", name), "url": f"{base}/{quote(name)}",
        "object": {"sha": sha, "type": kind, "url": f"{base}/{kind}s/{sha}"},
    }  # fmt: skip


def tree_json(view: View, repo: Row, tree: Tree, recursive: bool) -> Json:
    base = f"{repo_url(view, repo)}/git"
    rows: list[Json] = []
    _walk(base, tree, "", recursive, rows)
    return {"sha": str(tree.id), "url": f"{base}/trees/{tree.id}", "tree": rows, "truncated": False}


def _walk(base: str, tree: Tree, above: str, recursive: bool, rows: list[Json]) -> None:
    for entry in tree:
        kind = entry.type_str
        row: Json = {
            "path": f"{above}{entry.name}", "mode": MODES.get(int(entry.filemode), "100644"),
            "type": kind, "sha": str(entry.id), "url": f"{base}/{kind}s/{entry.id}",
        }  # fmt: skip
        if isinstance(entry, Blob):
            row["size"] = entry.size
        rows.append(row)
        if recursive and isinstance(entry, Tree):
            _walk(base, entry, f"{above}{entry.name}/", recursive, rows)


def tag_json(view: View, repo: Row, tag: Tag) -> Json:
    base = f"{repo_url(view, repo)}/git"
    kind = tag.get_object().type_str
    return {
        "node_id": node_id("Tag", str(tag.id)), "tag": tag.name, "sha": str(tag.id),
        "url": f"{base}/tags/{tag.id}", "message": tag.message.rstrip("\n"),
        "tagger": signature_json(tag.tagger) if tag.tagger else None,
        "object": {"sha": str(tag.target), "type": kind, "url": f"{base}/{kind}s/{tag.target}"},
        "verification": UNSIGNED,
    }  # fmt: skip


def blob_json(view: View, repo: Row, blob: Blob) -> Json:
    return {
        "sha": str(blob.id), "node_id": node_id("Blob", str(blob.id)), "size": blob.size,
        "url": f"{repo_url(view, repo)}/git/blobs/{blob.id}", "encoding": "base64",
        "content": wrapped(blob.data),
    }  # fmt: skip


def wrapped(data: bytes) -> str:
    return base64.encodebytes(data).decode()


def entry_json(view: View, repo: Row, entry: Blob | Tree, path: str, ref: str) -> Json:
    """A file or folder in `contents`, without what a file holds."""
    base, html, quoted = repo_url(view, repo), html_url(view, repo), quote(path)
    is_file = isinstance(entry, Blob)
    url = f"{base}/contents/{quoted}?ref={quote(ref)}"
    git = f"{base}/git/{'blobs' if is_file else 'trees'}/{entry.id}"
    page = f"{html}/{'blob' if is_file else 'tree'}/{quote(ref)}/{quoted}"
    return {
        "name": path.rsplit("/", 1)[-1], "path": path, "sha": str(entry.id),
        "size": entry.size if isinstance(entry, Blob) else 0, "url": url, "html_url": page,
        "git_url": git, "type": "file" if is_file else "dir",
        "download_url": f"{html}/raw/{quote(ref)}/{quoted}" if is_file else None,
        "_links": {"self": url, "git": git, "html": page},
    }  # fmt: skip
