"""(before, after) -> one line of the audit log, with the owner's events in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from bot import runs
from bot.agents.debugger import mender
from bot.events import CommentPosted, Event, IssueOpened, WorkFinished
from bot.tasks import planned_again
from bot.wanted import subject, wanted
from schemas.base import AgentRole
from schemas.events import (
    ApprovalGranted,
    AuditEvent,
    DeploymentHalted,
    DeploymentRolledBack,
    DeploymentStarted,
    TaskDispatched,
    WorkflowChanged,
)
from schemas.live import Deployment, OnRollback, Stage
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
        events=tuple(_events(before, after, because)),
        asked_at=asked_at,
    )


def lines(commit: str, record: Record) -> Iterator[WorkflowChanged | AuditEvent]:
    """A record as it is printed: what changed, then its events, each with its time."""
    at = _iso(record.at)
    yield WorkflowChanged(
        correlation_id=record.correlation_id,
        workflow_id=record.workflow_id,
        commit_sha=commit,
        because=record.because,
        actor=record.actor,
        phase=record.phase,
        asked_at="" if record.asked_at is None else _iso(record.asked_at),
        requests=record.requests,
        source="orchestrator",
        timestamp=at,
    )
    yield from (replace(event, timestamp=at) for event in record.events)


def _iso(at: int) -> str:
    """An instant that no clock shows is the last one that can be written."""
    return datetime.fromtimestamp(min(at, 2**37), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _events(before: Workflow, after: Workflow, because: tuple[Event, ...]) -> Iterator[AuditEvent]:
    old = {o.key for o in wanted(before)}
    yield from runs.events(
        before, after, [e.result for e in because if isinstance(e, WorkFinished)]
    )
    yield from _approved(before, after)
    yield from _taken_back(before, after)
    yield from _deployed(before, after)
    yield from (_dispatched(after, o) for o in wanted(after) if o.key not in old)


def _dispatched(workflow: Workflow, order: WorkOrder) -> TaskDispatched:
    return TaskDispatched(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=subject(workflow, order),
        agent_role=_role(workflow, order),
        work_key=order.key,
    )


def _role(workflow: Workflow, order: WorkOrder) -> AgentRole:
    """A plan that a failure asked for is the architect's."""
    why = planned_again(workflow)
    return mender(why) if why and order.kind is WorkKind.PLAN else ROLES[order.kind]


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
            found.append(runs.branch(after, row.todo.parent_id, row.todo, row.todo.agent_role))
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
