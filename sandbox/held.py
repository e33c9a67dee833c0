"""A process that was started and is held until it ends: its time limit, its end, its removal."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Protocol, Self

from sandbox.job import GRACE, KEPT, Cancelled, Ended, Job, Ledger, Lost, Reason
from sandbox.pipes import Talk, Wire

PATIENCE = 10.0  # seconds that an engine may take to carry out a kill


class Body(Protocol):
    """The process itself: a container or a plain process."""

    name: str

    def signal(self, name: str) -> bool: ...  # False: it has already ended
    def exit_code(self, seconds: float) -> int | None: ...  # None: still running
    def out_of_memory(self) -> bool: ...
    def remove(self) -> None: ...  # idempotent


class Held:
    def __init__(self, body: Body, wire: Wire, job: Job, ledger: Ledger) -> None:
        self.body = body
        self.talk = Talk(wire, job.longest_line)
        self._ledger = ledger
        self._started = time.monotonic()
        self._deadline = self._started + job.seconds
        self._reason: Reason | None = None
        self._ended: Ended | None = None
        self._settling = threading.RLock()
        self._closed = False
        self._watchdog = threading.Timer(job.seconds, self._put_down, ("timed_out",))
        self._watchdog.daemon = True
        self._watchdog.start()

    def send(self, line: bytes) -> None:
        self._still_open()
        self.talk.send(line + b"\n", self._deadline)

    def receive(self, seconds: float) -> bytes:
        self._still_open()
        return self.talk.receive(min(time.monotonic() + seconds, self._deadline))

    def wait(self, stdin: bytes = b"") -> Ended:
        if self._ended is None and not self._finishes(stdin):
            self._put_down("timed_out")
        return self._settle()

    def stop(self, grace: float = GRACE) -> Ended:
        if self._ended is None and self._signal("SIGTERM", "cancelled"):
            until = time.monotonic() + grace
            # Another thread that is talking reads for us; it sees the end when we do.
            if self.talk.turn.acquire(timeout=grace):
                try:
                    self.talk.drain(until)
                finally:
                    self.talk.turn.release()
            if self.body.exit_code(until - time.monotonic()) is None:
                self._put_down("cancelled")
        return self._settle()

    def kill(self) -> Ended:
        if self._ended is None:
            self._put_down("killed")
        return self._settle()

    def unless_told_to_end(self) -> Self:
        """Who ended the run in the meantime could not see this one, so it ends itself."""
        if self._ledger.ordered() is None:
            return self
        self.close()
        raise Cancelled(f"{self.body.name} was not used: this run was asked to end")

    def close(self) -> None:
        with self._settling:
            if self._closed:
                return
            self._watchdog.cancel()
            if self._ended is None:
                self.kill()
            self._closed = True
            self._hang_up()
            self.body.remove()
            self._ledger.closed(self.body.name)
        if threading.current_thread() is not self._watchdog:
            self._watchdog.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _still_open(self) -> None:
        if self._closed or self._ended is not None:
            raise Lost("ended")

    def _finishes(self, stdin: bytes) -> bool:
        """Its outputs may end long before it does."""
        drained = self.talk.drain(self._deadline, stdin)
        return drained and self.body.exit_code(self._deadline - time.monotonic()) is not None

    def _signal(self, name: str, reason: Reason) -> bool:
        first = self._reason is None
        if first:
            self._reason = reason
        delivered = self.body.signal(name)
        if first and not delivered:
            self._reason = None
        return delivered

    def _put_down(self, reason: Reason) -> None:
        """Kill it. A full pipe that nobody reads would hold up the engine: give it up first.

        One that dies because its pipe is gone was put down all the same."""
        ran = self.body.exit_code(0.0) is None
        if self.talk.turn.acquire(blocking=False):
            try:
                self.talk.drain(time.monotonic() + 0.05)
                self.talk.wire.close()
            finally:
                self.talk.turn.release()
        if not self._signal("SIGKILL", reason) and ran and self._reason is None:
            self._reason = reason

    def _hang_up(self) -> None:
        mine = self.talk.turn.acquire(timeout=GRACE)
        self.talk.wire.close()
        if mine:
            self.talk.turn.release()

    def _settle(self) -> Ended:
        with self._settling:
            if self._ended is None:
                self._watchdog.cancel()
                code = self.body.exit_code(PATIENCE)
                reason = self._why()
                self._ended = Ended(
                    exit_code=code if reason == "exited" else None,
                    stdout=bytes(self.talk.stdout[:KEPT]),
                    stderr=bytes(self.talk.stderr),
                    seconds=time.monotonic() - self._started,
                    reason=reason,
                )
            return self._ended

    def _why(self) -> Reason:
        if self._reason is not None:
            return self._reason
        if (order := self._ledger.ordered()) is not None:
            return order
        return "out_of_memory" if self.body.out_of_memory() else "exited"
