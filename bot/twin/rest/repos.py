"""Repositories, collaborators and the effective permission."""

from __future__ import annotations

import json
import re

from bot.twin import gitrepo
from bot.twin.access import ROLES, find_repo, role_of
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.shapes.people import (
    full_repo_json,
    permissions_json,
    repo_json,
    user_json,
    user_of,
)  # fmt: skip
from bot.twin.store import Row, insert, one, update

OWNED = """SELECT repos.*, users.login AS owner FROM repos JOIN users ON users.id = owner_id"""
DEFAULTS = {
    "allow_merge_commit": True, "allow_squash_merge": True, "allow_rebase_merge": True,
    "allow_auto_merge": False, "delete_branch_on_merge": False, "allow_update_branch": False,
    "actions_create_pulls": True, "actions_default": "read", "has_issues": True,
}  # fmt: skip
GRANTS = {"pull": "read", "push": "write"}
NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")


def create(call: Call, owner: Row, asked: Json) -> Row:
    name = str(asked.get("name", ""))
    if not NAME.fullmatch(name) or name in (".", "..") or name.endswith(".git"):
        raise Problem(422, "Repository creation failed.", _name_error("is invalid"))
    if find_repo(call.db, owner["login"], name):
        why = "name already exists on this account"
        raise Problem(422, "Repository creation failed.", _name_error(why))
    at, branch = call.now(), str(asked.get("default_branch") or "main")
    settings = {k: asked.get(k, v) for k, v in DEFAULTS.items()}
    key = insert(
        call.db, "repos", owner_id=owner["id"], name=name, private=bool(asked.get("private")),
        description=asked.get("description"), homepage=asked.get("homepage"),
        default_branch=branch, settings=json.dumps(settings), created_at=at, updated_at=at,
        pushed_at=at,
    )  # fmt: skip
    row = one(call.db, f"{OWNED} WHERE repos.id = ?", key)
    if row is None:
        raise missing()
    gitrepo.init(call.site.folder(row), branch)
    if asked.get("auto_init"):
        gitrepo.first_commit(call.site.folder(row), branch, name, owner["login"])
    return row


def _name_error(why: str) -> Json:
    return {"resource": "Repository", "code": "custom", "field": "name", "message": why}


@route("POST", "/user/repos")
def create_mine(call: Call) -> Answer:
    call.need("name")
    return Answer(201, full_repo_json(call.view, create(call, call.me, call.body), "admin"))


@route("GET", "/user/repos")
def my_repos(call: Call) -> Answer:
    shared = "SELECT repo_id FROM collaborators WHERE user_id = ?"
    sql = f"{OWNED} WHERE owner_id = ? OR repos.id IN ({shared}) ORDER BY repos.name"
    me = call.me
    return call.page(
        sql,
        (me["id"], me["id"]),
        lambda r: repo_json(call.view, r, role_of(call.db, r, me)),
    )


@route("GET", "/users/<login>/repos")
def repos_of(call: Call) -> Answer:
    if one(call.db, "SELECT 1 FROM users WHERE login = ?", call.args["login"]) is None:
        raise missing()
    sql = f"{OWNED} WHERE users.login = ? AND repos.private = 0 ORDER BY repos.name"
    return call.page(sql, (call.args["login"],), lambda r: repo_json(call.view, r))


@route("GET", REPO)
def get(call: Call) -> Json:
    return full_repo_json(call.view, call.repo, call.role)


@route("PATCH", REPO, role="admin", scope="administration:write")
def edit(call: Call) -> Json:
    settings = json.loads(call.repo["settings"])
    settings |= {k: call.body[k] for k in DEFAULTS if k in call.body}
    columns: Json = {k: call.body[k] for k in ("name", "description", "homepage") if k in call.body}
    columns |= {k: call.flag(k) for k in ("private", "archived") if k in call.body}
    if "visibility" in call.body:
        columns["private"] = call.need("visibility") != "public"
    if "default_branch" in call.body:
        branch = call.need("default_branch")
        if gitrepo.resolve(call.site.folder(call.repo), f"refs/heads/{branch}") is None:
            raise invalid("Repository", "default_branch")
        gitrepo.set_head(call.site.folder(call.repo), branch)
        columns["default_branch"] = branch
    update(
        call.db, "repos", call.repo["id"], **columns, settings=json.dumps(settings),
        updated_at=call.now(),
    )  # fmt: skip
    row = one(call.db, f"{OWNED} WHERE repos.id = ?", call.repo["id"])
    return full_repo_json(call.view, row or call.repo, call.role)


@route("DELETE", REPO, role="admin", scope="administration:write")
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM repos WHERE id = ?", (call.repo["id"],))
    return Answer(204)


@route("GET", f"{REPO}/collaborators/<login>/permission")
def permission(call: Call) -> Json:
    """GitHub's older field knows only four; the role says it all."""
    user = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    if user is None:
        raise Problem(404, f"{call.args['login']} is not a user")
    role = role_of(call.db, call.repo, user)
    short = {"triage": "read", "maintain": "write"}.get(role, role)
    shown = {**user_of(call.view, user), "permissions": permissions_json(role), "role_name": role}
    return {"permission": short, "role_name": role, "user": shown}


@route("GET", f"{REPO}/collaborators", role="write")
def collaborators(call: Call) -> Answer:
    sql = """SELECT user_id, role FROM collaborators WHERE repo_id = ?
             UNION SELECT owner_id, 'admin' FROM repos WHERE id = ? ORDER BY user_id"""
    key = call.repo["id"]

    def shape(row: Row) -> Json:
        user = user_json(call.view, row["user_id"]) or {}
        return {**user, "permissions": permissions_json(row["role"]), "role_name": row["role"]}

    return call.page(sql, (key, key), shape)


@route("GET", f"{REPO}/collaborators/<login>")
def is_collaborator(call: Call) -> Answer:
    user = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    sql = "SELECT 1 FROM collaborators WHERE repo_id = ? AND user_id = ?"
    if user is None or not (
        user["id"] == call.repo["owner_id"] or one(call.db, sql, call.repo["id"], user["id"])
    ):
        raise missing()
    return Answer(204)


@route("PUT", f"{REPO}/collaborators/<login>", role="admin", scope="administration:write")
def add_collaborator(call: Call) -> Answer:
    user = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    asked = call.text("permission", "push") or "push"
    role = GRANTS.get(asked, asked)
    if user is None:
        raise missing()
    if role not in ROLES[1:]:
        raise invalid("Repository", "permission")
    sql = "INSERT OR REPLACE INTO collaborators VALUES (?, ?, ?)"
    call.db.execute(sql, (call.repo["id"], user["id"], role))
    return Answer(204)  # GitHub invites; here everybody has agreed already


@route("DELETE", f"{REPO}/collaborators/<login>", role="admin", scope="administration:write")
def remove_collaborator(call: Call) -> Answer:
    sql = """DELETE FROM collaborators WHERE repo_id = ? AND user_id =
             (SELECT id FROM users WHERE login = ?)"""
    call.db.execute(sql, (call.repo["id"], call.args["login"]))
    return Answer(204)
