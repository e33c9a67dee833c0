"""From HTTP to a function in `rest/` and back: caller, rights, limits, errors, ETag."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from bot.twin import access, plans, rest
from bot.twin.asked import PREFIX, Asked
from bot.twin.call import ROUTES, Answer, Call, Problem, Route, View
from bot.twin.markdown import with_forms
from bot.twin.site import Site
from bot.twin.store import Row, one, seldom
from bot.twin.terms import check_terms, unchanged

LOG = logging.getLogger("twin")
Endpoint = Callable[[Site, Asked, dict[str, Any]], Answer]
COMMON = {
    "X-GitHub-Media-Type": "github.v3; format=json",
    "X-Content-Type-Options": "nosniff",
    "X-GitHub-Request-Id": "TWIN",
    "X-GitHub-Api-Version-Selected": "2022-11-28",
}
FREE = ("/rate_limit", "/_files/")
"""What costs nothing: GitHub keeps its files on another host."""
BY_NUMBER = re.compile(r"(/api/v3)?/repositories/(\d{1,18})(?=/|$)")
ENCODE = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(slots=True)
class Turn:
    """A request on its way through one transaction."""

    route: Route
    asked: Asked
    args: dict[str, Any]
    now: float
    who: str = "nobody:127.0.0.1"
    told: bool = False
    scopes: str | None = None


class App:
    """`more` are endpoints beside the API, each with its verbs: git's, and pages for people."""

    def __init__(self, site: Site, more: Iterable[tuple[str, list[str], Endpoint]] = ()) -> None:
        rest.load_chapters()
        self.site = site
        rules = [
            Rule(prefix + route.path, methods=[route.verb], endpoint=route)
            for route in ROUTES
            for prefix in ("", PREFIX)
        ]
        rules += [Rule(path, methods=verbs, endpoint=end) for path, verbs, end in more]
        urls = Map(rules, strict_slashes=False, merge_slashes=False).bind("twin")
        self.match = lru_cache(4096)(urls.match)

    def __call__(self, asked: Asked) -> Answer:
        self._named(asked)
        try:
            endpoint, args = self.match(asked.whole_path, asked.verb)
        except HTTPException:  # GitHub says the same for a method that a path does not have
            return _encoded(Problem(404, "Not Found").body, Answer(404, headers=COMMON))
        args = {k: _slashes(v) for k, v in args.items()}
        if isinstance(endpoint, Route):
            return serve(self.site, Turn(endpoint, asked, args, self.site.clock.now()))
        answer: Answer = endpoint(self.site, asked, args)
        return answer

    def _named(self, asked: Asked) -> None:
        """`/repositories/7` is another way to write the path of the repository with that id."""
        found = BY_NUMBER.match(asked.target)
        sql = """SELECT repos.name, users.login FROM repos JOIN users ON users.id = owner_id
                 WHERE repos.id = ?"""
        row = one(self.site.store.reader, sql, int(found[2])) if found else None
        if found and row:
            path = f"/repos/{quote(row['login'])}/{quote(row['name'])}"
            asked.moved(f"{found[1] or ''}{path}{asked.target[found.end() :]}")

    def quick(self, asked: Asked) -> Turn | None:
        """A write that needs SQLite alone may be done together with others."""
        try:
            endpoint, args = self.match(asked.whole_path, asked.verb)
        except HTTPException:
            return None
        if not (isinstance(endpoint, Route) and endpoint.quick):
            return None
        args = {k: _slashes(v) for k, v in args.items()}
        return Turn(endpoint, asked, args, self.site.clock.now())

    def together(self, turns: list[Turn]) -> list[Answer] | None:
        """One commit for all, then the answers; None if somebody else writes."""
        works = [partial(attempt, self.site, turn) for turn in turns]
        found: list[Answer | Exception] | None
        try:
            found = self.site.store.together(works)
        except sqlite3.Error as error:  # the commit itself: nothing of it is there
            found = [error] * len(turns)
        if found is None:
            return None
        return [_finished(self.site, turn, f) for turn, f in zip(turns, found, strict=True)]


def _slashes(arg: Any) -> Any:
    """The way of a label `a/b`, which is one part of a path."""
    return arg.replace("%2F", "/") if isinstance(arg, str) else arg


def serve(site: Site, turn: Turn) -> Answer:
    opened: Callable[[], AbstractContextManager[sqlite3.Connection]] = (
        site.store.writing if turn.route.writes else site.store.reading
    )
    found: Answer | Exception
    try:
        with opened() as db:
            found = attempt(site, turn, db)
    except Exception as error:
        found = error
    return _finished(site, turn, found)


def attempt(site: Site, turn: Turn, db: sqlite3.Connection) -> Answer:
    """What an error leaves behind is rolled back by whoever called."""
    asked, route = turn.asked, turn.route
    asked.check_host()
    check_terms(asked)
    token = access.identify(db, asked.headers.get("authorization"), turn.now)
    if token is not None:
        kind = "actions" if token["permissions"] is not None else "user"
        turn.scopes = access.scopes_of(token)
        turn.who = f"{kind}:{token['repo_id'] if kind == 'actions' else token['user_id']}"
    if not asked.path.startswith(FREE):
        site.limits.spend(turn.who, turn.now)
    if route.writes:
        site.limits.write(turn.who, turn.now)
    call = make_call(site, db, asked, turn.args, token)
    call.body = asked.body()
    access.enter(call, route)
    if call.repo_row is not None:
        plans.admit(call, route)
    found = route.handler(call)
    turn.told = call.told
    return found if isinstance(found, Answer) else Answer(200, found)


def make_call(site: Site, db: Any, asked: Asked, args: dict[str, Any], token: Row | None) -> Call:
    web = f"http://{asked.host}"
    view = View(db, web + PREFIX if asked.whole_path.startswith(PREFIX) else web, web)
    user = seldom(db, "SELECT * FROM users WHERE id = ?", token["user_id"]) if token else None
    return Call(
        site, view, args, asked.query, {}, asked.headers, asked.path, asked.raw, user, token
    )


def _finished(site: Site, turn: Turn, found: Answer | Exception) -> Answer:
    """After the commit: whoever waits for what was written is told, and the caller last."""
    answer = _refusal(turn.asked, found) if isinstance(found, Exception) else found
    if turn.told and not isinstance(found, Exception):
        site.events.set()
    if turn.route.wakes:
        site.news.set()
    asked, now, who = turn.asked, turn.now, turn.who
    headers = {**COMMON, **site.limits.headers(who, now), **answer.headers}
    if turn.scopes is not None:
        headers |= {"X-OAuth-Scopes": turn.scopes, "X-Accepted-OAuth-Scopes": turn.route.accepts}
    shown = with_forms(asked.headers.get("accept"), answer.shown)
    answer = _encoded(shown, Answer(answer.status, None, headers, answer.raw, answer.kind))
    if asked.verb == "GET" and answer.status == 200:
        digest = hashlib.blake2b(answer.raw or b"", digest_size=32).hexdigest()
        headers["ETag"] = f'W/"{digest}"'
        headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
        if unchanged(asked, headers["ETag"]):
            site.limits.give_back(who, now)
            headers |= site.limits.headers(who, now)
            return Answer(304, None, headers)
    return answer


def _refusal(asked: Asked, error: Exception) -> Answer:
    if isinstance(error, Problem):
        return Answer(error.status, error.body, error.headers)
    if isinstance(error, OverflowError):  # a number that no id can be
        status, why = (404, "Not Found") if asked.verb == "GET" else (422, "Validation Failed")
        return Answer(status, Problem(status, why).body)
    if isinstance(error, sqlite3.Error) and "Error binding parameter" in str(error):
        why = "Invalid request.\n\nA list or an object stands where a text or a number is wanted."
        return Answer(422, Problem(422, why).body)
    if isinstance(error, UnicodeEncodeError):  # half a character: JSON can spell it, no text hold
        return Answer(400, Problem(400, "Problems parsing JSON").body)
    LOG.error("%s %s", asked.verb, asked.whole_path, exc_info=error)
    return Answer(500, {"message": "Server Error"})


def _encoded(shown: Any, answer: Answer) -> Answer:
    if shown is None:
        return answer
    return Answer(answer.status, None, answer.headers, ENCODE(shown).encode(), answer.kind)
