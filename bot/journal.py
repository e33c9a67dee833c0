"""(before, after) -> one line of the audit log, with the owner's events in it. Pure."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from bot.events import CommentPosted, Event, IssueOpened
from bot.wanted import wanted
from schemas.base import TaskId
from schemas.events import (
    ApprovalGranted,
    Artifacts,
    AuditEvent,
    BranchCreated,
    BranchRequest,
    DeploymentHalted,
    DeploymentRolledBack,
    DeploymentStarted,
    Failure,
    Metrics,
    TaskDispatched,
    TestFailed,
    TestPassed,
    TestStarted,
)
from schemas.live import Deployment, OnRollback, Stage
from schemas.plan import BranchTodo
from schemas.report import Finding, TestReport
from schemas.work import ROLES, WorkKind, WorkOrder
from schemas.workflow import Record, Workflow


def record(
    before: Workflow, after: Workflow, because: tuple[Event, ...], asked_at: int | None = None
) -> Record:
    people = [e.login for e in because if isinstance(e, CommentPosted | IssueOpened)]
    return Record(
        correlation_id=after.correlation_id,
        workflow_id=after.id,
        at=max((e.at for e in because), default=0),
        because=tuple(e.key for e in because),
        actor=people[-1][:500] if people else "stratbot",
        phase=after.phase,
        events=tuple(_events(before, after)),
        asked_at=asked_at,
    )


def _events(before: Workflow, after: Workflow) -> list[AuditEvent]:
    old = {o.key for o in wanted(before)}
    new = [o for o in wanted(after) if o.key not in old]
    return [
        *_tested(before, after),
        *_approved(before, after),
        *_taken_back(before, after),
        *_deployed(before, after),
        *(e for order in new for e in _dispatched(order)),
    ]


def _dispatched(order: WorkOrder) -> list[AuditEvent]:
    task = str(order.task_id or order.kind)
    asked: list[AuditEvent] = [
        TaskDispatched(
            correlation_id=order.correlation_id,
            workflow_id=order.workflow_id,
            task_id=task,
            agent_role=ROLES[order.kind],
            work_key=order.key,
        )
    ]
    if order.kind is WorkKind.TEST and order.head:
        started = TestStarted(
            correlation_id=order.correlation_id,
            workflow_id=order.workflow_id,
            task_id=task,
            commit_sha=order.head,
        )
        asked.append(started)
    return asked


def _tested(before: Workflow, after: Workflow) -> list[AuditEvent]:
    was = {t.id: t for t in before.tasks}
    found: list[AuditEvent] = []
    for task in after.tasks:
        known = was.get(task.id)
        if after.report and task.passed_sha and (not known or known.passed_sha != task.passed_sha):
            found.append(_passed(after, task.id, after.report))
        fresh = min(max(task.attempts - (known.attempts if known else 0), 0), len(task.todos))
        for todo in task.todos[len(task.todos) - fresh :]:
            found += [
                _failed(after, task.id, todo.debug_instructions),
                _branch(after, task.id, todo),
            ]
    return found + _delivery_tested(before, after)


def _delivery_tested(before: Workflow, after: Workflow) -> list[AuditEvent]:
    """The whole is tested as the last step is."""
    was, now = before.delivery, after.delivery
    if after.report and now.passed_sha and now.passed_sha != was.passed_sha:
        return [_passed(after, TaskId.EXIT, after.report)]
    if now.failed_sha and now.failed_sha != was.failed_sha:
        return [_failed(after, TaskId.EXIT, after.note)]
    return []


def _passed(workflow: Workflow, task_id: TaskId, report: TestReport) -> TestPassed:
    s = report.summary
    return TestPassed(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        task_id=task_id,
        metrics=Metrics(
            total_trades=s.total_trades if s else 0,
            net_pnl=_real(s.net_pnl) if s else 0.0,
            win_rate=s.win_rate if s else 0.0,
            max_drawdown=_real(s.max_drawdown) if s else 0.0,
        ),
        artifacts=Artifacts(),
        duration_seconds=report.seconds,
    )


def _real(amount: Decimal) -> float:
    """As far as the owner's figure reaches; the report keeps the exact amount."""
    return max(-1e15, min(1e15, float(amount)))


def _failed(workflow: Workflow, task_id: TaskId, why: str) -> TestFailed:
    findings = [(c.name, f) for c in (workflow.report.checks if workflow.report else ())
                for f in c.findings][:50]  # fmt: skip
    failures = tuple(_failure(name, f) for name, f in findings) or (
        Failure(check="report", test_name="", message=why, trace=""),
    )
    return TestFailed(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        task_id=task_id,
        failures=failures,
        artifacts=Artifacts(),
    )


def _failure(check: str, finding: Finding) -> Failure:
    return Failure(
        check=check, test_name=finding.test_name, message=finding.message, trace=finding.trace
    )


def _branch(workflow: Workflow, task: TaskId, todo: BranchTodo) -> BranchCreated:
    return BranchCreated(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        origin_task=task,
        branch_todo=BranchRequest(
            title=todo.title,
            description=todo.debug_instructions,
            attachments=(),
            target_agent=todo.agent_role,
            failure_classification=todo.failure_classification,
            reproduce_command=todo.reproduce_command,
        ),
    )


def _approved(before: Workflow, after: Workflow) -> list[AuditEvent]:
    found: list[AuditEvent] = []
    if after.approved_by and (after.approved_by, after.build) != (before.approved_by, before.build):
        found.append(_approval(after, after.approved_by, "plan", None))
    old = len(before.deployments[-1].approvers) if before.deployments else 0
    for newest in after.deployments[-1:]:
        again = len(before.deployments) == len(after.deployments)
        fresh = newest.approvers[old if again else 0 :]
        found += [_approval(after, login, "live", newest.commit_sha) for login in fresh]
    return found


def _approval(
    workflow: Workflow, login: str, subject: Literal["plan", "live"], sha: str | None
) -> ApprovalGranted:
    return ApprovalGranted(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        approver=login,
        subject=subject,
        commit_sha=sha,
    )


def _deployed(before: Workflow, after: Workflow) -> list[AuditEvent]:
    if not after.deployments or before.deployments == after.deployments:
        return []
    newest = after.deployments[-1]
    old = before.deployments[-1] if len(before.deployments) == len(after.deployments) else None
    if old and old.stage == newest.stage:
        return []
    match newest.stage:
        case Stage.PAPER:
            return [_started(newest, "paper")]
        case Stage.LIVE:
            return [_started(newest, "live")]
    return []


def _taken_back(before: Workflow, after: Workflow) -> list[AuditEvent]:
    """Any of them: a newer version may be on its way beside the one that traded."""
    was = dict(enumerate(before.deployments))
    found: list[AuditEvent] = []
    for n, row in enumerate(after.deployments):
        if n not in was:
            continue
        moved = was[n].stage != row.stage
        if moved and row.stage is Stage.ROLLED_BACK and row.rollback:
            found.append(_rolled_back(row, row.rollback))
        if row.todo and was[n].todo is None:
            found.append(_branch(after, row.todo.parent_id, row.todo))
        if moved and row.stage is Stage.HALTED:
            found.append(_halted(row))
    return found


def _halted(row: Deployment) -> DeploymentHalted:
    return DeploymentHalted(
        correlation_id=row.correlation_id,
        workflow_id=row.workflow_id,
        strategy=row.strategy,
        commit_sha=row.commit_sha,
        by=row.reason,
    )


def _started(newest: Deployment, stage: Literal["paper", "live"]) -> DeploymentStarted:
    return DeploymentStarted(
        correlation_id=newest.correlation_id,
        workflow_id=newest.workflow_id,
        strategy=newest.strategy,
        commit_sha=newest.commit_sha,
        stage=stage,
    )


def _rolled_back(newest: Deployment, how: OnRollback) -> DeploymentRolledBack:
    return DeploymentRolledBack(
        correlation_id=newest.correlation_id,
        workflow_id=newest.workflow_id,
        strategy=newest.strategy,
        commit_sha=newest.commit_sha,
        positions=how,
    )
