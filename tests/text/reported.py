"""States in the middle of a request, with a report to speak of."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from schemas import codec
from schemas.base import TaskId, Usage
from schemas.report import (
    Changes,
    Check,
    CheckName,
    Ending,
    EndKind,
    FailureClass,
    Finding,
    Outcome,
    Summary,
    TestReport,
)
from schemas.workflow import Delivery, Phase, Run, Step, Task, Workflow
from tests import samples

OLD, RED, GREEN, WHOLE = (letter * 40 for letter in "abcd")
AT = 1_760_000_000
FIGURES = Summary(
    total_trades=61,
    net_pnl=Decimal("96.71"),
    win_rate=0.295,
    max_drawdown=Decimal("135.69"),
    profit_factor=1.425,
    sharpe=0.38,
    buy_and_hold=Decimal("6588.49"),
    net_pnl_at_double_costs=Decimal("76.31"),
)
ENDINGS = (
    Ending(kind=EndKind.STOP, trades=20, win_rate=0.0, net=Decimal("-210.00"),
           average=Decimal("-10.50")),
    Ending(kind=EndKind.TARGET, trades=1, win_rate=1.0, net=Decimal("1250.00"),
           average=Decimal("1250.00")),
    Ending(kind=EndKind.RULE, reason="RSI is above 70", trades=38, win_rate=0.4474,
           net=Decimal("-942.29"), average=Decimal("-24.80")),
    Ending(kind=EndKind.RULE, trades=1, win_rate=0.0, net=Decimal("0.00"), average=Decimal("0.00")),
    Ending(kind=EndKind.DATA, trades=1, win_rate=0.0, net=Decimal("-1.00"),
           average=Decimal("-1.00")),
)  # fmt: skip
FULL = replace(
    FIGURES, return_pct=0.97, cagr_pct=0.17, max_drawdown_pct=1.35, max_drawdown_days=412.0,
    average_trade=Decimal("1.59"), average_bars=4.25, longest_losing_streak=6, sortino=0.51,
    exposure_pct=8.04, best_trade=Decimal("1250.00"), worst_trade=Decimal("-61.40"),
    hold_sharpe=0.75, hold_drawdown_pct=32.125, endings=ENDINGS,
)  # fmt: skip
"""All that a run tells today; `FIGURES` is what one of an older version knew."""
WORSE = replace(FIGURES, net_pnl=Decimal("-12.00"), total_trades=58, sharpe=-0.1)
LEAK = Finding(
    failure_class=FailureClass.TEST_FAILURES,
    rule="look_ahead",
    message="bar 311 of known bars: with all bars BUY 1.0; with the bars up to it nothing",
    file="strategy.py",
    line=42,
    bar=311,
    fix="use only bars up to the current one: no negative shift, no centred window",
    trace="strategy.py:42 in next_signal\n    return self.rsi[i + 1]",
)


def run(task: TaskId | None, sha: str, passed: bool, summary: Summary | None = None) -> Run:
    failed = () if passed else ("causality", "pytest")
    return Run(task=task, sha=sha, at=AT, passed=passed, failed=failed, seconds=17.1,
               summary=summary)  # fmt: skip


def with_finding(report: TestReport, name: CheckName, *findings: Finding) -> TestReport:
    checks = tuple(
        Check(name=name, outcome=Outcome.FAILED, seconds=7.2, findings=findings)
        if c.name is name
        else c
        for c in report.checks
    )
    return replace(report, checks=checks)


def green(task: TaskId, sha: str) -> TestReport:
    made = samples.report(task, sha)
    return replace(made, summary=FIGURES, environment="python 3.11.9, unseen seed 4711",
                   seconds=17.1)  # fmt: skip


def state(task: Task | None, report: TestReport | None, *runs: Run) -> Workflow:
    contract = samples.contract()
    return Workflow(
        issue=7,
        phase=Phase.BUILDING if task else Phase.DELIVERING,
        contract=contract,
        contract_digest=codec.digest(contract),
        tasks=(task,) if task else (),
        report=report,
        runs=runs,
        trials=3,
        draft=samples.draft(TaskId.EXIT),
        usage=Usage(input_tokens=21_000, output_tokens=5_400, cost=Decimal("0.31"), seconds=312.0),
    )


def red_milestone(*findings: Finding) -> Workflow:
    task = Task(id=TaskId.INDICATORS, step=Step.REPAIRING, head=RED, failed_sha=RED, pull=9,
                attempts=1, debug_issue=12)  # fmt: skip
    report = with_finding(
        green(TaskId.INDICATORS, RED), CheckName.CAUSALITY, *(findings or (LEAK,))
    )
    return state(task, report, run(TaskId.INDICATORS, RED, False))


def repaired() -> Workflow:
    task = Task(id=TaskId.EXIT, step=Step.MERGING, head=GREEN, failed_sha=RED, passed_sha=GREEN)
    changes = Changes(added=4, removed=1, moved=2, same=54, examples=("BUY 2020-03-02 added",))
    report = replace(green(TaskId.EXIT, GREEN), changes=changes)
    runs = (
        run(TaskId.EXIT, OLD, False),
        run(TaskId.EXIT, RED, False, WORSE),
        run(TaskId.EXIT, GREEN, True, FIGURES),
    )
    return state(task, report, *runs)


def delivery() -> Workflow:
    made = state(
        None,
        green(TaskId.EXIT, WHOLE),
        run(TaskId.EXIT, GREEN, True, FIGURES),
        run(None, WHOLE, True, FIGURES),
    )
    return replace(made, delivery=Delivery(head=WHOLE, passed_sha=WHOLE))
