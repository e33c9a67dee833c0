"""The one list of documents: their names on the command line, and their types."""

from __future__ import annotations

from typing import Any

from schemas import contract, events, live, plan, report, work, workflow

DOCUMENTS: dict[str, type[Any]] = {
    "todo": plan.TodoList,
    "contract": contract.Contract,
    "strategy_draft": work.StrategyDraft,
    "work_order": work.WorkOrder,
    "work_result": work.WorkResult,
    "test_report": report.TestReport,
    "test_spec": report.TestSpec,
    "generated_tests": report.GeneratedTests,
    "workflow": workflow.Workflow,
    "record": workflow.Record,
    "branch_todo": plan.BranchTodo,
    "passport": live.Passport,
    "approval": live.Approval,
    "deployment": live.Deployment,
    "limits": live.Limits,
    "incident": live.Incident,
    "task_dispatched": events.TaskDispatched,
    "test_started": events.TestStarted,
    "test_passed": events.TestPassed,
    "test_failed": events.TestFailed,
    "branch_created": events.BranchCreated,
    "approval_granted": events.ApprovalGranted,
    "deployment_started": events.DeploymentStarted,
    "deployment_rolled_back": events.DeploymentRolledBack,
    "deployment_halted": events.DeploymentHalted,
    "workflow_changed": events.WorkflowChanged,
}

EVENTS: dict[str, str] = {
    kind.__dataclass_fields__["event_type"].default: name
    for name, kind in DOCUMENTS.items()
    if "event_type" in kind.__dataclass_fields__
}
"""The `event_type` of each event, and the name of its document."""
