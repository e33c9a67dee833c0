"""Merge, squash, rebase; and every reason to refuse one of them."""

from __future__ import annotations

from pygit2 import Commit, Oid, Repository, Signature

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, route
from bot.twin.moves import close_mentioned, mark_merged, moved
from bot.twin.protection import binding_rules, merge_refused
from bot.twin.ranges import commits_of
from bot.twin.rest.gitdata import opened
from bot.twin.rest.pulls import PULL, find_pull
from bot.twin.shapes.code import commit_json
from bot.twin.site import settings
from bot.twin.store import Row

STALE = "Head branch was modified. Review and try the merge again."
BASE_MOVED = "Base branch was modified. Review and try the merge again."
ALLOWED = {
    "merge": ("allow_merge_commit", "Merge commits are not allowed on this repository."),
    "squash": ("allow_squash_merge", "Squash merges are not allowed on this repository."),
    "rebase": ("allow_rebase_merge", "Rebase merges are not allowed on this repository."),
}


def _committer(call: Call) -> Signature:
    return Signature("GitHub", "noreply@github.com", int(call.site.clock.now()), 0)


@route("GET", f"{PULL}/merge", scope="pull_requests:read")
def is_merged(call: Call) -> Answer:
    merged = find_pull(call)["merged_at"] is not None
    return Answer(204) if merged else Answer(404, Problem(404, "Not Found").body)


@route("PUT", f"{PULL}/merge", role="write", scope="contents:write")
def merge(call: Call) -> Json:
    row, store = find_pull(call), opened(call)
    method = call.text("merge_method") or "merge"
    base, head = _check(call, row, store, method)
    make = {"merge": _merge, "squash": _squash, "rebase": _rebase}[method]
    try:
        sha = str(make(call, store, row, base, head))
    except gitrepo.Conflicts:
        raise Problem(405, "Pull Request is not mergeable") from None
    ref = f"refs/heads/{row['base_ref']}"
    try:
        gitrepo.move_ref(store, ref, sha, str(base.id))
    except gitrepo.Moved:
        raise Problem(405, BASE_MOVED) from None
    mark_merged(call, row, sha)
    moved(call, ref, str(base.id), sha)
    if row["base_ref"] == call.repo["default_branch"]:
        close_mentioned(call, f"{row['title']}\n{row['body'] or ''}", sha)
    _tidy(call, store, row)
    return {"sha": sha, "merged": True, "message": "Pull Request successfully merged"}


def _check(call: Call, row: Row, store: Repository, method: str) -> tuple[Commit, Commit]:
    if method not in ALLOWED:
        raise Problem(422, "Invalid request.\n\nmerge_method must be merge, squash or rebase.")
    if row["state"] != "open":
        raise Problem(405, "Pull Request is not mergeable")
    if row["draft"]:
        raise Problem(405, "Pull Request is still a draft")
    if (call.text("sha") or row["head_sha"]) != row["head_sha"]:
        raise Problem(409, STALE)
    setting, why = ALLOWED[method]
    if not settings(call.repo)[setting]:
        raise Problem(405, why)
    if method == "merge" and _must_be_a_line(call, row):
        raise Problem(405, "This branch must not contain merge commits.")
    refused = merge_refused(call, row, store)
    if refused:
        raise Problem(405, refused)
    base = gitrepo.commit_of(store, f"refs/heads/{row['base_ref']}")
    head = gitrepo.commit_of(store, row["head_sha"])
    if base is None or head is None:
        raise Problem(405, "Pull Request is not mergeable")
    return base, head


def _must_be_a_line(call: Call, row: Row) -> bool:
    rules = binding_rules(call, row["base_ref"], "merge")
    return any(rule.get("required_linear_history") for rule in rules)


def _tree(store: Repository, base: Commit, head: Commit) -> Oid:
    below = gitrepo.merge_base(store, base, head)
    if below is None:
        raise gitrepo.Conflicts
    return gitrepo.merged_tree(store, below, base, head)


def _merge(call: Call, store: Repository, row: Row, base: Commit, head: Commit) -> Oid:
    tree = _tree(store, base, head)
    title = f"Merge pull request #{row['number']} from {call.repo['owner']}/{row['head_ref']}"
    message = call.text("commit_message")
    text = f"{call.text('commit_title') or title}\n\n{row['title'] if message is None else message}"
    me = gitrepo.person(call.me["login"], call.site.clock.now())
    return store.create_commit(None, me, _committer(call), text.strip(), tree, [base.id, head.id])


def _squash(call: Call, store: Repository, row: Row, base: Commit, head: Commit) -> Oid:
    tree = _tree(store, base, head)
    commits = commits_of(store, row)
    listed = "\n\n".join(f"* {c.message.strip()}" for c in commits) if len(commits) > 1 else ""
    title = call.text("commit_title") or f"{row['title']} (#{row['number']})"
    message = call.text("commit_message")
    text = f"{title}\n\n{listed if message is None else message}".strip()
    author = Signature(head.author.name, head.author.email, int(call.site.clock.now()), 0)
    return store.create_commit(None, author, _committer(call), text, tree, [base.id])


def _rebase(call: Call, store: Repository, row: Row, base: Commit, head: Commit) -> Oid:
    """Each commit once more, on top of the base; merge commits are left out as git does."""
    onto = base
    for commit in list(gitrepo.history(store, head, without=base))[::-1]:
        if len(commit.parents) > 1:
            continue
        below = commit.parents[0] if commit.parents else onto
        tree = gitrepo.merged_tree(store, below, onto, commit)
        made = store.create_commit(
            None, commit.author, _committer(call), commit.message, tree, [onto.id]
        )
        onto = store[made].peel(Commit)
    return onto.id


def _tidy(call: Call, store: Repository, row: Row) -> None:
    if settings(call.repo)["delete_branch_on_merge"]:
        ref = f"refs/heads/{row['head_ref']}"
        if gitrepo.ref_target(store, ref) == row["head_sha"]:
            gitrepo.delete_ref(store, ref)
            moved(call, ref, row["head_sha"], None)


@route("PUT", f"{PULL}/update-branch", role="write", scope="contents:write")
def update_branch(call: Call) -> Answer:
    """The base merged into the head."""
    row, store = find_pull(call), opened(call)
    if (call.text("expected_head_sha") or row["head_sha"]) != row["head_sha"]:
        raise Problem(422, "expected head sha didn't match current head ref.")
    base = gitrepo.commit_of(store, f"refs/heads/{row['base_ref']}")
    head = gitrepo.commit_of(store, row["head_sha"])
    if base is None or head is None or gitrepo.is_ancestor(store, str(base.id), str(head.id)):
        raise Problem(422, "There are no new commits on the base branch.")
    try:
        tree = _tree(store, base, head)
    except gitrepo.Conflicts:
        raise Problem(422, "merge conflict between base and head") from None
    text = f"Merge branch '{row['base_ref']}' into {row['head_ref']}"
    me = gitrepo.person(call.me["login"], call.site.clock.now())
    made = store.create_commit(None, me, _committer(call), text, tree, [head.id, base.id])
    ref = f"refs/heads/{row['head_ref']}"
    gitrepo.move_ref(store, ref, str(made), row["head_sha"])
    moved(call, ref, row["head_sha"], str(made))
    shown = f"{call.view.api}{call.path.removesuffix('/update-branch')}"
    return Answer(202, {"message": "Updating pull request branch.", "url": shown})


@route("POST", f"{REPO}/merges", role="write", scope="contents:write")
def merge_branches(call: Call) -> Answer:
    store, name = opened(call), call.need("base")
    base = gitrepo.commit_of(store, f"refs/heads/{name}")
    head = gitrepo.commit_of(store, call.need("head"))
    if base is None or head is None:
        raise Problem(404, "Base does not exist" if base is None else "Head does not exist")
    if gitrepo.is_ancestor(store, str(head.id), str(base.id)):
        return Answer(204)
    try:
        tree = _tree(store, base, head)
    except gitrepo.Conflicts:
        raise Problem(409, "Merge conflict") from None
    text = call.text("commit_message") or f"Merge {call.body['head']} into {name}"
    me = gitrepo.person(call.me["login"], call.site.clock.now())
    made = store.create_commit(None, me, _committer(call), text, tree, [base.id, head.id])
    gitrepo.move_ref(store, f"refs/heads/{name}", str(made), str(base.id))
    moved(call, f"refs/heads/{name}", str(base.id), str(made))
    return Answer(201, commit_json(call.view, call.repo, store[made].peel(Commit)))
