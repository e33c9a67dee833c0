"""The front door: which repositories there are, who you are, and everybody's picture."""

from __future__ import annotations

import hashlib

from bot.twin.access import role_of
from bot.twin.call import Answer, Problem, missing
from bot.twin.pages import draw, session
from bot.twin.pages.table import file, form, page
from bot.twin.pages.visit import Visit
from bot.twin.rest import users
from bot.twin.rest.repos import OWNED
from bot.twin.shapes.people import repo_json
from bot.twin.store import many, one

HUES = ("#0969da", "#1a7f37", "#8250df", "#bf3989", "#9a6700", "#bc4c00", "#1b7c83", "#57606a")


@page("/")
def home(visit: Visit) -> Answer:
    return _repos(visit, f"{OWNED} ORDER BY repos.updated_at DESC, repos.id DESC", "")


@page("/<login>")
def profile(visit: Visit) -> Answer:
    login = visit.ask(users.user)["login"]
    sql = f"{OWNED} WHERE users.login = ? ORDER BY repos.updated_at DESC, repos.id DESC"
    return _repos(visit, sql, login, login)


def _repos(visit: Visit, sql: str, of: str, *values: object) -> Answer:
    seen = [r for r in many(visit.db, sql, *values) if role_of(visit.db, r, visit.user) != "none"]
    view = visit.view()
    return draw.page(visit, "repos.html", repos=[repo_json(view, row) for row in seen], of=of)


@page("/login")
def login(visit: Visit) -> Answer:
    return draw.page(visit, "login.html", people=session.people(visit.site))


@form("/login", again=login)
def log_in(visit: Visit) -> str:
    chosen = {row["login"]: row["id"] for row in session.people(visit.site)}
    if visit.text("login") not in chosen:
        raise Problem(422, "Nobody of that name has a token.")
    visit.session = session.start(visit.site, chosen[visit.text("login")])
    back = visit.text("back")
    return back if back.startswith("/") and back[1:2] not in ("/", "\\") else "/"


@form("/logout", again=home)
def log_out(visit: Visit) -> str:
    visit.session = session.start(visit.site)
    return "/"


@file("/avatars/<int:key>")
def avatar(visit: Visit) -> Answer:
    """A letter on a colour: nobody is asked over the network for it."""
    row = one(visit.db, "SELECT login FROM users WHERE id = ?", visit.args["key"])
    if row is None:
        raise missing()
    letter = next((c for c in row["login"].upper() if c.isascii() and c.isalnum()), "-")
    hue = HUES[hashlib.sha256(row["login"].encode()).digest()[0] % len(HUES)]
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" '
        f'fill="{hue}"/><text x="20" y="28" font-family="sans-serif" font-size="22" '
        f'font-weight="600" text-anchor="middle" fill="#fff">{letter}</text></svg>'
    )
    return Answer(raw=drawn.encode(), kind="image/svg+xml")
