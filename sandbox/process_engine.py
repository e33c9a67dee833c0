"""An engine without isolation, for people without Docker: the same talk, a plain process."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from sandbox.files import TMP, WORK, lay_out, tear_down
from sandbox.held import Held
from sandbox.job import Cancelled, CannotRun, Ended, Job, Ledger, Unwatched
from sandbox.owner import started_at
from sandbox.pipes import CHUNK, STDERR, STDOUT

ROOT = Path(__file__).parent.parent
LIMITS = {
    resource.RLIMIT_AS: 2 << 30,  # address space, not memory: libraries reserve more than they use
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 16 << 20,
    resource.RLIMIT_NOFILE: 256,
}


class ProcessWire:
    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        if not (child.stdin and child.stdout and child.stderr):
            raise ValueError("start it with three pipes")
        self._in = child.stdin.fileno()
        self._kinds = {child.stdout.fileno(): STDOUT, child.stderr.fileno(): STDERR}
        self._files = (child.stdin, child.stdout, child.stderr)
        for descriptor in (self._in, *self._kinds):
            os.set_blocking(descriptor, False)

    def readable(self) -> list[int]:
        return list(self._kinds)

    def writable(self) -> int:
        return self._in

    def read(self, descriptor: int) -> list[tuple[int, bytes]]:
        octets = os.read(descriptor, CHUNK)
        kind = self._kinds[descriptor]
        if not octets:
            del self._kinds[descriptor]
        return [(kind, octets)]

    def write(self, octets: memoryview) -> int:
        if self._files[0].closed:
            raise BrokenPipeError
        try:
            return os.write(self._in, octets)
        except BlockingIOError:
            return 0

    def end_input(self) -> None:
        self._files[0].close()

    def close(self) -> None:
        self._kinds.clear()
        for file in self._files:
            file.close()


class ProcessBody:
    def __init__(self, child: subprocess.Popen[bytes], folder: Path) -> None:
        self.name = f"process-{child.pid}-{started_at(child.pid)}"
        self._child = child
        self._folder = folder

    def signal(self, name: str) -> bool:
        if self._child.poll() is not None:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.Signals[name])
        return True

    def exit_code(self, seconds: float) -> int | None:
        try:
            code = self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return code if code >= 0 else 128 - code

    def out_of_memory(self) -> bool:
        return False  # the kernel does not say whose limit it was

    def remove(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        tear_down(self._folder)


class ProcessEngine:
    """Hostname and shifted clock need a container and are not given here."""

    isolated = False

    def __init__(self, ledger: Ledger | None = None) -> None:
        self._ledger = ledger or Unwatched()

    def start(self, job: Job) -> Held:
        if self._ledger.ordered():
            raise Cancelled(f"{job.name} was not started: this run was asked to end")
        base = lay_out(job.files, self._ledger)
        try:
            child = spawn(job, base)
        except BaseException as error:
            tear_down(base)
            if isinstance(error, OSError):
                raise CannotRun(f"the process of {job.name} did not start: {error}") from error
            raise
        body = ProcessBody(child, base)
        self._ledger.opened(body.name)
        return Held(body, ProcessWire(child), job, self._ledger).unless_told_to_end()

    def run(self, job: Job, stdin: bytes = b"") -> Ended:
        with self.start(job) as running:
            return running.wait(stdin)


def spawn(job: Job, base: Path) -> subprocess.Popen[bytes]:
    program, *arguments = (localised(a, base) for a in job.command)
    child = subprocess.Popen(
        [sys.executable if program in ("python", "python3") else program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=localised(job.workdir, base),
        env=environment(job, base),
        start_new_session=True,
    )
    if sys.platform == "linux":
        for limit, value in LIMITS.items():
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(child.pid, limit, (value, value))
    return child


def environment(job: Job, base: Path) -> dict[str, str]:
    ours = {
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(base / TMP),
        "TMPDIR": str(base / TMP),
        "LANG": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    return ours | {name: localised(value, base) for name, value in job.env.items()}


def localised(text: str, base: Path) -> str:
    """The container's places, as they are called here."""
    for place, here in {WORK: base / WORK, TMP: base / TMP, "opt/stratbot": ROOT}.items():
        if text == f"/{place}" or text.startswith(f"/{place}/"):
            return str(here) + text[len(place) + 1 :]
    return text
