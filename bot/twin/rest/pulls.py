"""Pull requests: opened, listed, edited, closed; their commits and files; who shall review."""

from __future__ import annotations

from pygit2 import Repository

from bot.twin import gitrepo
from bot.twin.access import at_least, role_of
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import record
from bot.twin.moves import tell
from bot.twin.protection import check_states, merge_refused
from bot.twin.ranges import commits_of, counts, files_of
from bot.twin.rest.commits import raw_diff, raw_patch
from bot.twin.rest.gitdata import opened
from bot.twin.rest.issues import good_title, new_issue, set_state
from bot.twin.shapes.code import commit_json, file_json
from bot.twin.shapes.people import user_of
from bot.twin.shapes.pull import full_pull_json, pull_json
from bot.twin.site import settings
from bot.twin.store import Row, insert, many, one, update

JOINED = "SELECT issues.*, pulls.* FROM pulls JOIN issues ON issues.id = pulls.id"
PULL = f"{REPO}/pulls/<int:number>"
READ, WRITE = "pull_requests:read", "pull_requests:write"
SORTS = {"created": "issues.created_at", "updated": "issues.updated_at"}
NO_BOTS = "GitHub Actions is not permitted to create or approve pull requests."


def find_pull(call: Call) -> Row:
    sql = f"{JOINED} WHERE issues.repo_id = ? AND issues.number = ?"
    row = one(call.db, sql, call.repo["id"], call.args["number"])
    if row is None:
        raise missing()
    return row


@route("POST", f"{REPO}/pulls", scope=WRITE)
def create(call: Call) -> Answer:
    if call.silent and not settings(call.repo)["actions_create_pulls"]:
        raise Problem(403, NO_BOTS)
    store, title, body = opened(call), call.need("title"), call.long_text("PullRequest")
    head, base = _ends(call, store)
    at = call.now()
    key = int(new_issue(call, title, body, is_pull=True)["id"])
    shas = [gitrepo.ref_target(store, f"refs/heads/{x}") or "" for x in (head, base)]
    insert(
        call.db, "pulls", id=key, repo_id=call.repo["id"], head_ref=head, head_sha=shas[0],
        base_ref=base, base_sha=shas[1], draft=call.flag("draft"),
    )  # fmt: skip
    row = one(call.db, f"{JOINED} WHERE pulls.id = ?", key)
    if row is None:
        raise missing()
    store.references.create(f"refs/pull/{row['number']}/head", shas[0], force=True)
    update(call.db, "issues", key, updated_at=at)
    tell(call, "opened", key)
    shown = _full(call, row, store)
    return Answer(201, shown, {"Location": shown["url"]})


def _ends(call: Call, store: Repository) -> tuple[str, str]:
    owner, _, head = call.need("head").rpartition(":")
    base = call.need("base")
    if owner and owner.lower() != call.repo["owner"].lower():
        raise invalid("PullRequest", "head")
    commits = [
        gitrepo.commit_of(store, f"refs/heads/{x}")
        if gitrepo.ref_target(store, f"refs/heads/{x}")
        else None
        for x in (head, base)
    ]
    for name, commit in zip(("head", "base"), commits, strict=True):
        if commit is None:
            raise invalid("PullRequest", name)
    sql = f"{JOINED} WHERE pulls.repo_id = ? AND head_ref = ? AND base_ref = ? AND state = 'open'"
    if one(call.db, sql, call.repo["id"], head, base):
        why = f"A pull request already exists for {call.repo['owner']}:{head}."
        raise Problem(422, "Validation Failed", _custom(why))
    if commits[0] and commits[1] and gitrepo.is_ancestor(store, *(str(c.id) for c in commits if c)):
        why = f"No commits between {base} and {head}"
        raise Problem(422, "Validation Failed", _custom(why))
    return head, base


def _custom(message: str) -> Json:
    return {"resource": "PullRequest", "code": "custom", "message": message}


@route("GET", f"{REPO}/pulls", scope=READ)
def listing(call: Call) -> Answer:
    q = call.query
    sql, values = f"{JOINED} WHERE pulls.repo_id = ?", [call.repo["id"]]
    if q.get("state", "open") != "all":
        sql, values = f"{sql} AND state = ?", [*values, q.get("state", "open")]
    if "head" in q and ":" in q["head"]:  # without an owner GitHub does not filter at all
        owner, _, branch = q["head"].partition(":")
        same = owner.lower() == call.repo["owner"].lower()
        sql, values = f"{sql} AND head_ref = ?", [*values, branch if same else ""]
    if "base" in q:
        sql, values = f"{sql} AND base_ref = ?", [*values, q["base"]]
    order = "ASC" if q.get("direction") == "asc" else "DESC"
    if "direction" not in q and q.get("sort", "created") != "created":
        order = "ASC"
    column = SORTS.get(q.get("sort", "created"), "issues.created_at")
    sql += f" ORDER BY {column} {order}, issues.number {order}"
    return call.page(sql, values, lambda r: pull_json(call, r))


def _full(call: Call, row: Row, store: Repository) -> Json:
    return full_pull_json(call, row, merge_state(call, row, store), counts(store, row))


def merge_state(call: Call, row: Row, store: Repository) -> str:
    if row["state"] == "closed" or row["mergeable"] is None:
        return "unknown"
    if not row["mergeable"]:
        return "dirty"
    if row["draft"]:
        return "draft"
    if merge_refused(call, row, store):
        return "blocked"
    bad = {"failure", "error", "pending", "cancelled", "timed_out", "action_required"}
    return "unstable" if bad & set(check_states(call, row["head_sha"]).values()) else "clean"


def can_merge(store: Repository, row: Row) -> bool:
    base = gitrepo.commit_of(store, f"refs/heads/{row['base_ref']}")
    head = gitrepo.commit_of(store, row["head_sha"])
    below = gitrepo.merge_base(store, base, head) if base and head else None
    if base is None or head is None or below is None:
        return False
    try:
        gitrepo.merged_tree(store, below, base, head)
    except gitrepo.Conflicts:
        return False
    return True


@route("GET", PULL, scope=READ)
def get(call: Call) -> Json | Answer:
    """The first look after a change says `null`, and makes the next one know: so does GitHub."""
    row, store = find_pull(call), opened(call)
    kind = call.headers.get("Accept", "")
    if "diff" in kind:
        return _diff(store, row)
    if "patch" in kind:
        return raw_patch(call, f"{row['base_sha']}..{row['head_sha']}")
    shown = _full(call, row, store)
    if row["state"] == "open" and row["mergeable"] is None:
        call.site.later(lambda: _look(call, row))
    return shown


def _look(call: Call, row: Row) -> None:
    able = can_merge(gitrepo.open_repo(call.site.folder(call.repo)), row)
    with call.site.store.writing() as db:
        sql = "UPDATE pulls SET mergeable = ? WHERE id = ? AND head_sha = ? AND mergeable IS NULL"
        db.execute(sql, (able, row["id"], row["head_sha"]))


def _diff(store: Repository, row: Row) -> Answer:
    base, head = (gitrepo.commit_of(store, row[x]) for x in ("base_sha", "head_sha"))
    if base is None or head is None:
        raise missing()
    below = gitrepo.merge_base(store, base, head)
    return raw_diff(below.tree if below else None, head)


@route("PATCH", PULL, scope=WRITE)
def edit(call: Call) -> Json:
    row, store = find_pull(call), opened(call)
    if not (at_least(call.role, "write") or row["user_id"] == call.me["id"]):
        raise Problem(403, "Must have admin rights to Repository.")
    if "base" in call.body:
        base = gitrepo.ref_target(store, f"refs/heads/{call.need('base')}")
        if base is None:
            raise invalid("PullRequest", "base")
        update(
            call.db, "pulls", row["id"], base_ref=call.body["base"], base_sha=base, mergeable=None
        )
    columns: Json = {"title": good_title(call.need("title"))} if "title" in call.body else {}
    columns |= {"body": call.long_text("PullRequest")} if "body" in call.body else {}
    update(call.db, "issues", row["id"], **columns, updated_at=call.now())
    if columns:
        tell(call, "edited", row["id"], changes={k: {"from": row[k] or ""} for k in columns})
    if "state" in call.body:
        change_state(call, find_pull(call), call.need("state"))
    return _full(call, find_pull(call), store)


def change_state(call: Call, row: Row, state: str) -> None:
    if state == "open" and row["state"] == "closed":
        sha = gitrepo.ref_target(opened(call), f"refs/heads/{row['head_ref']}")
        if row["merged_at"] or sha is None:
            raise Problem(422, "Validation Failed", _custom("state cannot be changed."))
        update(call.db, "pulls", row["id"], mergeable=None, head_sha=sha)
    set_state(call, row, state, None)


@route("GET", f"{PULL}/commits", scope=READ)
def commits(call: Call) -> Answer:
    rows = commits_of(opened(call), find_pull(call))
    return call.page_of(rows, lambda c: commit_json(call.view, call.repo, c))


@route("GET", f"{REPO}/commits/<sha>/pulls", scope=READ)
def of_commit(call: Call) -> Answer:
    """Those that brought it, or still bring it."""
    store = opened(call)
    commit = gitrepo.commit_of(store, call.args["sha"])
    if commit is None:
        raise Problem(422, f"No commit found for SHA: {call.args['sha']}")
    rows = many(call.db, f"{JOINED} WHERE pulls.repo_id = ? ORDER BY number", call.repo["id"])
    sha = str(commit.id)
    found = [r for r in rows if sha == r["merge_sha"] or _brings(store, r, sha)]
    return call.page_of(found, lambda r: pull_json(call, r))


def _brings(store: Repository, row: Row, sha: str) -> bool:
    return any(str(commit.id) == sha for commit in commits_of(store, row))


@route("GET", f"{PULL}/files", scope=READ)
def files(call: Call) -> Answer:
    row = find_pull(call)
    found = files_of(opened(call), row)
    return call.page_of(found, lambda f: file_json(call.view, call.repo, row["head_sha"], f))


@route("GET", f"{PULL}/requested_reviewers", scope=READ)
def requested(call: Call) -> Json:
    return {"users": pull_json(call, find_pull(call))["requested_reviewers"], "teams": []}


@route("POST", f"{PULL}/requested_reviewers", role="triage", scope=WRITE)
def request_review(call: Call) -> Answer:
    row = find_pull(call)
    for login in call.names("reviewers"):
        user = one(call.db, "SELECT * FROM users WHERE login = ?", login)
        if user is not None and user["id"] == row["user_id"]:
            raise Problem(422, "Review cannot be requested from pull request author.")
        sql = "SELECT 1 FROM collaborators WHERE repo_id = ? AND user_id = ?"
        member = user is not None and (
            role_of(call.db, call.repo, user) == "admin"
            or one(call.db, sql, call.repo["id"], user["id"])
        )
        if user is None or not member:
            why = "Reviews may only be requested from collaborators. One or more of the users"
            raise Problem(422, f"{why} or teams you specified is not a collaborator.")
        sql = "INSERT OR IGNORE INTO reviewers VALUES (?, ?)"
        if call.db.execute(sql, (row["id"], user["id"])).rowcount:
            shown = user_of(call.view, user)
            record(call, row["id"], "review_requested", requested_reviewer=shown)
            tell(call, "review_requested", row["id"], requested_reviewer=shown)
    return Answer(201, pull_json(call, find_pull(call)))


@route("DELETE", f"{PULL}/requested_reviewers", role="triage", scope=WRITE)
def unrequest_review(call: Call) -> Json:
    row = find_pull(call)
    for login in call.names("reviewers"):
        sql = """DELETE FROM reviewers WHERE issue_id = ? AND user_id =
                 (SELECT id FROM users WHERE login = ?)"""
        call.db.execute(sql, (row["id"], login))
    return pull_json(call, find_pull(call))
