"""A run in which one check never ends by itself, so that it can be cancelled there.

python -m tests.sandbox.stuck OUT IMAGE CHECK    prints `up` as soon as that check is under way
python -m tests.sandbox.stuck IMAGE              cancels each check once; prints the seconds
"""

import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sandbox import image, lifecycle, paper
from sandbox.diff import Added
from sandbox.engine import Ended, Engine, Job, Running
from sandbox.pipeline import About, Say, run
from sandbox.precheck import precheck
from sandbox.submission import of_folder, read
from sandbox.survey import Files, Survey, survey
from schemas.base import TaskId
from schemas.report import Check, CheckName
from tests.sandbox.controller import WORKER, chosen

ROOT = Path(__file__).parent.parent.parent
HOME = ROOT / "strategies" / "rsi_mean_reversion"
JOBS = {
    CheckName.FLAKE8: "flake8", CheckName.BANDIT: "bandit", CheckName.MYPY: "mypy",
    CheckName.BACKTEST: "whole", CheckName.ACCEPTANCE: "whole", CheckName.PYTEST: "tests",
    CheckName.MUTANTS: "tests", CheckName.DETERMINISM: "varied", CheckName.CAUSALITY: "past",
    CheckName.UNSEEN: "later",
}  # fmt: skip
"""The job that holds each check; the other checks are made by the controller itself."""
SHORTER = {"secrets": TaskId.DATA, "artifacts": TaskId.ENTRY}
"""Milestones with less to pass before the checks that come last."""
MORE = {"survey": "survey", "precheck": "survey", "paper": "paper"}
CHECKS = (*map(str, CheckName), *MORE)


class Stuck:
    """An engine whose job of this name runs, ignores SIGTERM, and never answers or ends."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine, self._name = engine, name

    @property
    def isolated(self) -> bool:
        return self._engine.isolated

    def start(self, job: Job) -> Running:
        if job.name != self._name:
            return self._engine.start(job)
        deaf = ("python", "-c", WORKER.format(deaf=True))
        running = self._engine.start(replace(job, command=deaf, seconds=3600.0))
        try:
            print(running.receive(60).decode(), flush=True)
        except BaseException:
            running.close()
            raise
        return running

    def run(self, job: Job, stdin: bytes = b"") -> Ended:
        with self.start(job) as running:
            return running.wait()


def main(out: Path, image: str, check: str) -> int:
    named = next((job for name, job in JOBS.items() if name == check), MORE.get(check, ""))

    def say(ended: Check) -> None:
        if not named and ended.name == check:
            print("up", flush=True)
            signal.pause()

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    try:
        with lifecycle.run(out) as ledger:
            work(check, Stuck(chosen(image, ledger), named), out, say)
    except KeyboardInterrupt:
        return 130
    return 0


def work(check: str, engine: Engine, out: Path, say: Say) -> None:
    taken = read(of_folder(HOME))
    files = Files(taken.name, taken.strategy, taken.tests)
    match check:
        case "survey":
            survey(engine, files)
        case "precheck":
            added = Added("x", "tests/test_added.py", taken.tests["test_strategy.py"])
            precheck(engine, files, added, Survey(green=True), ())
        case "paper":
            assert taken.contract
            paper.compare(engine, taken, taken.contract, 60)
        case _:
            about = About(SHORTER.get(check, TaskId.EXIT))
            run(of_folder(HOME), out, engine, seed=1, about=about, say=say)


@contextlib.contextmanager
def under_way(out: Path, image: str, check: str) -> Iterator[subprocess.Popen[str]]:
    """The controller as another process, once the check is under way."""
    command = [sys.executable, "-m", "tests.sandbox.stuck", str(out), image, check]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout and process.stdout.readline() == "up\n"
            yield process
        finally:
            process.kill()


def bench(image: str) -> None:
    print(f"{'check':<14}{'SIGTERM':>10}{'Ctrl-C':>10}")
    for check in CHECKS:
        took = []
        for number in (signal.SIGTERM, signal.SIGINT):
            with tempfile.TemporaryDirectory() as out, under_way(Path(out), image, check) as one:
                start = time.monotonic()
                one.send_signal(number)
                one.wait()
                took.append(time.monotonic() - start)
        print(f"{check:<14}" + "".join(f"{seconds:>8.1f} s" for seconds in took), flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
    bench(sys.argv[1] if len(sys.argv) > 1 else image.ensure())
