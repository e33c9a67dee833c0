"""The audit log of a live run: JSON lines, each bound to the one before, the last to an anchor."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.live.redact import Redactor
from bot.live.refused import Code, Refused

START = "0" * 64
ANCHOR = re.compile(r"([0-9]{12}) ([0-9a-f]{64})\n")


class Audit:
    """Appends. Line and anchor are on the disk before `write` returns; secrets never are."""

    def __init__(
        self, file: Path, correlation_id: str, redactor: Redactor, clock: Callable[[], float]
    ) -> None:
        self._file, self._id, self._redactor, self._clock = file, correlation_id, redactor, clock
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        torn = mend(file)
        wrong = verify(file) if file.exists() or anchor(file).exists() else ""
        if wrong:
            raise Refused(Code.AUDIT_CUT, f"{file}: {wrong}")
        self._n, self._before = _end(file)
        self._out = open(file, "a", encoding="utf-8")  # noqa: SIM115
        self._anchor = os.open(anchor(file), os.O_WRONLY | os.O_CREAT, 0o600)
        _to_disk(file.parent)
        if torn:
            self.write("audit_mended", torn_bytes=torn)

    def write(self, event: str, **facts: object) -> None:
        now = datetime.fromtimestamp(self._clock(), UTC).isoformat(timespec="milliseconds")
        said = {"n": self._n, "timestamp": now, "correlation_id": self._id, "event": event}
        told = {**said, **self._clean(facts), "before": self._before}
        self._before = digest(json.dumps(told))
        self._out.write(json.dumps({**told, "hash": self._before}) + "\n")
        self._out.flush()
        os.fsync(self._out.fileno())
        self._n += 1
        # After the line: a crash in between leaves a line too many, and never one too few.
        os.pwrite(self._anchor, f"{self._n:012d} {self._before}\n".encode(), 0)
        os.fsync(self._anchor)

    def _clean(self, facts: dict[str, object]) -> dict[str, object]:
        """In the words alone: a short secret is also in a number or a hash, and those must hold."""
        plain = json.loads(json.dumps(facts))
        return {name: _words(value, self._redactor.clean) for name, value in plain.items()}

    def close(self) -> None:
        self._out.close()
        os.close(self._anchor)


def _words(value: object, clean: Callable[[str], str]) -> object:
    match value:
        case str():
            return clean(value)
        case list():
            return [_words(one, clean) for one in value]
        case dict():
            return {clean(name): _words(one, clean) for name, one in value.items()}
    return value


def digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def verify(file: Path) -> str:
    """What is wrong with the log, or nothing: a line changed, left out, added, moved or cut off."""
    before, hashes = START, [START]
    for n, text in enumerate(_texts(file)):
        try:
            line = json.loads(text)
            told = line.pop("hash")
        except (ValueError, KeyError, AttributeError, TypeError):
            return f"line {n + 1} is no entry"
        if line.get("before") != before or line.get("n") != n:
            return f"line {n + 1} does not follow the line before it"
        # Also what reads the same: a name that is there twice, a blank, another spelling.
        if digest(json.dumps(line)) != told or json.dumps({**line, "hash": told}) != text:
            return f"line {n + 1} was changed"
        before = told
        hashes.append(told)
    return _unanchored(file, hashes)


def anchor(file: Path) -> Path:
    """Where it says how many lines there are, and the hash of the last."""
    return file.with_suffix(".head")


def _unanchored(file: Path, hashes: list[str]) -> str:
    """One line more than the anchor knows is what a crash leaves; one less is nobody's accident."""
    raw = anchor(file).read_bytes().decode(errors="replace") if anchor(file).exists() else ""
    found = ANCHOR.fullmatch(raw or f"{0:012d} {START}\n")
    if found is None:
        return f"{anchor(file).name} is no anchor"
    known, last, lines = int(found[1]), found[2], len(hashes) - 1
    if lines < known:
        return f"{known - lines} of {known} lines were cut off the end"
    if lines > known + 1:
        return f"the anchor knows of {known} lines, there are {lines}"
    return "" if hashes[known] == last else f"line {known} is not the one that was anchored"


def mend(file: Path) -> int:
    """Cut off a last line that a crash left half written. How many bytes that were."""
    if not file.exists():
        return 0
    raw = file.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        os.truncate(file, whole)
    return len(raw) - whole


def _to_disk(folder: Path) -> None:
    """The names of new files too."""
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def _texts(file: Path) -> list[str]:
    """Lines as they are: no other end of a line than the one that was written."""
    text = file.read_bytes().decode(errors="replace") if file.exists() else ""
    return text.removesuffix("\n").split("\n") if text else []


def _end(file: Path) -> tuple[int, str]:
    lines = _texts(file)
    return (len(lines), str(json.loads(lines[-1])["hash"])) if lines else (0, START)
