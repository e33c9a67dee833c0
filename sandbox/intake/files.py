"""Take a submitted file: a regular file with one link and nothing else, opened without trust."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sandbox.intake.text import MOST_BYTES


class NotTaken(Exception):
    """The file is not one that can be read as a submission; says what it is."""


def take(path: Path | str, most: int = MOST_BYTES) -> bytes:
    """Its bytes. What was opened is what is looked at: no second look by name."""
    name = Path(path).name
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise NotTaken(f"{name}: {_reason(path, error)}; give one Python file") from None
    try:
        return _read(handle, name, most)
    finally:
        os.close(handle)


def _reason(path: Path | str, error: Exception) -> str:
    try:
        return "it is a link" if Path(path).is_symlink() else str(getattr(error, "strerror", error))
    except (OSError, ValueError):
        return "there is no such path"


def _read(handle: int, name: str, most: int) -> bytes:
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        raise NotTaken(f"{name}: it is not a regular file; give one Python file")
    if about.st_nlink != 1:
        raise NotTaken(f"{name}: it has {about.st_nlink} links; give a file of its own")
    taken = b""
    while len(taken) <= most and (piece := os.read(handle, most + 1 - len(taken))):
        taken += piece  # a short read is not the end of the file
    if len(taken) > most:
        raise NotTaken(f"{name}: it is over {most // 1000} kB; give a smaller file")
    return _text(taken, name)


def _text(taken: bytes, name: str) -> bytes:
    """A binary or an empty file is a mistake in the call, not a fault in a strategy."""
    if not taken.strip():
        raise NotTaken(f"{name}: it is empty; give a Python file")
    if b"\0" in taken:
        raise NotTaken(f"{name}: it is binary; give a Python file")
    try:
        taken.decode("utf-8")
    except UnicodeDecodeError:
        raise NotTaken(f"{name}: it is not UTF-8 text; give a Python file") from None
    return taken
