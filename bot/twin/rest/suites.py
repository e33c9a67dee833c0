"""Check suites: all checks of one commit, seen together."""

from __future__ import annotations

from bot.twin import gitrepo
from bot.twin.call import REPO, Answer, Call, Json, Problem, missing, route
from bot.twin.rest.checks import list_checks
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.checks import suite_json
from bot.twin.store import Row, one

SUITE = f"{REPO}/check-suites/<int:key>"
READ = "checks:read"


def _find(call: Call) -> Row:
    sql = "SELECT * FROM suites WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


@route("GET", SUITE, scope=READ)
def get(call: Call) -> Json:
    row = _find(call)
    commit = gitrepo.commit_of(opened(call), row["head_sha"])
    if commit is None:
        raise missing()
    return suite_json(call.view, call.repo, row, commit)


@route("GET", f"{SUITE}/check-runs", scope=READ)
def checks(call: Call) -> Answer:
    return list_checks(call, "suite_id = ?", [_find(call)["id"]])


@route("GET", f"{REPO}/commits/<path:ref>/check-suites", scope=READ)
def of_commit(call: Call) -> Answer:
    commit = gitrepo.commit_of(opened(call), call.args["ref"])
    if commit is None:
        raise Problem(422, f"No commit found for SHA: {call.args['ref']}")
    sql = "SELECT * FROM suites WHERE repo_id = ? AND head_sha = ? ORDER BY id"
    values = (call.repo["id"], str(commit.id))
    return call.page(
        sql, values, lambda r: suite_json(call.view, call.repo, r, commit), "check_suites"
    )
