"""What may be asked of an engine and what it answers: a job in, a conversation, an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Protocol, Self

Reason = Literal["exited", "timed_out", "killed", "cancelled", "out_of_memory"]
Order = Literal["cancelled", "killed"]

KEPT = 1_000_000  # bytes of stdout and of stderr that are kept; the rest is read and dropped
LONGEST_LINE = 4_000_000
GRACE = 2.0


class CannotRun(Exception):
    """The sandbox itself is not able to run; the sentence says what to do."""


class Cancelled(Exception):
    """Somebody asked for this run to end, so nothing more is started."""


class Lost(Exception):
    """The other side of the pipe will give no (more) answer."""

    def __init__(self, why: Literal["ended", "late", "too_long"]) -> None:
        super().__init__(f"the process in the sandbox gave no answer: {why}")
        self.why = why


@dataclass(frozen=True, slots=True)
class Job:
    name: str  # short, for people and for the container's name
    command: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)  # read-only at /work
    env: Mapping[str, str] = field(default_factory=dict)
    hostname: str = "sandbox"
    workdir: str = "/work"
    clock_shift: int = 0  # seconds; 0 means the real clock
    seconds: float = 300.0  # wall-clock limit, from the start
    cpus: float | None = None  # None: the engine's default
    scratch: int = 16 << 20  # bytes that can be written, all in /tmp


@dataclass(frozen=True, slots=True)
class Ended:
    exit_code: int | None  # None: it did not end by itself
    stdout: bytes  # what `receive` did not take, capped
    stderr: bytes  # capped
    seconds: float
    reason: Reason


class Running(Protocol):
    def send(self, line: bytes) -> None: ...
    def receive(self, seconds: float) -> bytes: ...
    def wait(self) -> Ended: ...
    def stop(self, grace: float = GRACE) -> Ended: ...
    def kill(self) -> Ended: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None: ...


class Engine(Protocol):
    @property
    def isolated(self) -> bool: ...

    def start(self, job: Job) -> Running: ...
    def run(self, job: Job, stdin: bytes = b"") -> Ended: ...


class Ledger(Protocol):
    """Where an engine writes down what it started, and reads whether it should end."""

    @property
    def id(self) -> str: ...
    @property
    def home(self) -> str: ...
    def ordered(self) -> Order | None: ...
    def opened(self, name: str) -> None: ...
    def closed(self, name: str) -> None: ...


class Unwatched:
    """The ledger of somebody who runs one job and needs no state on disk."""

    id = "alone"
    home = ""

    def ordered(self) -> Order | None:
        return None

    def opened(self, name: str) -> None:
        """Nothing to remember."""

    def closed(self, name: str) -> None:
        """Nothing to forget."""
