"""Breaks on demand: errors, limits, silence and torn connections, before or after the effect."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from typing import Any

from bot.twin.app import App, Turn
from bot.twin.asked import Asked
from bot.twin.call import Answer, Problem
from bot.twin.site import Site
from bot.twin.wire import Torn

WORDS = {
    500: "Server Error", 502: "Server Error", 503: "Service Unavailable", 504: "Gateway Timeout",
    403: "You have exceeded a secondary rate limit. Please wait a few minutes.",
    429: "Too many requests",
}  # fmt: skip


@dataclass
class Fault:
    """`tear` closes the connection without a word; `after` lets the request take effect first;
    `every` nth request that fits suffers it; each has its own count, which starts at `seen`."""

    verb: str = ".*"
    path: str = ".*"
    status: int = 0
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    tear: bool = False
    after: bool = False
    delay: float = 0
    times: int = 1
    every: int = 1
    seen: int = 0


FIELDS = set(Fault.__dataclass_fields__)
KINDS: dict[str, Any] = {
    "verb": str, "path": str, "message": str, "headers": dict, "tear": bool, "after": bool,
    "delay": int | float, "status": int, "times": int, "every": int, "seen": int,
}  # fmt: skip


class Faults:
    """A layer around everything else, so that nothing inside knows about it."""

    def __init__(self, app: App, site: Site) -> None:
        self.app, self.site = app, site
        self.lock = threading.Lock()

    def quick(self, asked: Asked) -> Turn | None:
        """Nothing that may break is hurried."""
        disturbed = any(f.times for f in self.site.faults) or asked.headers.get("x-twin-fault")
        return None if disturbed else self.app.quick(asked)

    def together(self, turns: list[Turn]) -> list[Answer] | None:
        return self.app.together(turns)

    def __call__(self, asked: Asked) -> Answer:
        fault = self._next(asked)
        if fault is None:
            return self.app(asked)
        done = self.app(asked) if fault.after else None
        if fault.delay:
            threading.Event().wait(min(fault.delay, 60))
        if fault.tear:
            raise Torn("torn on demand")
        if fault.status:
            return _answer(fault)
        return done or self.app(asked)

    def _next(self, asked: Asked) -> Fault | None:
        header = asked.headers.get("x-twin-fault")
        if header:
            return _read(header)
        if not self.site.faults:
            return None
        with self.lock:
            for fault in self.site.faults:
                wanted = fault.times and re.fullmatch(fault.verb, asked.verb)
                if not wanted or not re.search(fault.path, asked.whole_path):
                    continue
                fault.seen += 1
                if fault.seen % fault.every == 0:
                    fault.times -= 1
                    return fault
        return None


def _read(header: str) -> Fault:
    """What is no fault is an error: who asked for a break must not think that all is well."""
    try:
        return checked(json.loads(header))
    except (ValueError, re.error) as error:
        return Fault(status=400, message=f"X-Twin-Fault: {error}")


def checked(given: object) -> Fault:
    """A fault that will not itself break; ValueError says what is wrong with it."""
    if not isinstance(given, dict) or set(given) - FIELDS:
        raise ValueError(f"A fault has {', '.join(sorted(FIELDS))}")
    for name, value in given.items():
        kind = KINDS[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name} is not {getattr(kind, '__name__', 'a number')}")
    for name in ("verb", "path"):
        re.compile(given.get(name, ""))
    if given.get("every", 1) < 1:
        raise ValueError("every is 1 or more")
    return Fault(**given)


def _answer(fault: Fault) -> Answer:
    message = fault.message or WORDS.get(fault.status, "Server Error")
    body = json.dumps(Problem(fault.status, message).body).encode()
    return Answer(fault.status, None, fault.headers, body)
