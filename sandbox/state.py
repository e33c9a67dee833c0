"""What is known on disk about one run: `state.json` in its folder, never half written."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

Phase = Literal["queued", "running", "passed", "failed", "cancelled", "killed", "timed_out"]
UNDER_WAY = ("queued", "running")
FILE = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    run: str
    state: Phase
    owner: str
    owner_pid: int
    containers: tuple[str, ...] = ()  # those that exist now
    history: tuple[tuple[Phase, str], ...] = ()  # each phase and since when

    @property
    def under_way(self) -> bool:
        return self.state in UNDER_WAY

    def enter(self, phase: Phase) -> Self:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return replace(self, state=phase, history=(*self.history, (phase, now)))


def read(out: Path) -> State | None:
    """None where nothing was run, or where the file is not ours."""
    try:
        raw = json.loads((out / FILE).read_bytes())
        raw["containers"] = tuple(raw["containers"])
        raw["history"] = tuple((phase, at) for phase, at in raw["history"])
        return State(**raw)
    except (FileNotFoundError, NotADirectoryError, ValueError, TypeError, KeyError):
        return None


def write(out: Path, state: State) -> None:
    put(out / FILE, json.dumps(asdict(state), indent=1).encode())


def put(path: Path, content: bytes) -> None:
    """All of it or nothing, also when the machine dies."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
