"""The people and repositories that a twin starts with, from a YAML file. Twice changes nothing."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from bot.twin.access import DEFAULT_BOT, ROLES, find_repo
from bot.twin.call import Call, Problem, View
from bot.twin.plans import checked
from bot.twin.rest import repos
from bot.twin.site import Site
from bot.twin.store import Row, insert, one, update

BOT_ID = 41898282
"""The number of github-actions[bot] on github.com."""

KINDS = {kind.lower(): kind for kind in ("User", "Organization", "Bot")}
FIRST: dict[str, Any] = {
    "users": [{"login": "octocat", "site_admin": False}],
    "repos": [{"owner": "octocat", "name": "strategies", "auto_init": True}],
}


def plant(site: Site, file: Path | None) -> None:
    wanted = _read(file) if file else FIRST
    with site.store.writing() as db:
        _user(db, site, DEFAULT_BOT, "Bot", key=BOT_ID)
        for user in _rows(wanted, "users", "login"):
            kind = KINDS.get(str(user.get("type") or "User").lower())
            if kind is None:
                raise ValueError(f"{user['login']}: the type is one of {', '.join(KINDS.values())}")
            made = _user(db, site, str(user["login"]), kind, _yes(user, "site_admin"))
            _token(db, made, user)
            _plan(db, made, user)
        for repo in _rows(wanted, "repos", "owner", "name"):
            _repo(db, site, repo)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = YAML(typ="safe").load(file.read_text())
    except (YAMLError, OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {error}") from None
    if not isinstance(found or {}, dict):
        raise ValueError(f"{file}: users and repos are wanted, each a list")
    return found or {}


def _rows(wanted: dict[str, Any], name: str, *needed: str) -> list[dict[str, Any]]:
    rows = wanted.get(name) or []
    for row in rows if isinstance(rows, list) else [rows]:
        if not isinstance(row, dict) or any(row.get(key) in (None, "") for key in needed):
            raise ValueError(f"{name}: {row!r} has no {' or no '.join(needed)}")
    return list(rows)


def _yes(row: dict[str, Any], name: str) -> bool:
    """Also where somebody has put it in quotes."""
    return str(row.get(name) or "false").lower() in ("true", "yes", "on", "1")


def _user(
    db: sqlite3.Connection, site: Site, login: str, kind: str, admin: bool = False, key: int = 0
) -> Row:
    there = one(db, "SELECT * FROM users WHERE login = ?", login)
    if there is None:
        number = {"id": key} if key else {}
        insert(
            db, "users", **number, login=login, type=kind, site_admin=admin,
            name=login, email=None, created_at=site.clock.stamp(),
        )  # fmt: skip
        there = one(db, "SELECT * FROM users WHERE login = ?", login)
    if there is None:
        raise ValueError(f"{login}: no such user")
    return there


def _token(db: sqlite3.Connection, user: Row, row: dict[str, Any]) -> None:
    wanted, scopes = row.get("token"), row.get("scopes")
    if not wanted and one(db, "SELECT 1 FROM tokens WHERE user_id = ?", user["id"]):
        return
    held = ", ".join(str(x) for x in scopes) if isinstance(scopes, list) else scopes
    sql = "INSERT OR REPLACE INTO tokens (token, user_id, scopes) VALUES (?, ?, ?)"
    db.execute(sql, (str(wanted or "ghp_" + secrets.token_hex(18)), user["id"], held))


def _plan(db: sqlite3.Connection, user: Row, row: dict[str, Any]) -> None:
    wanted = str(row.get("plan") or "")
    if wanted and _first_time(db, f"plan {user['login']} {wanted}".lower()):
        update(db, "users", user["id"], plan=checked(user["type"], wanted))


def _repo(db: sqlite3.Connection, site: Site, wanted: dict[str, Any]) -> None:
    owner = _user(db, site, str(wanted["owner"]), "User")
    name = str(wanted["name"])
    there = find_repo(db, owner["login"], name)
    if there is None and _first_time(db, f"repo {owner['login']}/{name}".lower()):
        call = Call(site, View(db, site.url, site.url), {}, {}, {}, {}, "", user=owner)
        flags = {k: _yes(wanted, k) for k in ("private", "auto_init")}
        branch = str(wanted.get("default_branch") or "main")
        asked = {**wanted, **flags, "name": name, "default_branch": branch}
        try:
            there = repos.create(call, owner, asked)
        except Problem as problem:
            why = problem.body["errors"][0]["message"]
            raise ValueError(f"{owner['login']}/{name}: the name {why}") from None
    if there is None:
        return
    for login, asked_role in (wanted.get("collaborators") or {}).items():
        role = repos.GRANTS.get(str(asked_role), str(asked_role))
        if role not in ROLES[1:]:
            raise ValueError(f"{login}: {role} is not one of {', '.join(ROLES[1:])}")
        if not _first_time(db, f"role {there['id']} {login} {role}".lower()):
            continue
        user = _user(db, site, str(login), "User")
        sql = "INSERT OR REPLACE INTO collaborators VALUES (?, ?, ?)"
        db.execute(sql, (there["id"], user["id"], role))


def _first_time(db: sqlite3.Connection, what: str) -> bool:
    """What was planted once and changed since is not planted again by a restart."""
    done = db.execute("INSERT OR IGNORE INTO planted VALUES (?)", (what,))
    return done.rowcount == 1
