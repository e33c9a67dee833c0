"""The whole gate: a submission in, facts out. Everything that can run at once does."""

from __future__ import annotations

import secrets as chance
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adapters.config import config
from sandbox import checks, covered, findings, market
from sandbox.conversations import Case, Talks, hold
from sandbox.fixtures import with_fixtures
from sandbox.intake import check_files as intake
from sandbox.job import Ended, Engine, Job
from sandbox.mutants import mutants
from sandbox.report import Facts, Tested, compose
from sandbox.runs import Trouble, varied
from sandbox.sealed import NAME as SEALED
from sandbox.sealed import opened
from sandbox.sheets import of_sheet
from sandbox.submission import STRATEGY, Submission, Taken, read
from sandbox.survey import SECONDS, Files, survey
from sandbox.validate import PRICES, problems
from schemas import codec
from schemas.base import TaskId
from schemas.report import (
    EXPECTED,
    MUTANTS,
    Check,
    CheckName,
    FailureClass,
    Finding,
    Mutant,
    Outcome,
    TestReport,
)
from simbroker.load import read_csv

FIXTURES = Path(__file__).parent.parent / "fixtures" / "bars"
INSIDE = "/opt/stratbot"
TOOLS = (CheckName.MYPY, CheckName.FLAKE8, CheckName.BANDIT)
OF_TESTS = frozenset({CheckName.PYTEST, CheckName.MUTANTS})
TALKS = frozenset({CheckName.BACKTEST, CheckName.DETERMINISM, CheckName.CAUSALITY})
"""No milestone has the others of a conversation without these."""
Say = Callable[[Check], None]
Result = checks.Result


@dataclass(frozen=True, slots=True)
class About:
    """What the report is about, for those who ask for it."""

    task: TaskId = TaskId.EXIT
    commit: str = "0" * 40
    correlation_id: str = "corr_local"
    workflow_id: str = "wf_local"
    opens: bool = False
    """The sealed bars too, once all else has passed."""


def run(
    submission: Submission,
    out: Path,
    engine: Engine,
    *,
    skip_intake: bool = False,
    seconds: float = 300.0,
    seed: int | None = None,
    most_mutants: int = 0,
    about: About = About(),  # noqa: B008 - frozen
    say: Say = lambda check: None,
) -> TestReport:
    """Facts about one submission, also written to `out`. Raises `CannotRun` if it cannot run.

    Only what its task is judged by is looked at. Mutants are for the planner of more tests: so
    many are tried once everything else has passed.
    """
    taken, started = read(submission), time.time()
    clock = Stopwatch(say)
    found = clock.run(
        CheckName.INTAKE, lambda: checks.ended(() if skip_intake else _submitted(taken))
    )
    facts = Facts(
        submission, taken, about, engine.isolated, int(started), seed or chance.randbelow(2**31)
    )
    if found.outcome is not Outcome.PASSED:
        return compose(facts, clock.done, Tested(), None, out)
    case = _case(taken, facts.seed, seconds, engine.isolated, about)
    tested, talks = _work(engine, taken, case, clock, EXPECTED[about.task], most_mutants)
    clock.run(CheckName.SECRETS, lambda: checks.secrets(taken.files))
    if talks and CheckName.ARTIFACTS in EXPECTED[about.task]:
        clock.run(CheckName.ARTIFACTS, lambda: _artifacts(talks, case, out))
    if any(check.outcome is not Outcome.PASSED for check in clock.done):
        if talks:
            clock.done = with_fixtures(engine, case, talks, clock.done, out)
        tested = replace(tested, mutants=())  # what to test more of is asked when all is green
        return compose(facts, clock.done, tested, talks, out)
    sealed = opened(engine, case, facts.seed) if about.opens else None
    if isinstance(sealed, Trouble):
        clock.amend(CheckName.UNSEEN, findings.of_trouble(sealed, SEALED))
        sealed = None
    return compose(facts, clock.done, tested, talks, out, sealed)


def _submitted(taken: Taken) -> tuple[Finding, ...]:
    """What can be said of the files before anything of them runs."""
    return (*intake(taken.strategy, taken.tests), *of_sheet(taken))


def _case(taken: Taken, seed: int, seconds: float, locked: bool, about: About) -> Case:
    c = taken.contract
    unseen = CheckName.UNSEEN in EXPECTED[about.task]
    timeframe = c.timeframe if c else "D1"
    used = {e.fixture for e in c.examples} if c else set()
    files = {name: FIXTURES / f"{name}.csv" for name in used}
    return Case(
        source=taken.strategy.decode(), cfg=config(codec.dump(c) if c else ""),
        known=market.known(timeframe),
        unseen=market.unseen(timeframe, seed) if unseen else None,
        strange=market.strange(timeframe, seed) if unseen else (), contract=c,
        fixtures={n: read_csv(str(p)) for n, p in files.items() if p.is_file()},
        correlation_id=about.correlation_id, seconds=seconds, locked=locked, hashes=1 + seed,
    )  # fmt: skip


def _work(
    engine: Engine,
    taken: Taken,
    case: Case,
    clock: Stopwatch,
    expected: frozenset[CheckName],
    most_mutants: int,
) -> tuple[Tested, Talks | None]:
    """Tools, tests and conversations side by side; each check is timed by its own container."""
    with ThreadPoolExecutor(4, "check") as pool:
        talking = pool.submit(hold, engine, case) if TALKS & expected else None
        testing = pool.submit(_tests, engine, taken, case, clock, expected, most_mutants)
        tools = [pool.submit(_tool, engine, taken, name, case.seconds, clock) for name in TOOLS]
        talks = talking.result() if talking else None
        for tool in tools:
            tool.result()
        tested = testing.result()
    if talks:
        _judge_talks(case, talks, clock, expected)
    return tested, talks


def _judge_talks(
    case: Case, talks: Talks, clock: Stopwatch, expected: frozenset[CheckName]
) -> None:
    took = {
        CheckName.BACKTEST: talks.known.seconds,
        CheckName.DETERMINISM: talks.varied.seconds,
        CheckName.CAUSALITY: talks.past_known.seconds,
        CheckName.UNSEEN: talks.unseen.seconds + talks.past_unseen.seconds,
        CheckName.ACCEPTANCE: 0.0,
    }
    for name, seconds in took.items():
        if name in expected:
            judge: Callable[[Case, Talks], Result] = getattr(checks, name.value)
            start = time.monotonic()
            clock.took(name, judge(case, talks), seconds + time.monotonic() - start)


def _tool(engine: Engine, taken: Taken, tool: CheckName, seconds: float, clock: Stopwatch) -> None:
    files = tuple(taken.files) if tool is CheckName.FLAKE8 else (STRATEGY,)
    job = Job(
        name=tool.value,
        command=("python", "-P", "-s", "-m", "sandbox.static_tools", tool.value, *files),
        files=taken.files,
        env={"MYPYPATH": INSIDE},
        seconds=seconds,
        scratch=(64 if tool is CheckName.MYPY else 16) << 20,
    )
    done = engine.run(job)
    clock.took(tool, findings.of_tool(tool.value, done.stdout), done.seconds)


def _tests(
    engine: Engine,
    taken: Taken,
    case: Case,
    clock: Stopwatch,
    expected: frozenset[CheckName],
    most_mutants: int,
) -> Tested:
    """Its own tests, on broken copies too where the task asks for that; then on mutants."""
    if not taken.tests:
        missing = Finding(failure_class=FailureClass.TEST_FAILURES, rule="no_tests",
                          message="there is no test file", fix="give one with --tests")  # fmt: skip
        for name in sorted(OF_TESTS & expected):
            clock.took(name, (Outcome.FAILED, [missing]), 0.0)
        return Tested()
    done, again = _own_tests(engine, taken, case, CheckName.MUTANTS in expected)
    tested, mutated, outcomes, lines = checks.own_tests(done, again)
    fine = (
        clock.took(CheckName.PYTEST, tested, max(done.seconds, again.seconds)).outcome
        is Outcome.PASSED
    )
    if CheckName.MUTANTS in expected:
        fine &= clock.took(CheckName.MUTANTS, mutated, 0.0).outcome is Outcome.PASSED
    tried = _mutants(engine, taken, most_mutants, case.seconds) if most_mutants and fine else ()
    return Tested(outcomes, covered.read(lines, taken.strategy), tried)


def _own_tests(engine: Engine, taken: Taken, case: Case, broken_too: bool) -> tuple[Ended, Ended]:
    """Twice at once: as always, and the last test first in another environment."""
    here = () if broken_too else ("--once",)
    elsewhere = {k: v for k, v in varied(case.hashes).items() if k != "workdir"}
    with ThreadPoolExecutor(2, "tests") as pool:
        done = pool.submit(engine.run, _tests_job("tests", taken, case.seconds, here))
        again = pool.submit(engine.run, _tests_job(
            "tests-again", taken, case.seconds, ("--once", "--reversed"), **elsewhere
        ))  # fmt: skip
        return done.result(), again.result()


def _tests_job(
    name: str, taken: Taken, seconds: float, flags: tuple[str, ...], **elsewhere: Any
) -> Job:
    tests = {f"tests_{n}.py": text for n, text in enumerate(taken.tests.values())}
    line = ("python", "-P", "-s", "-m", "sandbox.own_tests", *flags, taken.name, *taken.tests)
    env = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", **elsewhere.pop("env", {})}
    files = {STRATEGY: taken.strategy, **tests}
    return Job(name=name, command=line, files=files, env=env, seconds=seconds, **elsewhere)


def _mutants(engine: Engine, taken: Taken, most: int, seconds: float) -> tuple[Mutant, ...]:
    files = Files(taken.name, taken.strategy, taken.tests)
    tried = mutants(taken.strategy.decode(), min(most, MUTANTS))
    return survey(engine, files, tried, min(seconds, SECONDS)).mutants


def _artifacts(talks: Talks, case: Case, out: Path) -> Result:
    if talks.known.run is None:
        return Outcome.ERROR, []
    talks.known.adapter.save_report(str(out))
    (out / PRICES).write_text(market.closes(str(case.cfg["timeframe"])))
    return checks.ended(
        [Finding(failure_class=FailureClass.ARTIFACT_SCHEMA, rule="artifact", message=p)
         for p in problems(out)]
    )  # fmt: skip


class Stopwatch:
    """Keeps each check with the time that it took, and says so as it ends."""

    def __init__(self, say: Say) -> None:
        self.done: list[Check] = []
        self._say = say

    def run(self, name: CheckName, judge: Callable[[], Result]) -> Check:
        start = time.monotonic()
        result = judge()
        return self.took(name, result, time.monotonic() - start)

    def took(self, name: CheckName, result: Result, seconds: float) -> Check:
        outcome, found = result
        check = Check(
            name=name, outcome=outcome, seconds=round(seconds, 3), findings=tuple(found)[:50]
        )
        self.done.append(check)
        self._say(check)
        return check

    def amend(self, name: CheckName, found: Finding) -> None:
        """What was found later than the rest of a check."""
        self.done = [
            replace(c, outcome=Outcome.FAILED, findings=(*c.findings, found)[-50:])
            if c.name is name
            else c
            for c in self.done
        ]
