"""Events are told once, whatever is killed when, and nobody waits for a receiver that hangs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from github.Hook import Hook

from bot.twin import telling
from bot.twin.site import Site, open_site
from bot.twin.store import insert, many, one, value
from tests.twin.desk import Desk
from tests.twin.listener import Listener, listening
from tests.twin.running import Twin
from tests.twin.waiting import until

HEAR = """
on: {issues: {types: [opened]}}
jobs: {hear: {runs-on: ubuntu-latest, steps: [{run: echo heard}]}}
"""
FORK = multiprocessing.get_context("fork")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """What a twin left that was killed when somebody had opened an issue and nobody knew yet."""
    with Twin(tmp_path) as twin, listening() as nobody:
        desk = Desk(twin, tmp_path)
        desk.repo().create_file(".github/workflows/hear.yml", "Hear", HEAR)
        desk.repo().create_hook("web", {"url": nobody.url, "content_type": "json"}, ["issues"])
        until(lambda: len(nobody.got), lambda n: n == 1)
        desk.api("POST", "/_twin/events", "root", event="issues", how="hold")
        desk.repo().create_issue("x")
    return tmp_path


def killed(data: Path, statement: int) -> bool:
    """Tells what waits, and dies at that statement of the writer; whether it came so far."""

    def work() -> None:
        site, left = open_site(data, "http://127.0.0.1:1"), iter(range(statement))
        with site.store.writing() as db:
            db.set_trace_callback(
                lambda _: None if next(left, None) is not None else os.kill(os.getpid(), 9)
            )
        telling.tell_all(site)
        os._exit(0)

    child = FORK.Process(target=work)
    child.start()
    child.join()
    return child.exitcode == -signal.SIGKILL


def test_a_kill_at_any_statement_starts_no_run_twice_and_loses_none(data: Path) -> None:
    statement = 1
    while killed(data, statement):
        statement += 1
    assert statement > 10
    db = open_site(data, "http://127.0.0.1:1").store.reader
    assert [row["event"] for row in many(db, "SELECT event FROM runs")] == ["issues"]
    assert [row["event"] for row in many(db, "SELECT event FROM due")] == ["issues"]
    assert value(db, "SELECT count(*) FROM events WHERE told = 0") == 0


def event(db: sqlite3.Connection, repo_id: int) -> int:
    more = {"name": "issues", "action": "opened", "payload": '{"issue": {"title": "x"}}'}
    return insert(db, "events", repo_id=repo_id, actor_id=1, ref="", sha="", silent=0, **more)


def test_an_event_that_cannot_be_told_holds_up_no_other(data: Path) -> None:
    site: Site = open_site(data, "http://127.0.0.1:1")
    with site.store.writing() as db:
        db.execute("DELETE FROM events WHERE told = 0")
        [known] = many(db, "SELECT id FROM repos")
        event(db, known["id"] + 1)
        event(db, known["id"])
    telling.tell_all(site)
    assert value(site.store.reader, "SELECT count(*) FROM events WHERE told = 0") == 0
    assert value(site.store.reader, "SELECT count(*) FROM runs") == 1


def test_what_was_due_at_a_kill_is_delivered_after_it(data: Path) -> None:
    with listening() as server:
        site = open_site(data, "http://127.0.0.1:1")
        telling.tell_all(site)
        with site.store.writing() as db:
            db.execute("UPDATE hooks SET url = ?", (server.url,))
        due = one(site.store.reader, "SELECT guid FROM due")
        with Twin(data):
            until(lambda: len(server.got), lambda n: n == 1)
    assert due is not None and server.got[0][0]["X-GitHub-Delivery"] == due["guid"]


@pytest.fixture
def hanging(desk: Desk) -> Iterator[tuple[Listener, Hook]]:
    with listening() as server:
        server.answering.clear()
        config = {"url": server.url, "content_type": "json"}
        hook = desk.repo().create_hook("web", config, ["issues"])
        until(lambda: len(server.got), lambda n: n == 1)
        yield server, hook


def test_a_receiver_that_hangs_delays_neither_actions_nor_other_hooks(
    desk: Desk, hanging: tuple[Listener, Hook]
) -> None:
    server, hook = hanging
    desk.repo().create_file(".github/workflows/hear.yml", "Hear", HEAR)
    with listening() as other:
        desk.repo().create_hook("web", {"url": other.url, "content_type": "json"}, ["issues"])
        for title in "ab":
            desk.repo().create_issue(title)
        until(lambda: [n for n, _ in other.events()], lambda n: n == ["ping", "issues", "issues"])
        until(
            lambda: [run.status for run in desk.repo().get_workflow_runs()],
            lambda found: found == ["completed", "completed"],
        )
    assert len(server.got) == 1 and desk.repo().get_hook_deliveries(hook.id).totalCount == 0
    server.answering.set()
    until(lambda: [n for n, _ in server.events()], lambda n: n == ["ping", "issues", "issues"])
