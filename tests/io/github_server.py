"""A small GitHub over real HTTP, with faults on demand and a log of what was asked of it."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.io import routes_code, routes_talk
from tests.io.github_world import Problem, World
from tests.io.routes import Call, answer

ENDPOINTS = (routes_talk, routes_code)
"""Loading these is what fills the table that `answer` looks into."""


@dataclass
class Fault:
    """What goes wrong with the next requests that match, before or after they took effect."""

    verb: str
    path: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    message: str = "Server Error"
    tear: bool = False
    stall: float = 0
    after: bool = False
    times: int = 1
    meet: threading.Barrier | None = None
    """Holds requests until that many have come: both sides of a race have looked by then."""
    do: Callable[[], object] | None = None
    """What somebody else does at this moment."""


@dataclass(frozen=True)
class Seen:
    verb: str
    path: str
    status: int
    sent: str


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 50

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.world = World(url=f"http://127.0.0.1:{self.server_port}")
        self.faults: list[Fault] = []
        self.log: list[Seen] = []

    def fault(self, verb: str, path: str) -> Fault | None:
        with self.world.lock:
            for fault in self.faults:
                if fault.times and fault.verb == verb and re.search(fault.path, path):
                    fault.times -= 1
                    return fault
        return None

    @contextmanager
    def count(self, most: int) -> Iterator[list[Seen]]:
        """The requests made inside, of which there may be so many."""
        start = len(self.log)
        made: list[Seen] = []
        yield made
        made += self.log[start:]
        shown = "\n".join(f"{s.verb} {s.path} {s.status}" for s in made)
        assert len(made) <= most, f"{len(made)} requests, at most {most}:\n{shown}"

    def writes(self, path: str = "") -> int:
        return sum(s.verb != "GET" and bool(re.search(path, s.path)) for s in self.log)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet, else each answer waits for an acknowledgement
    server: Server

    def do_GET(self) -> None:
        self.serve()

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

    def serve(self) -> None:
        url = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        fault = self.server.fault(self.command, url.path)
        if fault and fault.do:
            fault.do()
        if fault and fault.meet:
            fault.meet.wait(10)
        if fault and not fault.after and self.fail(fault, url.path, sent):
            return
        with self.server.world.lock:
            status, shown = self.answer(url.path, url.query, sent)
        if fault and fault.after and self.fail(fault, url.path, sent):
            return
        self.reply(url.path, sent, status, *self.page(shown))

    def answer(self, path: str, query: str, sent: str) -> tuple[int, Any]:
        token = self.headers.get("Authorization", "").split()[-1]
        if token not in self.server.world.users:
            return 401, Problem(401, "Bad credentials").body
        call = partial(
            Call, token, query=dict(parse_qsl(query)), body=json.loads(sent) if sent else None
        )
        try:
            return answer(self.server.world, self.command, path, call)
        except Problem as problem:
            return problem.status, problem.body

    def page(self, shown: Any) -> tuple[Any, dict[str, str]]:
        """One page of a listing, and the link to the next."""
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query))
        size, number = int(query.get("per_page", 30)), int(query.get("page", 1))
        rows = shown.get("workflow_runs") if isinstance(shown, dict) else shown
        if not isinstance(rows, list) or self.command != "GET":
            return shown, {}
        cut = rows[(number - 1) * size : number * size]
        part = cut if isinstance(shown, list) else {**shown, "workflow_runs": cut}
        if number * size >= len(rows):
            return part, {}
        more = "&".join(f"{k}={v}" for k, v in {**query, "page": number + 1}.items())
        return part, {"Link": f'<{self.server.world.url}{url.path}?{more}>; rel="next"'}

    def fail(self, fault: Fault, path: str, sent: str) -> bool:
        if fault.stall:
            threading.Event().wait(fault.stall)
        if fault.tear or fault.stall:
            self.server.log.append(Seen(self.command, path, 0, sent))
            self.close_connection = True
            return True
        if fault.status:
            body = Problem(fault.status, fault.message).body
            self.reply(path, sent, fault.status, body, fault.headers)
        return bool(fault.status)

    def reply(self, path: str, sent: str, status: int, shown: Any, headers: dict[str, str]) -> None:
        body = b"" if shown is None else json.dumps(shown).encode()
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if status == 200 and self.headers.get("If-None-Match") == etag:
            status, body = 304, b""
        self.server.log.append(Seen(self.command, path, status, sent))
        self.send_response(status)
        for name, value in {**headers, "ETag": etag, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the log above is what the tests read."""
