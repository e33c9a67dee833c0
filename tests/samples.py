"""Whole, valid documents to build tests from. Data, not a story."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from schemas import codec
from schemas.base import AgentRole, Provenance, TaskId, Usage
from schemas.contract import (
    Assumption,
    Constant,
    Contract,
    Costs,
    Cross,
    Entry,
    Exit,
    Indicator,
    Parameter,
    Risk,
    Series,
    Side,
    Sizing,
)
from schemas.live import Approval, Gate
from schemas.plan import BranchTodo, Criterion, Route, TodoItem, TodoList
from schemas.report import (
    Artifact,
    Check,
    CheckName,
    FailureClass,
    Finding,
    GeneratedTests,
    Outcome,
    Summary,
    TestCase,
    TestOutcome,
    TestReport,
    TestSpec,
)
from schemas.work import StrategyDraft

SHA = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "sha256:" + "ab" * 32
ZERO = Decimal(0)
WRITER = Provenance(agent=AgentRole.CODER, agent_version="1", model="offline", prompt_hash=DIGEST)
USAGE = Usage(input_tokens=1000, output_tokens=500, cost=Decimal("0.02"), seconds=12.5)
STEPS = (TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY, TaskId.EXIT)


def contract(issue: int = 7) -> Contract:
    rsi = Series(indicator="rsi")
    return Contract(
        workflow_id=f"wf_{issue}",
        correlation_id=f"corr_{issue}",
        name="rsi_30_70",
        symbol="SPY",
        timeframe="D1",
        summary="Enter long at the next open when RSI(14), Wilder, crosses below 30.",
        indicators=(
            Indicator(
                id="rsi",
                kind="rsi",
                parameters=(Parameter(name="length", value=14.0),),
                smoothing="Wilder",
            ),
        ),
        entries=(
            Entry(
                side=Side.LONG,
                when=Cross(direction="below", left=rsi, right=Constant(value=30.0)),
                reason="RSI crossed below 30",
            ),
        ),
        exits=(
            Exit(
                side=Side.LONG,
                when=Cross(direction="above", left=rsi, right=Constant(value=70.0)),
                reason="RSI crossed above 70",
            ),
        ),
        risk=Risk(sizing=Sizing(kind="fixed_units", amount=Decimal(1))),
        costs=Costs(
            commission_per_trade=Decimal(1),
            commission_per_unit=ZERO,
            commission_percent=ZERO,
            spread=Decimal("0.01"),
            slippage=ZERO,
            slippage_percent_of_range=ZERO,
        ),
        assumptions=(
            Assumption(topic="size", taken="1 unit", because="the request names no size"),
        ),
    )


def todo(issue: int = 7) -> TodoList:
    items = tuple(
        TodoItem(
            id=step,
            title=f"Step {step}",
            description="What has to be there at the end.",
            agent_role=AgentRole.CODER,
            priority=1,
            depends_on=STEPS[:n],
            acceptance_criteria=(
                Criterion(name="the sandbox passes", command="python sandbox/run_in_sandbox.py"),
            ),
            expected_artifacts=("strategies/rsi_30_70/strategy.py",),
        )
        for n, step in enumerate(STEPS)
    )
    return TodoList(
        todo_list_id=f"todo_{issue}",
        workflow_id=f"wf_{issue}",
        correlation_id=f"corr_{issue}",
        title="RSI 30/70 on SPY",
        items=items,
        expected_minutes=12,
    )


def branch_todo() -> BranchTodo:
    """What a rollback leaves."""
    return BranchTodo(
        id="live_1_branch_01",
        parent_id=TaskId.EXIT,
        title="Live trading was stopped",
        agent_role=AgentRole.CODER,
        branch_reason=Route.IMPLEMENTATION_BUG,
        failure_classification=FailureClass.TEST_FAILURES,
        signature="a" * 16,
        debug_instructions="Find out why.",
        reproduce_command="stratbot live audit --strategy rsi_30_70",
    )


def draft(task: TaskId, issue: int = 7, strategy: str = "x = 1\n") -> StrategyDraft:
    return StrategyDraft(
        correlation_id=f"corr_{issue}",
        workflow_id=f"wf_{issue}",
        task_id=task,
        contract_digest=codec.digest(contract(issue)),
        strategy=strategy,
        tests="def test_x():\n    assert 1 + 1 == 2\n",
        written_by=WRITER,
        usage=USAGE,
    )


def report(task: TaskId, sha: str = SHA, issue: int = 7) -> TestReport:
    """A green one: every check ran and passed."""
    return TestReport(
        correlation_id=f"corr_{issue}",
        workflow_id=f"wf_{issue}",
        task_id=task,
        commit_sha=sha,
        contract_digest=codec.digest(contract(issue)),
        strategy_digest=DIGEST,
        tests_digest=DIGEST,
        isolated=True,
        started_at=1_000_000,
        seconds=14.2,
        environment="python 3.11",
        checks=tuple(Check(name=n, outcome=Outcome.PASSED, seconds=1.0) for n in CheckName),
        tests=(
            TestOutcome(nodeid="test_strategy.py::test_x", outcome=Outcome.PASSED, seconds=0.1),
        ),
        summary=Summary(
            total_trades=12,
            net_pnl=Decimal("120.50"),
            win_rate=0.58,
            max_drawdown=Decimal("45.20"),
        ),
        line_coverage=91.5,
        decisions_digest=DIGEST,
    )


def red(task: TaskId, sha: str, rule: str, issue: int = 7) -> TestReport:
    """The same with one failing test."""
    finding = Finding(
        failure_class=FailureClass.TEST_FAILURES,
        rule=rule,
        message="expected 28.5, got 32.1",
        test_name=f"test_{rule}",
        trace="test_strategy.py:42",
        reproduce_command="python sandbox/run_in_sandbox.py --strategy strategy.py",
    )
    green = report(task, sha, issue)
    checks = tuple(
        replace(c, outcome=Outcome.FAILED, findings=(finding,)) if c.name == "pytest" else c
        for c in green.checks
    )
    return replace(green, checks=checks)


def spec(issue: int = 7) -> TestSpec:
    case = TestCase(
        name="test_gap",
        goal="a gap through the stop",
        target_path="strategies/rsi_30_70/strategy.py",
    )
    return TestSpec(
        id=f"spec_{issue}", correlation_id=f"corr_{issue}", parent_commit_sha=SHA, cases=(case,)
    )


def generated(issue: int = 7) -> GeneratedTests:
    return GeneratedTests(
        spec_id=f"spec_{issue}",
        correlation_id=f"corr_{issue}",
        commit_sha=SHA,
        branch_name=f"ai/generated/wf_{issue}/t5_tests",
        precheck="PASSED",
        path="strategies/rsi_30_70/tests/test_gap.py",
        tests="def test_gap():\n    assert 2 > 1\n",
        written_by=replace(WRITER, agent=AgentRole.TEST_BUILDER),
        usage=USAGE,
    )


def approval(issue: int = 7, sha: str = SHA) -> Approval:
    home = f"strategies/{contract(issue).name}"
    names = ("contract.json", "strategy.py")
    return Approval(
        strategy=contract(issue).name,
        workflow_id=f"wf_{issue}",
        correlation_id=f"corr_{issue}",
        commit_sha=sha,
        files=tuple(Artifact(path=f"{home}/{n}", digest=DIGEST, size=10) for n in names),
        gate=Gate.ENVIRONMENT,
        approvers=("hubot-owner",),
        run_id=99,
        granted_at=1_000_000,
        expires_at=1_000_000 + 86_400,
    )
