"""The plan that follows from a contract: four fixed steps that a machine can check. Pure."""

from __future__ import annotations

from bot import text
from bot.tasks import STEPS, home
from schemas.base import AgentRole, TaskId
from schemas.contract import Contract
from schemas.plan import Criterion, ExpectedMetrics, TodoItem, TodoList
from schemas.report import EXPECTED, MIN_LINE_COVERAGE, CheckName

MINUTES = 3
"""For one step: a draft, its pull request and a sandbox run. `stratbot metrics` has the truth."""
RESULTS = "results"
BARS = "fixtures/sample_aapl.csv"
FILES = ("trades.csv", "equity_curve.csv", "events.log", "summary.json")


def plan(contract: Contract, least_coverage: float = MIN_LINE_COVERAGE) -> TodoList:
    """Nobody writes these steps: the same contract gives the same plan."""
    return TodoList(
        todo_list_id=f"todo_{contract.workflow_id.removeprefix('wf_')}"[:100],
        workflow_id=contract.workflow_id,
        correlation_id=contract.correlation_id,
        title=text.todo_list_title(contract)[:500],
        items=tuple(_item(contract, n, step, least_coverage) for n, step in enumerate(STEPS)),
        expected_minutes=MINUTES * len(STEPS),
    )


def _item(contract: Contract, n: int, step: TaskId, least_coverage: float) -> TodoItem:
    folder = home(contract.name)
    trades = CheckName.BACKTEST in EXPECTED[step]
    return TodoItem(
        id=step,
        title=text.TITLES[step],
        description=text.step(step, contract)[:8000],
        agent_role=AgentRole.CODER,
        priority=n + 1,
        depends_on=STEPS[:n],
        acceptance_criteria=_criteria(folder, step, trades),
        expected_artifacts=(
            *(f"{folder}/{name}" for name in ("strategy.py", "test_strategy.py", "contract.json")),
            f"{RESULTS}/test_report.json",
            *(f"{RESULTS}/{name}" for name in FILES if trades),
        ),
        expected_metrics=_expected(contract, step, least_coverage),
    )


def _expected(contract: Contract, step: TaskId, least_coverage: float) -> ExpectedMetrics:
    """The whole must trade; how much its tests reach is judged with those that are added after."""
    if step is not TaskId.EXIT:
        return ExpectedMetrics(minutes=MINUTES)
    return ExpectedMetrics(
        minutes=MINUTES,
        min_line_coverage=least_coverage,
        min_trades=max(1, contract.min_trades),
    )


def _criteria(folder: str, step: TaskId, trades: bool) -> tuple[Criterion, ...]:
    strategy, contract = f"{folder}/strategy.py", f"{folder}/contract.json"
    sandbox = (
        f"python sandbox/run_in_sandbox.py --strategy {strategy} "
        f"--tests {folder}/test_strategy.py --contract {contract} --task {step} --out {RESULTS}/"
    )
    valid = f"python -m schemas validate {contract} --type contract"
    found = [
        Criterion(name=text.contract_is_valid(), command=valid),
        Criterion(name=text.sandbox_passes(sorted(EXPECTED[step])), command=sandbox),
    ]
    if trades:
        backtest = f"python {strategy} --mode backtest --data {BARS} --out {RESULTS}/"
        artifacts = f"python -m sandbox.validate {RESULTS}/"
        found += [
            Criterion(name=text.backtest_runs(), command=backtest),
            Criterion(name=text.artifacts_are_valid(), command=artifacts),
        ]
    return tuple(found)
