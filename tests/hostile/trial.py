"""Try one submission: run the gate on it in a scratch folder and gather what speaks against it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.hostile import facts
from tests.hostile.table import Case, Verdict

ROOT = Path(__file__).parents[2]
SLACK = 90.0
"""Seconds that the gate may need beyond the submission's own, on a busy machine."""
VERDICTS: dict[int | None, Verdict] = {0: "passed", 1: "failed", 2: "refused"}


@dataclass(frozen=True, slots=True)
class Tried:
    case: Case
    verdict: str
    seconds: float
    against: tuple[str, ...]
    said: str

    def __str__(self) -> str:
        mark = "ok  " if not self.against else "BAD "
        reasons = " | ".join(self.said.splitlines()[-5:]) if self.against else ""
        about = "; ".join(self.against) + f" ({reasons})" if self.against else self.case.tries
        return f"{mark}{self.case.id:<26}{self.verdict:<9}{self.seconds:6.1f} s  {about}"


def attempt(case: Case, seconds: float, no_intake: bool) -> Tried:
    scratch = Path(tempfile.mkdtemp(prefix="hostile-"))
    try:
        return _attempt(case, seconds, no_intake, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _attempt(case: Case, seconds: float, no_intake: bool, scratch: Path) -> Tried:
    given, home, out = (_folder(scratch, name) for name in ("given", "home", "out"))
    strategy = case.strategy(given)
    planted = _plant(home) | {p for p in given.rglob("*")}
    start = time.monotonic()
    gate = subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.gate", str(strategy), str(case.tests()), str(out),
         str(seconds), *(["--no-intake"] if no_intake else [])],
        cwd=home, env=_environment(home), start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    said, hung = _wait(gate, seconds + SLACK)
    took = time.monotonic() - start
    verdict = "hung" if hung else str(VERDICTS.get(gate.returncode, f"code {gate.returncode}"))
    wanted = case.bare if no_intake else case.expected
    texts = {**facts.texts(out), "log": said}
    against = [
        *([] if _fits(verdict, wanted) else [f"{verdict} instead of {wanted}"]),
        *facts.left_containers(gate.pid),
        *facts.left_processes(gate.pid),
        *facts.left_mounts(scratch),
        *facts.left_files(home, planted),
        *facts.told(texts),
        *facts.alive(texts),
    ]
    return Tried(case, verdict, took, tuple(against), said)


def _fits(verdict: str, wanted: Verdict) -> bool:
    return verdict == wanted or (wanted == "any" and verdict in ("passed", "failed"))


def _folder(scratch: Path, name: str) -> Path:
    (scratch / name).mkdir()
    return scratch / name


def _plant(home: Path) -> set[Path]:
    """What a checkout leaves behind, so that there is something to steal."""
    (home / "tmp").mkdir()
    (home / ".git").mkdir()
    (home / ".git" / "config").write_text(f"[http]\n\textraheader = basic {facts.CANARY}\n")
    (home / ".git-credentials").write_text(f"https://x:{facts.CANARY}@github.com\n")
    return {home / ".git" / "config", home / ".git-credentials"}


def _environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG") or k.startswith("DOCKER")}
    ours = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "PYTHONPATH": str(ROOT)}
    return kept | ours | {"PYTHONDONTWRITEBYTECODE": "1", "GITHUB_TOKEN": facts.CANARY}


def _wait(gate: subprocess.Popen[bytes], seconds: float) -> tuple[str, bool]:
    try:
        said, _ = gate.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(gate.pid, signal.SIGKILL)
        said, _ = gate.communicate()
        return said.decode("utf-8", "replace"), True
    return said.decode("utf-8", "replace"), False
