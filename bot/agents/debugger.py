"""From a red report to who mends it, and how; and what is no repair. Pure."""

from __future__ import annotations

import hashlib

from bot import text
from bot.verdict import Failure, judge
from schemas import codec
from schemas.base import AgentRole
from schemas.plan import ROUTES, BranchTodo, Route
from schemas.report import FailureClass
from schemas.work import StrategyDraft, WorkOrder
from schemas.workflow import Task

REPAIRED = frozenset({Route.IMPLEMENTATION_BUG, Route.TEST_FAILURE})
"""A repair is ordered; the others are tested again, or planned anew."""
UNTOLD = frozenset({"missing", "error", "skipped"})
"""A check that came to no answer. Another failure explains why, or the run does."""


NOT_RUN = "not_run"


def not_run(why: str) -> Failure:
    """The sandbox could not start, or died."""
    return Failure("sandbox", FailureClass.SANDBOX_ERROR, NOT_RUN, why)


def branch_todo(task: Task, failures: tuple[Failure, ...], command: str = "") -> BranchTodo:
    """The temporary step that mends this failure. `command` shows it again on any machine."""
    told = by_cause(failures)
    way = route(failures)
    return BranchTodo(
        id=f"{task.id}_branch_{task.attempts + 1:02}",
        parent_id=task.id,
        title=text.todo_title(task, told[0]),
        agent_role=ROUTES[way],
        branch_reason=way,
        failure_classification=told[0].failure_class,
        signature=signature(failures),
        debug_instructions=text.instructions(told),
        reproduce_command=command
        or next((f.finding.reproduce_command for f in told if f.finding), ""),
        fixture=next((f.finding.fixture for f in told if f.finding and f.finding.fixture), ""),
    )


def mender(todo: BranchTodo) -> AgentRole:
    """Who gets the work order that follows. Bugs are mended by whoever found them out."""
    return AgentRole.DEBUGGER if todo.branch_reason in REPAIRED else todo.agent_role


def findings(order: WorkOrder) -> str:
    """What the report of this order says against the strategy, the cause first. No figures:
    who mends must not see what it earned."""
    if order.report is None or order.contract is None or order.task_id is None:
        return ""
    digest = codec.digest(order.contract)
    failures = judge(order.task_id, order.head, order.contract, digest, order.report)
    return text.instructions(by_cause(failures))


def route(failures: tuple[Failure, ...]) -> Route:
    """Who should look at it: the most specific reason wins."""
    rules = {f.rule for f in failures}
    if "timeout" in rules or proves_nothing(failures):
        return Route.TIMEOUT  # to the tester, who runs it again
    if "spec_mismatch" in rules:
        return Route.SPEC_MISMATCH
    if rules == {"flaky_test"}:
        return Route.FLAKY_TEST
    return Route.IMPLEMENTATION_BUG


def by_cause(failures: tuple[Failure, ...]) -> tuple[Failure, ...]:
    """What explains the others first: a file that does not load fails every check after it."""
    return tuple(sorted(failures, key=_rank))


def signature(failures: tuple[Failure, ...]) -> str:
    """Names a failure by what failed and where, not by its figures, so that a repeat is seen."""
    rows = sorted(
        f"{f.failure_class}|{f.check}|{f.rule}|{f.finding.test_name if f.finding else ''}"
        for f in failures
    )
    return "sig_" + hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


def rejects(before: StrategyDraft, after: StrategyDraft) -> str | None:
    """Why this is no repair: it may change the strategy, never what the strategy is held to."""
    if after.tests != before.tests:
        return text.not_a_repair()
    if _held_to(after) != _held_to(before):
        return text.for_another()
    return None


def no_repair(why: str) -> Failure:
    return Failure("repair", FailureClass.TEST_FAILURES, "touched_tests", why)


def _held_to(draft: StrategyDraft) -> tuple[str, ...]:
    return draft.workflow_id, draft.correlation_id, draft.task_id, draft.contract_digest


def proves_nothing(failures: tuple[Failure, ...]) -> bool:
    """About the run alone, not about the strategy: there is nothing to mend in it."""
    return all(_is_of_the_run(f) for f in failures)


def _is_of_the_run(f: Failure) -> bool:
    return f.finding is None and (f.rule in UNTOLD or f.check in ("report", "sandbox"))


def _rank(failure: Failure) -> int:
    if failure.finding is None and failure.rule in UNTOLD:
        return 2
    return 0 if failure.failure_class is FailureClass.STATIC_FAILURES else 1
