"""Submissions that cannot lie in a repository: links, pipes, folders, devices, nothing at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

GOOD = Path(__file__).parent / "cases" / "c01-rolling" / "strategy.py"


def link(folder: Path) -> Path:
    (folder / "strategy.py").symlink_to(GOOD)
    return folder / "strategy.py"


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "strategy.py")
    return folder / "strategy.py"


def directory(folder: Path) -> Path:
    (folder / "strategy.py").mkdir()
    return folder / "strategy.py"


def empty(folder: Path) -> Path:
    return _written(folder, b"")


def binary(folder: Path) -> Path:
    return _written(folder, bytes(range(256)) * 16)


def hard_link(folder: Path) -> Path:
    os.link(_written(folder, GOOD.read_bytes()), folder / "another_name")
    return folder / "strategy.py"


def device(folder: Path) -> Path:
    return Path("/dev/zero")


def too_big(folder: Path) -> Path:
    return _written(folder, GOOD.read_bytes() + b"# filler\n" * 34_000)


def missing(folder: Path) -> Path:
    return folder / "strategy.py"


MADE: dict[str, Callable[[Path], Path]] = {
    "a20-link": link,
    "a21-fifo": fifo,
    "a22-directory": directory,
    "a23-empty": empty,
    "a24-binary": binary,
    "a25-hard-link": hard_link,
    "a26-device": device,
    "a27-too-big": too_big,
    "a28-missing": missing,
}


def _written(folder: Path, content: bytes) -> Path:
    (folder / "strategy.py").write_bytes(content)
    return folder / "strategy.py"
