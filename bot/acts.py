"""The acts that a step needs in the world, as pure functions of the state."""

from __future__ import annotations

from bot import passport, text
from bot.tasks import current, delivery_branch, folder, task_branch, whole
from schemas import codec
from schemas.acts import (
    Act,
    Attempt,
    CloseIssue,
    File,
    MergePull,
    OpenIssue,
    OpenPull,
    Publish,
    ReportComment,
)
from schemas.base import TaskId
from schemas.plan import BranchTodo
from schemas.report import TestReport
from schemas.sheet import sheet_of
from schemas.workflow import Phase, Step, Task, Workflow

ADDED = "tests/test_added.py"
"""Where the added tests of a strategy are, in its folder."""


def publication(workflow: Workflow, task: Task, digest: str) -> Publish:
    contract = File(path=f"{folder(workflow)}/contract.json", text=_contract(workflow))
    sheet = File(path=f"{folder(workflow)}/strategy.sheet", text=_sheet(workflow))
    return Publish(
        branch=task_branch(workflow, task.id),
        base=delivery_branch(workflow),
        digest=digest,
        files=(*_files(workflow, task), sheet, contract),
        message=text.commit_message(workflow, task),
        trailers=passport.trailers(workflow, task.id),
        parent=task.head,
        removes=_left_over(workflow, task),
    )


def _left_over(workflow: Workflow, task: Task) -> tuple[str, ...]:
    """Tests that an earlier build added hold the strategy to what its contract was then."""
    first = workflow.build > 1 and task.id is TaskId.DATA and task.head is None
    return (f"{folder(workflow)}/{ADDED}",) if first else ()


def _files(workflow: Workflow, task: Task) -> tuple[File, ...]:
    added = workflow.generated if task.id is TaskId.TESTS else None
    tests = (File(path=added.path, text=added.tests),) if added else ()
    return (*tests, *(() if tests and not task.todos else _strategy(workflow)))


def _strategy(workflow: Workflow) -> tuple[File, ...]:
    assert workflow.draft is not None  # nosec B101
    return (
        File(path=f"{folder(workflow)}/strategy.py", text=workflow.draft.strategy),
        File(path=f"{folder(workflow)}/test_strategy.py", text=workflow.draft.tests),
    )


def task_pull(workflow: Workflow, task: Task) -> OpenPull:
    return OpenPull(
        branch=task_branch(workflow, task.id),
        base=delivery_branch(workflow),
        title=text.pull_title(workflow, task.id),
        body=text.pull_body(workflow, task),
    )


def merge(workflow: Workflow, task: Task) -> MergePull:
    assert task.passed_sha is not None  # nosec B101
    return MergePull(
        branch=task_branch(workflow, task.id),
        base=delivery_branch(workflow),
        sha=task.passed_sha,
    )


def delivery_pull(workflow: Workflow) -> OpenPull:
    return OpenPull(
        branch=delivery_branch(workflow),
        base=workflow.policy.default_branch,
        title=text.delivery_title(workflow),
        body=text.delivery_body(workflow),
        sha=workflow.delivery.head,
    )


def results(workflow: Workflow, report: TestReport, files: tuple[File, ...]) -> Publish:
    """The figures of what passed as a whole, on top of exactly that commit."""
    return Publish(
        branch=delivery_branch(workflow),
        base=delivery_branch(workflow),
        digest=codec.digest(report),
        files=passport.result_files(workflow, files, report.commit_sha),
        message=text.results_message(workflow),
        trailers=passport.result_trailers(workflow),
        parent=report.commit_sha,
    )


def report(workflow: Workflow, where: TaskId | None) -> ReportComment | None:
    """What the newest test found, on its pull request. No task: the delivery."""
    task = next((t for t in workflow.tasks if t.id == where), None)
    number = task.pull if task else workflow.delivery_pull
    if number is None:
        return None
    place = _place(workflow) if where is None else None
    version = 2 * workflow.tested + bool(place)
    body = text.report_comment(workflow, where, place)
    return ReportComment(number=number, version=version, body=body)


def _place(workflow: Workflow) -> text.Place | None:
    """Where the pictures are: in the commit that carries the results, if there is one yet."""
    at, home = workflow.delivery.results_sha, workflow.policy.home
    if at is None or at != workflow.delivery.head or home.count("/") < 4:
        return None
    return text.Place(home, at)


def standing_acts(workflow: Workflow) -> tuple[Act, ...]:
    """What the current step needs in the world; each is harmless where it is there already."""
    if workflow.phase is Phase.DELIVERING:
        return delivery_pull(workflow), *_repair(workflow)
    task = current(workflow)
    if workflow.phase is not Phase.BUILDING or task is None:
        return ()
    if task.step is Step.PUBLISHING and task.draft_digest:
        return (publication(workflow, task, task.draft_digest),)
    if task.step is Step.MERGING and workflow.policy.auto_merge:
        return task_pull(workflow, task), merge(workflow, task)
    return (task_pull(workflow, task),) if task.head else ()


def _repair(workflow: Workflow) -> tuple[Publish, ...]:
    """Of the whole, that was written and is not on its branch yet."""
    task = whole(workflow)
    if task.step is not Step.PUBLISHING or task.draft_digest is None:
        return ()
    return (publication(workflow, task, task.draft_digest),)


def debug_issue(workflow: Workflow, task: Task, todo: BranchTodo) -> OpenIssue:
    return OpenIssue(
        topic=topic(todo),
        title=todo.title,
        label="debug",
        body=text.debug_body(workflow, task, todo),
        turn=_turn(workflow, task),
    )


def attempt(workflow: Workflow, task: Task, tried: str, after: BranchTodo) -> Attempt:
    """On the issue of the newest failure: what was tried against it, and what failed then."""
    before = task.todos[-1]
    return Attempt(
        topic=topic(before),
        turn=_turn(workflow, task),
        body=text.attempt_failed(task.attempts, tried, before, after),
    )


def mended(workflow: Workflow, task: Task) -> tuple[CloseIssue, ...]:
    """For every failure of the task: all of them ended with the same commit."""
    return over(workflow, task, text.debug_closed(text.tried(workflow, task), task))


def over(workflow: Workflow, task: Task, body: str) -> tuple[CloseIssue, ...]:
    """The failures of the task are nobody's work any more."""
    turn = _turn(workflow, task)
    topics = dict.fromkeys(map(topic, task.todos))
    return tuple(CloseIssue(topic=name, body=body, turn=turn) for name in topics)


def _turn(workflow: Workflow, task: Task) -> int:
    """Grows with every failure of the task, in all builds of the request."""
    return workflow.build * 1000 + min(task.attempts, 999)


def topic(todo: BranchTodo) -> str:
    return f"debug-{todo.parent_id}-{todo.signature}"


def _sheet(workflow: Workflow) -> str:
    return sheet_of(workflow.contract) if workflow.contract else ""


def _contract(workflow: Workflow) -> str:
    return codec.dump(workflow.contract) if workflow.contract else ""
