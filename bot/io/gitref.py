"""Store on git refs. The compare-and-swap is git's own: a push names the value it replaces."""

from __future__ import annotations

import base64
import os
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace

from bot.ports import Conflict, Rejected, Unavailable, stop
from schemas import codec
from schemas.workflow import Record, Workflow

STATE, RECORD = "workflow.json", "record.json"
FILES: dict[type, str] = {Workflow: STATE, Record: RECORD}
ROOT = "refs/stratbot/"
REFUSED = ("declined", "denied", "permission", "not allowed", "protected")
FORBIDDEN = ("Authentication failed", "error: 401", "error: 403", "denied", "not permitted")
SECONDS = 60


class GitRefStore:
    """One ref per request. Its history is the audit log: each commit holds state and record."""

    def __init__(
        self, remote: str, token: str | None = None, spent: Callable[[], int] = lambda: 0
    ) -> None:
        """`spent` says how many requests to GitHub there were; each line tells its share."""
        self.remote, self._env = remote, _environment(remote, token)
        self._spent, self._told = spent, 0
        self._folder = tempfile.TemporaryDirectory(prefix="stratbot-state-")
        self._name, self._writes = uuid.uuid4().hex, 0
        self._known: dict[int, tuple[Workflow, str]] = {}
        self._git("init", "--quiet", "--bare")

    def read(self, issue: int) -> tuple[Workflow, str]:
        at = self._remote_refs(ref(issue)).get(ref(issue), "")
        if not at:
            return Workflow(issue=issue), ""
        if self._known.get(issue, (None, ""))[1] != at:
            self._fetch(at)
            self._known[issue] = self._load(Workflow, at, issue), at
        return self._known[issue]

    def write(self, workflow: Workflow, expected: str, record: Record) -> str:
        spent = self._spent()
        commit = self._commit(workflow, expected, replace(record, requests=spent - self._told))
        name = ref(workflow.issue)
        lease = f"--force-with-lease={name}:{expected}"
        pushed = self._run("push", "--porcelain", lease, self.remote, f"{commit}:{name}")
        if pushed.returncode:
            raise _push_error(name, pushed.stdout + pushed.stderr)
        self._known[workflow.issue], self._told = (workflow, commit), spent
        return commit

    def issues(self) -> tuple[int, ...]:
        names = self._remote_refs(f"{ROOT}wf_*")
        numbers = (n.removeprefix(f"{ROOT}wf_") for n in names)
        return tuple(sorted(int(n) for n in numbers if n.isdecimal()))

    def history(
        self, issue: int, broken: Callable[[codec.Invalid], None] = stop
    ) -> Iterator[tuple[str, Record, Workflow]]:
        """Every state that the request was in, oldest first; what cannot be read is told."""
        whole = "--depth=2147483647"  # also where an earlier read fetched one commit only
        self._git("fetch", "--quiet", whole, self.remote, f"+{ref(issue)}:{ref(issue)}")
        for commit in self._git("rev-list", "--reverse", ref(issue)).split():
            try:
                yield commit, self._load(Record, commit, issue), self._load(Workflow, commit, issue)
            except codec.Invalid as error:
                broken(error)

    def written(self, issue: int) -> dict[str, int]:
        """When each state of `history` was written, by its commit."""
        rows = self._git("log", "--format=%H %ct", ref(issue)).splitlines()
        return {commit: int(at) for commit, at in (row.split() for row in rows)}

    def _remote_refs(self, pattern: str) -> dict[str, str]:
        rows = (
            row.split("\t") for row in self._git("ls-remote", self.remote, pattern).splitlines()
        )
        return {name: sha for sha, name in rows}

    def _fetch(self, commit: str) -> None:
        self._git("fetch", "--quiet", "--depth=1", self.remote, commit)

    def _load(self, kind: type[codec.T], commit: str, issue: int) -> codec.T:
        name = FILES[kind]
        found = self._run("cat-file", "blob", f"{commit}:{name}")
        try:
            if found.returncode:
                raise codec.Invalid(codec.name_of(kind), (f"$: there is no {name}",))
            return codec.load(kind, found.stdout)
        except codec.Invalid as error:
            where = f"{error.kind} in {ref(issue)} at {commit[:12]}"
            raise codec.Invalid(where, error.problems) from None

    def _commit(self, workflow: Workflow, expected: str, record: Record) -> str:
        rows = [
            f"100644 blob {self._hash(codec.dump(record))}\t{RECORD}\n",
            f"100644 blob {self._hash(codec.dump(workflow))}\t{STATE}\n",
        ]
        tree = self._git("mktree", stdin="".join(rows)).strip()
        parent = ("-p", expected) if expected else ()
        # Two writers with one thought in one second would make one commit, and both would win.
        self._writes += 1
        writer = f"Writer: {self._name}.{self._writes}"
        message = f"{workflow.phase}: {', '.join(record.because)[:200]}\n\n{writer}"
        return self._git("commit-tree", tree, "-m", message, *parent).strip()

    def _hash(self, text: str) -> str:
        return self._git("hash-object", "-w", "--stdin", stdin=text).strip()

    def _git(self, *args: str, stdin: str | None = None) -> str:
        done = self._run(*args, stdin=stdin)
        if done.returncode:
            no = Rejected if any(word in done.stderr for word in FORBIDDEN) else Unavailable
            raise no(f"git {args[0]} {self.remote}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def _run(self, *args: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", self._folder.name, *args]
        try:
            return subprocess.run(
                command, input=stdin, capture_output=True, text=True, env=self._env, timeout=SECONDS
            )
        except FileNotFoundError:
            raise Rejected("there is no git on PATH; install git and run again") from None
        except subprocess.TimeoutExpired:
            raise Unavailable(f"git {args[0]} took longer than {SECONDS} s") from None


def ref(issue: int) -> str:
    return f"{ROOT}wf_{issue}"


def _push_error(name: str, said: str) -> Exception:
    """Whoever lost the race decides again; who may not write at all needs a person."""
    answer = next((row for row in said.splitlines() if row.startswith("!")), "")
    lost = answer and not any(word in answer for word in REFUSED)
    if lost:
        return Conflict(name)
    refused = answer or any(word in said for word in FORBIDDEN)
    return (Rejected if refused else Unavailable)(f"push of {name}: {said.strip()[-300:]}")


def _environment(remote: str, token: str | None) -> dict[str, str]:
    """Nothing of the machine's git settings, no prompt; the token never on a command line."""
    env = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "stratbot",
        "GIT_AUTHOR_EMAIL": "stratbot@users.noreply.github.com",
        "GIT_COMMITTER_NAME": "stratbot",
        "GIT_COMMITTER_EMAIL": "stratbot@users.noreply.github.com",
    }
    if token:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        env |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{remote}.extraheader",
            "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {basic}",
        }
    return env
