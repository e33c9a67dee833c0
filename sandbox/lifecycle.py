"""One run from start to end: its state on disk, its containers, and how others may end it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from docker.errors import DockerException

from sandbox import orphans, owner, state, told
from sandbox.job import GRACE, CannotRun, Order
from sandbox.state import Phase, State

ORDER, LOCK = "order", ".lock"
GLANCE = 0.05  # seconds between two looks at a state that another process writes


class Run:
    """The ledger of the engines of one run; safe to use from several threads."""

    def __init__(self, out: Path) -> None:
        self.id = secrets.token_hex(6)
        self.home = str(out.resolve())
        self._out = out
        self._lock = threading.Lock()
        self._given_up = False
        self._state = State(self.id, "queued", owner.me(), os.getpid()).enter("queued")
        state.write(out, self._state)

    def ordered(self) -> Order | None:
        if self._given_up:
            return "cancelled"
        try:
            run, order = (self._out / ORDER).read_text().split()
        except (FileNotFoundError, ValueError):
            return None
        if run != self.id:
            return None
        return "killed" if order == "killed" else "cancelled"

    def opened(self, name: str) -> None:
        with self._lock:
            self._write(replace(self._state, containers=(*self._state.containers, name)))

    def closed(self, name: str) -> None:
        with self._lock:
            left = tuple(n for n in self._state.containers if n != name)
            self._write(replace(self._state, containers=left))

    def begin(self) -> None:
        with self._lock:
            self._write(self._state.enter("running"))

    def finish(self, outcome: Phase) -> Phase:
        """The first outcome stays; an order to end that came before it wins over it."""
        with self._lock:
            if self._state.under_way:
                self._write(self._state.enter(self.ordered() or outcome))
            return self._state.state

    def give_up(self) -> None:
        """Start nothing more and kill what runs, so that nobody waits for it. `leave_nothing`
        still has to come: it says so if the engine does not obey."""
        self._given_up = True
        with contextlib.suppress(CannotRun, DockerException, OSError):
            _signal(self._state, signal.SIGKILL)

    def leave_nothing(self) -> None:
        with self._lock:
            left = self._state.containers
            orphans.end_processes(left, signal.SIGKILL)
            if any(not name.startswith("process-") for name in left):
                orphans.remove_containers(self.id)
            if left:
                self._write(replace(self._state, containers=()))

    def _write(self, new: State) -> None:
        self._state = new
        state.write(self._out, new)


@contextlib.contextmanager
def run(out: Path) -> Iterator[Run]:
    """Queued, then running, then what `finish` says; whatever happens, nothing is left behind."""
    try:
        with _run(out) as this:
            yield this
    except OSError as error:  # a full disk, a folder that is a file, an engine that went away
        where = f" ({error.filename})" if error.filename else ""
        why = error.strerror or str(error)
        raise CannotRun(
            f"{why}{where}; give another folder, or make room, and run it again"
        ) from error


@contextlib.contextmanager
def _run(out: Path) -> Iterator[Run]:
    out.mkdir(parents=True, exist_ok=True)
    with _alone_in(out):
        before = state.read(out)
        if before:
            orphans.declare_killed(str(out), before.run)
        (out / ORDER).unlink(missing_ok=True)
        this = Run(out)
        with told.interrupted(this.give_up):
            yield from _until_it_ends(this)


def _until_it_ends(this: Run) -> Iterator[Run]:
    outcome: Phase = "failed"
    try:
        orphans.sweep()
        this.begin()
        yield this
    except KeyboardInterrupt:
        outcome = "cancelled"
        raise
    finally:
        try:
            this.leave_nothing()
        finally:
            this.finish(outcome)


def cancel(out: Path, *, force: bool = False, patience: float = 30.0) -> State:
    """End the run in this folder, from any process; returns the state it ended in."""
    known = state.read(out)
    if known is None:
        raise CannotRun(f"nothing was run in {out}; give the folder of a run")
    if not known.under_way:
        return known
    order: Order = "killed" if force else "cancelled"
    state.put(out / ORDER, f"{known.run} {order}".encode())
    if not force:
        _signal(known, signal.SIGTERM)
        if (ended := _ends_within(out, known, GRACE)) is not None:
            return ended
    _signal(known, signal.SIGKILL)
    if (ended := _ends_within(out, known, patience)) is not None:
        return ended
    raise CannotRun(f"process {known.owner_pid} does not end its run; end it, then try again")


def _signal(known: State, number: signal.Signals) -> None:
    orphans.end_processes(known.containers, number)
    if any(not name.startswith("process-") for name in known.containers):
        orphans.end_containers(known.run, number.name)


def _ends_within(out: Path, known: State, seconds: float) -> State | None:
    """Its owner writes the end; for a dead owner we do."""
    until = time.monotonic() + seconds
    while True:
        now = state.read(out)
        if now is None or now.run != known.run or not now.under_way:
            return now or known
        if owner.is_dead(known.owner):
            return _bury(out, now)
        if time.monotonic() > until:
            return None
        time.sleep(GLANCE)


def _bury(out: Path, known: State) -> State:
    orphans.sweep()
    ended = state.read(out)
    if ended is None or ended.under_way:
        orphans.declare_killed(str(out), known.run)
        ended = state.read(out)
    return ended or known


@contextlib.contextmanager
def _alone_in(out: Path) -> Iterator[None]:
    """The kernel lets go of the lock of a process that died."""
    with (out / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotRun(f"another run is using {out}; wait for it or cancel it") from None
        yield
