"""Sets the stage: a twin in a process of its own, this project as its repository, its people."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import github
import requests
from github.Repository import Repository

ROOT = Path(__file__).resolve().parents[2]
NAME = "you/strategies"
PORT = 8800
READY = "twin ready at "


class CannotStart(Exception):
    """The demo cannot begin; says what to do about it."""


@dataclass(frozen=True, slots=True)
class Stage:
    url: str
    folder: Path
    token: str

    @property
    def home(self) -> str:
        return f"{self.url}/{NAME}"

    def repo(self) -> Repository:
        return self.client().get_repo(NAME)

    def client(self) -> github.Github:
        return github.Github(
            auth=github.Auth.Token(self.token), base_url=self.url, retry=None,
            seconds_between_requests=None, seconds_between_writes=None,
        )  # fmt: skip

    def put(self, path: str, **body: object) -> requests.Response:
        signed = {"Authorization": f"token {self.token}"}
        return requests.put(f"{self.url}{path}", headers=signed, json=body, timeout=20)


@contextmanager
def stage(folder: Path, executor: str) -> Iterator[Stage]:
    """Leaving it stops the twin and every job that it runs; what it knows is kept in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    token = _token(folder)
    log = (folder / "log").open("a")
    process, line = _started(folder, executor, log)
    try:
        if not line.startswith(READY):
            raise CannotStart(f"The local GitHub did not start; {folder / 'log'} says why.")
        there = Stage(line.split()[-1], folder, token)
        (folder / "port").write_text(there.url.rpartition(":")[2])
        _push(there)
        yield there
    finally:
        _stop(process)
        log.close()


def _started(folder: Path, executor: str, log: IO[str]) -> tuple[subprocess.Popen[str], str]:
    """The twin, and its first line. Two demos may ask for the same free port at once: the later
    one takes another, unless links in comments already name this one."""
    command = [
        sys.executable, "-m", "bot", "twin", "--data", str(folder / "data"),
        "--seed", str(folder / "seed.yaml"), "--executor", executor,
    ]  # fmt: skip
    ports = dict.fromkeys((_port(folder), *(() if (folder / "port").exists() else (0,))))
    for port in ports:
        process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=subprocess.PIPE, stderr=log, text=True,
            cwd=ROOT, env={**os.environ, "VIRTUAL_ENV": sys.prefix}, start_new_session=True,
        )  # fmt: skip
        try:
            line = process.stdout.readline() if process.stdout else ""
        except BaseException:  # Ctrl-C here too leaves nothing running
            _stop(process)
            raise
        if line.startswith(READY):
            break
    return process, line


def settings(there: Stage, values: dict[str, str]) -> None:
    """Variables of the repository: what a real one is told with `stratbot setup`."""
    repo = there.repo()
    known = {v.name: v for v in repo.get_variables()}
    for name, value in values.items():
        if name not in known:
            repo.create_variable(name, value)
        elif known[name].value != value:
            known[name].edit(value)
    there.put(
        f"/repos/{NAME}/actions/permissions/workflow",
        default_workflow_permissions="read",
        can_approve_pull_request_reviews=True,
    )


def _token(folder: Path) -> str:
    file = folder / "token"
    if not file.exists():
        file.touch(0o600)
        file.write_text(f"ghp_{secrets.token_hex(18)}")
    token = file.read_text()
    seed = {
        "users": [{"login": "you", "token": token}, {"login": "colleague"}],
        "repos": [{"owner": "you", "name": NAME.split("/")[1],
                   "collaborators": {"colleague": "write"}}],
    }  # fmt: skip
    (folder / "seed.yaml").touch(0o600)
    (folder / "seed.yaml").write_text(json.dumps(seed))  # JSON is YAML
    return token


def _port(folder: Path) -> int:
    """The same address as last time, if it is free: links in comments stay right."""
    known = folder / "port"
    wanted = int(known.read_text()) if known.exists() else PORT
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("127.0.0.1", wanted))
            return wanted
    if known.exists():
        raise CannotStart(
            f"Port {wanted} is taken: is this demo running already? Stop it, or start afresh in "
            "another folder with --data."
        )
    return 0


def _push(there: Stage) -> None:
    """This project as it is on disk, ignored files apart, as the default branch."""
    git = ["git", "--git-dir", str(there.folder / "seed.git"), "--work-tree", str(ROOT)]
    env = {
        **{k: os.environ[k] for k in ("PATH", "HOME") if k in os.environ},
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", "you"), ("EMAIL", "you@localhost"))},
        "GIT_TERMINAL_PROMPT": "0",
    }  # fmt: skip

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*git, *args], env=env, capture_output=True, text=True, cwd=ROOT)

    if not (there.folder / "seed.git").exists():
        run("init", "--quiet", "--initial-branch=main")
    remote = f"{there.url.replace('://', f'://you:{there.token}@')}/{NAME}.git"
    if run("fetch", "--quiet", remote, "main").returncode == 0:
        run("update-ref", "refs/heads/main", "FETCH_HEAD")  # what was merged meanwhile stays
        run("read-tree", "FETCH_HEAD")
    # Strategies that were delivered here are in the repository, not on this disk.
    run("add", "--ignore-removal", "--", ".")
    run("commit", "--quiet", "--message", "This project")
    done = run("push", "--quiet", remote, "HEAD:refs/heads/main")
    if done.returncode:
        raise CannotStart(f"The project could not be pushed: {done.stderr.strip()[-300:]}")


def _stop(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
