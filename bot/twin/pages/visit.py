"""What a page gets: who visits, what they sent, and the API as they may use it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

from bot.twin import access
from bot.twin.call import ROUTES, Answer, Call, Handler, Json, Route, View
from bot.twin.pages.session import Session
from bot.twin.site import Site
from bot.twin.store import Row

Form = dict[str, list[str]]
SIZE = 30


@cache
def route_of(handler: Handler) -> Route:
    return next(route for route in ROUTES if route.handler is handler)


@dataclass
class Visit:
    site: Site
    db: sqlite3.Connection
    web: str
    path: str
    args: dict[str, Any]
    query: dict[str, str]
    form: Form
    session: Session
    user: Row | None = None
    token: Row | None = None
    problem: str = ""
    """Why the form that was just sent did nothing."""

    def view(self) -> View:
        return View(self.db, self.web, self.web)

    def call(
        self, handler: Handler, *, query: Json | None = None, body: Json | None = None,
        headers: Json | None = None, **args: Any,
    ) -> Call:  # fmt: skip
        """A request of this person, let in or refused by the same rules as over HTTP."""
        asked = {k: str(v) for k, v in (query or {}).items()}
        made = Call(
            self.site, self.view(), {**self.args, **args}, asked, body or {},
            headers or {}, self.path, user=self.user, token=self.token,
        )  # fmt: skip
        access.enter(made, route_of(handler))
        return made

    def answer(self, handler: Handler, **more: Any) -> Answer:
        found = handler(self.call(handler, **more))
        return found if isinstance(found, Answer) else Answer(200, found)

    def ask(self, handler: Handler, **more: Any) -> Any:
        """What the API shows."""
        return self.answer(handler, **more).shown

    def part(self, handler: Handler, query: Json | None = None, **more: Any) -> tuple[Any, Json]:
        """One page of a listing, and the numbers of the pages beside it."""
        number = int(self.query["page"]) if self.query.get("page", "").isdecimal() else 1
        asked = {"per_page": SIZE, **(query or {}), "page": max(1, number)}
        found = self.answer(handler, query=asked, **more)
        links = found.headers.get("Link", "")
        beside = {
            "prev": number - 1 if 'rel="prev"' in links else 0,
            "next": number + 1 if 'rel="next"' in links else 0,
        }
        return found.shown, beside

    def all(self, handler: Handler, key: str = "", **more: Any) -> list[Any]:
        """A whole listing, for what is shown on one page here."""
        rows: list[Any] = []
        query = more.pop("query", {})
        for number in range(1, 11):
            asked = {**query, "per_page": 100, "page": number}
            found = self.answer(handler, query=asked, **more)
            rows += found.shown[key] if key else found.shown
            if 'rel="next"' not in found.headers.get("Link", ""):
                break
        return rows

    def text(self, name: str) -> str:
        """A field of the form; empty when it was not sent."""
        return (self.form.get(name) or [""])[-1]

    def to(self, path: str) -> str:
        """An address within the repository."""
        return f"/{quote(self.args['owner'])}/{quote(self.args['repo'])}{path}"
