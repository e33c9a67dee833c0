"""The GitHub emulator that others made, in a process of its own: stands in for the twin."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.twin.running import Twin
from tests.twin.waiting import until

PROGRAM = Path(__file__).parent / "emulator" / "node_modules" / "emulate" / "dist" / "index.js"
LOGINS = ("octocat", "hubot", "monalisa", "stranger")
SEED = {
    "tokens": {f"token-of-{login}": {"login": login, "scopes": ["repo"]} for login in LOGINS},
    "github": {"users": [{"login": login} for login in LOGINS]},
}


class Emulator(Twin):
    """What a desk needs to know of its server; nothing of the twin's own is behind it."""

    def __init__(self, url: str) -> None:
        self.url, self.numbers = url, itertools.count(1)


@contextmanager
def emulator(folder: Path) -> Iterator[Emulator]:
    node = shutil.which("node")
    if node is None or not PROGRAM.exists():
        why = "the emulator is not installed: install Node and npm, then run `make emulator`"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    (folder / "seed.yaml").write_text(json.dumps(SEED))
    port = free_port()
    command = [node, str(PROGRAM), "start", "--service", "github", "--port", str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--seed", str(folder / "seed.yaml")], stdout=log, stderr=log, cwd=folder
        )
    try:
        until(lambda: answers(port), lambda yes: yes or process.poll() is not None)
        assert process.poll() is None, (folder / "log").read_text()
        yield Emulator(f"http://localhost:{port}")
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def answers(port: int) -> bool:
    try:
        return requests.get(f"http://localhost:{port}/zen", timeout=5).ok
    except requests.ConnectionError:
        return False
