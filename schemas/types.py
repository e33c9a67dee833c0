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
}
