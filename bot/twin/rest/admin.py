"""The twin's own paths: faults, limits, the clock, schedules. For a site administrator only."""

from __future__ import annotations

import json
import re
import secrets

from bot.twin.access import DEFAULT_BOT, find_repo
from bot.twin.actions.triggers import run_schedules
from bot.twin.call import Answer, Call, Json, Problem, missing, route
from bot.twin.faults import checked
from bot.twin.plans import checked as checked_plan
from bot.twin.store import one, update

LIMITS = ("hourly", "anonymous", "actions", "writes_a_minute", "writes_an_hour")
HOWS = ("lose", "double", "hold")


def _admin(call: Call) -> None:
    if not call.me["site_admin"]:
        raise missing()


@route("POST", "/_twin/faults")
def add_fault(call: Call) -> Answer:
    _admin(call)
    try:
        call.site.faults.append(checked(call.body))
    except (ValueError, re.error) as error:
        raise Problem(422, str(error)) from None
    return Answer(201, {})


@route("DELETE", "/_twin/faults")
def no_faults(call: Call) -> Answer:
    _admin(call)
    call.site.faults.clear()
    call.site.event_faults.clear()
    return Answer(204)


@route("POST", "/_twin/events")
def disturb(call: Call) -> Answer:
    """`lose` or `double` the next events of a name, or `hold` one until a later one is told."""
    _admin(call)
    how = call.need("how")
    if how not in HOWS:
        raise Problem(422, f"how is one of {', '.join(HOWS)}")
    times = call.body.get("times", 1)
    call.site.event_faults.append({"event": call.need("event"), "how": how, "times": times})
    return Answer(201, {})


@route("PATCH", "/_twin/limits")
def limits(call: Call) -> Json:
    _admin(call)
    for name in LIMITS:
        if name in call.body:
            setattr(call.site.limits, name, call.need_number(name))
    call.site.limits.windows.clear()
    call.site.limits.written.clear()
    return {name: getattr(call.site.limits, name) for name in LIMITS}


@route("PATCH", "/_twin/plans/<login>")
def plan(call: Call) -> Json:
    """What an account pays for; null: everything, and no plan is told."""
    _admin(call)
    user = one(call.db, "SELECT * FROM users WHERE login = ?", call.args["login"])
    if user is None:
        raise missing()
    wanted = call.text("plan")
    try:
        told = checked_plan(user["type"], wanted) if wanted is not None else None
    except ValueError as error:
        raise Problem(422, str(error)) from None
    update(call.db, "users", user["id"], plan=told)
    return {"login": user["login"], "plan": told}


@route("POST", "/_twin/clock")
def skip(call: Call) -> Json:
    _admin(call)
    call.site.clock.skipped += call.need_number("seconds")
    return {"now": call.now()}


@route("POST", "/_twin/schedules/<login>/<name>")
def schedules(call: Call) -> Answer:
    """Every scheduled workflow of a repository, now."""
    _admin(call)
    repo = find_repo(call.db, call.args["login"], call.args["name"])
    if repo is None:
        raise missing()
    return Answer(201, {"runs": run_schedules(call.site, call.db, repo, repo["owner_id"])})


@route("POST", "/_twin/tokens")
def token(call: Call) -> Answer:
    """A token like a job's: github-actions[bot] with these permissions on one repository.

    With a login instead, one more token of that person, with these scopes alone.
    """
    _admin(call)
    if "login" in call.body:
        return _personal(call)
    owner, _, name = call.need("repository").partition("/")
    repo = find_repo(call.db, owner, name)
    bot = one(call.db, "SELECT id FROM users WHERE login = ?", DEFAULT_BOT)
    given = call.body.get("permissions")
    if repo is None or bot is None or not isinstance(given, dict):
        raise missing()

    made = "ghs_" + secrets.token_hex(16)
    sql = "INSERT INTO tokens (token, user_id, repo_id, permissions) VALUES (?, ?, ?, ?)"
    call.db.execute(sql, (made, bot["id"], repo["id"], json.dumps(given)))
    return Answer(201, {"token": made})


def _personal(call: Call) -> Answer:
    user = one(call.db, "SELECT id FROM users WHERE login = ?", call.need("login"))
    if user is None:
        raise missing()
    made = "ghp_" + secrets.token_hex(18)
    sql = "INSERT INTO tokens (token, user_id, scopes) VALUES (?, ?, ?)"
    call.db.execute(sql, (made, user["id"], ", ".join(call.names("scopes"))))
    return Answer(201, {"token": made})
