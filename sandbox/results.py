"""What a run leaves behind: its files, capped, and a table for the page of the job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sandbox.outgoing import cell
from sandbox.submission import STRATEGY, TESTS, Submission, read
from schemas.acts import File
from schemas.base import RESULTS
from schemas.report import Check, CheckName, FailureClass, Finding, Outcome, TestReport
from schemas.work import Product, Tested, TestsBuilt, WorkFailed, WorkOrder

ROWS = 20


def files(report: TestReport, out: Path) -> tuple[TestReport, tuple[File, ...]]:
    """The files that the report lists. One that is too big is left out, and that is a finding."""
    texts = {a.path: (out / a.path).read_text() for a in report.artifacts}
    big = [name for name, text in texts.items() if len(text) > RESULTS]
    kept = tuple(File(path=n, text=text) for n, text in texts.items() if n not in big)
    left = tuple(a for a in report.artifacts if a.path not in big)
    if not big:
        return report, kept
    return replace(report, artifacts=left, checks=_too_big(report, big)), kept


def sources(submission: Submission) -> tuple[File, ...]:
    """What failed, as it was tested: whoever mends it mends this, whoever pushed it."""
    taken = read(submission)
    named = ((STRATEGY, taken.strategy), (TESTS, taken.tests.get(TESTS, b"")))
    return tuple(File(path=n, text=raw.decode(errors="replace")) for n, raw in named)


def _too_big(report: TestReport, names: list[str]) -> tuple[Check, ...]:
    found = tuple(
        Finding(
            failure_class=FailureClass.ARTIFACT_SCHEMA,
            rule="too_big",
            message=f"{name} has more than {RESULTS} characters",
            fix="trade less often, or /revise the plan for a longer timeframe",
        )
        for name in names
    )
    return tuple(
        replace(c, outcome=Outcome.FAILED, findings=(*c.findings, *found)[:50])
        if c.name is CheckName.ARTIFACTS
        else c
        for c in report.checks
    )


def summary(order: WorkOrder, product: Product) -> str:
    """Short markdown: what ran and what was found. The verdict is the bot's."""
    head = f"### {order.kind} for {order.workflow_id}, {cell(order.task_id or 'no task')}\n\n"
    match product:
        case Tested(report=report):
            return head + _table(report)
        case TestsBuilt(tests=tests):
            notes = "".join(f"- {cell(note, 200)}\n" for note in tests.notes[:ROWS])
            return f"{head}Added tests: {tests.precheck}\n\n{notes}\n"
        case WorkFailed(message=why):
            return f"{head}It could not run: {cell(why, 500)}\n\n"
    return head


def _table(report: TestReport) -> str:
    rows = [f"| {c.name} | {c.outcome} | {c.seconds:.1f} s | {len(c.findings) or ''} |"
            for c in report.checks]  # fmt: skip
    found = [f"- {c.name}: {cell(f.message, 200)}" for c in report.checks for f in c.findings]
    lines = [
        f"Commit `{report.commit_sha[:12]}`, {report.seconds:.1f} s"
        + ("" if report.isolated else ", **without isolation**"),
        "",
        "| check | outcome | time | findings |",
        "|---|---|---|---|",
        *rows,
        "",
        *found[:ROWS],
    ]
    return "\n".join(lines).rstrip() + "\n\n"
