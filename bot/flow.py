"""How a request moves on, stumbles and stops: the moves that every kind of work shares. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, revision, text, verdict
from bot.tasks import being_mended, current, enter, put, queue
from bot.wanted import wanted
from schemas.acts import CallOwners, MergePull, OpenPull, Publish
from schemas.base import TaskId
from schemas.work import Request
from schemas.workflow import Phase, Step, Task, Workflow

STOPPED = {Phase.ESCALATED, Phase.CANCELLED}


def escalate(workflow: Workflow, why: str) -> Workflow:
    """Stop, keep the work, say why. `/retry`, `/debug` and `/skip` go on from here."""
    back = workflow.stopped_in if workflow.phase in STOPPED else workflow.phase
    stopped = replace(workflow, phase=Phase.ESCALATED, stopped_in=back, note=why)
    stopped = revision.ended(stopped, text.revise_ended(why), "confused")
    owners = workflow.policy.owners
    if not owners:
        return stopped
    return queue(stopped, CallOwners(build=workflow.build, body=text.owners_called(owners, why)))


def reworded(workflow: Workflow, request: Request, at: int) -> Workflow:
    """Other words, another plan: answers and changes were about the old ones. What was stopped
    stays stopped, and takes them when it goes on."""
    workflow = revision.ended(workflow, text.revise_ended(text.edited()), "confused")
    fresh = replace(
        workflow, request=replace(request, notes=()), questions=(), round=workflow.round + 1
    )
    fresh = replace(fresh, contract=None, contract_digest=None, todo=None)
    if workflow.stopped_in is None:
        return replace(enter(fresh, Phase.OPENED, at), note=text.edited())
    note = text.also(workflow.note, text.edited_while_stopped())
    return replace(fresh, stopped_in=Phase.OPENED, note=note)


def next_task(workflow: Workflow, at: int) -> Workflow:
    """Start what comes after the last finished task: one more, or the delivery."""
    task = current(workflow)
    if task is None:
        return queue(enter(workflow, Phase.DELIVERING, at), acts.delivery_pull(workflow))
    started = replace(task, step=Step.DRAFTING, started_at=at)
    return put(replace(workflow, since=at, tries=0), started)


def skip(workflow: Workflow, task: Task, why: str, at: int) -> Workflow:
    """Only the added tests may be left out."""
    left = put(workflow, replace(task, step=Step.SKIPPED, finished_at=at))
    if being_mended(workflow, task):
        left = queue(left, *acts.over(workflow, task, text.left_out()))
    return replace(next_task(replace(left, phase=Phase.BUILDING), at), note=why)


def drop(workflow: Workflow, task: Task, why: str, at: int) -> Workflow:
    """Added tests are left out only where enough of the strategy is tested without them."""
    covered, least = covered_without(workflow), verdict.floor(workflow)
    if covered is None or covered >= least:  # unknown in states of older versions
        return skip(workflow, task, text.tests_dropped(why), at)
    return escalate(workflow, text.cannot_drop(why, covered, least, _missed(workflow)))


def covered_without(workflow: Workflow) -> float | None:
    """Percent of the lines that the strategy's own tests reach, as measured on its last step."""
    passed = {t.passed_sha for t in workflow.tasks if t.id is TaskId.EXIT}
    own = (r for r in reversed(workflow.runs) if r.task is TaskId.EXIT and r.sha in passed)
    newest = next(own, None)
    return newest.line_coverage if newest else None


def _missed(workflow: Workflow) -> str:
    return verdict.lines(workflow.report.missed_lines) if workflow.report else ""


def renewed(workflow: Workflow) -> Workflow:
    """A used order needs a new name to run again."""
    used = any(f"paid/{order.key}" in workflow.seen for order in wanted(workflow))
    return replace(workflow, round=workflow.round + 1) if used else workflow


def stopped(workflow: Workflow) -> Workflow:
    """What was about to change the code waits no longer; `standing_acts` brings it back."""
    left = tuple(a for a in workflow.outbox if not isinstance(a, Publish | OpenPull | MergePull))
    return replace(workflow, outbox=left)


def hold(workflow: Workflow, note: str, by_author: bool = False) -> Workflow:
    """Nothing new starts. The author alone may end only a hold of their own."""
    return replace(workflow, held=True, held_by_author=by_author, note=note)
