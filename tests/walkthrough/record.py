"""Runs a command in a terminal of its own and keeps what it shows, byte by byte."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.walkthrough.cast import Cast

COLUMNS, ROWS, PATIENCE = 112, 40, 900.0
"""`PATIENCE`: seconds without a word after which it is given up."""
HERE = Path(sys.executable).parent
"""Our own commands are beside the Python that runs this."""


class Silent(Exception):
    """The command ended, or said nothing more, before it was where we wanted to look."""


def record(
    command: tuple[str, ...],
    folder: Path,
    env: Mapping[str, str],
    until: str,
    look: Callable[[str], None],
) -> Cast:
    """Where it has said `until`, `look` gets all that it said; then it is stopped as by Ctrl-C.

    The time that looking takes is not the command's, and is left out.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
        env={**env, "PATH": f"{HERE}:{env['PATH']}", "TERM": "xterm-256color"},
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    start, said, shown, looked = time.monotonic(), "", [], False
    try:
        for part in _parts(ours):
            shown.append((round(time.monotonic() - start, 2), part))
            said += part
            if not looked and until in said.rpartition("\n")[0]:
                looked, paused = True, time.monotonic()
                look(said)
                start += time.monotonic() - paused
                os.killpg(process.pid, signal.SIGINT)
    except BaseException:
        os.killpg(process.pid, signal.SIGINT)
        raise
    finally:
        process.wait(60)
        os.close(ours)
    if not looked:
        raise Silent(said[-2000:])
    return Cast(" ".join(command), COLUMNS, tuple(shown))


def _parts(terminal: int) -> Iterator[str]:
    """Until the last process that holds the terminal is gone."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            read = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end is closed
            return
        if not read:
            return
        yield decoder.decode(read).replace("\r\n", "\n")
