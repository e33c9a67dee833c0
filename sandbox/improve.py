"""Find what the tests of a strategy miss, add tests for it, and keep them if they are worth it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from bot.agents.faults import Unwritable
from bot.agents.test_builder import Unplannable, build
from bot.agents.test_planner import spec_of
from sandbox import diff
from sandbox.backends import engine_of
from sandbox.engine import CannotRun, Engine
from sandbox.intake.files import NotTaken, take
from sandbox.mutants import MOST, Mutated, mutants
from sandbox.precheck import Kept, precheck
from sandbox.survey import Files, Survey, survey
from schemas import codec
from schemas.contract import Contract
from schemas.report import TestSpec

KEPT, NOT_KEPT, COULD_NOT = 0, 1, 2


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.improve", description=__doc__,
        epilog="Exit code: 0 kept or nothing missing, 1 not kept, 2 could not run.",
    )  # fmt: skip
    parser.add_argument("folder", type=Path, help="strategies/<name>: strategy, contract, tests")
    parser.add_argument("--backend", choices=["docker", "process"], default="docker",
                        help="process: no isolation; only for code that you trust")  # fmt: skip
    parser.add_argument("--mutants", type=int, default=MOST, help=f"at most (default {MOST})")
    parser.add_argument("--write", action="store_true", help="put the kept file into the folder")
    return parser


def main(argv: list[str]) -> int:
    args = arguments().parse_args(argv)
    try:
        contract = codec.load(Contract, take(args.folder / "contract.json"))
        return improve(
            args.folder, contract, engine_of(args.backend), args.mutants, write=args.write
        )
    except (CannotRun, NotTaken, codec.Invalid, Unwritable) as error:
        print(f"could not run: {error}", file=sys.stderr)
        return COULD_NOT


def improve(folder: Path, contract: Contract, engine: Engine, most: int, *, write: bool) -> int:
    files = gathered(folder)
    tried = mutants(files.strategy.decode(), most)
    before = survey(engine, files, tried)
    print(told("before", before))
    if not before.green:
        raise CannotRun(f"the tests of {files.name} do not pass: {', '.join(before.failed)}")
    missed = before.covered.missed if before.covered else ()
    spec = spec_of(contract, files.strategy.decode(), missed, before.mutants)
    for case in spec.cases:
        print(f"missing  {case.name}: {case.goal}")
    if not spec.cases:
        print("nothing is missing")
        return KEPT
    added, kept = attempt(engine, files, contract, spec, before, tried)
    if kept.after:
        print(told("after", kept.after))
    print(*(f"{kept.precheck:<9}{note}" for note in kept.notes), sep="\n")
    if kept.precheck == "PASSED" and write and added:
        target = folder / added.place
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(added.text)
        print(f"written  {target}")
    return KEPT if kept.precheck == "PASSED" else NOT_KEPT


def attempt(
    engine: Engine,
    files: Files,
    contract: Contract,
    spec: TestSpec,
    before: Survey,
    tried: tuple[Mutated, ...],
) -> tuple[diff.Added | None, Kept]:
    """Once with all cases; where some do not pass on this strategy, once more without them."""
    added, kept = _once(engine, files, contract, spec, before, tried)
    if not kept.failed:
        return added, kept
    left = tuple(case for case in spec.cases if case.name not in kept.failed)
    if not left or len(left) == len(spec.cases):
        return added, kept
    why = (*kept.notes, "those cases are left out: does the strategy follow its contract?")
    added, again = _once(engine, files, contract, replace(spec, cases=left), before, tried)
    return added, replace(again, notes=(*again.notes, *why))


def _once(
    engine: Engine,
    files: Files,
    contract: Contract,
    spec: TestSpec,
    before: Survey,
    tried: tuple[Mutated, ...],
) -> tuple[diff.Added | None, Kept]:
    try:
        added = diff.added(build(contract, spec, free(files)), files.name, files.tests)
    except (Unplannable, diff.Refused) as error:
        return None, Kept("FAILED", (str(error),))
    return added, precheck(engine, files, added, before, tried)


def gathered(folder: Path) -> Files:
    """The strategy's own tests first, then those that were added before."""
    paths = [folder / "test_strategy.py", *sorted((folder / "tests").glob("test_*.py"))]
    tests = {p.relative_to(folder).as_posix(): take(p) for p in paths if p.exists()}
    if not tests:
        raise CannotRun(f"{folder} has no tests; write test_strategy.py first")
    return Files(folder.resolve().name, take(folder / "strategy.py"), tests)


def free(files: Files) -> str:
    """A name that no file of tests has yet."""
    names = (f"test_added{n}.py" for n in ("", *(f"_{m}" for m in range(2, 100))))
    return next(name for name in names if f"tests/{name}" not in files.tests)


def told(when: str, seen: Survey) -> str:
    covered = f"{seen.covered.percent:g} %" if seen.covered else "unknown"
    missed = ", ".join(map(str, seen.covered.missed[:20])) if seen.covered else ""
    dead = sum(m.outcome == "killed" for m in seen.mutants)
    rows = [f"{when:<9}line coverage {covered}, missed lines: {missed or 'none'}; "
            f"{dead} of {len(seen.mutants)} mutants killed; {seen.seconds:.1f} s"]  # fmt: skip
    rows += [f"{m.outcome:<9}line {m.line} {m.function}: {m.change}" for m in seen.mutants
             if m.outcome != "killed"]  # fmt: skip
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
