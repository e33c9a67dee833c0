"""SQLite: one writer at a time, readers that never wait. What was answered survives a SIGKILL."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
Row = sqlite3.Row
TABLES = Path(__file__).with_name("tables.sql")
FIRST_IDS = {
    "users": 1000, "repos": 20_000, "labels": 300_000, "milestones": 400_000, "issues": 5_000_000,
    "comments": 600_000_000, "reactions": 7_000_000, "timeline": 80_000_000, "reviews": 9_000_000,
    "review_comments": 110_000_000, "statuses": 120_000_000, "suites": 130_000_000,
    "checks": 140_000_000, "releases": 150_000, "assets": 160_000, "hooks": 170_000,
    "deliveries": 180_000, "workflows": 190_000, "runs": 2_100_000_000, "jobs": 2_200_000_000,
    "artifacts": 230_000_000, "environments": 240_000, "deployments": 250_000,
    "deployment_statuses": 260_000, "branch_policies": 270_000,
}  # fmt: skip
REMEMBERED = {
    "users": "", "tokens": "", "collaborators": "", "hooks": "", "workflows": "",
    "repos": "OF name, owner_id, private, description, homepage, default_branch, settings, "
    "archived, updated_at, pushed_at",
}  # fmt: skip
"""What `seldom` may read, and which of their columns: a new issue only counts on in `repos`."""
MOST_REMEMBERED = 4096
ADDED = {"tokens": "scopes TEXT", "runs": "triggering TEXT", "users": "plan TEXT"}
"""Columns that older files do not have yet."""


class Connection(sqlite3.Connection):
    """`memory` is the writer's: who only reads cannot know what others have changed."""

    memory: dict[tuple[object, ...], Row | None] | None = None


class Store:
    """A commit is in the write-ahead log, hence in the kernel's hands, before anybody is told."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        self._local = threading.local()
        self._writer = self._connect()
        self._writer.executescript(TABLES.read_text())
        self._add_columns()
        self._watch(self._writer)
        self._start_ids()

    @property
    def reader(self) -> sqlite3.Connection:
        """This thread's own. Outside a transaction each statement sees what was last committed."""
        found: Connection | None = getattr(self._local, "reader", None)
        if found is None:
            found = self._local.reader = self._connect()
        return found

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One moment: everything that is read inside belongs together."""
        db = self.reader
        db.execute("BEGIN")
        try:
            yield db
        finally:
            db.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; within another of the same thread it is part of that."""
        with self._lock:
            if self._writer.in_transaction:
                yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._forget()
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def together(
        self, works: Sequence[Callable[[sqlite3.Connection], T]]
    ) -> list[T | Exception] | None:
        """Each all or nothing, all durable with one commit. None, at once, if somebody writes."""
        if not self._lock.acquire(blocking=False):
            return None
        try:
            with self.writing() as db:
                return [self._tried(db, work) for work in works]
        finally:
            self._lock.release()

    def _tried(
        self, db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]
    ) -> T | Exception:
        db.execute("SAVEPOINT one")
        try:
            return work(db)
        except Exception as error:
            self._forget()
            db.execute("ROLLBACK TO one")
            return error
        finally:
            db.execute("RELEASE one")

    def _watch(self, db: Connection) -> None:
        db.memory = {}
        db.create_function("forget", 0, self._forget)
        for table, columns in REMEMBERED.items():
            for change in ("INSERT", f"UPDATE {columns}", "DELETE"):
                name = f"forget_{table}_{change[:6]}"
                when = f"AFTER {change} ON main.{table}"
                db.execute(f"CREATE TEMP TRIGGER {name} {when} BEGIN SELECT forget(); END")

    def _forget(self) -> None:
        if self._writer.memory:
            self._writer.memory.clear()

    def _connect(self) -> Connection:
        db = sqlite3.connect(
            self._file, isolation_level=None, check_same_thread=False, timeout=30,
            factory=Connection, cached_statements=512,
        )  # fmt: skip
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA foreign_keys = ON")
        return db

    def _add_columns(self) -> None:
        """What tables have got since this file was made."""
        for table, column in ADDED.items():
            known = {row["name"] for row in self._writer.execute(f"PRAGMA table_info({table})")}
            if column.split()[0] not in known:
                self._writer.execute(f"ALTER TABLE {table} ADD COLUMN {column}")

    def _start_ids(self) -> None:
        """Ids of different things differ, so that who mixes them up is found out."""
        with self.writing() as db:
            for table, first in FIRST_IDS.items():
                known = db.execute("SELECT 1 FROM sqlite_sequence WHERE name = ?", (table,))
                if known.fetchone() is None:
                    db.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, first))


def insert(db: sqlite3.Connection, table: str, **columns: object) -> int:
    """The new id. Table and column names are written in our code, never by a client."""
    return int(db.execute(_insert(table, columns), tuple(columns.values())).lastrowid or 0)


def inserted(db: sqlite3.Connection, table: str, **columns: object) -> Row:
    """The same, as the whole new row."""
    sql = f"{_insert(table, columns)} RETURNING *"
    [row] = db.execute(sql, tuple(columns.values())).fetchall()
    made: Row = row
    return made


def _insert(table: str, columns: dict[str, object]) -> str:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({names}) VALUES ({marks})"  # nosec B608


def update(db: sqlite3.Connection, table: str, key: int, **columns: object) -> None:
    if columns:
        names = ", ".join(f"{name} = ?" for name in columns)
        sql = f"UPDATE {table} SET {names} WHERE id = ?"  # nosec B608
        db.execute(sql, (*columns.values(), key))


def one(db: sqlite3.Connection, sql: str, *values: object) -> Row | None:
    found: Row | None = db.execute(sql, values).fetchone()
    return found


def seldom(db: sqlite3.Connection, sql: str, *values: object) -> Row | None:
    """Like `one`, of the tables in REMEMBERED alone: the writer asks again only after a change."""
    memory = db.memory if isinstance(db, Connection) else None
    if memory is None:
        return one(db, sql, *values)
    key = (sql, *values)
    if key not in memory:
        if len(memory) >= MOST_REMEMBERED:
            memory.clear()
        memory[key] = one(db, sql, *values)
    return memory[key]


def many(db: sqlite3.Connection, sql: str, *values: object) -> list[Row]:
    return db.execute(sql, values).fetchall()


def value(db: sqlite3.Connection, sql: str, *values: object) -> int:
    found = db.execute(sql, values).fetchone()
    return int(found[0] or 0) if found else 0
