"""A request as it came over the wire, and how an answer goes back: the only WSGI in the twin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from werkzeug.datastructures import EnvironHeaders

from bot.twin.call import Answer, Problem

Environ = dict[str, Any]
Start = Callable[..., Any]
PREFIX = "/api/v3"
HOSTS = {"127.0.0.1", "localhost", "::1"}


@dataclass
class Asked:
    environ: Environ

    @property
    def verb(self) -> str:
        return str(self.environ["REQUEST_METHOD"])

    @cached_property
    def whole_path(self) -> str:
        return str(self.environ["PATH_INFO"]).encode("latin-1").decode("utf-8", "replace")

    @cached_property
    def path(self) -> str:
        return self.whole_path.removeprefix(PREFIX)

    @property
    def host(self) -> str:
        return str(self.environ.get("HTTP_HOST", ""))

    @cached_property
    def headers(self) -> EnvironHeaders:
        return EnvironHeaders(self.environ)

    @cached_property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.environ.get("QUERY_STRING", ""), keep_blank_values=True))

    @cached_property
    def raw(self) -> bytes:
        size = self.environ.get("CONTENT_LENGTH")
        if size:
            return bytes(self.environ["wsgi.input"].read(int(size)))
        chunked = self.environ.get("wsgi.input_terminated")
        return bytes(self.environ["wsgi.input"].read()) if chunked else b""

    def body(self) -> dict[str, Any]:
        """The JSON of it; a few endpoints take a bare list, which is found under no name."""
        kind = self.environ.get("CONTENT_TYPE") or "json"
        if not self.raw or ("json" not in kind and self.raw[:1] not in b"{["):
            return {}
        try:
            found = json.loads(self.raw)
        except (ValueError, RecursionError):
            raise Problem(400, "Problems parsing JSON") from None
        if isinstance(found, list):
            return {"": found}
        if not isinstance(found, dict):
            raise Problem(400, "Body should be a JSON object")
        return found

    def check_host(self) -> None:
        """A page on another site that points its name at this machine gets nothing."""
        if (urlsplit(f"//{self.host}").hostname or "") not in HOSTS:
            raise Problem(421, "This twin answers only to the name of this machine")


def send(answer: Answer, start: Start) -> Iterable[bytes]:
    body = answer.raw if answer.raw is not None else b""
    headers = list(answer.headers.items())
    if answer.raw is not None:
        headers.append(("Content-Type", answer.kind))
    if answer.status not in (204, 304):
        headers.append(("Content-Length", str(len(body))))
    start(f"{answer.status} {_phrase(answer.status)}", headers)
    return [body] if body else []


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
