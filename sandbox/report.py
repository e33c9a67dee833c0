"""Writes down what was found: test_report.json beside the artifacts. Facts, never a verdict."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.conversations import Talks
from sandbox.covered import Covered
from sandbox.figures import summary
from sandbox.fixtures import listed
from sandbox.submission import Submission, Taken
from sandbox.validate import PRICES, REQUIRED
from schemas import codec
from schemas.report import Artifact, Check, Mutant, Summary, TestOutcome, TestReport
from simbroker.decisions import digest as decided

if TYPE_CHECKING:
    from sandbox.pipeline import About


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known before anything runs."""

    submission: Submission
    taken: Taken
    about: About
    isolated: bool
    started: int
    seed: int


@dataclass(frozen=True, slots=True)
class Tested:
    """What the submission's own tests did."""

    outcomes: Sequence[TestOutcome] = ()
    covered: Covered | None = None
    mutants: tuple[Mutant, ...] = ()


def compose(
    facts: Facts,
    done: Sequence[Check],
    tested: Tested,
    talks: Talks | None,
    out: Path,
    sealed: Summary | None = None,
) -> TestReport:
    run = talks.known.run if talks else None
    decisions = talks.known.decisions if talks and run else None
    about, taken = facts.about, facts.taken
    made = TestReport(
        correlation_id=about.correlation_id,
        workflow_id=about.workflow_id,
        task_id=about.task,
        commit_sha=about.commit,
        contract_digest=codec.digest(taken.contract) if taken.contract else codec.digest_of(b""),
        strategy_digest=codec.digest_of(taken.strategy),
        tests_digest=codec.digest_of(b"\0".join(taken.tests.values())),
        isolated=facts.isolated,
        started_at=facts.started,
        seconds=round(max(0.0, time.time() - facts.started), 3),
        environment=f"python {platform.python_version()}, unseen seed {facts.seed}",
        checks=tuple(_reproducible(c, facts) for c in done),
        tests=tuple(tested.outcomes),
        summary=summary(run) if run else None,
        sealed=sealed,
        line_coverage=tested.covered.percent if tested.covered else None,
        missed_lines=tested.covered.missed if tested.covered else (),
        mutants=tested.mutants,
        decisions_digest=f"sha256:{decided(decisions)}" if decisions is not None else None,
        artifacts=_artifacts(out, [*((*REQUIRED, PRICES) if run else ()), *listed(done)]),
    )
    out.mkdir(parents=True, exist_ok=True)
    (out / "test_report.json").write_text(codec.dump(made))
    return made


def _reproducible(check: Check, facts: Facts) -> Check:
    """Every finding carries the command that shows it again."""
    command = reproduce(facts)
    found = tuple(
        replace(f, reproduce_command=f.reproduce_command or command)
        for f in check.findings
    )  # fmt: skip
    return replace(check, findings=found)


def reproduce(facts: Facts) -> str:
    """For the root of anybody's clone. A run by hand has no commit, only the files it was given."""
    s, about = facts.submission, facts.about
    again = f"--task {about.task} --seed {facts.seed} --out results"
    if facts.taken.contract and about.commit.strip("0"):
        home = f"strategies/{facts.taken.contract.name}"
        return (
            f"git fetch -q origin {about.commit} && mkdir -p check && "
            f"git archive {about.commit} {home} | tar -xC check && "
            f".venv/bin/python sandbox/run_in_sandbox.py --strategy check/{home} {again}"
        )
    parts = [f".venv/bin/python sandbox/run_in_sandbox.py --strategy {s.strategy}"]
    parts += [f"--tests {' '.join(map(str, s.tests))}"] if s.tests else []
    parts += [f"--contract {s.contract}"] if s.contract else []
    return " ".join([*parts, again])[:500]


def _artifacts(out: Path, names: Sequence[str]) -> tuple[Artifact, ...]:
    files = [(name, out / name) for name in names]
    return tuple(
        Artifact(path=name, digest=codec.digest_of(file.read_bytes()), size=file.stat().st_size)
        for name, file in files
        if file.is_file()
    )
