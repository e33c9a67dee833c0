"""What must be true after a submission was tried: nothing left, nothing told, nothing alive."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import docker
import docker.utils

CANARY = "ghs_c4n4ryC4n4ryC4n4ryC4n4ryC4n4ry00"
"""Planted where a careless gate would let a submission find it."""

ALIVE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|^\s*::[a-z-]+|##\[|<!--|<[a-z][a-z0-9]*[\s>/]|(?<![\w(.])@[a-z]"
    r"|```|!\[|\]\(",
    re.IGNORECASE | re.MULTILINE,
)
FORMULA = re.compile(r"^\s*[=+@]|^\s*-(?![\d.])")


def left_containers(pid: int) -> list[str]:
    """Containers of this gate; another one's are its own business."""
    client = docker.APIClient(
        **docker.utils.kwargs_from_env()
    )  # one question: a container may go while we look at it
    try:
        found = client.containers(all=True, filters={"label": "stratbot.sandbox"})
    finally:
        client.close()
    owners = {c["Id"][:12]: c["Labels"].get("stratbot.owner", "").split(" ")[0] for c in found}
    return [f"container {name}" for name, owner in owners.items() if owner == str(pid)]


def left_processes(session: int) -> list[str]:
    """The gate ran in a session of its own: who is in it now was left behind."""
    return [f"process {pid}" for pid, of in _sessions() if of == session]


def _sessions() -> Iterator[tuple[int, int]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session, *_ = path.read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue  # it ended while we looked
        if state != "Z":
            yield int(path.parent.name), int(session)


def left_mounts(folder: Path) -> list[str]:
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [f"mount {line.split()[1]}" for line in lines if str(folder) in line]


def left_files(folder: Path, planted: set[Path]) -> list[str]:
    found = {p for p in folder.rglob("*") if not p.is_dir() or p.is_symlink()}
    return sorted(f"file {p.relative_to(folder)}" for p in found - planted)


def told(texts: dict[str, str]) -> list[str]:
    """The canary as it is, backwards, in hex or in base64 at any offset."""
    return [f"canary in {name}" for name, text in texts.items()
            if any(dress in text for dress in _dresses(CANARY))]  # fmt: skip


def _dresses(secret: str) -> list[str]:
    raw = secret.encode()
    coded = [base64.b64encode(b"x" * n + raw).decode()[4 : 4 + len(raw)] for n in range(3)]
    return [secret, secret[::-1], raw.hex(), *coded]


def alive(texts: dict[str, str]) -> list[str]:
    """What a terminal, a workflow, a comment or a spreadsheet would act on."""
    return [f"alive in {name}: {bit!r}" for name, text in texts.items()
            for bit in _acting(name, text)]  # fmt: skip


def _acting(name: str, text: str) -> Iterator[str]:
    for words in _words(name, text):
        if found := ALIVE.search(words):
            yield words[max(0, found.start() - 20) : found.end() + 20]
    if name.endswith(".csv"):
        for row in csv.reader(io.StringIO(text)):
            yield from (cell[:40] for cell in row if FORMULA.match(cell))


def _words(name: str, text: str) -> list[str]:
    if not name.endswith(".json"):
        return [text]
    try:
        return list(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return [text]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        for item in items:
            yield from _strings(item)


def texts(out: Path) -> dict[str, str]:
    """Every regular file that the gate wrote. A link or a fifo there is a finding by itself."""
    found: dict[str, str] = {}
    for path in sorted(out.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            found[path.name] = "\x1b not a regular file"
        elif path.is_file():
            found[path.name] = path.read_bytes().decode("utf-8", "replace")
    return found
