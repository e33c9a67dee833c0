"""Who started something: tells what a dead process left behind from what is in use."""

from __future__ import annotations

import os
from pathlib import Path


def started_at(pid: int) -> str:
    """When the kernel started this process; with the pid it names it for good. "" when gone."""
    if not Path("/proc/self/stat").exists():
        return "0" if _answers(pid) else ""
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    return "" if state in ("Z", "X") else rest[18]


def here() -> str:
    """The machine since its last boot, and the process numbers that are valid in it."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return os.uname().nodename


def me() -> str:
    return f"{os.getpid()} {started_at(os.getpid())} {here()}"


def is_dead(owner: str) -> bool:
    """Only an owner of this machine can be called dead; about others nothing is known."""
    pid, _, rest = owner.partition(" ")
    start, _, place = rest.partition(" ")
    return pid.isdecimal() and place == here() and started_at(int(pid)) != start


def is_elsewhere(owner: str) -> bool:
    return owner.split(" ")[2:] != [here()]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
