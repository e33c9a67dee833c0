"""The agents: one row for each kind of work, from its prompt to the document it makes. Pure."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from bot.agents import architect, planner
from bot.agents.plan_faults import plan_faults
from bot.io.llm import shown
from bot.io.llm.patch import Unusable, added, doubts
from schemas import answers, codec
from schemas.base import Provenance, Usage
from schemas.report import FailureClass, GeneratedTests, TestCase, TestSpec
from schemas.work import (
    DraftMade,
    PlanMade,
    Product,
    QuestionsAsked,
    RequestDeclined,
    StrategyDraft,
    TestsBuilt,
    TestsPlanned,
    WorkFailed,
    WorkKind,
    WorkOrder,
)

Problems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Who wrote it, and for how much."""

    by: Provenance
    usage: Usage


@dataclass(frozen=True, slots=True)
class Agent:
    """`wrong`: why the answer cannot be used. `doubtful`: why it should be better; asked once."""

    prompt: str
    answer: type[Any]
    needs: tuple[str, ...]
    tokens: int
    shown: Callable[[WorkOrder], str]
    wrong: Callable[[WorkOrder, Any], Problems]
    made: Callable[[WorkOrder, Any, Mark], Product]
    doubtful: Callable[[WorkOrder, Any], Problems] = lambda order, answer: ()
    refused: Callable[[str], Product] = lambda why: WorkFailed(
        failure_class=FailureClass.ARTIFACT_SCHEMA, message=f"the model refused: {why}"[:600]
    )


# Planner and architect.


def _plan_wrong(order: WorkOrder, given: answers.Planned) -> Problems:
    match given.answer:
        case answers.Understood(contract=contract):
            return plan_faults(architect.settled(contract, order))
    return ()


def _planned(order: WorkOrder, given: answers.Planned, mark: Mark) -> Product:
    match given.answer:
        case answers.Understood(contract=contract):
            mine = architect.settled(contract, order)
            return PlanMade(contract=mine, todo=planner.plan(mine, order.min_line_coverage))
        case QuestionsAsked() | RequestDeclined() as said:
            return said


# Coder and debugger.


def _draft_wrong(order: WorkOrder, given: answers.Drafted) -> Problems:
    return (*_not_python("strategy", given.strategy), *_not_python("tests", given.tests))


def _drafted(order: WorkOrder, given: answers.Drafted, mark: Mark) -> Product:
    assert order.contract and order.task_id  # nosec B101
    draft = StrategyDraft(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=order.task_id,
        contract_digest=codec.digest(order.contract),
        strategy=given.strategy,
        tests=given.tests,
        explanation=given.explanation,
        written_by=mark.by,
        usage=mark.usage,
    )
    return DraftMade(draft=draft)


def _repair_wrong(order: WorkOrder, given: answers.Repaired) -> Problems:
    same = order.draft is not None and given.strategy.strip() == order.draft.strategy.strip()
    told = ("strategy: it is what it was; nothing is mended",) if same else ()
    return (*_not_python("strategy", given.strategy), *told)


def _repaired(order: WorkOrder, given: answers.Repaired, mark: Mark) -> Product:
    """The tests and the contract are those of the draft: an answer has no word for others."""
    assert order.draft  # nosec B101
    mended = replace(order.draft, strategy=given.strategy, explanation=given.explanation)
    return DraftMade(draft=replace(mended, written_by=mark.by, usage=mark.usage))


def _not_python(name: str, source: str) -> Problems:
    try:
        return () if ast.parse(source).body else (f"{name}: there is no code in it",)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return (f"{name}: not Python 3.11: {error}"[:300],)


# Test planner and test builder.


def _cases_wrong(order: WorkOrder, given: answers.TestsNamed) -> Problems:
    names = [c.name for c in given.cases]
    return tuple(f"cases: {n} is there twice" for n in sorted({*names}) if names.count(n) > 1)


def _cases_named(order: WorkOrder, given: answers.TestsNamed, mark: Mark) -> Product:
    assert order.report  # nosec B101
    target = shown.strategy_path(order)
    spec = TestSpec(
        id=f"spec_{order.workflow_id.removeprefix('wf_')}",
        correlation_id=order.correlation_id,
        parent_commit_sha=order.report.commit_sha,
        cases=tuple(TestCase(name=c.name, goal=c.goal, target_path=target) for c in given.cases),
        min_line_coverage=order.min_line_coverage,
    )
    return TestsPlanned(spec=spec)


def _diff_wrong(order: WorkOrder, given: answers.TestsWritten) -> Problems:
    try:
        path, _ = added(given.diff)
    except Unusable as error:
        return (f"diff: {error}"[:300],)
    wanted = shown.test_path(order)
    return () if path == wanted else (f"diff: it adds {path[:200]!r}, not {wanted}",)


def _diff_doubtful(order: WorkOrder, given: answers.TestsWritten) -> Problems:
    assert order.spec  # nosec B101
    module = shown.strategy_path(order).removesuffix(".py").replace("/", ".")
    return doubts(added(given.diff)[1], module, order.spec)


def _tests_written(order: WorkOrder, given: answers.TestsWritten, mark: Mark) -> Product:
    assert order.spec  # nosec B101
    path, source = added(given.diff)
    notes = _diff_doubtful(order, given)
    precheck: Literal["PASSED", "FAILED"] = "FAILED" if notes else "PASSED"
    tests = GeneratedTests(
        spec_id=order.spec.id,
        correlation_id=order.correlation_id,
        commit_sha=order.spec.parent_commit_sha,
        branch_name=f"ai/generated/{order.workflow_id}/{order.task_id}",
        precheck=precheck,
        notes=tuple(note[:500] for note in notes),
        path=path,
        tests=source,
        written_by=mark.by,
        usage=mark.usage,
    )
    return TestsBuilt(tests=tests)


def _declined(why: str) -> Product:
    return RequestDeclined(code="model_refused", reason=why[:2000])


AGENTS: dict[WorkKind, Agent] = {
    WorkKind.PLAN: Agent(
        "planner", answers.Planned, (), 12_000,
        shown.for_planner, _plan_wrong, _planned, refused=_declined,
    ),
    WorkKind.DRAFT: Agent(
        "coder", answers.Drafted, ("contract", "task_id"), 16_000,
        shown.for_coder, _draft_wrong, _drafted,
    ),
    WorkKind.REPAIR: Agent(
        "debugger", answers.Repaired, ("contract", "task_id", "draft", "report"), 16_000,
        shown.for_debugger, _repair_wrong, _repaired,
    ),
    WorkKind.PLAN_TESTS: Agent(
        "test_planner", answers.TestsNamed, ("contract", "draft", "report"), 6_000,
        shown.for_test_planner, _cases_wrong, _cases_named,
    ),
    WorkKind.BUILD_TESTS: Agent(
        "test_builder", answers.TestsWritten, ("contract", "task_id", "draft", "spec"), 16_000,
        shown.for_test_builder, _diff_wrong, _tests_written, doubtful=_diff_doubtful,
    ),
}  # fmt: skip
"""Kind of work -> prompt, form of the answer, what the order must have, tokens, and how."""
