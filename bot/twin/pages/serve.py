"""From HTTP to a page and back: who visits, one transaction, errors in words, strict headers."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from bot.twin import rest
from bot.twin.app import Endpoint
from bot.twin.asked import Asked
from bot.twin.call import Answer, Problem, missing
from bot.twin.pages import draw, session, table
from bot.twin.pages.visit import Form, Visit
from bot.twin.site import Site

LOG = logging.getLogger("twin")
STATIC = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
}  # fmt: skip


def page_routes() -> list[tuple[str, list[str], Endpoint]]:
    rest.load_chapters()
    table.load_pages()
    shows = [(page.path, ["GET"], partial(_page, partial(_show, page.show)))
             for page in table.PAGES]  # fmt: skip
    sends = [(file.path, ["GET"], partial(_guarded, partial(_show, file.show)))
             for file in table.FILES]  # fmt: skip
    takes = [(form.path, ["POST"], partial(_page, partial(_take, form)))
             for form in table.FORMS]  # fmt: skip
    rest_of_it = ("/<path:rest>", ["GET"], partial(_page, _nothing))
    return [*shows, *sends, *takes, ("/_pages/<name>", ["GET"], static), rest_of_it]


def _nothing(site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    raise missing()


def static(site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    found = {file.name: file for file in STATIC.iterdir()}.get(args["name"])
    if found is None:
        return Answer(404, None, dict(HEADERS), b"", "text/plain")
    answer = Answer(raw=found.read_bytes(), kind=KINDS[found.suffix])
    return _tagged(asked, replace(answer, headers=dict(HEADERS)))


Serve = Callable[[Site, Asked, dict[str, Any]], Answer]


def _page(serve: Serve, site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    """Whoever asks for no page and no picture gets the API's own no, as if pages were not there.

    Who takes anything and shows no token, as curl does, gets a page that is there.
    """
    accept = asked.headers.get("Accept", "*/*")
    if any(kind in accept for kind in ("text/html", "image/")):
        return _guarded(serve, site, asked, args)
    if accept == "*/*" and not asked.headers.get("Authorization"):
        answer = _guarded(serve, site, asked, args)
        if answer.status < 400:
            return answer
    body = json.dumps(Problem(404, "Not Found").body).encode()
    return Answer(404, None, dict(HEADERS), body)


def _guarded(serve: Serve, site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    try:
        asked.check_host()
        answer = serve(site, asked, args)
    except Problem as problem:
        answer = _failed(site, asked, args, problem)
    except Exception:
        LOG.exception("%s %s", asked.verb, asked.whole_path)
        answer = _failed(site, asked, args, Problem(500, "Something broke. The log knows more."))
    return replace(answer, headers={**HEADERS, "Cache-Control": "no-store", **answer.headers})


def _show(show: table.Show, site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    known = session.read(site, asked)
    visit = _visit(site, asked, args, known or session.start(site))
    with site.store.reading() as db:
        visit.db = db
        answer = show(visit)
    if known is None:
        fresh = {"Set-Cookie": session.cookie(asked, visit.session)}
        return replace(answer, headers={**answer.headers, **fresh})
    return _tagged(asked, answer)


def _take(form: table.FormPage, site: Site, asked: Asked, args: dict[str, Any]) -> Answer:
    known = session.read(site, asked)
    sent = parse_qs(asked.raw.decode(errors="replace"), keep_blank_values=True)
    session.check_form(asked, known, (sent.get("token") or [""])[0])
    visit = _visit(site, asked, args, known or session.start(site), sent)
    try:
        with site.store.writing() as db:
            visit.db = db
            where = form.take(visit)
    except Problem as problem:
        return _again(form, site, visit, problem)
    site.news.set()
    site.events.set()
    headers = {"Location": where}
    if visit.session != known:
        headers["Set-Cookie"] = session.cookie(asked, visit.session)
    return Answer(303, None, headers)


def _again(form: table.FormPage, site: Site, visit: Visit, problem: Problem) -> Answer:
    """The page that the form was on, with the reason; what was typed is still in it."""
    with site.store.reading() as db:
        visit.db, visit.problem = db, words(problem)
        return replace(form.again(visit), status=problem.status)


def _visit(
    site: Site, asked: Asked, args: dict[str, Any], known: session.Session,
    sent: Form | None = None,
) -> Visit:  # fmt: skip
    user, token = session.person(site, known.user_id)
    web = f"http://{asked.host}"
    return Visit(
        site, site.store.reader, web, asked.whole_path, dict(args), asked.query, sent or {}, known,
        user, token,
    )  # fmt: skip


def _failed(site: Site, asked: Asked, args: dict[str, Any], problem: Problem) -> Answer:
    visit = _visit(site, asked, {}, session.read(site, asked) or session.start(site))
    shown = draw.page(visit, "problem.html", status=problem.status, why=words(problem))
    return replace(shown, status=problem.status)


def words(problem: Problem) -> str:
    """GitHub's message and what it says beside it, as a person reads it."""
    parts = [problem.body["message"]]
    for error in problem.body.get("errors", ()):
        if isinstance(error, dict):
            told = error.get("message") or f"{error.get('field')}: {error.get('code')}"
            parts.append(str(told).replace("_", " ") if "message" not in error else str(told))
        else:
            parts.append(str(error))
    return " ".join(" ".join(parts).split())


def _tagged(asked: Asked, answer: Answer) -> Answer:
    """Asked again for what did not change, it is not sent again."""
    if answer.status != 200:
        return answer
    tag = f'"{hashlib.blake2b(answer.raw or b"", digest_size=16).hexdigest()}"'
    headers = {"Cache-Control": "no-cache", **answer.headers, "ETag": tag}
    if asked.headers.get("If-None-Match") == tag:
        return Answer(304, None, headers)
    return replace(answer, headers=headers)
