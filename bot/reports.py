"""What follows from a report: passed, failed, repaired, asked of a person. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, text, verdict
from bot.agents import debugger
from bot.flow import drop, escalate
from bot.tasks import enter, put, queue
from schemas import codec
from schemas.acts import File
from schemas.base import SOURCE, TaskId
from schemas.plan import BranchTodo, Route
from schemas.report import TestReport
from schemas.workflow import RUNS, Opened, Phase, Run, Step, Task, Workflow

DROPPABLE = {"pytest", "mutants", "coverage"}
"""Failures that added tests can cause themselves. Any other is the strategy's, and is not lost."""


def tested(
    workflow: Workflow, task: Task, report: TestReport, files: tuple[File, ...], at: int
) -> Workflow:
    failures = verdict.of(workflow, task.id, task.head, report)
    looked = seen(workflow, task.id, task.head, report, failures, at)
    if failures:
        tried = text.tried(workflow, task) if being_mended(workflow, task) else ""
        after = failed(_as_tested(looked, report, files), task, failures, tried, at)
    else:
        closing = acts.mended(workflow, task) if being_mended(workflow, task) else ()
        after = queue(_passed(looked, task, report, at), *closing)
    return told(after, task.id)


def being_mended(workflow: Workflow, task: Task) -> bool:
    """A failure is open. Where the newest test passed, those before it are closed already."""
    newest = next((r for r in reversed(workflow.runs) if r.task == task.id), None)
    return bool(task.todos) and newest is not None and not newest.passed


def told(workflow: Workflow, where: TaskId | None) -> Workflow:
    """The report on the pull request says what was found and what follows from it."""
    report = acts.report(workflow, where)
    return queue(workflow, report) if report else workflow


def _as_tested(workflow: Workflow, report: TestReport, files: tuple[File, ...]) -> Workflow:
    """What failed may be a person's push: then that is what is mended, by its tests."""
    texts = {file.path: file.text for file in files}
    strategy, tests = texts.get("strategy.py", ""), texts.get("test_strategy.py", "")
    draft, same = workflow.draft, codec.digest_of(strategy) == report.strategy_digest
    if draft is None or not (strategy and tests and same) or len(strategy + tests) > SOURCE:
        return workflow
    return replace(workflow, draft=replace(draft, strategy=strategy, tests=tests))


def delivery_tested(
    workflow: Workflow, report: TestReport, files: tuple[File, ...], at: int
) -> Workflow:
    """The whole strategy, as it would be merged. What fails here is for a person."""
    delivery = workflow.delivery
    failures = verdict.of(workflow, None, delivery.head, report)
    looked = replace(seen(workflow, None, delivery.head, report, failures, at), since=at, tries=0)
    looked = _opened(looked, report, at)
    if failures:
        red = replace(delivery, failed_sha=delivery.head)
        return told(escalate(replace(looked, delivery=red), text.delivery_failed(failures)), None)
    green = replace(looked, delivery=replace(delivery, passed_sha=delivery.head))
    return queue(green, acts.results(green, report, files)) if files else told(green, None)


def _opened(workflow: Workflow, report: TestReport, at: int) -> Workflow:
    """The first look at the sealed bars is the only one: what comes later was chosen knowing it."""
    if report.sealed is None or workflow.opened is not None:
        return workflow
    look = Opened(sha=report.commit_sha, at=at, summary=report.sealed)
    return replace(workflow, opened=look)


def seen(
    workflow: Workflow,
    task: TaskId | None,
    head: str | None,
    report: TestReport,
    failures: tuple[verdict.Failure, ...],
    at: int,
) -> Workflow:
    """Looking at figures is a trial. Each test is told on its commit, with what it found."""
    run = Run(
        task=task,
        sha=head or report.commit_sha,
        at=at,
        passed=not failures,
        failed=tuple(dict.fromkeys(f.check for f in failures))[:20],
        seconds=report.seconds,
        summary=report.summary,
        line_coverage=report.line_coverage,
    )
    looked = replace(
        workflow,
        report=report,
        trials=workflow.trials + (report.summary is not None),
        runs=(*workflow.runs, run)[-RUNS:],
        tested=workflow.tested + 1,
    )
    count = sum(r.sha == run.sha for r in looked.runs)
    return queue(looked, text.check_run(looked, task, count))


def _passed(workflow: Workflow, task: Task, report: TestReport, at: int) -> Workflow:
    passed = replace(task, step=Step.MERGING, passed_sha=report.commit_sha, summary=report.summary)
    merge = (acts.merge(workflow, passed),) if workflow.policy.auto_merge else ()
    return queue(put(replace(workflow, since=at, tries=0), passed), *merge)


def failed(
    workflow: Workflow, task: Task, failures: tuple[verdict.Failure, ...], tried: str, at: int
) -> Workflow:
    """A branch todo for the debugger; the same failure twice, or too many, is for a person."""
    if task.id is TaskId.TESTS:
        return _added_tests_failed(workflow, task, failures, at)
    todo = debugger.branch_todo(task, failures)
    seen_before = todo.signature in {t.signature for t in task.todos}
    if tried and task.todos:
        workflow = queue(workflow, acts.attempt(workflow, task, tried, todo))
    todos = (*task.todos, todo)[-20:]
    task = replace(task, attempts=task.attempts + 1, todos=todos, failed_sha=task.head)
    workflow = queue(workflow, acts.debug_issue(workflow, task, todo))
    if seen_before:
        return escalate(put(workflow, replace(task, step=Step.REPAIRING)), text.same_again(todo))
    if task.attempts > task.allowed:
        return escalate(put(workflow, replace(task, step=Step.REPAIRING)), text.gave_up(task))
    return _route(replace(workflow, since=at, tries=0), task, todo, at)


def _added_tests_failed(
    workflow: Workflow, task: Task, failures: tuple[verdict.Failure, ...], at: int
) -> Workflow:
    red = replace(task, attempts=task.attempts + 1, failed_sha=task.head)
    if all(f.check in DROPPABLE for f in failures):
        return drop(put(workflow, red), task, failures[0].message, at)
    return escalate(put(workflow, red), text.second_build_failed(failures))


def _route(workflow: Workflow, task: Task, todo: BranchTodo, at: int) -> Workflow:
    match todo.branch_reason:
        case Route.IMPLEMENTATION_BUG:
            return put(workflow, replace(task, step=Step.REPAIRING))
        case Route.TIMEOUT | Route.FLAKY_TEST:
            return put(workflow, replace(task, step=Step.TESTING))
        case Route.SPEC_MISMATCH:
            again = put(workflow, replace(task, step=Step.WAITING))
            return replace(
                enter(again, Phase.OPENED, at), note=text.plan_again(todo), round=again.round + 1
            )
