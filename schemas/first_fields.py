"""The optional fields that each document had when digests of documents were first stored.

Never add to it: these are written also where they have their default, because they always were.
(One that had to be there at first and may be left out since is among them: it too always was.)
What is not in this list is left out then; see `schemas/later.py`.
"""

from __future__ import annotations

FIRST: dict[str, str] = {
    "Publish": "trailers parent",
    "OpenPull": "sha",
    "OpenIssue": "turn",
    "CloseIssue": "turn",
    "CheckRun": "annotations",
    "Tell": "name body",
    "Usage": "input_tokens output_tokens cost seconds",
    "Indicator": "source of parameters smoothing",
    "Price": "shift",
    "Series": "output shift",
    "Calendar": "shift",
    "Session": "includes_end",
    "Distance": "indicator",
    "Entry": "limit",
    "Level": "distance price",
    "Trailing": "mark starts_after",
    "Risk": (
        "stops targets trailing break_even_after exit_after_bars exit_at max_positions "
        "cooldown_bars cooldown_after max_entries_per_day"
    ),
    "Contract": (
        "indicators exits reverse pip_size min_trades assumptions open_questions interface "
        "test_skeleton examples"
    ),
    "Artifacts": "test_report trades equity_curve events_log summary logs",
    "TaskDispatched": "source",
    "TestStarted": "source",
    "TestPassed": "source",
    "TestFailed": "source",
    "BranchCreated": "source",
    "ApprovalGranted": "commit_sha source",
    "DeploymentStarted": "source",
    "DeploymentRolledBack": "source",
    "DeploymentHalted": "source",
    "Approval": "run_id",
    "Deployment": (
        "requester_id paper_bars approvers approver_ids gate rollback approval tag todo note reason"
    ),
    "GateAnswer": "approval approver_ids tag reason message",
    "Limits": "orders_per_minute max_daily_loss max_data_age max_clock_skew max_unheard",
    "BranchTodo": (
        "failure_classification signature reproduce_command is_temporary max_debug_attempts"
    ),
    "Finding": "test_name trace file line bar fix fixture reproduce_command",
    "Check": "findings",
    "Ending": "reason",
    "Summary": (
        "profit_factor sharpe buy_and_hold net_pnl_at_double_costs returns periods skewness "
        "kurtosis folds return_pct cagr_pct max_drawdown_pct max_drawdown_days average_trade "
        "average_bars longest_losing_streak sortino exposure_pct best_trade worst_trade "
        "hold_sharpe hold_drawdown_pct endings"
    ),
    "Artifact": "size",
    "Changes": "examples",
    "TestReport": (
        "tests summary sealed line_coverage missed_lines mutants decisions_digest changes artifacts"
    ),
    "TestSpec": "min_line_coverage",
    "GeneratedTests": "notes",
    "Request": "notes",
    "StrategyDraft": "explanation",
    "WorkOrder": "task_id contract todo draft report spec head tried budget opens",
    "Tested": "files",
    "PaperTraded": "isolated",
    "WorkResult": "task_id",
    "Policy": "auto_merge solo gate unisolated max_cost asks_first default_branch owners home",
    "Task": (
        "step attempts allowed head published pull draft_digest todos debug_issue passed_sha "
        "failed_sha summary started_at finished_at cost"
    ),
    "Delivery": "head passed_sha failed_sha results_sha",
    "Run": "failed summary",
    "Workflow": (
        "request author_id policy phase stopped_in held held_by_author note round build "
        "questions contract contract_digest todo approved_by tasks draft report spec "
        "generated delivery opened delivery_pull delivered_sha deployments parked runs tested "
        "asked usage trials since tries last seen outbox"
    ),
    "Record": "events asked_at requests",
    "Launch": "token secrets bars poll listen unclaimed",
}
