"""The tasks of one request: which is next, how one is changed, where its work lives. Pure."""

from __future__ import annotations

from dataclasses import replace

from schemas.acts import Act
from schemas.base import TaskId
from schemas.workflow import Phase, Step, Task, Workflow

STEPS = (TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY, TaskId.EXIT)
DONE = {Step.MERGED, Step.SKIPPED}


def current(workflow: Workflow) -> Task | None:
    """The one task that is being worked on; None before the first and after the last."""
    return next((t for t in workflow.tasks if t.step not in DONE), None)


def on_branch(workflow: Workflow, branch: str) -> Task | None:
    return next((t for t in workflow.tasks if task_branch(workflow, t.id) == branch), None)


def put(workflow: Workflow, task: Task) -> Workflow:
    """The workflow with this task in place of the one of the same id."""
    return replace(workflow, tasks=tuple(task if t.id == task.id else t for t in workflow.tasks))


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
