"""An OpenAI-compatible server over real HTTP: it gives the replies it was told, in their order."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

REPLIES = Path(__file__).parent.parent.parent / "fixtures/replies"


@dataclass(frozen=True)
class Reply:
    """`fault`: what goes wrong after the head of the answer was sent, or instead of it."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fault: Literal["", "tear", "hang", "endless"] = ""


@dataclass(frozen=True)
class Seen:
    path: str
    headers: dict[str, str]
    sent: dict[str, Any]

    @property
    def system(self) -> str:
        return str(self.sent["messages"][0]["content"])

    @property
    def data(self) -> str:
        return str(self.sent["messages"][1]["content"])


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.replies: list[Reply] = []
        self.seen: list[Seen] = []
        self.over = threading.Event()

    def shutdown(self) -> None:
        self.over.set()
        super().shutdown()


class Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        self.server.seen.append(Seen(self.path, _lower(self.headers), json.loads(raw)))
        turn = len(self.server.seen) - 1
        nothing = Reply(b'{"error": {"message": "nothing more was planned"}}', 418)
        self._give(self.server.replies[turn] if turn < len(self.server.replies) else nothing)

    def _give(self, reply: Reply) -> None:
        if reply.fault == "hang":
            self.server.over.wait(60)
            self.close_connection = True
            return
        self.send_response(reply.status)
        for name, value in {"content-type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        if reply.fault == "endless":
            self._drip(reply)
            return
        self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body[: len(reply.body) // 2] if reply.fault else reply.body)
        self.close_connection = bool(reply.fault)

    def _drip(self, reply: Reply) -> None:
        self.close_connection = True
        self.end_headers()
        try:
            while not self.server.over.is_set():
                self.wfile.write(reply.body)
        except OSError:  # the client has heard enough
            pass

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `seen`."""


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def recorded(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPLIES / f"{name}.json").read_text())
    return found


def reply(name: str) -> Reply:
    return Reply(json.dumps(recorded(name)).encode())


def says(content: str | None, end: str = "stop", **message: Any) -> Reply:
    """The coder's recorded reply with another message in it."""
    body = recorded("coder")
    body["choices"][0]["finish_reason"] = end
    body["choices"][0]["message"] |= {"content": content, **message}
    return Reply(json.dumps(body).encode())


def answers(name: str, **changes: Any) -> Reply:
    """A recorded answer with some of its fields changed, or left out where None."""
    content = json.loads(recorded(name)["choices"][0]["message"]["content"])
    changed = {k: v for k, v in (content | changes).items() if v is not None}
    body = recorded(name)
    body["choices"][0]["message"]["content"] = json.dumps(changed)
    return Reply(json.dumps(body).encode())


def fails(status: int, message: str, **headers: str) -> Reply:
    body = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return Reply(
        json.dumps(body).encode(), status, {k.replace("_", "-"): v for k, v in headers.items()}
    )
