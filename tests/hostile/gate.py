"""One submission through the real gate: exit 0 if it passed, 1 if it failed, 2 if refused.

python -m tests.hostile.gate STRATEGY TESTS OUT SECONDS [--no-intake]
"""

from __future__ import annotations

import sys
from pathlib import Path

from bot import verdict
from sandbox import image
from sandbox.engine import CannotRun, DockerEngine
from sandbox.pipeline import run
from sandbox.submission import Submission


def main(strategy: str, tests: str, out: str, seconds: str, *flags: str) -> int:
    submission = Submission(Path(strategy), (Path(tests),))
    try:
        report = run(
            submission,
            Path(out),
            DockerEngine(image.ensure()),
            skip_intake="--no-intake" in flags,
            seconds=float(seconds),
        )
    except CannotRun as error:
        print(f"refused: {error}")
        return 2
    failures = verdict.judge(
        report.task_id, report.commit_sha, None, report.contract_digest, report
    )
    for failure in failures:
        print(f"{failure.check} {failure.rule}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
