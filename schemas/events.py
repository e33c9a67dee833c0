"""The events that the audit log is made of, with the owner's names and fields."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import (
    AgentRole,
    Count,
    Line,
    Moment,
    Name,
    Real,
    Seconds,
    Sha,
    Text,
    Version,
    document,
)
from schemas.live import OnRollback
from schemas.report import FailureClass


@document
class Metrics:
    total_trades: Count
    net_pnl: Real
    win_rate: Real
    max_drawdown: Real


@document
class Artifacts:
    """Where to find them: a path in the commit of the results, or in what the run uploaded, as
    `<title of the run>/<artifact>/<file>#<JSON pointer>`. Empty: there is none."""

    test_report: Line = ""
    trades: Line = ""
    equity_curve: Line = ""
    events_log: Line = ""
    summary: Line = ""
    logs: Line = ""


@document
class TaskDispatched:
    correlation_id: Name
    workflow_id: Name
    task_id: Name
    agent_role: AgentRole
    work_key: Name
    source: Line = "orchestrator"
    event_type: Literal["task.dispatched"] = "task.dispatched"
    timestamp: Moment = ""
    schema: Version = 1


@document
class TestStarted:
    __test__ = False
    correlation_id: Name
    workflow_id: Name
    task_id: Name
    commit_sha: Sha
    source: Line = "tester"
    event_type: Literal["test.started"] = "test.started"
    timestamp: Moment = ""
    schema: Version = 1


@document
class TestPassed:
    __test__ = False
    correlation_id: Name
    workflow_id: Name
    task_id: Name
    metrics: Metrics
    artifacts: Artifacts
    duration_seconds: Seconds
    commit_sha: Sha | None = None
    source: Line = "tester"
    event_type: Literal["test.passed"] = "test.passed"
    timestamp: Moment = ""
    schema: Version = 1


@document
class Failure:
    check: Name
    test_name: Line
    message: Text
    trace: Text


@document
class TestFailed:
    __test__ = False
    correlation_id: Name
    workflow_id: Name
    task_id: Name
    failures: Annotated[tuple[Failure, ...], Field(min_length=1, max_length=50)]
    artifacts: Artifacts
    commit_sha: Sha | None = None
    source: Line = "tester"
    event_type: Literal["test.failed"] = "test.failed"
    timestamp: Moment = ""
    schema: Version = 1


@document
class BranchRequest:
    title: Line
    description: Text
    attachments: Annotated[tuple[Line, ...], Field(max_length=20)]
    target_agent: AgentRole
    failure_classification: FailureClass
    reproduce_command: Text


@document
class BranchCreated:
    correlation_id: Name
    workflow_id: Name
    origin_task: Name
    branch_todo: BranchRequest
    source: Line = "tester"
    event_type: Literal["workflow.branch_created"] = "workflow.branch_created"
    timestamp: Moment = ""
    schema: Version = 1


@document
class ApprovalGranted:
    correlation_id: Name
    workflow_id: Name
    approver: Line
    subject: Literal["plan", "live"]
    commit_sha: Sha | None = None
    source: Line = "human"
    event_type: Literal["approval.granted"] = "approval.granted"
    timestamp: Moment = ""
    schema: Version = 1


@document
class DeploymentStarted:
    correlation_id: Name
    workflow_id: Name
    strategy: Name
    commit_sha: Sha
    stage: Literal["paper", "live"]
    source: Line = "human"
    event_type: Literal["deployment.started"] = "deployment.started"
    timestamp: Moment = ""
    schema: Version = 1


@document
class DeploymentRolledBack:
    correlation_id: Name
    workflow_id: Name
    strategy: Name
    commit_sha: Sha
    positions: OnRollback
    source: Line = "human"
    event_type: Literal["deployment.rolled_back"] = "deployment.rolled_back"
    timestamp: Moment = ""
    schema: Version = 1


@document
class DeploymentHalted:
    correlation_id: Name
    workflow_id: Name
    strategy: Name
    commit_sha: Sha
    by: Line
    source: Line = "human"
    event_type: Literal["deployment.halted"] = "deployment.halted"
    timestamp: Moment = ""
    schema: Version = 1


@document
class WorkflowChanged:
    """A line of the audit log as it is printed: which commit of the state, why, and by whom."""

    correlation_id: Name
    workflow_id: Name
    commit_sha: Sha
    because: tuple[Line, ...]
    actor: Line
    phase: Name
    asked_at: Moment = ""
    requests: Count = 0
    source: Line
    event_type: Literal["workflow.changed"] = "workflow.changed"
    timestamp: Moment = ""
    schema: Version = 1


AuditEvent = Annotated[
    TaskDispatched
    | TestStarted
    | TestPassed
    | TestFailed
    | BranchCreated
    | ApprovalGranted
    | DeploymentStarted
    | DeploymentHalted
    | DeploymentRolledBack,
    Field(discriminator="event_type"),
]
