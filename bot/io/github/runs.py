"""Work in Actions: start it once, and stop it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from github.WorkflowRun import WorkflowRun

from bot.io.github.site import Site
from bot.io.github.wire import Refused
from schemas.acts import StopWork
from schemas.work import WorkOrder
from schemas.workflow import Workflow

FILE = "stratbot-work.yml"
LONGEST = 2 * 24 * 3600
"""A run waits for a day and works for a few hours: an older one is over."""
SETTLING = 15 * 60
"""How long a finished run's result may be on its way. Later, an order still wanted was lost."""
LISTED = 60
"""A run may take this long to be listed after it was asked for."""


def dispatch(site: Site, order: WorkOrder) -> None:
    """A failed or cancelled run does not stand in the way of the next."""
    now = site.clock.now()
    if now - site.started.get(order.key, -LISTED) < LISTED:
        return
    if any(_holds(run, now) for run in _runs(site, order.workflow_id, order.key)):
        return
    workflow = site.repo.get_workflow(FILE)
    inputs = {"issue": str(order.issue), "key": order.key, "kind": str(order.kind)}
    workflow.create_dispatch(site.policy.default_branch, inputs, throw=True)
    site.started[order.key] = now


def stop(site: Site, workflow: Workflow, act: StopWork) -> None:
    how = "force-cancel" if act.force else "cancel"
    for run in _runs(site, workflow.id):
        if run.status != "completed":
            _cancel(site, f"{run.url}/{how}")
    site.started.clear()


def _cancel(site: Site, url: str) -> None:
    try:
        site.wire.requestJson("POST", url)
    except Refused as no:
        if no.status != 409:  # it ended by itself
            raise


def _runs(site: Site, *title: str) -> Iterator[WorkflowRun]:
    """Newest first. Each run is titled with the request and the key that it works for."""
    since = site.clock.now() - LONGEST
    runs = site.repo.get_workflow(FILE).get_runs(event="workflow_dispatch")
    recent = takewhile(lambda run: run.created_at.timestamp() > since, runs)
    return (run for run in recent if run.display_title.split()[: len(title)] == list(title))


def _holds(run: WorkflowRun, now: float) -> bool:
    if run.status != "completed":
        return True
    return run.conclusion == "success" and now - run.updated_at.timestamp() < SETTLING
