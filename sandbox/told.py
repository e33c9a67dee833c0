"""A run that is told to end by SIGTERM or Ctrl-C ends at once, whatever it is waiting for."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NoReturn

HANDLED: dict[signal.Signals, Any] = {
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGINT: signal.default_int_handler,
}
"""By what a process does about each of them if nobody has decided otherwise."""


@contextlib.contextmanager
def interrupted(end: Callable[[], None]) -> Iterator[None]:
    """The first signal calls `end` in a thread of its own and raises KeyboardInterrupt here.

    The exception alone is not enough: a pool of threads is left only when all its jobs have ended,
    so `end` has to end them. Nor is the handler, which Python runs in the main thread alone: if
    the kernel hands the signal to another thread, the main one goes on waiting and never runs it.
    The wake-up socket is written to in either case. Later signals are ignored, so that they do not
    stop the cleaning up.
    """
    ours = [s for s, usual in HANDLED.items() if signal.getsignal(s) is usual]
    if threading.current_thread() is not threading.main_thread() or not ours:
        yield
        return
    heard, told = socket.socketpair()
    told.setblocking(False)

    def wait() -> None:
        while number := heard.recv(1):
            if number[0] in ours:
                end()
                return

    def handle(number: int, frame: FrameType | None) -> NoReturn:
        for one in ours:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    ender = threading.Thread(target=wait, name="ender", daemon=True)
    ender.start()
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    for one in ours:
        signal.signal(one, handle)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, HANDLED[one])
        signal.set_wakeup_fd(before)
        told.close()
        ender.join()
        heard.close()
