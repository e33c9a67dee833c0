"""The audit log of a live run: JSON lines, each bound to the one before by its hash."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.live.redact import Redactor

START = "0" * 64


class Audit:
    """Appends. Each line is on the disk before `write` returns; secrets never are."""

    def __init__(
        self, file: Path, correlation_id: str, redactor: Redactor, clock: Callable[[], float]
    ) -> None:
        self._file, self._id, self._redactor, self._clock = file, correlation_id, redactor, clock
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        torn = mend(file)
        self._n, self._before = _end(file)
        self._out = open(file, "a", encoding="utf-8")  # noqa: SIM115
        if torn:
            self.write("audit_mended", torn_bytes=torn)

    def write(self, event: str, **facts: object) -> None:
        now = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        said = {"n": self._n, "timestamp": now, "correlation_id": self._id, "event": event}
        body = self._redactor.clean(json.dumps({**said, **facts, "before": self._before}))
        self._before = digest(body)
        self._out.write(json.dumps({**json.loads(body), "hash": self._before}) + "\n")
        self._out.flush()
        os.fsync(self._out.fileno())
        self._n += 1

    def close(self) -> None:
        self._out.close()


def digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def verify(file: Path) -> str:
    """What is wrong with the log, or nothing: a line changed, left out, added or moved."""
    before = START
    for n, text in enumerate(file.read_text(encoding="utf-8").splitlines()):
        try:
            line = json.loads(text)
            told = line.pop("hash")
        except (ValueError, KeyError, AttributeError, TypeError):
            return f"line {n + 1} is no entry"
        if line.get("before") != before or line.get("n") != n:
            return f"line {n + 1} does not follow the line before it"
        if digest(json.dumps(line)) != told:
            return f"line {n + 1} was changed"
        before = told
    return ""


def mend(file: Path) -> int:
    """Cut off a last line that a crash left half written. How many bytes that were."""
    if not file.exists():
        return 0
    raw = file.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        os.truncate(file, whole)
    return len(raw) - whole


def _end(file: Path) -> tuple[int, str]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return (len(lines), str(json.loads(lines[-1])["hash"])) if lines else (0, START)
