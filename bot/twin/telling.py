"""Tells what happened: to Actions, and to whoever delivers webhooks. Faults lose, double, reorder.

The runs that an event starts, the deliveries that it makes and the mark that it was told are one
transaction: a kill at any moment leaves all of them or none.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import traceback
import uuid

from bot.twin.actions.triggers import start
from bot.twin.site import Site
from bot.twin.store import Row, insert, many

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
    held = {event["id"] for event in site.held}
    waiting = many(site.store.reader, "SELECT * FROM events WHERE told = 0 ORDER BY id")
    waiting = [event for event in waiting if event["id"] not in held]
    for event in waiting:
        told = _disturbed(site, event)
        done = {e["id"] for e in told} | {event["id"]} - {e["id"] for e in site.held}
        try:
            with site.store.writing() as db:
                for each in told:
                    _tell(site, db, each)
                _mark(db, done)
        except Exception:  # one that cannot be told holds up no other
            traceback.print_exc()
            with site.store.writing() as db:
                _mark(db, done)
    site.due.set()
    if waiting:
        site.news.set()


def _mark(db: sqlite3.Connection, done: set[int]) -> None:
    db.executemany("UPDATE events SET told = 1 WHERE id = ?", [(key,) for key in done])


def _disturbed(site: Site, event: Row) -> list[Row]:
    """What is told now, by what `/_twin/events` asked for: the next events of a name suffer it."""
    copies = 1
    for fault in site.event_faults:
        if fault["times"] and fault["event"] in (event["name"], "*"):
            fault["times"] -= 1
            copies = {"lose": 0, "double": 2}.get(fault["how"], 1)
            if fault["how"] == "hold":
                site.held.append(event)
                return []
            break
    if not copies:
        return []
    overtaken, site.held = site.held, []
    return [event] * copies + overtaken


def _tell(site: Site, db: sqlite3.Connection, event: Row) -> None:
    start(site, db, event)
    guid = str(uuid.uuid4())
    for hook in _hooks(db, event):
        insert(
            db, "due", hook_id=hook["id"], guid=guid, event=event["name"], action=event["action"],
            payload=event["payload"], redelivery=0,
        )  # fmt: skip


def _hooks(db: sqlite3.Connection, event: Row) -> list[Row]:
    rows = many(db, "SELECT * FROM hooks WHERE repo_id = ? AND active = 1", event["repo_id"])
    wanted = {event["name"], "*"}
    return [
        hook
        for hook in rows
        if wanted & set(json.loads(hook["events"]))
        or (event["name"] == "ping" and json.loads(event["payload"])["hook_id"] == hook["id"])
    ]
