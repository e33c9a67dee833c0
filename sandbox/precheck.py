"""Keeps added tests only if they pass every time and add something that was measured."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal

from sandbox.diff import Added
from sandbox.intake import check as intake
from sandbox.job import CannotRun, Engine
from sandbox.mutants import Mutated
from sandbox.outgoing import cell
from sandbox.runs import VARIED
from sandbox.survey import SECONDS, Files, Survey, survey
from schemas.report import GeneratedTests

ELSEWHERE: tuple[dict[str, Any], ...] = (
    {"env": {"PYTHONHASHSEED": "1"}},
    {name: VARIED[name] for name in ("env", "hostname", "clock_shift")},
)
"""Where the added tests run once more each: other hashes, another clock, another language."""
RUNS = 1 + len(ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Kept:
    """`after` is None where nothing was run, or where it did not matter any more."""

    precheck: Literal["PASSED", "FAILED"]
    notes: tuple[str, ...]
    after: Survey | None = None
    failed: tuple[str, ...] = ()


def precheck(
    engine: Engine,
    files: Files,
    added: Added,
    before: Survey,
    tried: Sequence[Mutated],
    seconds: float = SECONDS,
) -> Kept:
    """`before` is what the present tests do about the mutants in `tried`."""
    wrong = [f for f in intake(files.strategy, added.text) if f.file != "strategy.py"]
    if wrong:
        return _no(*(f"line {f.line}: {f.message}; {f.fix}" for f in wrong[:10]))
    if not before.green:
        return _no("the present tests do not pass, so nothing can be measured")
    alive = [m for m, told in zip(tried, before.mutants, strict=True) if told.outcome != "killed"]
    tests = {**files.tests, added.place: added.text}
    alone = replace(files, tests={added.place: added.text})
    with ThreadPoolExecutor(RUNS, "precheck") as pool:
        first = pool.submit(survey, engine, replace(files, tests=tests), alive, seconds)
        more = [pool.submit(survey, engine, alone, (), seconds, **place) for place in ELSEWHERE]
    after = first.result()
    if not after.green:
        return _no(*_red(after, "with the present tests"), failed=after.failed)
    for n, run in enumerate(more, 2):
        if not (again := run.result()).green:
            return _no(*_red(again, f"on run {n} of {RUNS}"), failed=again.failed)
    return _weighed(before, after)


def added_of(tests: GeneratedTests, home: str, files: Files) -> Added:
    """The file as one that is new in the strategy's tests. Raises `CannotRun` for another place."""
    place = tests.path.removeprefix(f"{home}/")
    if place == tests.path or place.count("/") != 1 or place in files.tests:
        raise CannotRun(f"{tests.path} is not a new file in {home}/tests/; write it there")
    return Added(tests.path, place, tests.tests.encode())


def judged(tests: GeneratedTests, kept: Kept) -> GeneratedTests:
    """The document with what was measured in place of what was claimed."""
    notes = tuple(note[:500] for note in kept.notes[:50])
    return replace(tests, precheck=kept.precheck, notes=notes)


def _weighed(before: Survey, after: Survey) -> Kept:
    killed = [m for m in after.mutants if m.outcome == "killed"]
    one, two = (s.covered.percent if s.covered else 0.0 for s in (before, after))
    total, dead = len(before.mutants), len(before.mutants) - len(after.mutants)
    notes = (
        f"line coverage {one:g} % before, {two:g} % after",
        f"mutants killed {dead} of {total} before, {dead + len(killed)} of {total} after",
        *(f"now noticed: line {m.line}: {cell(m.change, 200)}" for m in killed),
    )
    if two > one or killed:
        return Kept("PASSED", (f"passed {RUNS} of {RUNS} runs", *notes), after)
    return Kept("FAILED", ("it adds nothing: no line and no mutant more", *notes), after)


def _red(seen: Survey, when: str) -> list[str]:
    names = ", ".join(cell(name, 80) for name in seen.failed[:5]) or f"no test ran ({seen.end})"
    return [f"it does not pass {when}: {names}"]


def _no(*notes: str, failed: tuple[str, ...] = ()) -> Kept:
    return Kept("FAILED", tuple(note[:500] for note in notes), failed=failed)
