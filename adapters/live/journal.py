"""The write-ahead journal: what was seen, decided and intended, on the disk before it is done."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

Record = dict[str, object]


class Torn(ValueError):
    """A line in the middle that is no record: nobody knows what was there."""


class Journal:
    """Appends records. A crash can only hurt the last line, and that one was not acted upon."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mend(file)
        self._out = open(file, "ab")  # noqa: SIM115

    def write(self, kind: str, **facts: object) -> Record:
        record: Record = {"kind": kind, **facts}
        self._out.write(json.dumps(record).encode() + b"\n")
        self._out.flush()
        os.fsync(self._out.fileno())
        return record

    def read(self) -> Iterator[Record]:
        return read(self.file)

    def close(self) -> None:
        self._out.close()


def read(file: Path) -> Iterator[Record]:
    with open(file, "rb") as lines:
        for n, line in enumerate(lines):
            try:
                record = json.loads(line)
            except ValueError:
                raise Torn(f"{file}: line {n + 1} is no record") from None
            yield record


def mend(file: Path) -> None:
    """Cut off what comes after the last whole line."""
    if not file.exists():
        return
    raw = file.read_bytes()
    whole = raw.rfind(b"\n") + 1
    if whole < len(raw):
        os.truncate(file, whole)
