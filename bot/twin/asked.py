"""A request as it came over the wire, and the bytes of an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from bot.twin.call import Answer, Problem

PREFIX = "/api/v3"
HOSTS = {"127.0.0.1", "localhost", "::1"}
QUOTED_SLASH = re.compile("%2F", re.IGNORECASE)
PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Headers:
    """By any spelling of the name; `found` has them in small letters."""

    found: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        return self.found.get(name.lower(), default)


@dataclass
class Asked:
    verb: str
    target: str
    headers: Headers
    raw: bytes = b""

    @cached_property
    def whole_path(self) -> str:
        """A quoted slash stays quoted, so that a label `a/b` is one part of a path."""
        path = self.target.partition("?")[0]
        if "%" not in path:
            return path
        return "%2F".join(unquote(part) for part in QUOTED_SLASH.split(path))

    def moved(self, target: str) -> None:
        """As if it had been asked for there."""
        self.target = target
        for name in ("whole_path", "path"):
            self.__dict__.pop(name, None)

    @cached_property
    def path(self) -> str:
        return self.whole_path.removeprefix(PREFIX)

    @property
    def host(self) -> str:
        return self.headers.get("host")

    @property
    def query_string(self) -> str:
        return self.target.partition("?")[2]

    @cached_property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.query_string, keep_blank_values=True))

    def body(self) -> dict[str, Any]:
        """The JSON of it; a few endpoints take a bare list, which is found under no name."""
        kind = self.headers.get("content-type") or "json"
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
        if self.host.rpartition(":")[0] in HOSTS:
            return
        if (urlsplit(f"//{self.host}").hostname or "") not in HOSTS:
            raise Problem(421, "This twin answers only to the name of this machine")


def written(answer: Answer, verb: str, closing: bool) -> bytes:
    body = answer.raw if answer.raw is not None else b""
    lines = [f"HTTP/1.1 {answer.status} {PHRASES.get(answer.status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    if answer.raw is not None:
        lines.append(f"Content-Type: {answer.kind}")
    if answer.status not in (204, 304):
        lines.append(f"Content-Length: {len(body)}")
    if closing:
        lines.append("Connection: close")
    if not "".join(lines).isprintable():
        lines = [_one_line(line) for line in lines]
    head = "\r\n".join(lines) + "\r\n\r\n"
    silent = verb == "HEAD" or answer.status in (204, 304)
    return head.encode(errors="replace") + (b"" if silent else body)


def _one_line(text: str) -> str:
    """What a client said may come back in a header; it must not begin one of its own."""
    return re.sub(r"[\x00-\x1f\x7f]", "", text)
