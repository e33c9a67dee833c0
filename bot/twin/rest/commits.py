"""Commits: the list, one with its files, and the comparison of two."""

from __future__ import annotations

import subprocess
from itertools import islice
from urllib.parse import quote

from pygit2 import Commit, Repository, Tree

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.clock import instant
from bot.twin.rest.gitdata import not_empty, opened
from bot.twin.shapes.code import commit_json, file_json
from bot.twin.shapes.people import html_url, repo_url

READ = "contents:read"
MOST = 250
SECONDS = 60


def _changes(commit: Commit, path: str) -> bool:
    below = commit.parents[0].tree if commit.parents else None
    return _at(commit.tree, path) != (_at(below, path) if below is not None else None)


def _at(tree: object, path: str) -> str | None:
    try:
        return str(tree[path].id)  # type: ignore[index]
    except KeyError:
        return None


@route("GET", f"{REPO}/commits", scope=READ)
def listing(call: Call) -> Answer:
    store = not_empty(opened(call))
    start = gitrepo.commit_of(store, call.query.get("sha") or call.repo["default_branch"])
    if start is None:
        raise missing()
    found = gitrepo.history(store, start)
    size, number = call.paging()
    wanted = (c for c in found if _wanted(call, c))
    rows = list(islice(wanted, (number - 1) * size, number * size + 1))
    total = (number - 1) * size + len(rows)
    if len(rows) > size:
        total += sum(1 for _ in wanted)
    shown = [commit_json(call.view, call.repo, c) for c in rows[:size]]
    return call.paged(shown, total, "")


def _wanted(call: Call, commit: Commit) -> bool:
    q = call.query
    if "path" in q and not _changes(commit, q["path"]):
        return False
    if "author" in q and q["author"] not in (commit.author.name, commit.author.email):
        return False
    at = commit.committer.time
    after = instant(call.time("since")) <= at if "since" in q else True
    return after and (at <= instant(call.time("until")) if "until" in q else True)


def find_commit(call: Call, store: Repository, name: str) -> Commit:
    found = gitrepo.commit_of(store, name)
    if found is None:
        raise Problem(422, f"No commit found for SHA: {name}")
    return found


@route("GET", f"{REPO}/commits/<path:ref>", scope=READ)
def get(call: Call) -> Json | Answer:
    store = not_empty(opened(call))
    commit = find_commit(call, store, call.args["ref"])
    below = commit.parents[0].tree if commit.parents else None
    kind = call.headers.get("Accept", "")
    if "diff" in kind:
        return raw_diff(below, commit)
    if "patch" in kind:
        return raw_patch(call, "-1", str(commit.id))
    files = gitrepo.diff(store, below, commit.tree)
    added, removed = (sum(getattr(f, k) for f in files) for k in ("additions", "deletions"))
    return {
        **commit_json(call.view, call.repo, commit),
        "stats": {"total": added + removed, "additions": added, "deletions": removed},
        "files": [file_json(call.view, call.repo, str(commit.id), f) for f in files],
    }


def raw_patch(call: Call, *which: str) -> Answer:
    """Commits as letters, which `git am` takes."""
    command = ["git", "format-patch", "--stdout", *which]
    folder = call.site.folder(call.repo)
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=True)
    return Answer(raw=done.stdout, kind="text/plain; charset=utf-8")


def raw_diff(below: Tree | None, commit: Commit) -> Answer:
    tree = commit.tree
    found = tree.diff_to_tree(below, swap=True) if below else tree.diff_to_tree(swap=True)
    return Answer(raw=(found.patch or "").encode(), kind="text/plain; charset=utf-8")


@route("GET", f"{REPO}/compare/<path:basehead>", scope=READ)
def compare(call: Call) -> Json | Answer:
    left, dots, right = call.args["basehead"].partition("...")
    if not dots:
        raise missing()
    store = not_empty(opened(call))
    base, head = (gitrepo.commit_of(store, x.rpartition(":")[2]) for x in (left, right))
    if base is None or head is None:
        raise missing()
    meet = gitrepo.merge_base(store, base, head)
    if meet is None:
        raise Problem(404, "No common ancestor between the two commits.")
    ahead = list(gitrepo.history(store, head, without=base))[::-1]
    behind = sum(1 for _ in gitrepo.history(store, base, without=head))
    if "diff" in call.headers.get("Accept", ""):
        return raw_diff(meet.tree, head)
    status = {(True, True): "diverged", (True, False): "ahead", (False, True): "behind"}.get(
        (bool(ahead), bool(behind)), "identical"
    )
    html = f"{html_url(call.view, call.repo)}/compare/{quote(left)}...{quote(right)}"
    files = gitrepo.diff(store, meet.tree, head.tree)
    size, number = call.paging() if "per_page" in call.query else (MOST, 1)
    part = ahead[(number - 1) * size : number * size]
    return {
        "url": f"{repo_url(call.view, call.repo)}/compare/{quote(left)}...{quote(right)}",
        "html_url": html, "permalink_url": html, "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch", "base_commit": commit_json(call.view, call.repo, base),
        "merge_base_commit": commit_json(call.view, call.repo, meet), "status": status,
        "ahead_by": len(ahead), "behind_by": behind, "total_commits": len(ahead),
        "commits": [commit_json(call.view, call.repo, c) for c in part],
        "files": [file_json(call.view, call.repo, str(head.id), f) for f in files[:300]],
    }  # fmt: skip
