"""Judge a report. Trusted code; the sandbox only measures. Empty means passed."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.base import TaskId
from schemas.contract import Contract
from schemas.report import (
    EXPECTED,
    Check,
    CheckName,
    FailureClass,
    Finding,
    Outcome,
    TestReport,
)
from schemas.workflow import Workflow

CLASS_OF: dict[CheckName, FailureClass] = {
    CheckName.INTAKE: FailureClass.STATIC_FAILURES,
    CheckName.FLAKE8: FailureClass.STATIC_FAILURES,
    CheckName.BANDIT: FailureClass.STATIC_FAILURES,
    CheckName.MYPY: FailureClass.STATIC_FAILURES,
    CheckName.SECRETS: FailureClass.STATIC_FAILURES,
    CheckName.DETERMINISM: FailureClass.NON_DETERMINISTIC,
    CheckName.ARTIFACTS: FailureClass.ARTIFACT_SCHEMA,
}


RANGES = 25


@dataclass(frozen=True, slots=True)
class Failure:
    """One reason not to pass, with all that a debugger needs."""

    check: str
    failure_class: FailureClass
    rule: str
    message: str
    finding: Finding | None = None


NOT_ISOLATED = Failure(
    "report",
    FailureClass.SANDBOX_ERROR,
    "not_isolated",
    "the run was not isolated, so it proves nothing",
)


def judge(
    task: TaskId,
    head: str | None,
    contract: Contract | None,
    contract_digest: str | None,
    r: TestReport,
    least_coverage: float = 0.0,
    *,
    unisolated: bool = False,
) -> tuple[Failure, ...]:
    """Reasons to fail. Every expected check present once, none skipped, on this commit.

    `unisolated`: the repository's policy lets a run without a container count.
    """
    return (
        *_about_another(task, head, contract_digest, r),
        *(() if r.isolated or unisolated else (NOT_ISOLATED,)),
        *_missing(task, r),
        *(f for check in r.checks for f in _of_check(check)),
        *_untested(r),
        *_uncovered(r, least_coverage),
        *_did_not_trade(task, contract, r),
    )


def of(
    workflow: Workflow, task: TaskId | None, head: str | None, report: TestReport
) -> tuple[Failure, ...]:
    """By the contract, the test plan and the policy of this request. No task: the delivery, which
    is judged as the last step is, with all its tests."""
    least = floor(workflow) if task in (None, TaskId.TESTS) else 0.0
    return judge(
        task or TaskId.EXIT, head, workflow.contract, workflow.contract_digest, report, least,
        unisolated=workflow.policy.unisolated,
    )  # fmt: skip


def floor(workflow: Workflow) -> float:
    """Percent of the strategy's lines that its tests must reach before it is delivered."""
    return workflow.spec.min_line_coverage if workflow.spec else workflow.policy.min_line_coverage


def _about_another(
    task: TaskId, head: str | None, contract_digest: str | None, r: TestReport
) -> list[Failure]:
    wrong = []
    if r.commit_sha != head:
        wrong.append(_report("other_commit", f"the report is about {r.commit_sha}, not {head}"))
    if r.contract_digest != contract_digest:
        wrong.append(_report("other_contract", "the report is about another contract"))
    if r.task_id != task:
        wrong.append(_report("other_task", f"the report is about {r.task_id}, not {task}"))
    return wrong


def _missing(task: TaskId, r: TestReport) -> list[Failure]:
    names = [c.name for c in r.checks]
    gone = [
        Failure(name, FailureClass.SANDBOX_ERROR, "missing", f"{name} did not run")
        for name in sorted(EXPECTED[task] - set(names))
    ]
    twice = sorted({n for n in names if names.count(n) > 1})
    return gone + [_report("twice", f"{name} is in the report twice") for name in twice]


def _of_check(check: Check) -> list[Failure]:
    if check.outcome is Outcome.PASSED and not check.findings:
        return []
    if check.findings:
        return [Failure(check.name, f.failure_class, f.rule, f.message, f) for f in check.findings]
    kind = CLASS_OF.get(check.name, FailureClass.TEST_FAILURES)
    if check.outcome in (Outcome.ERROR, Outcome.SKIPPED):
        kind = FailureClass.SANDBOX_ERROR
    return [Failure(check.name, kind, check.outcome, f"{check.name} was {check.outcome}")]


def _untested(r: TestReport) -> list[Failure]:
    """A green check over no test, or over one that did not pass, proves nothing."""
    bad = [t for t in r.tests if t.outcome is not Outcome.PASSED]
    if not r.tests:
        return [_test("no_tests", "not one test was run")]
    if bad and not any(c.name is CheckName.PYTEST and c.findings for c in r.checks):
        return [_test("not_passed", f"{bad[0].nodeid} was {bad[0].outcome}")]
    return []


def _test(rule: str, message: str) -> Failure:
    return Failure("pytest", FailureClass.TEST_FAILURES, rule, message)


def _uncovered(r: TestReport, least: float) -> list[Failure]:
    if (r.line_coverage or 0.0) >= least:
        return []
    found = "unknown" if r.line_coverage is None else f"{r.line_coverage:g} %"
    missed = f"; missed lines: {lines(r.missed_lines)}" if r.missed_lines else ""
    few = f"line coverage is {found}, at least {least:g} % is asked for{missed}"
    finding = Finding(
        failure_class=FailureClass.TEST_FAILURES, rule="low_coverage", message=few,
        file="strategy.py", line=r.missed_lines[0] if r.missed_lines else 0,
        fix="add tests that reach these lines",
    )  # fmt: skip
    return [Failure("coverage", FailureClass.TEST_FAILURES, finding.rule, few, finding)]


def lines(missed: tuple[int, ...]) -> str:
    """As ranges, the first ones: 3-5, 9."""
    runs: list[list[int]] = []
    for n in missed:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    told = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:RANGES]]
    return ", ".join([*told, *(["…"] if len(runs) > RANGES else [])])


def _did_not_trade(task: TaskId, contract: Contract | None, r: TestReport) -> list[Failure]:
    if task is not TaskId.EXIT:
        return []
    if r.summary is None:
        return [_report("no_summary", "the report has no figures")]
    least = max(1, contract.min_trades if contract else 1)
    if r.summary.total_trades < least:
        few = f"{r.summary.total_trades} trades, at least {least} are needed"
        return [Failure("backtest", FailureClass.TEST_FAILURES, "too_few_trades", few)]
    return []


def _report(rule: str, message: str) -> Failure:
    return Failure("report", FailureClass.ARTIFACT_SCHEMA, rule, message)
