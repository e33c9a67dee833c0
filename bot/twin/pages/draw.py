"""Templates, and the few words and shapes that they need of a value."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.twin.call import Answer
from bot.twin.clock import instant
from bot.twin.pages import markdown
from bot.twin.pages.visit import Visit

HEX = re.compile(r"[0-9a-fA-F]{6}")
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
GOOD, MUTED = {"success"}, {"neutral", "skipped", "cancelled", "stale"}
WAITING = {
    "queued", "in_progress", "waiting", "pending", "requested", "action_required", "expected",
}  # fmt: skip


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("bot.twin.pages"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {
        "when": when, "took": took, "md": markdown.said, "file_md": markdown.written,
        "tone": tone, "colour": colour, "size": size, "short": short, "seg": segment,
    }  # fmt: skip
    return made


def page(visit: Visit, template: str, /, **values: Any) -> Answer:
    base = visit.to("") if {"owner", "repo"} <= visit.args.keys() else ""
    html = environment().get_template(template).render(
        visit=visit, me=visit.user, base=base, args=visit.args, query=visit.query,
        problem=visit.problem, **values,
    )  # fmt: skip
    return Answer(raw=html.encode(), kind="text/html; charset=utf-8")


def when(stamp: str | None) -> str:
    """`2026-03-01T10:20:30Z` -> `1 Mar 2026, 10:20`."""
    if not stamp:
        return ""
    return f"{int(stamp[8:10])} {MONTHS[int(stamp[5:7]) - 1]} {stamp[:4]}, {stamp[11:16]}"


def took(start: str | None, end: str | None) -> str:
    if not start or not end:
        return ""
    seconds = max(0, int(instant(end) - instant(start)))
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def tone(state: str | None) -> str:
    """How a state looks: good, bad, waiting, muted."""
    if state in GOOD:
        return "good"
    if state in WAITING or state is None:
        return "waiting"
    return "muted" if state in MUTED else "bad"


def colour(text: object) -> str:
    return f"#{text}" if HEX.fullmatch(str(text)) else "#888888"


def size(count: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000 or unit == "MB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count = count / 1000  # type: ignore[assignment]
    return ""


def short(sha: str) -> str:
    return sha[:7]


def segment(text: str) -> str:
    """A part of an address; slashes of a branch or path stay."""
    return quote(str(text))
