"""What follows from a report: passed, failed, repaired, asked of a person. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, text, verdict
from bot.agents import debugger
from bot.flow import drop, escalate
from bot.tasks import at_work, being_mended, enter, put, queue, tested_as, whole
from schemas import codec
from schemas.acts import File
from schemas.base import SOURCE, Sha, TaskId
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
    """The whole strategy, as it would be merged. What fails here is mended on its own branch."""
    task = whole(workflow)
    failures = verdict.of(workflow, None, task.head, report)
    looked = replace(seen(workflow, None, task.head, report, failures, at), since=at, tries=0)
    looked = _opened(looked, report, at)
    if failures:
        tried = text.tried(workflow, task) if being_mended(workflow, task) else ""
        return told(failed(_as_tested(looked, report, files), task, failures, tried, at), None)
    closing = acts.mended(workflow, task) if being_mended(workflow, task) else ()
    passed = replace(looked.delivery, passed_sha=task.head)
    green = queue(replace(looked, delivery=passed), *closing)
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
    signatures = {t.signature for t in task.todos}
    workflow, task = _todo(workflow, task, failures, tried)
    todo = task.todos[-1]
    if task.id is TaskId.TESTS and all(f.check in DROPPABLE for f in failures):
        return drop(put(workflow, task), task, failures[0].message, at)
    if all(f.check == "coverage" for f in failures):  # no repair of the strategy adds a test
        return escalate(_red(workflow, task), text.delivery_failed(failures))
    flaky = todo.branch_reason is Route.FLAKY_TEST  # no repair of the strategy mends a test
    again = flaky or debugger.proves_nothing(failures)
    stopped = put(workflow, replace(task, step=Step.TESTING if again else Step.REPAIRING))
    if todo.signature in signatures:
        return escalate(stopped, text.same_again(todo))
    if task.attempts > task.allowed:
        return escalate(stopped, text.gave_up(task))
    return _route(replace(workflow, since=at, tries=0), task, todo, at)


def _red(workflow: Workflow, task: Task) -> Workflow:
    """It waits for another commit, or for another run."""
    kept = put(workflow, replace(task, step=Step.TESTING))
    return replace(kept, delivery=replace(kept.delivery, failed_sha=task.head))


def _todo(
    workflow: Workflow, task: Task, failures: tuple[verdict.Failure, ...], tried: str
) -> tuple[Workflow, Task]:
    """Every failure gets a todo and a linked issue; what was tried before is told on its own."""
    command = " && ".join(text.see_again(workflow, task)).replace("\\\n", "")
    todo = debugger.branch_todo(task, failures, command)
    if tried and task.todos:
        workflow = queue(workflow, acts.attempt(workflow, task, tried, todo))
    todos = (*task.todos, todo)[-20:]
    task = replace(task, attempts=task.attempts + 1, todos=todos, failed_sha=task.head)
    return queue(workflow, acts.debug_issue(workflow, task, todo)), task


def stumble(workflow: Workflow, why: str, at: int) -> Workflow:
    """A worker failed or was lost: ask again, and after a few times ask a person."""
    if workflow.tries < workflow.policy.max_retries:
        return replace(workflow, tries=workflow.tries + 1, since=at, note=text.trying_again(why))
    task = at_work(workflow)
    testing = workflow.phase in (Phase.BUILDING, Phase.DELIVERING)
    if testing and task and task.head and task.step is Step.TESTING:
        workflow = _not_run(workflow, task, task.head, why, at)
    return escalate(workflow, text.worker_gave_up(workflow.tries + 1, why))


def _not_run(workflow: Workflow, task: Task, head: Sha, why: str, at: int) -> Workflow:
    """A test that nobody could run is a failure like any other. It is not the strategy's."""
    where = tested_as(task)
    tried = text.tried(workflow, task) if being_mended(workflow, task) else ""
    run = Run(task=where, sha=head, at=at, passed=False, failed=("sandbox",), seconds=0.0)
    runs = (*workflow.runs, run)[-RUNS:]
    looked = replace(workflow, report=None, runs=runs, tested=workflow.tested + 1)
    kept, task = _todo(looked, task, (debugger.not_run(why),), tried)
    return told(put(kept, task), where)


def _route(workflow: Workflow, task: Task, todo: BranchTodo, at: int) -> Workflow:
    match todo.branch_reason:
        case Route.IMPLEMENTATION_BUG | Route.TEST_FAILURE:
            return put(workflow, replace(task, step=Step.REPAIRING))
        case Route.TIMEOUT | Route.FLAKY_TEST:
            return put(workflow, replace(task, step=Step.TESTING))
        case Route.SPEC_MISMATCH:
            again = put(workflow, replace(task, step=Step.WAITING))
            return replace(
                enter(again, Phase.OPENED, at), note=text.plan_again(todo), round=again.round + 1
            )
