"""Tells what happened: to webhooks, signed, and to Actions. Faults can lose, double or reorder."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
import threading
import time
import traceback
import uuid
from urllib.parse import urlencode

import requests

from bot.twin.actions.triggers import start
from bot.twin.site import Site
from bot.twin.store import Row, insert, many, update

SECONDS = 10
PAUSE = 0.5


def forever(site: Site, stop: threading.Event) -> None:
    """Events in the order in which they happened. One that was not told yet survives a restart."""
    while not stop.is_set():
        site.events.wait(PAUSE)
        site.events.clear()
        try:
            tell_all(site)
        except Exception:
            traceback.print_exc()


def tell_all(site: Site) -> None:
    waiting = many(site.store.reader, "SELECT * FROM events WHERE told = 0 ORDER BY id")
    if not waiting:
        return
    for event in _disturbed(site, waiting):
        _tell(site, event)
    with site.store.writing() as db:
        db.executemany("UPDATE events SET told = 1 WHERE id = ?", [(e["id"],) for e in waiting])
    site.news.set()


def _disturbed(site: Site, events: list[Row]) -> list[Row]:
    """What `/_twin/events` asked for: each is done to the next events of that name."""
    found: list[Row] = []
    for event in events:
        copies = 1
        for fault in site.event_faults:
            if fault["times"] and fault["event"] in (event["name"], "*"):
                fault["times"] -= 1
                copies = {"lose": 0, "double": 2}.get(fault["how"], 1)
                if fault["how"] == "hold":
                    site.held.append(event)
                    copies = 0
                break
        found += [event] * copies
        if copies and site.held:  # a later one has overtaken it
            found += site.held
            site.held = []
    return found


def _tell(site: Site, event: Row) -> None:
    with site.store.writing() as db:
        start(site, db, event)
        hooks = _hooks(db, event)
    guid = str(uuid.uuid4())
    for hook in hooks:
        deliver(site, hook, event["name"], event["action"], event["payload"], guid)


def _hooks(db: sqlite3.Connection, event: Row) -> list[Row]:
    rows = many(db, "SELECT * FROM hooks WHERE repo_id = ? AND active = 1", event["repo_id"])
    wanted = {event["name"], "*"}
    return [
        hook
        for hook in rows
        if wanted & set(json.loads(hook["events"]))
        or (event["name"] == "ping" and json.loads(event["payload"])["hook_id"] == hook["id"])
    ]


def deliver(
    site: Site, hook: Row, name: str, action: str | None, payload: str, guid: str,
    again: bool = False,
) -> None:  # fmt: skip
    form = hook["content_type"] != "json"
    body = (urlencode({"payload": payload}) if form else payload).encode()
    headers = {
        "Content-Type": "application/x-www-form-urlencoded" if form else "application/json",
        "User-Agent": "GitHub-Hookshot/twin", "X-GitHub-Event": name, "X-GitHub-Delivery": guid,
        "X-GitHub-Hook-ID": str(hook["id"]),
        "X-GitHub-Hook-Installation-Target-Type": "repository",
        "X-GitHub-Hook-Installation-Target-ID": str(hook["repo_id"]),
    }  # fmt: skip
    if hook["secret"]:
        key = hook["secret"].encode()
        headers["X-Hub-Signature-256"] = f"sha256={hmac.new(key, body, 'sha256').hexdigest()}"
        old = hmac.new(key, body, hashlib.sha1)  # nosec B324
        headers["X-Hub-Signature"] = f"sha1={old.hexdigest()}"
    began = time.monotonic()
    try:
        got = requests.post(hook["url"], data=body, headers=headers, timeout=SECONDS)
        code, status, said = got.status_code, got.reason or "OK", got.text[:10_000]
    except requests.RequestException as error:
        code, status, said = 502, "failed to connect to host", str(error)
    with site.store.writing() as db:
        insert(
            db, "deliveries", hook_id=hook["id"], guid=guid, event=name, action=action,
            payload=payload, redelivery=again, status=status, code=code,
            duration=round(time.monotonic() - began, 3), request_headers=json.dumps(headers),
            response_body=said, delivered_at=site.clock.stamp(),
        )  # fmt: skip
        end = "active" if code < 300 else "unused"
        update(db, "hooks", hook["id"], last_code=code, last_status=end)
