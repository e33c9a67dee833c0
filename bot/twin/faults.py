"""Breaks on demand: errors, limits, silence and torn connections, before or after the effect."""

from __future__ import annotations

import errno
import json
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bot.twin.asked import Environ, Start
from bot.twin.call import Problem
from bot.twin.site import Site

WORDS = {
    500: "Server Error", 502: "Server Error", 503: "Service Unavailable", 504: "Gateway Timeout",
    403: "You have exceeded a secondary rate limit. Please wait a few minutes.",
    429: "Too many requests",
}  # fmt: skip


@dataclass
class Fault:
    """`tear` closes the connection without a word; `after` lets the request take effect first."""

    verb: str = ".*"
    path: str = ".*"
    status: int = 0
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    tear: bool = False
    after: bool = False
    delay: float = 0
    times: int = 1


class Faults:
    """A WSGI layer around everything else, so that nothing inside knows about it."""

    def __init__(self, app: Callable[[Environ, Start], Iterable[bytes]], site: Site) -> None:
        self.app, self.site = app, site
        self.lock = threading.Lock()

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        fault = self._next(environ)
        if fault is None:
            return self.app(environ, start)
        if fault.after:
            self._quietly(environ)
        if fault.delay:
            threading.Event().wait(min(fault.delay, 60))
        if fault.tear:
            raise ConnectionResetError(errno.ECONNRESET, "torn on demand")
        if fault.status:
            return _answer(fault, start)
        return self.app(environ, start)

    def _next(self, environ: Environ) -> Fault | None:
        header = environ.get("HTTP_X_TWIN_FAULT")
        if header:
            return Fault(**json.loads(header))
        if not self.site.faults:
            return None
        verb, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        with self.lock:
            for fault in self.site.faults:
                if fault.times and re.fullmatch(fault.verb, verb) and re.search(fault.path, path):
                    fault.times -= 1
                    return fault
        return None

    def _quietly(self, environ: Environ) -> None:
        """The whole effect; its answer goes nowhere."""
        answer = self.app(environ, lambda *_: lambda _: None)
        for _ in answer:
            continue
        close = getattr(answer, "close", None)
        if close:
            close()


def _answer(fault: Fault, start: Start) -> Iterable[bytes]:
    message = fault.message or WORDS.get(fault.status, "Server Error")
    body = json.dumps(Problem(fault.status, message).body).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    start(f"{fault.status} Fault", list({**headers, **fault.headers}.items()))
    return [body]
