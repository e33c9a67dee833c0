"""The worker of the test job: one work order in, facts about one commit out. Decides nothing."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from sandbox import checkout, lifecycle, paper
from sandbox.backends import engine_of
from sandbox.engine import Cancelled, CannotRun, Engine
from sandbox.job import Ledger
from sandbox.job_log import JobLog, log_of
from sandbox.limits import add_limits, limits_of
from sandbox.mutants import MOST, mutants
from sandbox.outgoing import tame
from sandbox.pipeline import About, run
from sandbox.precheck import RUNS, added_of, judged, precheck
from sandbox.results import files, sources, summary
from sandbox.submission import importable, read
from sandbox.survey import Files, survey
from schemas import codec
from schemas.base import TaskId, Usage
from schemas.contract import Contract
from schemas.report import FailureClass, Outcome
from schemas.work import (
    PaperTraded,
    Product,
    Tested,
    TestsBuilt,
    WorkFailed,
    WorkKind,
    WorkOrder,
    WorkResult,
    answered,
)

DONE, NO_ORDER, STOPPED = 0, 2, 130
RESULT = "result.json"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sandbox.work", description=__doc__,
        epilog="Exit code: 0 a result is in OUT/result.json, whatever it says; 2 the order cannot "
        "be read; 130 stopped from outside, and there is no result.",
    )  # fmt: skip
    parser.add_argument("--order", type=Path, required=True, help="the work order, as JSON")
    parser.add_argument("--tree", type=Path, default=Path("submission"),
                        help="a checkout of the commit that the order names")  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="folder for the result")
    parser.add_argument("--summary", type=Path, help="append a short table in markdown here")
    add_limits(parser)
    parser.add_argument("--backend", choices=["docker", "process"], default="docker",
                        help="process: no isolation, and the report says so")  # fmt: skip
    return parser


def main(argv: list[str]) -> int:
    args = arguments().parse_args(argv)
    try:
        order = codec.load(WorkOrder, args.order.read_bytes())
    except (OSError, codec.Invalid) as error:
        JobLog().error("job.failed", message=f"the order cannot be read: {error}")
        return NO_ORDER
    started, spent = time.monotonic(), _spent(order, args.out / RESULT)
    log = log_of(order)
    log.write("job.started", kind=order.kind)
    try:
        product = made(order, args, log)
    except (KeyboardInterrupt, Cancelled):
        log.error("job.stopped", message="nothing is left running, and there is no result")
        return STOPPED
    usage = spent + Usage(seconds=round(time.monotonic() - started, 3))
    result = answered(order, product, usage, int(time.time()))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / RESULT).write_text(codec.dump(result))
    if args.summary:
        with args.summary.open("a") as file:
            file.write(summary(order, product))
    why = product.message if isinstance(product, WorkFailed) else ""
    log.write("job.ended", green=_is_green(product), seconds=usage.seconds, message=why)
    return DONE


def _spent(order: WorkOrder, path: Path) -> Usage:
    """What the draft job of this very order cost: its result is about to be replaced."""
    try:
        drafted = codec.load(WorkResult, path.read_bytes())
    except (OSError, codec.Invalid):
        return Usage()
    paid = order.kind is WorkKind.BUILD_TESTS and drafted.order_key == order.key
    return drafted.usage if paid else Usage()


def made(order: WorkOrder, args: argparse.Namespace, log: JobLog) -> Product:
    """What cannot be run is said plainly: the bot tells it to a person."""
    try:
        with lifecycle.run(args.out / "run") as ledger:
            product = _work(order, args, ledger, log)
            ended = ledger.finish("passed" if _is_green(product) else "failed")
    except CannotRun as error:
        return failed(str(error))
    if ended not in ("passed", "failed"):
        raise Cancelled(f"the run was {ended}")
    return product


def _work(order: WorkOrder, args: argparse.Namespace, ledger: Ledger, log: JobLog) -> Product:
    engine = partial(engine_of, args.backend, limits_of(args), ledger)
    match order:
        case WorkOrder(
            kind=WorkKind.TEST, contract=Contract() as contract, head=str(), task_id=TaskId()
        ):
            return tested(order, contract, args, engine(), log)
        case WorkOrder(kind=WorkKind.BUILD_TESTS, contract=Contract() as contract):
            return prechecked(order, contract, args, engine(), log)
        case WorkOrder(kind=WorkKind.PAPER, contract=Contract() as contract, head=str()):
            return papered(order, contract, args, engine(), log)
        case WorkOrder(kind=WorkKind.TEST | WorkKind.PAPER):
            return failed("the order names no contract, task or commit; order the test again")
    return failed(f"nothing is tested for {order.kind} work")


def tested(
    order: WorkOrder, contract: Contract, args: argparse.Namespace, engine: Engine, log: JobLog
) -> Product:
    """Mutants are tried once, where the test planner will ask what is missing."""
    assert order.head and order.task_id  # nosec B101
    out = args.out / "run"
    submitted = checkout.submission(args.tree, order.head, contract)
    about = About(order.task_id, order.head, order.correlation_id, order.workflow_id, order.opens)
    plans = order.task_id is TaskId.EXIT and order.spec is None
    report = run(
        submitted, out, engine, seconds=order.sandbox_timeout, about=about,
        most_mutants=MOST if plans else 0, say=log.check,
    )  # fmt: skip
    report, kept = files(report, out)
    if report.artifacts:
        report = replace(report, changes=checkout.changes(args.tree, contract, out / "trades.csv"))
    product = Tested(report=report, files=kept)
    return product if _is_green(product) else replace(product, files=(*kept, *sources(submitted)))


def papered(
    order: WorkOrder, contract: Contract, args: argparse.Namespace, engine: Engine, log: JobLog
) -> Product:
    """All the checks on this very commit, then a dry run of the live adapter. No orders."""
    assert order.head  # nosec B101
    submitted = checkout.submission(args.tree, order.head, contract)
    about = About(TaskId.EXIT, order.head, order.correlation_id, order.workflow_id)
    seconds = order.sandbox_timeout
    report = run(submitted, args.out / "run", engine, seconds=seconds, about=about, say=log.check)
    red = [check.name for check in report.checks if check.outcome is not Outcome.PASSED]
    if red:
        return failed(f"before the paper run the commit must pass all checks; {red[0]} did not")
    ran = paper.compare(engine, read(submitted), contract)
    for line in ran.shown:
        log.write("paper.difference", message=line)
    if ran.trouble:
        return failed(f"the paper run ended early: {ran.trouble}")
    log.write("paper.ended", bars=ran.bars, trades=ran.trades, differences=ran.differences)
    isolated = engine.isolated
    return PaperTraded(
        sha=order.head, bars=ran.bars, differences=ran.differences, isolated=isolated
    )


def prechecked(
    order: WorkOrder, contract: Contract, args: argparse.Namespace, engine: Engine, log: JobLog
) -> Product:
    """What the draft job wrote, with what was measured in place of what was claimed."""
    try:
        result = codec.load(WorkResult, (args.out / RESULT).read_bytes())
    except (OSError, codec.Invalid) as error:
        return failed(f"the draft job left no result that can be read: {error}")
    if result.order_key != order.key:
        return failed("the draft job's result is for another order")
    built = result.product
    if not isinstance(built, TestsBuilt) or built.tests.precheck == "FAILED":
        return built
    present = _present(order, contract, args.tree)
    tried = mutants(present.strategy.decode(), MOST)
    log.write("tests.survey", mutants=len(tried))
    before = survey(engine, present, tried)
    log.write("tests.precheck", runs=RUNS)
    kept = precheck(
        engine,
        present,
        added_of(built.tests, f"strategies/{contract.name}", present),
        before,
        tried,
    )
    for note in kept.notes:
        log.write("tests.note", precheck=kept.precheck, message=note)
    return replace(built, tests=judged(built.tests, kept))


def _present(order: WorkOrder, contract: Contract, tree: Path) -> Files:
    """The tests as they are: those of the commit, or of the draft where the order names none."""
    if order.head:
        taken = read(checkout.submission(tree, order.head, contract))
        return Files(taken.name, taken.strategy, taken.tests)
    if order.draft is None:
        raise CannotRun("the order names neither a commit nor a draft; order it again")
    tests = {"test_strategy.py": order.draft.tests.encode()}
    return Files(importable(contract.name), order.draft.strategy.encode(), tests)


def failed(why: str) -> WorkFailed:
    return WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message=tame(why, 1000))


def _is_green(product: Product) -> bool:
    match product:
        case Tested(report=report):
            return all(check.outcome is Outcome.PASSED for check in report.checks)
        case PaperTraded(differences=differences):
            return not differences
        case TestsBuilt(tests=tests):
            return tests.precheck == "PASSED"
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
