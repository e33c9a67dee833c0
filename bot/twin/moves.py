"""What follows when a ref has moved: pull requests, workflows, closed issues, push events."""

from __future__ import annotations

import re

from pygit2 import Blob, Commit, Repository, Tree

from bot.twin import gitrepo
from bot.twin.call import Call, Json
from bot.twin.events import emit, heard, record
from bot.twin.protection import dismiss_stale
from bot.twin.ranges import counts
from bot.twin.shapes.code import commit_json, signature_json
from bot.twin.shapes.people import repo_json
from bot.twin.shapes.pull import full_pull_json
from bot.twin.shapes.talk import issue_json
from bot.twin.store import Row, many, one, update

HEADS = "refs/heads/"
CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+"
    r"(?:https?://[^/\s]+/)?(?:([\w.-]+/[\w.-]+))?(?:#|GH-|/issues/)(\d{1,9})\b",
    re.I,
)
"""`#7`, `owner/name#7`, `GH-7` or the address of the issue."""
MOST = 100


def moved(call: Call, ref: str, before: str | None, after: str | None) -> None:
    """The ref itself has moved already. Refs outside of heads and tags are nobody's news."""
    update(call.db, "repos", call.repo["id"], pushed_at=call.now(), updated_at=call.now())
    store = gitrepo.open_repo(call.site.folder(call.repo))
    if not ref.startswith((HEADS, "refs/tags/")):
        return
    if ref.startswith(HEADS):
        branch = ref.removeprefix(HEADS)
        if branch == call.repo["default_branch"] and after:
            read_workflows(call, store, after)
        _follow_heads(call, store, branch, after)
        _follow_bases(call, store, branch, after)
    _push(call, store, ref, before, after)
    if before and after and ref == HEADS + call.repo["default_branch"]:
        for commit in _new(store, before, after):
            close_mentioned(call, commit.message, str(commit.id))


def read_workflows(call: Call, store: Repository, sha: str) -> None:
    """Which workflows there are is what the default branch says; one that is gone is kept."""
    commit = gitrepo.commit_of(store, sha)
    for path, text in workflow_files(store, commit) if commit else ():
        found = re.search(r"^name:\s*(.+?)\s*$", text, re.M)
        name = found[1].strip("'\"") if found else path
        sql = """INSERT INTO workflows (repo_id, path, name, created_at, updated_at)
                 VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name"""
        call.db.execute(sql, (call.repo["id"], path, name, call.now(), call.now()))


def workflow_files(store: Repository, commit: Commit) -> list[tuple[str, str]]:
    try:
        folder = commit.tree[".github/workflows"]
    except KeyError:
        return []
    found = []
    for entry in folder if isinstance(folder, Tree) else ():
        if isinstance(entry, Blob) and str(entry.name).endswith((".yml", ".yaml")):
            text = entry.data.decode(errors="replace")
            found.append((f".github/workflows/{entry.name}", text))
    return found


def open_pulls(call: Call, column: str, branch: str) -> list[Row]:
    sql = f"""SELECT pulls.*, issues.number, issues.state, issues.is_pull FROM pulls
              JOIN issues ON issues.id = pulls.id
              WHERE pulls.repo_id = ? AND {column} = ? AND state = 'open'"""  # nosec B608
    return many(call.db, sql, call.repo["id"], branch)


def _follow_heads(call: Call, store: Repository, branch: str, after: str | None) -> None:
    for pull in open_pulls(call, "head_ref", branch):
        if after is None:
            close_pull(call, pull)
            continue
        if after == pull["head_sha"]:
            continue
        update(call.db, "pulls", pull["id"], head_sha=after, mergeable=None)
        update(call.db, "issues", pull["id"], updated_at=call.now())
        store.references.create(f"refs/pull/{pull['number']}/head", after, force=True)
        dismiss_stale(call, pull)
        tell(call, "synchronize", pull["id"], before=pull["head_sha"], after=after)


def _follow_bases(call: Call, store: Repository, branch: str, after: str | None) -> None:
    for pull in open_pulls(call, "base_ref", branch):
        if after is None:
            close_pull(call, pull)
        elif gitrepo.is_ancestor(store, pull["head_sha"], after):
            mark_merged(call, pull, after)
        else:
            update(call.db, "pulls", pull["id"], mergeable=None)


def close_pull(call: Call, pull: Row) -> None:
    at = call.now()
    update(
        call.db, "issues", pull["id"], state="closed", closed_at=at, closed_by=call.me["id"],
        updated_at=at,
    )  # fmt: skip
    record(call, pull["id"], "closed")
    tell(call, "closed", pull["id"])


def mark_merged(call: Call, pull: Row, sha: str) -> None:
    at, me = call.now(), call.me["id"]
    update(call.db, "pulls", pull["id"], merged_at=at, merged_by=me, merge_sha=sha)
    update(call.db, "issues", pull["id"], state="closed", closed_at=at, closed_by=me, updated_at=at)
    record(call, pull["id"], "merged", sha)
    record(call, pull["id"], "closed")
    tell(call, "closed", pull["id"])


def tell(call: Call, action: str, key: int, **more: object) -> None:
    sql = (
        "SELECT issues.*, pulls.* FROM pulls JOIN issues ON issues.id = pulls.id WHERE pulls.id = ?"
    )
    row = one(call.db, sql, key)
    if row is None or not heard(call.view, call.repo):
        return
    store = gitrepo.open_repo(call.site.folder(call.repo))
    shown = full_pull_json(call, row, "unknown", counts(store, row))
    parts: Json = {"number": row["number"], "pull_request": shown, **more}
    emit(call, "pull_request", action, parts, ref=row["head_ref"], sha=row["head_sha"])


def tell_issue(call: Call, key: int, action: str, **more: object) -> None:
    """The same that happens to an issue is an event of the pull request that it may be."""
    if not heard(call.view, call.repo):
        return
    row = one(call.db, "SELECT * FROM issues WHERE id = ?", key)
    if row is None:
        return
    if row["is_pull"]:
        tell(call, action, key, **more)
    else:
        emit(call, "issues", action, {"issue": issue_json(call.view, call.repo, row), **more})


def close_mentioned(call: Call, text: str, sha: str | None) -> None:
    """`Closes #n`, in a commit or a merged pull request of the default branch."""
    from bot.twin.rest.issues import set_state

    here = f"{call.repo['owner']}/{call.repo['name']}".lower()
    for where, number in CLOSING.findall(text):
        if where and where.lower() != here:
            continue
        sql = "SELECT * FROM issues WHERE repo_id = ? AND number = ? AND is_pull = 0"
        issue = one(call.db, sql, call.repo["id"], int(number))
        if issue is not None and issue["state"] == "open":
            set_state(call, issue, "closed", "completed", sha)


def _new(store: Repository, before: str, after: str) -> list[Commit]:
    head, old = gitrepo.commit_of(store, after), gitrepo.commit_of(store, before)
    if head is None:
        return []
    found = []
    for commit in gitrepo.history(store, head, without=old):
        found.append(commit)
        if len(found) == MOST:
            break
    return found[::-1]


def _push(call: Call, store: Repository, ref: str, before: str | None, after: str | None) -> None:
    commits = _new(store, before, after) if before and after else []
    head = gitrepo.commit_of(store, after) if after else None
    url = f"{call.view.web}/{call.repo['owner']}/{call.repo['name']}/compare/{before}...{after}"
    forced = bool(before and after and not gitrepo.is_ancestor(store, before, after))
    parts: Json = {
        "ref": ref, "before": before or gitrepo.ZERO, "after": after or gitrepo.ZERO,
        "created": before is None, "deleted": after is None, "forced": forced, "base_ref": None,
        "compare": url, "commits": [_pushed(call, store, c) for c in commits],
        "head_commit": _pushed(call, store, head) if head else None,
        "pusher": {"name": call.me["login"], "email": f"{call.me['login']}@{gitrepo.HOST}"},
    }  # fmt: skip
    parts["repository"] = _old_shape(call)
    emit(call, "push", None, parts, ref=ref, sha=after or "")


def _old_shape(call: Call) -> Json:
    """Of all events only a push still shows the repository so."""
    shown = repo_json(call.view, call.repo)
    owner = {**shown["owner"], "name": call.repo["owner"], "email": None}
    return {
        **shown, "owner": owner, "stargazers": 0, "master_branch": call.repo["default_branch"],
    }  # fmt: skip


def _pushed(call: Call, store: Repository, commit: Commit) -> Json:
    shown = commit_json(call.view, call.repo, commit)
    files = gitrepo.diff(store, commit.parents[0].tree if commit.parents else None, commit.tree)
    who = signature_json(commit.author)
    named = {"name": who["name"], "email": who["email"], "username": who["name"]}
    return {
        "id": shown["sha"], "tree_id": str(commit.tree_id), "distinct": True,
        "message": shown["commit"]["message"], "timestamp": who["date"],
        "url": shown["html_url"], "author": named, "committer": named,
        "added": [f.path for f in files if f.status in ("added", "copied")],
        "removed": [f.path for f in files if f.status == "removed"]
        + [f.old_path for f in files if f.status == "renamed"],
        "modified": [f.path for f in files if f.status in ("modified", "changed", "renamed")],
    }  # fmt: skip
