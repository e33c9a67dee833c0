"""A request as the functions in `rest/` see it, what they answer, and the table of all routes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from bot.twin.clock import instant, stamp
from bot.twin.store import Row

if TYPE_CHECKING:
    from bot.twin.site import Site

Json = dict[str, Any]
REPO = "/repos/<owner>/<repo>"
DOCS = "https://docs.github.com/rest"
MAX_BODY = 65_536


class Problem(Exception):
    """GitHub's error body with its status."""

    def __init__(self, status: int, message: str, *errors: object, **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, {k.replace("_", "-"): v for k, v in headers.items()}
        self.body: Json = {"message": message, "documentation_url": DOCS, "status": str(status)}
        if errors:
            self.body["errors"] = list(errors)


def missing() -> Problem:
    return Problem(404, "Not Found")


def invalid(resource: str, field: str, code: str = "invalid", **more: object) -> Problem:
    error = {"resource": resource, "field": field, "code": code, **more}
    return Problem(422, "Validation Failed", error)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int = 200
    shown: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    kind: str = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class View:
    """Where from the shapes read, and the addresses that they write."""

    db: sqlite3.Connection
    api: str
    web: str


@dataclass(slots=True)
class Call:
    site: Site
    view: View
    args: dict[str, Any]
    query: dict[str, str]
    body: Json
    headers: Any
    path: str
    raw: bytes = b""
    user: Row | None = None
    token: Row | None = None
    repo_row: Row | None = None
    role: str = "none"
    told: bool = False
    """Whether an event was kept that somebody will want to hear."""

    @property
    def db(self) -> sqlite3.Connection:
        return self.view.db

    @property
    def repo(self) -> Row:
        if self.repo_row is None:
            raise missing()
        return self.repo_row

    @property
    def me(self) -> Row:
        if self.user is None:
            raise Problem(401, "Requires authentication")
        return self.user

    @property
    def silent(self) -> bool:
        """Made with the token of a job: starts no workflow but by the two dispatches."""
        return self.token is not None and self.token["permissions"] is not None

    def now(self) -> str:
        return self.site.clock.stamp()

    def text(self, name: str, default: str | None = None) -> str | None:
        found = self.body.get(name, default)
        if found is not None and not isinstance(found, str):
            raise _wrong(name, found, "a string")
        return found

    def need(self, name: str) -> str:
        found = self.text(name)
        if found is None:
            raise Problem(422, f'Invalid request.\n\n"{name}" wasn\'t supplied.')
        return found

    def need_number(self, name: str) -> int:
        found = self.body.get(name)
        if found is None:
            raise Problem(422, f'Invalid request.\n\n"{name}" wasn\'t supplied.')
        if not isinstance(found, int) or isinstance(found, bool):
            raise _wrong(name, found, "an integer")
        return found

    def flag(self, name: str, default: bool = False) -> bool:
        found = self.body.get(name, default)
        if not isinstance(found, bool):
            raise _wrong(name, found, "a boolean")
        return found

    def names(self, name: str) -> list[str]:
        return [_name(name, x) for x in self.several(name)]

    def several(self, name: str) -> list[Any]:
        found = self.body.get(name) or []
        if not isinstance(found, list):
            raise _wrong(name, found, "an array")
        return found

    def part(self, name: str) -> Json:
        found = self.body.get(name) or {}
        if not isinstance(found, dict):
            raise _wrong(name, found, "an object")
        return found

    def parts(self, name: str) -> list[Json]:
        for row in self.several(name):
            if not isinstance(row, dict):
                raise _wrong(name, row, "an object")
        return self.several(name)

    def long_text(self, resource: str, name: str = "body") -> str | None:
        """A body as people write it, with GitHub's limit."""
        found = self.text(name)
        if found is not None and len(found) > MAX_BODY:
            why = f"{name} is too long (maximum is {MAX_BODY} characters)"
            raise invalid(resource, name, "custom", message=why)
        return found

    def time(self, name: str) -> str:
        """A time of the query, as times are kept; a zone of its own is counted in."""
        try:
            return stamp(instant(self.query[name]))
        except (ValueError, OverflowError):
            raise Problem(422, f"Invalid request.\n\n{name} is not a time.") from None

    def page(
        self, sql: str, values: Iterable[object], shape: Callable[[Row], Any], key: str = ""
    ) -> Answer:
        """One page of a listing; with a key GitHub counts, and wraps it."""
        size, number = self.paging()
        bound = tuple(values)
        counted = self.db.execute(f"SELECT count(*) FROM ({sql})", bound)  # nosec B608
        total = int(counted.fetchone()[0])
        rows = self.db.execute(f"{sql} LIMIT ? OFFSET ?", (*bound, size, (number - 1) * size))
        return self.paged([shape(row) for row in rows.fetchall()], total, key)

    def page_of(self, rows: list[Any], shape: Callable[[Any], Any], key: str = "") -> Answer:
        size, number = self.paging()
        part = rows[(number - 1) * size : number * size]
        return self.paged([shape(row) for row in part], len(rows), key)

    def paged(self, shown: list[Any], total: int, key: str) -> Answer:
        size, number = self.paging()
        last = max(1, -(-total // size))
        links: dict[str, int] = {}
        if number > 1:
            links |= {"prev": min(number - 1, last), "first": 1}
        if number < last:
            links |= {"next": number + 1, "last": last}
        url = f"{self.view.api}{self.path}"
        rows = [
            f'<{url}?{urlencode({**self.query, "page": at})}>; rel="{rel}"'
            for rel, at in links.items()
        ]
        headers = {"Link": ", ".join(rows)} if rows else {}
        return Answer(200, {"total_count": total, key: shown} if key else shown, headers)

    def paging(self) -> tuple[int, int]:
        size = _whole(self.query.get("per_page"), 30)
        return min(size, 100), _whole(self.query.get("page"), 1)


def _whole(text: str | None, default: int) -> int:
    """GitHub takes nonsense here for nothing said."""
    good = text is not None and text.isascii() and text.isdecimal() and 0 < int(text) < 10**9
    return int(text or 0) if good else default


def _name(of: str, given: object) -> str:
    """A label may be sent whole, where its name is meant."""
    if isinstance(given, dict):
        given = given.get("name")
    if not isinstance(given, str | int):
        raise _wrong(of, given, "a string")
    return str(given)


def _wrong(name: str, found: object, wanted: str) -> Problem:
    shown = json.dumps(found, ensure_ascii=False)[:60]
    return Problem(422, f"Invalid request.\n\nFor 'properties/{name}', {shown} is not {wanted}.")


Handler = Callable[[Call], Answer | Json | list[Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """`role` is what a person needs on the repository, `scope` what the token of a job needs."""

    verb: str
    path: str
    handler: Handler
    role: str
    scope: str
    writes: bool

    wakes: bool
    """Whether a run may go on after this."""
    quick: bool
    """Whether this writes SQLite alone, and little."""

    @property
    def accepts(self) -> str:
        """The scopes of a person's token that allow it."""
        return "repo" if self.path.startswith(REPO) else ""


ROUTES: list[Route] = []


def route(
    verb: str, path: str, *, role: str = "read", scope: str = "metadata:read", reads: bool = False
) -> Callable[[Handler], Handler]:
    def add(handler: Handler) -> Handler:
        writes = verb != "GET" and not reads
        wakes = writes and ("/actions/" in path or path.startswith("/_twin"))
        quick = writes and path.startswith(f"{REPO}/issues")
        ROUTES.append(Route(verb, path, handler, role, scope, writes, wakes, quick))
        return handler

    return add
