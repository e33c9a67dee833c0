"""Rulesets of a repository, and what is wrong with its CODEOWNERS file."""

from __future__ import annotations

import json

from bot.twin import gitrepo
from bot.twin.access import at_least, role_of
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.protection import OWNERS
from bot.twin.rest.gitdata import opened
from bot.twin.rulesets import PLAIN, applying
from bot.twin.shapes.people import node_id, repo_url
from bot.twin.store import Row, insert, one, update

RULESETS = f"{REPO}/rulesets"
RULESET = f"{RULESETS}/<int:key>"
KNOWN = {"pull_request", "required_status_checks", *PLAIN}
"""Those that are held to. Another is refused, not kept and passed over."""


def _find(call: Call) -> Row:
    sql = "SELECT * FROM rulesets WHERE repo_id = ? AND id = ?"
    row = one(call.db, sql, call.repo["id"], call.args["key"])
    if row is None:
        raise missing()
    return row


def _short(call: Call, row: Row) -> Json:
    url = f"{repo_url(call.view, call.repo)}/rulesets/{row['id']}"
    return {
        "id": row["id"], "name": row["name"], "target": row["target"],
        "source_type": "Repository", "source": f"{call.repo['owner']}/{call.repo['name']}",
        "enforcement": row["enforcement"], "node_id": node_id("RepositoryRuleset", row["id"]),
        "_links": {"self": {"href": url}}, "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }  # fmt: skip


def _whole(call: Call, row: Row) -> Json:
    """Who may bypass is shown to who may change it."""
    shown = _short(call, row)
    shown |= {k: json.loads(row[k]) for k in ("conditions", "rules")}
    if call.role == "admin":
        shown["bypass_actors"] = json.loads(row["bypass"])
    return shown


def _columns(call: Call) -> Json:
    rules = call.parts("rules")
    unknown = sorted({str(rule.get("type")) for rule in rules} - KNOWN)
    if unknown:
        raise Problem(422, f"Invalid rules: this twin does not know {', '.join(unknown)}")
    return {
        "name": call.need("name"), "target": call.text("target") or "branch",
        "enforcement": call.need("enforcement"), "rules": json.dumps(rules),
        "bypass": json.dumps(call.parts("bypass_actors")),
        "conditions": json.dumps(call.part("conditions")), "updated_at": call.now(),
    }  # fmt: skip


@route("GET", RULESETS)
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM rulesets WHERE repo_id = ? ORDER BY id"
    return call.page(sql, (call.repo["id"],), lambda r: _short(call, r))


@route("POST", RULESETS, role="admin", scope="administration:write")
def create(call: Call) -> Answer:
    columns = _columns(call)
    sql = "SELECT 1 FROM rulesets WHERE repo_id = ? AND name = ?"
    if one(call.db, sql, call.repo["id"], columns["name"]):
        raise invalid("RepositoryRuleset", "name", "custom", message="Name must be unique")
    key = insert(call.db, "rulesets", repo_id=call.repo["id"], created_at=call.now(), **columns)
    call.args["key"] = key
    return Answer(201, _whole(call, _find(call)))


@route("GET", RULESET)
def get(call: Call) -> Json:
    return _whole(call, _find(call))


@route("PUT", RULESET, role="admin", scope="administration:write")
def put(call: Call) -> Json:
    update(call.db, "rulesets", _find(call)["id"], **_columns(call))
    return _whole(call, _find(call))


@route("DELETE", RULESET, role="admin", scope="administration:write")
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM rulesets WHERE id = ?", (_find(call)["id"],))
    return Answer(204)


@route("GET", f"{REPO}/rules/branches/<path:branch>")
def of_branch(call: Call) -> Answer:
    """Every rule that is in force there, with the ruleset that it comes from."""
    source = f"{call.repo['owner']}/{call.repo['name']}"
    found = [
        {
            **rule, "ruleset_source_type": "Repository", "ruleset_source": source,
            "ruleset_id": row["id"],
        }
        for row in applying(call, call.args["branch"])
        for rule in json.loads(row["rules"])
    ]  # fmt: skip
    return call.page_of(found, lambda rule: rule)


@route("GET", f"{REPO}/codeowners/errors", scope="contents:read")
def owner_errors(call: Call) -> Json:
    """An owner counts who is somebody and may write here."""
    store = opened(call)
    head = gitrepo.commit_of(store, call.query.get("ref") or call.repo["default_branch"])
    texts = ((name, gitrepo.blob_at(store, head, name)) for name in OWNERS) if head else ()
    path, text = next(((name, t) for name, t in texts if t is not None), ("", None))
    if text is None:
        raise missing()
    found = []
    for number, line in enumerate(text.decode(errors="replace").splitlines(), 1):
        for owner in line.split("#")[0].split()[1:]:
            if not _may_own(call, owner.removeprefix("@")):
                found.append(_error(path, number, line, owner))
    return {"errors": found}


def _may_own(call: Call, login: str) -> bool:
    user = one(call.db, "SELECT * FROM users WHERE login = ?", login)
    return user is not None and at_least(role_of(call.db, call.repo, user), "write")


def _error(path: str, number: int, line: str, owner: str) -> Json:
    column = line.index(owner) + 1
    message = f"Unknown owner on line {number}: make sure {owner} exists and has write access"
    return {
        "line": number, "column": column, "kind": "Unknown owner", "source": line + "\n",
        "suggestion": f"make sure {owner} exists and has write access to the repository",
        "message": f"{message}\n\n  {line}\n{'^':>{column + 2}}", "path": path,
    }  # fmt: skip
