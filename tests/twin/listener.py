"""Somebody who listens to webhooks, on a port of this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Heard)
        self.url = f"http://127.0.0.1:{self.server_port}/hook"
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answering = threading.Event()
        self.answering.set()

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        return [(headers["X-GitHub-Event"], json.loads(body)) for headers, body in self.got]


class Heard(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        self.send_response(200)
        self.drip()
        self.send_header("Content-Length", "0")
        self.end_headers()

    def drip(self) -> None:
        """Never silent for long, so that no timeout of the sender ends it; and never done."""
        self.flush_headers()
        self.wfile.write(b"X-Slow: ")
        while not self.server.answering.wait(1):
            self.wfile.write(b".")
        self.wfile.write(b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@contextmanager
def listening() -> Iterator[Listener]:
    with Listener() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.answering.set()
        server.shutdown()
