"""What people do to the pull requests of a request: push, close, merge. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, build, text
from bot.events import PullClosed, PullPushed
from bot.flow import STOPPED, hold
from bot.tasks import being_mended, delivery_branch, enter, on_branch, put, queue, whole
from schemas.acts import CloseIssue, OpenPull
from schemas.workflow import Phase, Step, Workflow


def pushed(workflow: Workflow, event: PullPushed) -> Workflow:
    if event.branch == delivery_branch(workflow):
        return build.on_delivery_pushed(workflow, event.sha, event.at)
    task = on_branch(workflow, event.branch)
    return build.on_pushed(workflow, task, event.sha, event.at) if task else workflow


def closed(workflow: Workflow, event: PullClosed) -> Workflow:
    if event.merged:
        return merged(workflow, event.branch, event.sha, event.head, event.at)
    if any(isinstance(a, OpenPull) and a.branch == event.branch for a in workflow.outbox):
        return workflow  # it is about to be opened again
    task = on_branch(workflow, event.branch)
    waiting = task is not None and task.step in (Step.TESTING, Step.REPAIRING, Step.MERGING)
    delivering = event.branch == delivery_branch(workflow) and workflow.phase is Phase.DELIVERING
    if not (waiting or delivering) or workflow.phase is Phase.CANCELLED:
        return workflow
    return hold(workflow, text.pull_was_closed(event.login))


def merged(workflow: Workflow, branch: str, sha: str, head: str, at: int) -> Workflow:
    if branch == delivery_branch(workflow):
        return _delivered(workflow, sha, head, at)
    task = on_branch(workflow, branch)
    if task is None or task.step in (Step.MERGED, Step.SKIPPED, Step.WAITING):
        return workflow
    return build.on_merged(workflow, task, sha, at)


def _delivered(workflow: Workflow, sha: str, head: str, at: int) -> Workflow:
    """A person may merge whenever they like; what they merged untested is called untested."""
    stopped = workflow.phase in STOPPED and workflow.stopped_in is Phase.DELIVERING
    if workflow.phase is not Phase.DELIVERING and not stopped:
        return workflow
    merged = replace(workflow.delivery, head=head or workflow.delivery.head)
    done = replace(
        enter(workflow, Phase.DELIVERED, at),
        delivered_sha=sha, delivery=merged, held=False, stopped_in=None,
    )  # fmt: skip
    task = whole(workflow)
    if being_mended(workflow, task):
        done = queue(done, *acts.over(workflow, task, text.delivered_unmended()))
    return queue(done, CloseIssue(topic="request", body=text.delivered(done), turn=_turn(done)))


def _turn(workflow: Workflow) -> int:
    """A request that was opened again for a fix is closed again with it."""
    return workflow.build if workflow.deployments else 0


def opened(workflow: Workflow, branch: str, number: int) -> Workflow:
    if branch == delivery_branch(workflow):
        return replace(workflow, delivery_pull=number)
    task = on_branch(workflow, branch)
    return put(workflow, replace(task, pull=number)) if task else workflow
