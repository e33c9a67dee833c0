"""How good are the tests of a green strategy? Lines that they miss, mutants that they let live."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sandbox import covered, findings
from sandbox.covered import Covered
from sandbox.job import Ended, Engine, Job
from sandbox.mutants import Mutated
from schemas.report import Mutant, Outcome, TestOutcome

COMMAND = ("python", "-P", "-s", "-m", "sandbox.trials")
SECONDS = 120.0
"""For all of it: what was not run by then is told as not run."""


@dataclass(frozen=True, slots=True)
class Files:
    """A strategy and its tests, by their place in its folder; the first is the coder's own."""

    name: str
    strategy: bytes
    tests: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Survey:
    """`green`: the tests passed on the strategy itself. Nothing else counts without that."""

    green: bool
    outcomes: Sequence[TestOutcome] = ()
    covered: Covered | None = None
    mutants: tuple[Mutant, ...] = ()
    seconds: float = 0.0
    end: str = "exited"

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        return tuple(m for m in self.mutants if m.outcome == "survived")

    @property
    def failed(self) -> tuple[str, ...]:
        """The functions that did not pass, without the parameters of a case."""
        bad = [o.nodeid for o in self.outcomes if o.outcome is not Outcome.PASSED]
        return tuple(dict.fromkeys(b.rpartition(":")[2].partition("[")[0] for b in bad))


def survey(
    engine: Engine,
    files: Files,
    tried: Sequence[Mutated] = (),
    seconds: float = SECONDS,
    **elsewhere: Any,
) -> Survey:
    """One container for all. `elsewhere` is what else the job has: another clock, other hashes."""
    ended = engine.run(_job(files, tried, seconds, elsewhere))
    return read(ended, files.strategy, tried)


def _job(
    files: Files, tried: Sequence[Mutated], seconds: float, elsewhere: Mapping[str, Any]
) -> Job:
    given = {"strategy.py": files.strategy}
    given |= {f"tests_{n}.py": text for n, text in enumerate(files.tests.values())}
    given |= {f"mutant_{n}.py": m.source.encode() for n, m in enumerate(tried)}
    env = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", **elsewhere.get("env", {})}
    more = {name: value for name, value in elsewhere.items() if name != "env"}
    command = (*COMMAND, files.name, *files.tests)
    return Job(name="survey", command=command, files=given, env=env, seconds=seconds, **more)


def read(ended: Ended, strategy: bytes, tried: Sequence[Mutated]) -> Survey:
    """What the tests' own process said about itself: typed and capped, or left out."""
    first, ends = _lines(ended.stdout)
    outcomes, _ = findings.of_tests(first)
    passed = any(o.outcome is Outcome.PASSED for o in outcomes)
    green = _code(first) == 0 and passed
    return Survey(
        green=green,
        outcomes=outcomes,
        covered=covered.read(first.get("coverage"), strategy),
        mutants=tuple(_judged(m, ends.get(n)) for n, m in enumerate(tried)) if green else (),
        seconds=ended.seconds,
        end=ended.reason,
    )


def _lines(stdout: bytes) -> tuple[dict[str, Any], dict[int, int]]:
    """The first line, and how each mutant ended. The first word about a mutant counts."""
    first: dict[str, Any] = {}
    ends: dict[int, int] = {}
    for line in stdout.splitlines():
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(told, dict):
            continue
        number, code = told.get("mutant"), _code(told)
        if type(number) is int and code is not None:
            ends.setdefault(number, code)
        elif not first:
            first = told
    return first, ends


def _code(told: Mapping[str, Any]) -> int | None:
    code = told.get("code")
    return code if type(code) is int else None


def _judged(mutated: Mutated, code: int | None) -> Mutant:
    """A mutant that makes the tests hang or break is noticed as well."""
    outcome: Literal["killed", "survived", "not_run"] = "survived" if code == 0 else "killed"
    return Mutant(
        line=mutated.line, function=mutated.function[:500], change=mutated.change[:500],
        outcome="not_run" if code is None else outcome,
    )  # fmt: skip
