"""The one place where secrets are taken out of words. Everything that a live run says passes it."""

from __future__ import annotations

import base64
import json
import logging
import sys
import traceback
from types import TracebackType
from urllib.parse import quote

HIDDEN = "[secret]"
SHORTEST = 4
"""Shorter ones are in every second word; a credential that short is none."""


class Secret:
    """A value that cannot be printed by accident."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return HIDDEN

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return HIDDEN


class Redactor:
    """Knows every secret of this run and takes each out, in the spellings that libraries use."""

    def __init__(self) -> None:
        self._known: list[str] = []

    def learn(self, secret: Secret) -> None:
        value = secret.reveal()
        if len(value) < SHORTEST:
            return
        plain = {value, quote(value, safe=""), json.dumps(value)[1:-1], repr(value)[1:-1]}
        coded = {base64.b64encode(value.encode()).decode().rstrip("=")}
        self._known = sorted({*self._known, *plain, *coded}, key=len, reverse=True)

    def clean(self, words: str) -> str:
        for secret in self._known:
            words = words.replace(secret, HIDDEN)
        return words


class CleanFormatter(logging.Formatter):
    """For what libraries log, tracebacks included."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.clean(super().format(record))


def guard_outputs(redactor: Redactor) -> None:
    """From here on logs and tracebacks of this process are cleaned."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(CleanFormatter(redactor))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.stderr.write(redactor.clean("".join(traceback.format_exception(kind, error, trace))))

    sys.excepthook = hook
