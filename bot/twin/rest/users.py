"""Users, and what the server says about itself."""

from __future__ import annotations

from bot.twin.access import NO_SCOPE, scopes_of
from bot.twin.call import Answer, Call, Json, Problem, missing, route
from bot.twin.plans import plan_json
from bot.twin.shapes.people import full_user_json, own_user_json
from bot.twin.store import one


@route("GET", "/user")
def me(call: Call) -> Json:
    """Its plan with the scope `user` alone, which the token of `gh auth login` does not have."""
    if call.silent:
        raise Problem(403, NO_SCOPE)
    held = (scopes_of(call.token) if call.token is not None else None) or ""
    told = plan_json(call.me) if "user" in held.split(", ") else {}
    return {**own_user_json(call.view, call.me), **told}


@route("GET", "/users/<login>")
def user(call: Call) -> Json:
    row = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    if row is None:
        raise missing()
    return full_user_json(call.view, row)


@route("GET", "/user/<int:key>")
def user_by_id(call: Call) -> Json:
    row = one(call.db, "SELECT * FROM users WHERE id = ?", call.args["key"])
    if row is None:
        raise missing()
    return full_user_json(call.view, row)


@route("GET", "/rate_limit")
def rate_limit(call: Call) -> Json:
    now = call.site.clock.now()
    kind = "actions" if call.silent else "user"
    who = f"{kind}:{call.me['id']}" if call.user else "nobody:127.0.0.1"
    if call.silent and call.token:
        who = f"actions:{call.token['repo_id']}"
    shown = call.site.limits.headers(who, now)
    core = {
        k: int(shown[f"X-RateLimit-{k.title()}"]) for k in ("limit", "remaining", "reset", "used")
    }
    return {"resources": {"core": core, "search": core}, "rate": core}


@route("GET", "/meta")
def meta(call: Call) -> Json:
    passwords = "verifiable_password_authentication"
    return {passwords: False, "installed_version": "3.17.0"}


@route("GET", "/zen")
def zen(call: Call) -> Answer:
    return Answer(raw=b"Keep it logically awesome.", kind="text/plain;charset=utf-8")
