"""Who sits in front of the browser: a signed cookie; and whether a form was really ours.

Cookies of one host are sent to all its ports, and pages of all its ports count as the same site.
So the cookie's name has the port in it, and a form needs our origin and a token of this session.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from bot.twin.asked import Asked
from bot.twin.call import Problem
from bot.twin.site import Site
from bot.twin.store import Row, many, one

CHOICE = """SELECT users.*, min(token) AS token FROM users JOIN tokens ON user_id = users.id
            WHERE permissions IS NULL AND (expires IS NULL OR expires > ?)"""


@dataclass(frozen=True)
class Session:
    """`value` is what the cookie says; without a user it only holds the form of the login."""

    value: str
    user_id: int
    token: str


def read(site: Site, asked: Asked) -> Session | None:
    """What is not signed by us counts as nothing."""
    try:
        found = SimpleCookie(asked.headers.get("Cookie", "")).get(_name(asked))
    except CookieError:
        return None
    user, _, rest = (found.value if found else "").partition(".")
    nonce, _, sign = rest.partition(".")
    if not user.isdecimal() or not hmac.compare_digest(sign, _sign(site, f"{user}.{nonce}")):
        return None
    return _session(site, f"{user}.{nonce}", int(user))


def start(site: Site, user_id: int = 0) -> Session:
    return _session(site, f"{user_id}.{secrets.token_hex(16)}", user_id)


def cookie(asked: Asked, session: Session) -> str:
    return f"{_name(asked)}={session.value}; Path=/; HttpOnly; SameSite=Lax"


def check_form(asked: Asked, session: Session | None, token: str) -> None:
    """Another site can make a browser send a form, but can neither fake its origin nor this."""
    if asked.headers.get("Origin") != f"http://{asked.host}":
        raise Problem(403, "This form does not come from a page of the twin.")
    if session is None or not hmac.compare_digest(session.token, token):
        raise Problem(403, "Your session has ended. Choose who you are and send the form again.")


def people(site: Site) -> list[Row]:
    """Everybody who has a token, hence can be chosen."""
    sql = f"{CHOICE} GROUP BY users.id ORDER BY login"
    return many(site.store.reader, sql, site.clock.now())


def person(site: Site, user_id: int) -> tuple[Row | None, Row | None]:
    """The user and their token; nobody when the token is gone."""
    db = site.store.reader
    found = one(db, f"{CHOICE} AND users.id = ? GROUP BY users.id", site.clock.now(), user_id)
    if found is None:
        return None, None
    token = one(db, "SELECT * FROM tokens WHERE token = ?", found["token"])
    return one(db, "SELECT * FROM users WHERE id = ?", user_id), token


def _name(asked: Asked) -> str:
    return f"twin-{asked.host.rpartition(':')[2] or '80'}"


def _session(site: Site, payload: str, user_id: int) -> Session:
    return Session(f"{payload}.{_sign(site, payload)}", user_id, _sign(site, f"form:{payload}"))


def _sign(site: Site, text: str) -> str:
    return hmac.new(site.key, f"session:{text}".encode(), hashlib.sha256).hexdigest()
