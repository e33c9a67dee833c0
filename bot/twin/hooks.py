"""Delivers webhooks, signed: each hook's in their order, and no hook waits for another's receiver.

What was sent when the twin was killed before it noted so is sent again, under the same name.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
import traceback
from urllib.parse import urlencode

import requests

from bot.twin.site import Site
from bot.twin.store import Row, insert, many, one, update

SECONDS = 10
PAUSE = 0.5


def forever(site: Site, stop: threading.Event) -> None:
    """A thread for every hook that has something to hear, as long as it has."""
    busy: dict[int, threading.Thread] = {}
    while not stop.is_set():
        site.due.wait(PAUSE)
        site.due.clear()
        for row in many(site.store.reader, "SELECT DISTINCT hook_id FROM due"):
            key = row["hook_id"]
            if key not in busy or not busy[key].is_alive():
                busy[key] = threading.Thread(target=_all_of, args=(site, key, stop), daemon=True)
                busy[key].start()


def _all_of(site: Site, hook_id: int, stop: threading.Event) -> None:
    sql = "SELECT * FROM due WHERE hook_id = ? ORDER BY id LIMIT 1"
    while not stop.is_set():
        due = one(site.store.reader, sql, hook_id)
        hook = one(site.store.reader, "SELECT * FROM hooks WHERE id = ?", hook_id)
        if due is None or hook is None:
            return
        try:
            _deliver(site, hook, due)
        except Exception:  # one that cannot even be sent is not tried for ever
            traceback.print_exc()
            with site.store.writing() as db:
                db.execute("DELETE FROM due WHERE id = ?", (due["id"],))


def _deliver(site: Site, hook: Row, due: Row) -> None:
    body, headers = _signed(hook, due)
    began = time.monotonic()
    try:
        got = requests.post(hook["url"], data=body, headers=headers, timeout=SECONDS)
        code, status, said = got.status_code, got.reason or "OK", got.text[:10_000]
    except requests.RequestException as error:
        code, status, said = 502, "failed to connect to host", str(error)
    with site.store.writing() as db:
        db.execute("DELETE FROM due WHERE id = ?", (due["id"],))
        if one(db, "SELECT 1 FROM hooks WHERE id = ?", hook["id"]) is None:
            return
        insert(
            db, "deliveries", hook_id=hook["id"], guid=due["guid"], event=due["event"],
            action=due["action"], payload=due["payload"], redelivery=due["redelivery"],
            status=status, code=code, duration=round(time.monotonic() - began, 3),
            request_headers=json.dumps(headers), response_body=said,
            delivered_at=site.clock.stamp(),
        )  # fmt: skip
        end = "active" if code < 300 else "unused"
        update(db, "hooks", hook["id"], last_code=code, last_status=end)


def _signed(hook: Row, due: Row) -> tuple[bytes, dict[str, str]]:
    form = hook["content_type"] != "json"
    body = (urlencode({"payload": due["payload"]}) if form else due["payload"]).encode()
    headers = {
        "Content-Type": "application/x-www-form-urlencoded" if form else "application/json",
        "User-Agent": "GitHub-Hookshot/twin", "X-GitHub-Event": due["event"],
        "X-GitHub-Delivery": due["guid"], "X-GitHub-Hook-ID": str(hook["id"]),
        "X-GitHub-Hook-Installation-Target-Type": "repository",
        "X-GitHub-Hook-Installation-Target-ID": str(hook["repo_id"]),
    }  # fmt: skip
    if hook["secret"]:
        key = hook["secret"].encode()
        headers["X-Hub-Signature-256"] = f"sha256={hmac.new(key, body, 'sha256').hexdigest()}"
        old = hmac.new(key, body, hashlib.sha1)  # nosec B324
        headers["X-Hub-Signature"] = f"sha1={old.hexdigest()}"
    return body, headers
