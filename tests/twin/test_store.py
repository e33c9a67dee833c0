"""SQLite for many writers: one commit for all of them, and what the writer may remember."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from bot.twin.store import Connection, Store, insert, many, seldom, update
from tests.twin.waiting import until


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "db")


def person(db: sqlite3.Connection, login: str) -> int:
    return insert(db, "users", login=login, type="User", site_admin=0)


def test_each_is_all_or_nothing_and_all_are_one_commit(store: Store) -> None:
    def half(db: sqlite3.Connection) -> int:
        person(db, "b")
        raise ValueError("no")

    seen: list[int] = []

    def look(db: sqlite3.Connection) -> int:
        seen.append(len(many(store.reader, "SELECT * FROM users")))
        return person(db, "c")

    found = store.together([lambda db: person(db, "a"), half, look])
    assert found is not None and isinstance(found[1], ValueError) and seen == [0]
    logins = [row["login"] for row in many(store.reader, "SELECT login FROM users ORDER BY id")]
    assert logins == ["a", "c"]


def test_nobody_waits_for_a_long_write_on_the_wire(store: Store) -> None:
    began, end = threading.Event(), threading.Event()

    def long() -> None:
        with store.writing():
            began.set()
            end.wait(20)

    writer = threading.Thread(target=long)
    writer.start()
    assert began.wait(20)
    assert store.together([lambda db: person(db, "a")]) is None
    end.set()
    writer.join()
    assert until(lambda: store.together([lambda db: person(db, "a")]), lambda x: x is not None)


def login(db: sqlite3.Connection, key: int) -> str | None:
    found = seldom(db, "SELECT login FROM users WHERE id = ?", key)
    return str(found["login"]) if found else None


def test_the_writer_forgets_what_was_changed(store: Store) -> None:
    with store.writing() as db:
        key = person(db, "a")
        assert login(db, key) == "a"
        db.execute("UPDATE users SET login = 'b' WHERE id = ?", (key,))
        assert login(db, key) == "b"
    with pytest.raises(ValueError), store.writing() as db:
        update(db, "users", key, login="c")
        assert login(db, key) == "c"
        raise ValueError
    with store.writing() as db:
        assert login(db, key) == "b"
        assert login(db, key + 1) is None
        assert person(db, "d") == key + 1
        assert login(db, key + 1) == "d"
        db.execute("DELETE FROM users WHERE id = ?", (key,))
        assert login(db, key) is None
    assert login(store.reader, key) is None


def test_what_a_refused_write_saw_is_forgotten(store: Store) -> None:
    with store.writing() as db:
        key = person(db, "a")

    def refused(db: sqlite3.Connection) -> str | None:
        update(db, "users", key, login="b")
        raise ValueError(login(db, key))

    found = store.together([refused, lambda db: login(db, key)])
    assert found is not None and (str(found[0]), found[1]) == ("b", "a")


def test_who_only_reads_remembers_nothing(store: Store) -> None:
    with store.writing() as db:
        key = person(db, "a")
    assert login(store.reader, key) == "a"
    with store.writing() as db:
        update(db, "users", key, login="b")
    assert login(store.reader, key) == "b"
    assert isinstance(store.reader, Connection) and store.reader.memory is None
