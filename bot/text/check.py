"""The check run of one commit: a title, a summary, and each finding at its line."""

from __future__ import annotations

from bot.text.base import TITLES
from bot.text.figures import figures
from bot.text.findings import checks_table, path, unmarked
from bot.text.report import Seen, fitted, look
from bot.verdict import Failure
from schemas.acts import Annotation, CheckRun
from schemas.base import TaskId
from schemas.report import TestReport
from schemas.workflow import Workflow

MOST_NOTES = 50


def check_run(workflow: Workflow, task: TaskId | None, run_number: int) -> CheckRun:
    """Of the newest report, right after it came in. No task: the delivery."""
    seen = look(workflow, task)
    if seen.report is None or seen.run is None:
        raise ValueError(f"request {workflow.issue} has no report on {task or 'the delivery'}")
    return CheckRun(
        sha=seen.run.sha,
        run=run_number,
        passed=seen.passed,
        title=_title(seen, task),
        summary=_summary(seen, seen.report),
        annotations=_at_lines(workflow, seen.failures),
    )


def _title(seen: Seen, task: TaskId | None) -> str:
    what = TITLES[task] if task else "The whole strategy"
    if seen.passed:
        return f"{what}: all checks passed"
    names = list(dict.fromkeys(f.check for f in seen.failures))
    return f"{what}: {', '.join(names[:5]) or 'not passed'}"[:200]


def _summary(seen: Seen, report: TestReport) -> str:
    parts = [checks_table(report, seen.failures)]
    if report.summary:
        parts.append(figures(report.summary, seen.before))
    return fitted([*parts, "The comment on the pull request has the whole report."])


def _at_lines(workflow: Workflow, failures: tuple[Failure, ...]) -> tuple[Annotation, ...]:
    made = (_annotation(workflow, f) for f in failures)
    return tuple(a for a in made if a)[:MOST_NOTES]


def _annotation(workflow: Workflow, failure: Failure) -> Annotation | None:
    """A finding without a line or in no file of ours is in the comment only."""
    found = failure.finding
    place = path(workflow, found.file) if found else None
    if found is None or place is None or not 1 <= found.line <= 100_000:
        return None
    fix = f"\nFix: {found.fix}" if found.fix else ""
    return Annotation(
        path=place,
        line=found.line,
        title=f"{failure.check}: {failure.rule}",
        message=unmarked(failure.message + fix, 4000),
    )
