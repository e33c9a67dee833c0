"""What should be worked on now, derived from the state alone, so a lost order is asked again."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from bot.incident import as_deployed, trouble
from bot.tasks import current, whole
from schemas import codec
from schemas.base import TaskId
from schemas.report import TestReport
from schemas.work import WorkKind, WorkOrder
from schemas.workflow import Asked, Phase, Policy, Step, Task, Workflow

LIMITS: dict[WorkKind, int] = {
    WorkKind.PLAN: 15 * 60,
    WorkKind.DRAFT: 20 * 60,
    WorkKind.REPAIR: 20 * 60,
    WorkKind.TEST: 20 * 60,
    WorkKind.PLAN_TESTS: 20 * 60,
    WorkKind.BUILD_TESTS: 30 * 60,
    WorkKind.PAPER: 60 * 60,
}
"""Seconds until the sweep takes a piece of work for lost, unless a run of it is alive. The setting
TASK_TIMEOUT takes the place of all."""
OVERTIME = 26 * 3600
"""GitHub drops a job that waited a day for a machine, and ours work for less than two hours."""


PAID = frozenset(WorkKind) - {WorkKind.TEST, WorkKind.PAPER}
"""What a model may be asked for."""


def limit(policy: Policy, kind: WorkKind) -> int:
    return LIMITS[kind] if policy.task_timeout is None else policy.task_timeout


def wanted(workflow: Workflow) -> tuple[WorkOrder, ...]:
    if workflow.held or workflow.request is None or workflow.phase is Phase.CANCELLED:
        return ()
    main = _main(workflow)
    return (*((main,) if main else ()), *(_backtest(workflow, a) for a in workflow.asked))


def overdue(workflow: Workflow, now: int) -> tuple[WorkOrder, ...]:
    """What should have come back by now."""
    return tuple(order for order in wanted(workflow) if now >= order.deadline)


def is_lost(order: WorkOrder, now: int, alive: frozenset[str]) -> bool:
    """Overdue, and nobody is at it any more; or for so long that nobody can be."""
    return now >= order.deadline + (OVERTIME if order.key in alive else 0)


def awaited(workflow: Workflow) -> tuple[WorkOrder, ...]:
    """What may still come back: also what was under way when the request was held or cancelled."""
    if workflow.phase is Phase.CANCELLED:
        workflow = replace(workflow, phase=workflow.stopped_in or Phase.CANCELLED)
    return wanted(replace(workflow, held=False))


def _main(workflow: Workflow) -> WorkOrder | None:
    """The one piece of work that moves the request on."""
    match workflow.phase:
        case Phase.OPENED:
            return _order(workflow, WorkKind.PLAN)
        case Phase.BUILDING:
            task = current(workflow)
            kind = _kind(workflow, task) if task else None
            return _order(workflow, kind, task) if task and kind else None
        case Phase.DELIVERING:
            return _delivery(workflow)
        case Phase.PAPER:
            return _order(as_deployed(workflow, _candidate(workflow)), WorkKind.PAPER)
    return None


def _delivery(workflow: Workflow) -> WorkOrder | None:
    """What a person will merge is the whole: it passes as one commit, or it has not passed."""
    delivery, task = workflow.delivery, whole(workflow)
    as_last = Task(id=TaskId.EXIT, head=task.head, todos=task.todos)
    if task.step is Step.REPAIRING:
        return _order(workflow, WorkKind.REPAIR, as_last)
    tested = delivery.head in (None, delivery.passed_sha, delivery.failed_sha)
    if tested or task.step is not Step.TESTING:
        return None
    order = _order(workflow, WorkKind.TEST, as_last)
    return replace(order, opens=workflow.opened is None)


def subject(workflow: Workflow, order: WorkOrder) -> str:
    """What the work is for: a step, the delivery, or a backtest that somebody asked for."""
    if backtest_of(workflow, order):
        return order.key
    delivering = Phase.DELIVERING in (workflow.phase, workflow.stopped_in)
    return TaskId.DELIVERY if delivering and order.task_id else str(order.task_id or order.kind)


def _kind(workflow: Workflow, task: Task) -> WorkKind | None:
    match task.step:
        case Step.DRAFTING if task.id is TaskId.TESTS:
            return WorkKind.BUILD_TESTS if workflow.spec else WorkKind.PLAN_TESTS
        case Step.DRAFTING:
            return WorkKind.DRAFT
        case Step.REPAIRING:
            return WorkKind.REPAIR
        case Step.TESTING:
            return WorkKind.TEST
    return None


def _order(workflow: Workflow, kind: WorkKind, task: Task | None = None) -> WorkOrder:
    """Keyed by the digest of its inputs and by how often it was lost; never by clock or cost."""
    assert workflow.request is not None  # nosec B101
    wants_code = kind not in (WorkKind.PLAN, WorkKind.TEST)
    bad = trouble(workflow) if kind in PAID else None
    tried = task.todos if task else ()
    order = WorkOrder(
        key="none",
        kind=kind,
        issue=workflow.issue,
        workflow_id=workflow.id,
        correlation_id=workflow.correlation_id,
        task_id=task.id if task else None,
        request=workflow.request,
        contract=workflow.contract,
        todo=workflow.todo,
        draft=workflow.draft if wants_code else None,
        report=_unsealed(workflow) if wants_code and kind is not WorkKind.DRAFT else None,
        spec=workflow.spec,
        head=task.head if task else _candidate(workflow),
        tried=(bad.todo, *tried)[-20:] if bad and bad.todo else tried,
        deadline=0,
        sandbox_timeout=workflow.policy.sandbox_timeout,
        min_line_coverage=workflow.policy.min_line_coverage,
        incident=bad.incident if bad else None,
    )
    name = codec.digest(order).removeprefix("sha256:")[:20]
    return replace(
        order,
        key=f"{kind}-{name}-{workflow.round}-{workflow.tries}",
        deadline=workflow.since + limit(workflow.policy, kind),
        budget=max(workflow.policy.max_cost - workflow.usage.cost, Decimal(0)),
    )


def _candidate(workflow: Workflow) -> str | None:
    """The commit that a paper run is about; where nothing is to go live, what was delivered."""
    newest = workflow.deployments[-1:] if workflow.phase is Phase.PAPER else ()
    return newest[0].commit_sha if newest else workflow.delivered_sha


def _unsealed(workflow: Workflow) -> TestReport | None:
    """Whoever writes or mends must not know how it went on the sealed bars."""
    return replace(workflow.report, sealed=None) if workflow.report else None


def backtest_of(workflow: Workflow, order: WorkOrder) -> Asked | None:
    """Who asked for this work by hand; None where it is work of the request itself."""
    return next((a for a in workflow.asked if order.key == f"backtest-{a.comment_id}"), None)


def _backtest(workflow: Workflow, asked: Asked) -> WorkOrder:
    task = Task(id=TaskId.EXIT, head=asked.sha)
    order = _order(as_deployed(workflow, asked.sha), WorkKind.TEST, task)
    deadline = asked.at + limit(workflow.policy, WorkKind.TEST)
    return replace(order, key=f"backtest-{asked.comment_id}", deadline=deadline)
