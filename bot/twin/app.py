"""From HTTP to a function in `rest/` and back: caller, rights, limits, errors, ETag."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from bot.twin import access, rest
from bot.twin.asked import PREFIX, Asked, Environ, Start, send
from bot.twin.call import ROUTES, Answer, Call, Problem, Route, View
from bot.twin.markdown import with_forms
from bot.twin.site import Site
from bot.twin.store import Row, one

LOG = logging.getLogger("twin")
Endpoint = Callable[[Site, Asked, dict[str, Any]], Answer]
COMMON = {
    "X-GitHub-Media-Type": "github.v3; format=json",
    "X-Content-Type-Options": "nosniff",
    "X-GitHub-Request-Id": "TWIN",
}


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
        self.urls = Map(rules, strict_slashes=False, merge_slashes=False).bind("twin")

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        asked = Asked(environ)
        try:
            endpoint, args = self.urls.match(asked.whole_path, asked.verb)
        except HTTPException:  # GitHub says the same for a method that a path does not have
            return send(_encoded(Answer(404, Problem(404, "Not Found").body, COMMON)), start)
        args = {k: _slashes(v) for k, v in args.items()}
        if isinstance(endpoint, Route):
            return send(serve(self.site, endpoint, asked, args), start)
        return send(endpoint(self.site, asked, args), start)


def _slashes(arg: Any) -> Any:
    """The server keeps a quoted slash quoted, so that a label `a/b` is one part of a path."""
    return arg.replace("%2F", "/").replace("%2f", "/") if isinstance(arg, str) else arg


def serve(site: Site, route: Route, asked: Asked, args: dict[str, Any]) -> Answer:
    now = site.clock.now()
    who = f"nobody:{asked.environ.get('REMOTE_ADDR')}"
    try:
        asked.check_host()
        token = access.identify(site.store.reader, asked.environ.get("HTTP_AUTHORIZATION"), now)
        if token is not None:
            kind = "actions" if token["permissions"] is not None else "user"
            who = f"{kind}:{token['repo_id'] if kind == 'actions' else token['user_id']}"
        if asked.path != "/rate_limit":
            site.limits.spend(who, now)
        if route.writes:
            site.limits.write(who, now)
        answer = _handle(site, route, asked, args, token)
    except Problem as problem:
        answer = Answer(problem.status, problem.body, problem.headers)
    except UnicodeEncodeError:  # half a character, which JSON can spell and no text can hold
        answer = Answer(400, Problem(400, "Problems parsing JSON").body)
    except Exception:
        LOG.exception("%s %s", asked.verb, asked.whole_path)
        answer = Answer(500, {"message": "Server Error"})
    return _finished(site, asked, answer, who, now)


def _handle(
    site: Site, route: Route, asked: Asked, args: dict[str, Any], token: Row | None
) -> Answer:
    body = asked.body()  # before the writer's lock: a slow client holds up nobody
    opened: Callable[[], AbstractContextManager[Any]] = (
        site.store.writing if route.writes else site.store.reading
    )
    with opened() as db:
        call = make_call(site, db, asked, args, token)
        call.body = body
        access.enter(call, route)
        found = route.handler(call)
    if call.told:
        site.events.set()
    if route.wakes:
        site.news.set()
    return found if isinstance(found, Answer) else Answer(200, found)


def make_call(site: Site, db: Any, asked: Asked, args: dict[str, Any], token: Row | None) -> Call:
    web = f"http://{asked.host}"
    view = View(db, web + PREFIX if asked.whole_path.startswith(PREFIX) else web, web)
    user = one(db, "SELECT * FROM users WHERE id = ?", token["user_id"]) if token else None
    return Call(
        site, view, args, asked.query, {}, asked.headers, asked.path, asked.raw, user, token
    )


def _encoded(answer: Answer) -> Answer:
    if answer.shown is None:
        return answer
    return replace(answer, raw=json.dumps(answer.shown, separators=(",", ":")).encode())


def _finished(site: Site, asked: Asked, answer: Answer, who: str, now: float) -> Answer:
    shown = with_forms(asked.environ.get("HTTP_ACCEPT", ""), answer.shown)
    answer = _encoded(replace(answer, shown=shown))
    headers = {**COMMON, **site.limits.headers(who, now), **answer.headers}
    if asked.verb == "GET" and answer.status == 200:
        digest = hashlib.blake2b(answer.raw or b"", digest_size=32).hexdigest()
        headers["ETag"] = f'W/"{digest}"'
        headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
        if asked.environ.get("HTTP_IF_NONE_MATCH") == headers["ETag"]:
            site.limits.give_back(who, now)
            headers |= site.limits.headers(who, now)
            return Answer(304, None, headers)
    return replace(answer, headers=headers)
