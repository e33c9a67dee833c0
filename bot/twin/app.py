"""From HTTP to a function in `rest/` and back: caller, rights, limits, errors, ETag."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from bot.twin import access, rest
from bot.twin.call import ROUTES, Answer, Call, Problem, Route, View
from bot.twin.site import Site
from bot.twin.store import one

LOG = logging.getLogger("twin")
HOSTS = {"127.0.0.1", "localhost", "::1", "[::1]"}
PREFIX = "/api/v3"

COMMON = {
    "X-GitHub-Media-Type": "github.v3; format=json",
    "X-Content-Type-Options": "nosniff",
    "X-GitHub-Request-Id": "TWIN",
}


def make_app(site: Site) -> Flask:
    rest.load_chapters()
    app = Flask("bot.twin")
    app.url_map.strict_slashes = False
    app.json.sort_keys = False  # type: ignore[attr-defined]
    for number, route in enumerate(ROUTES):
        for prefix in ("", PREFIX):
            app.add_url_rule(
                prefix + route.path, f"{number}{prefix}", _view(site, route), methods=[route.verb]
            )
    app.register_error_handler(HTTPException, _plain_error)
    return app


def _view(site: Site, route: Route) -> Callable[..., Response]:
    def view(**args: Any) -> Response:
        return serve(site, route, {k: _slashes(v) for k, v in args.items()})

    return view


def _slashes(arg: Any) -> Any:
    """The server keeps a quoted slash quoted, so that a label `a/b` is one part of a path."""
    return arg.replace("%2F", "/").replace("%2f", "/") if isinstance(arg, str) else arg


def serve(site: Site, route: Route, args: dict[str, Any]) -> Response:
    now = site.clock.now()
    who = f"nobody:{request.remote_addr}"
    try:
        host_check()
        token = access.identify(site.store.reader, request.headers.get("Authorization"), now)
        if token is not None:
            kind = "actions" if token["permissions"] is not None else "user"
            who = f"{kind}:{token['repo_id'] if kind == 'actions' else token['user_id']}"
        if request.path.removeprefix(PREFIX) != "/rate_limit":
            site.limits.spend(who, now)
        if route.writes:
            site.limits.write(who, now)
        answer = _handle(site, route, args, token)
    except Problem as problem:
        answer = Answer(problem.status, problem.body, problem.headers)
    except HTTPException as error:
        return _plain_error(error)
    except UnicodeEncodeError:  # half a character, which JSON can spell and no text can hold
        answer = Answer(400, Problem(400, "Problems parsing JSON").body)
    except Exception:
        LOG.exception("%s %s", request.method, request.path)
        answer = Answer(500, {"message": "Server Error"})
    return _respond(site, answer, who, now)


def host_check() -> None:
    """A page on another site that points its name at this machine gets nothing."""
    if (urlsplit(f"//{request.host}").hostname or "") not in HOSTS:
        raise Problem(421, "This twin answers only to the name of this machine")


def _handle(site: Site, route: Route, args: dict[str, Any], token: Any) -> Answer:
    raw = request.get_data()
    opened: Callable[[], AbstractContextManager[Any]] = (
        site.store.writing if route.writes else site.store.reading
    )
    with opened() as db:
        call = make_call(site, db, args, raw)
        call.token = token
        if token is not None:
            call.user = one(db, "SELECT * FROM users WHERE id = ?", token["user_id"])
        access.enter(call, route)
        found = route.handler(call)
    if route.writes:
        site.news.set()
        site.events.set()
    return found if isinstance(found, Answer) else Answer(200, found)


def make_call(site: Site, db: Any, args: dict[str, Any], raw: bytes) -> Call:
    web = f"http://{request.host}"
    prefixed = request.path.startswith(PREFIX)
    return Call(
        site=site, view=View(db, web + PREFIX if prefixed else web, web), args=args,
        query=request.args.to_dict(), body=_body(raw), headers=request.headers,
        path=request.path.removeprefix(PREFIX), raw=raw,
    )  # fmt: skip


def _body(raw: bytes) -> dict[str, Any]:
    if not raw or "json" not in (request.content_type or "json") and raw[:1] not in b"{[":
        return {}
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        raise Problem(400, "Problems parsing JSON") from None
    if isinstance(found, list):  # a few endpoints take a bare list
        return {"": found}
    if not isinstance(found, dict):
        raise Problem(400, "Body should be a JSON object")
    return found


def _respond(site: Site, answer: Answer, who: str, now: float) -> Response:
    empty = answer.shown is None and answer.raw is None
    body = answer.raw if answer.raw is not None else b""
    if answer.shown is not None:
        body = json.dumps(answer.shown, separators=(",", ":")).encode()
    headers = {**COMMON, **site.limits.headers(who, now), **answer.headers}
    status = answer.status
    if request.method == "GET" and status == 200:
        headers["ETag"] = f'W/"{hashlib.blake2b(body, digest_size=32).hexdigest()}"'
        headers["Cache-Control"] = "private, max-age=60, s-maxage=60"
        if request.headers.get("If-None-Match") == headers["ETag"]:
            site.limits.give_back(who, now)
            headers |= site.limits.headers(who, now)
            status, body, empty = 304, b"", True
    if not empty:
        headers["Content-Type"] = answer.kind
    response = Response(body, status, headers)
    if empty:
        del response.headers["Content-Type"]
    return response


def _plain_error(error: HTTPException) -> Response:
    """No route: 404 in GitHub's words, also for a method that a path does not have."""
    status = 404 if error.code in (404, 405) else error.code or 500
    body = Problem(status, "Not Found" if status == 404 else error.name).body
    return Response(json.dumps(body), status, {**COMMON, "Content-Type": "application/json"})
