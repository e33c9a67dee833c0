"""Webhooks and what became of their deliveries."""

from __future__ import annotations

import json
import uuid
from urllib.parse import urlsplit

from bot.twin.call import REPO, Answer, Call, Json, Problem, invalid, missing, route
from bot.twin.events import emit
from bot.twin.shapes.people import repo_url
from bot.twin.store import Row, insert, one, update

HOOK = f"{REPO}/hooks/<int:key>"
DELIVERY = f"{HOOK}/deliveries/<int:delivery>"


def hook_json(call: Call, row: Row) -> Json:
    url = f"{repo_url(call.view, call.repo)}/hooks/{row['id']}"
    config = {"url": row["url"], "content_type": row["content_type"], "insecure_ssl": "0"}
    if row["secret"]:
        config["secret"] = "********"  # nosec B105
    return {
        "type": "Repository", "id": row["id"], "name": "web", "active": bool(row["active"]),
        "events": json.loads(row["events"]), "config": config, "updated_at": row["updated_at"],
        "created_at": row["created_at"], "url": url, "test_url": f"{url}/test",
        "ping_url": f"{url}/pings", "deliveries_url": f"{url}/deliveries",
        "last_response": {"code": row["last_code"], "status": row["last_status"], "message": None},
    }  # fmt: skip


def _find(call: Call) -> Row:
    sql = "SELECT * FROM hooks WHERE id = ? AND repo_id = ?"
    row = one(call.db, sql, call.args["key"], call.repo["id"])
    if row is None:
        raise missing()
    return row


def _config(call: Call) -> Json:
    given = call.part("config")
    found = {k: str(given[k]) for k in ("url", "secret", "content_type") if given.get(k)}
    if "url" in found and urlsplit(str(found["url"])).scheme not in ("http", "https"):
        raise invalid("Hook", "url", "custom", message="url is not a valid URL")
    return found


@route("GET", f"{REPO}/hooks", role="admin", scope="administration:read")
def listing(call: Call) -> Answer:
    sql = "SELECT * FROM hooks WHERE repo_id = ? ORDER BY id"
    return call.page(sql, (call.repo["id"],), lambda r: hook_json(call, r))


@route("POST", f"{REPO}/hooks", role="admin", scope="administration:write")
def create(call: Call) -> Answer:
    if (call.text("name") or "web") != "web":
        raise invalid("Hook", "name")
    config, at = {"content_type": "form", **_config(call)}, call.now()
    if "url" not in config:
        raise invalid("Hook", "url", "missing_field")
    events = call.names("events") or ["push"]
    sql = "SELECT 1 FROM hooks WHERE repo_id = ? AND url = ? AND events = ?"
    if one(call.db, sql, call.repo["id"], config["url"], json.dumps(events)):
        why = "Hook already exists on this repository"
        raise Problem(
            422, "Validation Failed", {"resource": "Hook", "code": "custom", "message": why}
        )
    key = insert(
        call.db, "hooks", repo_id=call.repo["id"], active=call.flag("active", True),
        events=json.dumps(events), created_at=at, updated_at=at, **config,
    )  # fmt: skip
    call.args["key"] = key
    shown = hook_json(call, _find(call))
    _ping(call, shown)
    return Answer(201, shown)


def _ping(call: Call, shown: Json) -> None:
    parts = {"zen": "Keep it logically awesome.", "hook_id": shown["id"], "hook": shown}
    emit(call, "ping", None, parts)


@route("GET", HOOK, role="admin", scope="administration:read")
def get(call: Call) -> Json:
    return hook_json(call, _find(call))


@route("PATCH", HOOK, role="admin", scope="administration:write")
def edit(call: Call) -> Json:
    row, columns = _find(call), _config(call)
    events = call.names("events") if "events" in call.body else json.loads(row["events"])
    events += [name for name in call.names("add_events") if name not in events]
    gone = call.names("remove_events")
    columns["events"] = json.dumps([name for name in events if name not in gone])
    if "active" in call.body:
        columns["active"] = call.flag("active")
    update(call.db, "hooks", row["id"], **columns, updated_at=call.now())
    return hook_json(call, _find(call))


@route("DELETE", HOOK, role="admin", scope="administration:write")
def delete(call: Call) -> Answer:
    call.db.execute("DELETE FROM hooks WHERE id = ?", (_find(call)["id"],))
    return Answer(204)


@route("POST", f"{HOOK}/pings", role="admin", scope="administration:write")
def ping(call: Call) -> Answer:
    _ping(call, hook_json(call, _find(call)))
    return Answer(204)


@route("POST", f"{HOOK}/tests", role="admin", scope="administration:write")
def test(call: Call) -> Answer:
    """The newest push once more, if the hook hears of pushes at all."""
    row = _find(call)
    sql = "SELECT * FROM events WHERE repo_id = ? AND name = 'push' ORDER BY id DESC"
    last = one(call.db, sql, call.repo["id"])
    if last is not None and {"push", "*"} & set(json.loads(row["events"])):
        same = {k: last[k] for k in ("action", "payload")}
        guid = str(uuid.uuid4())
        insert(call.db, "due", hook_id=row["id"], redelivery=0, guid=guid, event="push", **same)
        call.told = True
    return Answer(204)


def _delivery_json(call: Call, row: Row) -> Json:
    same = ("id", "guid", "delivered_at", "status", "event", "action")
    return {
        **{k: row[k] for k in same}, "redelivery": bool(row["redelivery"]),
        "duration": row["duration"], "status_code": row["code"], "installation_id": None,
        "repository_id": call.repo["id"],
    }  # fmt: skip


@route("GET", f"{HOOK}/deliveries", role="admin", scope="administration:read")
def deliveries(call: Call) -> Answer:
    sql = "SELECT * FROM deliveries WHERE hook_id = ? ORDER BY id DESC"
    return call.page(sql, (_find(call)["id"],), lambda r: _delivery_json(call, r))


def _delivery(call: Call) -> Row:
    sql = "SELECT * FROM deliveries WHERE id = ? AND hook_id = ?"
    row = one(call.db, sql, call.args["delivery"], _find(call)["id"])
    if row is None:
        raise missing()
    return row


@route("GET", DELIVERY, role="admin", scope="administration:read")
def get_delivery(call: Call) -> Json:
    row = _delivery(call)
    return {
        **_delivery_json(call, row), "url": _find(call)["url"],
        "request": {
            "headers": json.loads(row["request_headers"]), "payload": json.loads(row["payload"]),
        },
        "response": {"headers": {}, "payload": row["response_body"]},
    }  # fmt: skip


@route("POST", f"{DELIVERY}/attempts", role="admin", scope="administration:write")
def redeliver(call: Call) -> Answer:
    hook, row = _find(call), _delivery(call)
    same = {k: row[k] for k in ("guid", "event", "action", "payload")}
    insert(call.db, "due", hook_id=hook["id"], redelivery=1, **same)
    call.told = True
    return Answer(202, {})
