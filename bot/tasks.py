"""The tasks of one request: which is next, how one is changed, where its work lives. Pure."""

from __future__ import annotations

from dataclasses import replace

from schemas.acts import Act
from schemas.base import TaskId
from schemas.plan import BranchTodo
from schemas.workflow import Phase, Step, Task, Workflow

STEPS = (TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY, TaskId.EXIT)
DONE = {Step.MERGED, Step.SKIPPED}


def current(workflow: Workflow) -> Task | None:
    """The one task that is being worked on; None before the first and after the last."""
    return next((t for t in workflow.tasks if t.step not in DONE), None)


def whole(workflow: Workflow) -> Task:
    """The delivery as the task that it is to whoever mends it."""
    delivery = workflow.delivery
    allowed = workflow.policy.max_debug_attempts
    known = delivery.repair or Task(id=TaskId.DELIVERY, step=Step.TESTING, allowed=allowed)
    return replace(known, head=delivery.head, pull=workflow.delivery_pull)


def at_work(workflow: Workflow) -> Task | None:
    """The step that is being worked on; after the last one the delivery."""
    delivering = Phase.DELIVERING in (workflow.phase, workflow.stopped_in)
    return whole(workflow) if delivering else current(workflow)


def planned_again(workflow: Workflow) -> BranchTodo | None:
    """The failure that asked for another plan, until that is approved."""
    tasks = (*workflow.tasks, whole(workflow))
    return next((t.todos[-1] for t in tasks if t.todos and t.step is Step.WAITING), None)


def tested_as(task: Task) -> TaskId | None:
    """How its runs are called. No task: the delivery."""
    return None if task.id is TaskId.DELIVERY else task.id


def being_mended(workflow: Workflow, task: Task) -> bool:
    """A failure is open. Where the newest test passed, those before it are closed already."""
    newest = next((r for r in reversed(workflow.runs) if r.task == tested_as(task)), None)
    return bool(task.todos) and newest is not None and not newest.passed


def on_branch(workflow: Workflow, branch: str) -> Task | None:
    return next((t for t in workflow.tasks if task_branch(workflow, t.id) == branch), None)


def put(workflow: Workflow, task: Task) -> Workflow:
    """The workflow with this task in place of the one of the same id."""
    if task.id is TaskId.DELIVERY:
        return _put_whole(workflow, task)
    return replace(workflow, tasks=tuple(task if t.id == task.id else t for t in workflow.tasks))


def _put_whole(workflow: Workflow, task: Task) -> Workflow:
    """What is being repaired has failed; of another commit nothing is known yet."""
    known = workflow.delivery.failed_sha if task.head == workflow.delivery.head else None
    failed = known if task.step is Step.TESTING else task.failed_sha
    moved = replace(workflow.delivery, head=task.head, failed_sha=failed)
    return replace(workflow, delivery=replace(moved, repair=replace(task, head=None, pull=None)))


def queue(workflow: Workflow, *acts: Act) -> Workflow:
    """Acts wait in the outbox until they are done. One of a key is enough."""
    waiting = {a.key for a in workflow.outbox}
    fresh = tuple(a for a in acts if a.key not in waiting)
    return replace(workflow, outbox=(*workflow.outbox, *fresh))


def enter(workflow: Workflow, phase: Phase, at: int) -> Workflow:
    """A new phase starts with a new clock and no failed tries."""
    return replace(workflow, phase=phase, since=at, tries=0, note="")


def task_branch(workflow: Workflow, task: TaskId) -> str:
    return f"{_branches(workflow)}/{task}"


def delivery_branch(workflow: Workflow) -> str:
    return f"{_branches(workflow)}/deliver"


def _branches(workflow: Workflow) -> str:
    """A second plan starts on branches of its own: the first one's hold what was wrong."""
    again = f"-{workflow.build}" if workflow.build > 1 else ""
    return f"ai/generated/{workflow.id}{again}"


def folder(workflow: Workflow) -> str:
    return home(workflow.contract.name if workflow.contract else workflow.id)


def home(strategy: str) -> str:
    """Where a strategy lives: its file, its tests, its contract."""
    return f"strategies/{strategy}"
