"""Who is asking, what they may do in a repository, and how GitHub says no."""

from __future__ import annotations

import base64
import binascii
import json
import sqlite3

from bot.twin.call import Call, Problem, Route, missing
from bot.twin.store import Row, seldom

ROLES = ("none", "read", "triage", "write", "maintain", "admin")
LEVELS = ("none", "read", "write")
DEFAULT_BOT = "github-actions[bot]"
NO_SCOPE = "Resource not accessible by integration"
ALL_SCOPES = "admin:repo_hook, delete_repo, repo, workflow"
"""Of a person's token, if nothing else was said when it was made."""


def credentials(header: str) -> str | None:
    """`token x`, `Bearer x`, or basic with the token as password (or, as git does, as user)."""
    kind, _, rest = header.strip().partition(" ")
    if kind.lower() in ("token", "bearer"):
        return rest.strip()
    if kind.lower() != "basic":
        return None
    try:
        name, _, password = base64.b64decode(rest).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise Problem(401, "Bad credentials") from None
    return password if password not in ("", "x-oauth-basic") else name


def identify(db: sqlite3.Connection, header: str | None, now: float) -> Row | None:
    """The token's row; None for nobody; a wrong token is worse than none."""
    secret = credentials(header) if header else None
    if secret is None:
        return None
    token = seldom(db, "SELECT * FROM tokens WHERE token = ?", secret)
    if token is None or (token["expires"] and token["expires"] < now):
        raise Problem(401, "Bad credentials")
    return token


def role_of(db: sqlite3.Connection, repo: Row, user: Row | None) -> str:
    """The effective role: a stranger on a public repository has `read`."""
    if user is not None:
        if user["id"] == repo["owner_id"] or user["site_admin"]:
            return "admin"
        sql = "SELECT role FROM collaborators WHERE repo_id = ? AND user_id = ?"
        found = seldom(db, sql, repo["id"], user["id"])
        if found is not None:
            return str(found["role"])
    return "none" if repo["private"] else "read"


def find_repo(db: sqlite3.Connection, owner: str, name: str) -> Row | None:
    sql = """SELECT repos.*, users.login AS owner FROM repos JOIN users ON users.id = owner_id
             WHERE users.login = ? AND repos.name = ?"""
    return seldom(db, sql, owner, name)


def enter(call: Call, route: Route) -> None:
    """Finds the repository of the call, and refuses who may not do this there."""
    if "owner" in call.args and "repo" in call.args:
        _find(call, route.writes)
    if route.writes and call.user is None:
        raise Problem(401, "Requires authentication")
    if call.repo_row is not None:
        _check_scope(call, route.scope, route.writes)
        _check_role(call, route.role)
        if route.writes and call.repo_row["archived"] and route.role != "admin":
            raise Problem(403, "Repository was archived so is read-only.")


def admit(call: Call, role: str, writes: bool) -> None:
    """The same for git, which asks for a whole repository."""
    _find(call, writes)
    if writes and call.user is None:
        raise Problem(401, "Requires authentication")
    _check_scope(call, f"contents:{role}", writes)
    _check_role(call, role)
    if writes and call.repo["archived"]:
        raise Problem(403, "This repository was archived so it is read-only.")


def _find(call: Call, writes: bool) -> None:
    call.repo_row = find_repo(call.db, call.args["owner"], call.args["repo"])
    if call.repo_row is None:
        raise missing()
    call.role = _role(call, call.repo_row)
    if call.role == "none" or not _in_scope(call, call.repo_row, writes):
        raise missing()


def scopes_of(token: Row) -> str | None:
    """Of a person's token; that of a job has permissions instead."""
    if token["permissions"] is not None:
        return None
    return ALL_SCOPES if token["scopes"] is None else str(token["scopes"])


def _in_scope(call: Call, repo: Row, writes: bool) -> bool:
    """What is out of a token's scope is not there for it, as GitHub has it."""
    scopes = scopes_of(call.token) if call.token is not None else None
    if scopes is None or not (writes or repo["private"]):
        return True
    held = scopes.split(", ")
    return "repo" in held or ("public_repo" in held and not repo["private"])


def _role(call: Call, repo: Row) -> str:
    if not call.silent:
        return role_of(call.db, repo, call.user)
    here = call.token is not None and call.token["repo_id"] == repo["id"]
    return "write" if here else role_of(call.db, repo, None)


def _check_scope(call: Call, scope: str, writes: bool) -> None:
    if not call.silent or call.token is None:
        return
    given = json.loads(call.token["permissions"])
    elsewhere = call.token["repo_id"] != call.repo["id"]
    if not allows(given, scope) or (elsewhere and writes):
        raise Problem(403, NO_SCOPE)


def allows(given: dict[str, str], scope: str) -> bool:
    """`a:write|b:read`: one of them is enough. Metadata may be read with any token."""
    for wanted in scope.split("|"):
        name, _, level = wanted.partition(":")
        has = "read" if name == "metadata" else given.get(name, "none")
        if LEVELS.index(has) >= LEVELS.index(level):
            return True
    return False


def _check_role(call: Call, wanted: str) -> None:
    if at_least(call.role, wanted):
        return
    if wanted == "admin":
        raise Problem(403, "Must have admin rights to Repository.")
    raise Problem(403, "Must have push access to repository" if wanted == "write" else "Forbidden")


def at_least(role: str, wanted: str) -> bool:
    return ROLES.index(role) >= ROLES.index(wanted)
