"""Lines to and from a process that may flood, stall or vanish; nothing here can block for ever."""

from __future__ import annotations

import select
import threading
import time
from typing import Protocol

from sandbox.job import KEPT, LONGEST_LINE, Lost

CHUNK = 65_536
STDOUT, STDERR = 1, 2


class Wire(Protocol):
    """Two outputs and one input, never blocking."""

    def readable(self) -> list[int]: ...  # descriptors to poll; empty when all have ended
    def writable(self) -> int: ...
    def read(self, descriptor: int) -> list[tuple[int, bytes]]: ...
    def write(self, octets: memoryview) -> int: ...  # 0 when full; OSError when gone
    def end_input(self) -> None: ...
    def close(self) -> None: ...


class Talk:
    """One side of the conversation. Whoever talks also reads: there is no thread to wait for."""

    def __init__(self, wire: Wire, longest: int = LONGEST_LINE) -> None:
        self.wire = wire
        self.longest = longest
        self.turn = threading.RLock()
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._seen = 0  # of stdout, up to here there is no newline

    def send(self, octets: bytes, deadline: float) -> None:
        """Write all of it, reading meanwhile so that neither side waits for the other."""
        left = memoryview(octets)
        with self.turn:
            while left:
                try:
                    count = self.wire.write(left)
                except OSError:
                    raise Lost("ended") from None
                left = left[count:]
                if not left:
                    return
                if not count and not self._poll(deadline, room=self.longest, writing=True):
                    raise Lost("late")

    def receive(self, deadline: float) -> bytes:
        with self.turn:
            while (end := self.stdout.find(b"\n", self._seen)) < 0:
                self._seen = len(self.stdout)
                if self._seen > self.longest:
                    raise Lost("too_long")
                if not self.wire.readable():
                    raise Lost("ended")
                if not self._poll(deadline, room=self.longest + CHUNK):
                    raise Lost("late")
            if end > self.longest:
                raise Lost("too_long")
            line = bytes(self.stdout[:end])
            del self.stdout[: end + 1]
            self._seen = 0
            return line

    def drain(self, deadline: float, stdin: bytes = b"") -> bool:
        """Feed the rest of the input and read to the end; False when the deadline came first."""
        left = memoryview(stdin)
        with self.turn:
            while left and self.wire.readable():
                try:
                    left = left[self.wire.write(left) :]
                except OSError:
                    break  # it does not want to read; what it says still counts
                if left and not self._poll(deadline, room=KEPT, writing=True, dropping=True):
                    return False
            self.wire.end_input()
            while self.wire.readable():
                if not self._poll(deadline, room=KEPT, dropping=True):
                    return False
        return True

    def _poll(
        self, deadline: float, room: int, *, writing: bool = False, dropping: bool = False
    ) -> bool:
        """Wait for something to happen and read what came; False when nothing did in time."""
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            return False
        poll = select.poll()
        if dropping or len(self.stdout) < room:
            for descriptor in self.wire.readable():
                poll.register(descriptor, select.POLLIN)
        if writing:
            out = self.wire.writable()
            also = select.POLLIN if out in self.wire.readable() and len(self.stdout) < room else 0
            poll.register(out, select.POLLOUT | also)
        for descriptor, events in poll.poll(seconds * 1000):
            if events & ~select.POLLOUT and descriptor in self.wire.readable():
                self._keep(self.wire.read(descriptor), room)
        return True

    def _keep(self, parts: list[tuple[int, bytes]], room: int) -> None:
        for kind, octets in parts:
            if kind == STDOUT:
                self.stdout += octets[: max(0, room - len(self.stdout))]
            elif kind == STDERR:
                self.stderr += octets[: max(0, KEPT - len(self.stderr))]
