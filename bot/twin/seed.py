"""The people and repositories that a twin starts with, from a YAML file. Twice changes nothing."""

from __future__ import annotations

import secrets
import sqlite3
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from bot.twin.access import DEFAULT_BOT, ROLES, find_repo
from bot.twin.call import Call, View
from bot.twin.rest import repos
from bot.twin.site import Site
from bot.twin.store import Row, insert, one

BOT_ID = 41898282
"""The number of github-actions[bot] on github.com."""

FIRST: dict[str, Any] = {
    "users": [{"login": "octocat", "site_admin": False}],
    "repos": [{"owner": "octocat", "name": "strategies", "auto_init": True}],
}


def plant(site: Site, file: Path | None) -> None:
    wanted = YAML(typ="safe").load(file.read_text()) if file else FIRST
    with site.store.writing() as db:
        _user(db, site, DEFAULT_BOT, "Bot", key=BOT_ID)
        for user in wanted.get("users") or ():
            made = _user(
                db, site, user["login"], user.get("type", "User"), bool(user.get("site_admin"))
            )
            _token(db, made, user.get("token"))
        for repo in wanted.get("repos") or ():
            _repo(db, site, repo)


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


def _token(db: sqlite3.Connection, user: Row, wanted: str | None) -> None:
    if wanted is None and one(db, "SELECT 1 FROM tokens WHERE user_id = ?", user["id"]):
        return
    token = wanted or "ghp_" + secrets.token_hex(18)
    db.execute("INSERT OR REPLACE INTO tokens (token, user_id) VALUES (?, ?)", (token, user["id"]))


def _repo(db: sqlite3.Connection, site: Site, wanted: dict[str, Any]) -> None:
    owner = _user(db, site, wanted["owner"], "User")
    there = find_repo(db, wanted["owner"], wanted["name"])
    if there is None:
        call = Call(site, View(db, site.url, site.url), {}, {}, {}, {}, "", user=owner)
        there = repos.create(call, owner, wanted)
    for login, role in (wanted.get("collaborators") or {}).items():
        if role not in ROLES[1:]:
            raise ValueError(f"{login}: {role} is not one of {', '.join(ROLES[1:])}")
        user = _user(db, site, login, "User")
        sql = "INSERT OR REPLACE INTO collaborators VALUES (?, ?, ?)"
        db.execute(sql, (there["id"], user["id"], role))
