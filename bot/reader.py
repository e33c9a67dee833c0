"""Takes typed fields out of a raw payload, and names the field that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

T = TypeVar("T", str, int, bool)

MAX_BODY = 65_536
"""No body of GitHub's is longer."""


class Malformed(ValueError):
    """A payload that GitHub would not send. Says which field, and what was there."""


def instant(text: str) -> int:
    """2026-01-31T12:00:00Z -> seconds since 1970."""
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


class Reader:
    """Takes typed fields out of a payload by path, and names the path that is wrong."""

    def __init__(self, event: str, payload: object) -> None:
        self.event, self.payload = event, payload

    def has(self, path: str) -> bool:
        return self._find(path) is not None

    def text(self, path: str) -> str:
        """Half a character, which JSON can spell and no file can hold, becomes a question mark."""
        return self._take(path, str).encode(errors="replace").decode()

    def body(self, path: str) -> str:
        """GitHub sends null for an empty body. No body of GitHub's is longer than this."""
        value = self._find(path)
        text = "" if value is None else self.text(path)
        if len(text) > MAX_BODY:
            raise Malformed(f"{self.event}: {path}: {len(text)} characters, at most {MAX_BODY}")
        return text

    def flag(self, path: str) -> bool:
        return self._take(path, bool)

    def number(self, path: str) -> int:
        value = self._take(path, int)
        if value < 1 or value > 2**53:
            raise Malformed(f"{self.event}: {path}: {value} is not a number of GitHub's")
        return value

    def instant(self, path: str) -> int:
        text = self.text(path)
        try:
            found = instant(text)
        except (ValueError, OverflowError):
            found = -1
        if found < 0:
            raise Malformed(f"{self.event}: {path}: {text[:40]!r} is not a time")
        return found

    def names(self, path: str) -> set[str]:
        found = self._find(path)
        if not isinstance(found, list):
            raise self._wrong(path, "list", found)
        return {str(x.get("name")) for x in found if isinstance(x, Mapping)}

    def _take(self, path: str, kind: type[T]) -> T:
        value = self._find(path)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._wrong(path, kind.__name__, value)
        return value

    def _find(self, path: str) -> object:
        here: object = self.payload
        for part in path.split("."):
            if not isinstance(here, Mapping):
                return None
            here = here.get(part)
        return here

    def _wrong(self, path: str, wanted: str, found: object) -> Malformed:
        return Malformed(f"{self.event}: {path}: expected {wanted}, found {type(found).__name__}")
