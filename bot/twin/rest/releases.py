"""Releases and their files. Publishing one makes its tag if need be."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

from bot.twin import gitrepo
from bot.twin.access import at_least
from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit
from bot.twin.moves import moved
from bot.twin.rest.gitdata import opened
from bot.twin.shapes.people import html_url, node_id, repo_url, user_json
from bot.twin.store import Row, insert, many, one, update

RELEASE = f"{REPO}/releases/<int:key>"
ASSET = f"{REPO}/releases/assets/<int:key>"
READ, WRITE = "contents:read", "contents:write"


def _json(call: Call, row: Row) -> Json:
    base = repo_url(call.view, call.repo)
    url, tag = f"{base}/releases/{row['id']}", quote(row["tag_name"])
    assets = many(call.db, "SELECT * FROM assets WHERE release_id = ? ORDER BY id", row["id"])
    return {
        "url": url, "html_url": f"{html_url(call.view, call.repo)}/releases/tag/{tag}",
        "assets_url": f"{url}/assets", "id": row["id"], "node_id": node_id("Release", row["id"]),
        "upload_url": f"{call.view.web}/uploads/repos/{call.repo['owner']}/{call.repo['name']}"
        f"/releases/{row['id']}/assets{{?name,label}}",
        "tarball_url": f"{base}/tarball/{tag}", "zipball_url": f"{base}/zipball/{tag}",
        "tag_name": row["tag_name"], "target_commitish": row["target"], "name": row["name"],
        "body": row["body"], "draft": bool(row["draft"]), "prerelease": bool(row["prerelease"]),
        "author": user_json(call.view, row["author_id"]), "created_at": row["created_at"],
        "published_at": row["published_at"], "immutable": False,
        "updated_at": row["published_at"] or row["created_at"],
        "assets": [_asset(call, a) for a in assets],
    }  # fmt: skip


def _asset(call: Call, row: Row) -> Json:
    url = f"{repo_url(call.view, call.repo)}/releases/assets/{row['id']}"
    return {
        "url": url, "browser_download_url": url, "id": row["id"],
        "node_id": node_id("Asset", row["id"]), "name": row["name"], "label": row["label"],
        "state": "uploaded", "content_type": row["content_type"], "size": len(row["content"]),
        "digest": f"sha256:{hashlib.sha256(row['content']).hexdigest()}", "download_count": 0,
        "created_at": row["created_at"], "updated_at": row["created_at"],
        "uploader": user_json(call.view, row["uploader_id"]),
    }  # fmt: skip


def _find(call: Call) -> Row:
    sql = "SELECT * FROM releases WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None or (row["draft"] and not at_least(call.role, "write")):
        raise missing()
    return row


@route("POST", f"{REPO}/releases", role="write", scope=WRITE)
def create(call: Call) -> Answer:
    tag, draft = call.need("tag_name"), call.flag("draft")
    target = call.text("target_commitish") or call.repo["default_branch"]
    sql = "SELECT 1 FROM releases WHERE repo_id = ? AND tag_name = ? AND draft = 0"
    if one(call.db, sql, call.repo["id"], tag):
        raise invalid("Release", "tag_name", "already_exists")
    if not draft:
        _tag(call, tag, target)
    at = call.now()
    key = insert(
        call.db, "releases", repo_id=call.repo["id"], tag_name=tag, target=target,
        name=call.text("name"), body=call.text("body"), draft=draft,
        prerelease=call.flag("prerelease"), author_id=call.me["id"], created_at=at,
        published_at=None if draft else at,
    )  # fmt: skip
    call.args["key"] = key
    return Answer(201, _told(call, draft))


def _told(call: Call, draft: bool) -> Json:
    shown = _json(call, _find(call))
    if not draft:
        emit(call, "release", "published", {"release": shown}, ref=shown["tag_name"])
    return shown


def _tag(call: Call, tag: str, target: str) -> None:
    store, ref = opened(call), f"refs/tags/{tag}"
    if gitrepo.ref_target(store, ref) is not None:
        return
    commit = gitrepo.commit_of(store, target)
    if commit is None:
        raise invalid("Release", "target_commitish")
    gitrepo.move_ref(store, ref, str(commit.id), None)
    moved(call, ref, None, str(commit.id))


@route("GET", f"{REPO}/releases", scope=READ)
def listing(call: Call) -> Answer:
    drafts = at_least(call.role, "write")
    sql = "SELECT * FROM releases WHERE repo_id = ? AND draft <= ? ORDER BY id DESC"
    return call.page(sql, (call.repo["id"], drafts), lambda r: _json(call, r))


@route("GET", f"{REPO}/releases/latest", scope=READ)
def latest(call: Call) -> Json:
    sql = (
        "SELECT * FROM releases WHERE repo_id = ? AND NOT draft AND NOT prerelease ORDER BY id DESC"
    )
    row = one(call.db, sql, call.repo["id"])
    if row is None:
        raise missing()
    return _json(call, row)


@route("GET", f"{REPO}/releases/tags/<path:tag>", scope=READ)
def by_tag(call: Call) -> Json:
    sql = "SELECT * FROM releases WHERE repo_id = ? AND tag_name = ? AND NOT draft"
    row = one(call.db, sql, call.repo["id"], call.args["tag"])
    if row is None:
        raise missing()
    return _json(call, row)


@route("GET", RELEASE, scope=READ)
def get(call: Call) -> Json:
    return _json(call, _find(call))


@route("PATCH", RELEASE, role="write", scope=WRITE)
def edit(call: Call) -> Json:
    row = _find(call)
    columns: Json = {k: call.text(k) for k in ("tag_name", "name", "body") if k in call.body}
    columns |= {"target": call.need("target_commitish")} if "target_commitish" in call.body else {}
    columns |= {k: call.flag(k) for k in ("draft", "prerelease") if k in call.body}
    publishes = row["draft"] and columns.get("draft") is False
    if publishes:
        _tag(call, columns.get("tag_name") or row["tag_name"], row["target"])
        columns["published_at"] = call.now()
    update(call.db, "releases", row["id"], **columns)
    return _told(call, not publishes)


@route("DELETE", RELEASE, role="write", scope=WRITE)
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM releases WHERE id = ?", (_find(call)["id"],))
    return Answer(204)


@route("POST", "/uploads/repos/<owner>/<repo>/releases/<int:key>/assets", role="write", scope=WRITE)
def upload(call: Call) -> Answer:
    """On github.com this lives under another name of host."""
    row, name = _find(call), call.query.get("name", "")
    sql = "SELECT 1 FROM assets WHERE release_id = ? AND name = ?"
    if not name:
        raise Problem(422, 'Invalid request.\n\n"name" wasn\'t supplied.')
    if one(call.db, sql, row["id"], name):
        raise invalid("ReleaseAsset", "name", "already_exists")
    key = insert(
        call.db, "assets", release_id=row["id"], name=name, label=call.query.get("label"),
        content_type=call.headers.get("Content-Type", "application/octet-stream"),
        content=call.raw, uploader_id=call.me["id"], created_at=call.now(),
    )  # fmt: skip
    return Answer(201, _asset(call, _find_asset(call, key)))


def _find_asset(call: Call, key: int) -> Row:
    sql = """SELECT assets.* FROM assets JOIN releases ON releases.id = release_id
             WHERE assets.id = ? AND repo_id = ?"""
    row = one(call.db, sql, key, call.repo["id"])
    if row is None:
        raise missing()
    return row


@route("GET", f"{RELEASE}/assets", scope=READ)
def assets(call: Call) -> Answer:
    sql = "SELECT * FROM assets WHERE release_id = ? ORDER BY id"
    return call.page(sql, (_find(call)["id"],), lambda r: _asset(call, r))


@route("GET", ASSET, scope=READ)
def get_asset(call: Call) -> Json | Answer:
    row = _find_asset(call, call.args["key"])
    if "octet-stream" in call.headers.get("Accept", ""):
        return Answer(raw=row["content"], kind="application/octet-stream")
    return _asset(call, row)


@route("PATCH", ASSET, role="write", scope=WRITE)
def edit_asset(call: Call) -> Json:
    row = _find_asset(call, call.args["key"])
    columns = {k: call.text(k) for k in ("name", "label") if k in call.body}
    update(call.db, "assets", row["id"], **columns)
    return _asset(call, _find_asset(call, row["id"]))


@route("DELETE", ASSET, role="write", scope=WRITE)
def delete_asset(call: Call) -> Answer:
    row = _find_asset(call, call.args["key"])
    call.db.execute("DELETE FROM assets WHERE id = ?", (row["id"],))
    return Answer(204)
