"""Work in Actions: start it once, stop it, and find what it made when nobody told us."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from itertools import takewhile

from github.PaginatedList import PaginatedList
from github.WorkflowRun import WorkflowRun

from bot.io.github.site import Site
from bot.io.github.wire import Refused
from bot.text.gate import shut
from bot.why import Shut, Why
from schemas import codec
from schemas.acts import OpenGate, StopWork
from schemas.live import GateAnswer
from schemas.work import WorkOrder, WorkResult
from schemas.workflow import Workflow

FILE = "stratbot-work.yml"
GATE = "deploy.yml"
SWEEP = "sweep.yml"
RESULT, ANSWER = "result", "answer"
MOST = 4_000_000
"""Bytes of a result that is still read, zipped or not."""
LONGEST = 2 * 24 * 3600
"""A run waits for a day and works for a few hours: an older one is over."""
LONGEST_GATE = 32 * 24 * 3600
"""A review may take 30 days."""
SETTLING = 15 * 60
"""How long a finished run's result may be on its way. Later, an order still wanted was lost."""
LISTED = 60
"""A run may take this long to be listed after it was asked for."""


def dispatch(site: Site, order: WorkOrder, fresh: bool) -> None:
    """A failed or cancelled run does not stand in the way of the next."""
    now = site.clock.now()
    if now - site.started.get(order.key, -LISTED) < LISTED:
        return
    if not fresh and any(_holds(run, now) for run in _runs(site, order.workflow_id, order.key)):
        return
    inputs = {"issue": str(order.issue), "key": order.key, "kind": str(order.kind),
              "head": order.head or ""}  # fmt: skip
    given = {"ref": site.policy.default_branch, "inputs": inputs}
    site.wire.requestJsonAndCheck("POST", f"{_url(site)}/dispatches", input=given)
    site.started[order.key] = now


def alive(site: Site, orders: tuple[WorkOrder, ...]) -> frozenset[str]:
    """Those with a run that is not over. It ends with the job that brings us its result."""
    names = {order.workflow_id for order in orders}
    going = (run for name in names for run in _runs(site, name) if run.status != "completed")
    found = {key for run in going for key in _key(run)}
    return frozenset(order.key for order in orders if order.key in found)


def schedule(site: Site, on: bool) -> None:
    """The schedule of the sweep. A variable would do, but no token of a job may write one."""
    way = "enable" if on else "disable"
    site.wire.requestJsonAndCheck("PUT", f"{_url(site, SWEEP)}/{way}")


def stop(site: Site, workflow: Workflow, act: StopWork) -> None:
    how = "force-cancel" if act.force else "cancel"
    for run in (*_runs(site, workflow.id), *_runs(site, workflow.id, file=GATE)):
        if run.status != "completed":
            _cancel(site, f"{run.url}/{how}")
    site.started.clear()


def open_gate(site: Site, workflow: Workflow, act: OpenGate) -> None:
    """One run that waits or has answered is enough; one that failed does not stand in the way."""
    name = f"gate-{act.deployment}"
    found = _runs(site, workflow.id, name, file=GATE)
    if any(run.status != "completed" or run.conclusion == "success" for run in found):
        return
    inputs = {"issue": str(workflow.issue), "deployment": str(act.deployment), "sha": act.sha}
    given = {"ref": site.policy.default_branch, "inputs": inputs}
    site.wire.requestJsonAndCheck("POST", f"{_url(site, GATE)}/dispatches", input=given)


def gate_answer(site: Site, workflow: Workflow) -> GateAnswer | None:
    """What the gate's run came to, if its own message was lost; also where it left no answer."""
    number, newest = len(workflow.deployments), workflow.deployments[-1]
    run = next(_runs(site, workflow.id, f"gate-{number}", file=GATE), None)
    ended = run is not None and run.status == "completed"
    if run is None or not ended or site.clock.now() - run.updated_at.timestamp() < LISTED:
        return None
    found = _document(site, run, ANSWER, GateAnswer)
    silent = Shut(Why.NO_ANSWER, f"run {run.id}: {run.conclusion}")
    return found or GateAnswer(
        issue=workflow.issue, deployment=number, commit_sha=newest.commit_sha,
        reason=silent.why, message=shut(silent),
    )  # fmt: skip


def results(site: Site, workflow: Workflow, keys: set[str]) -> Iterator[WorkResult]:
    """What finished runs made for these orders. What cannot be read is not there."""
    for run in _runs(site, workflow.id):
        if not keys & set(_key(run)) or run.status != "completed":
            continue
        found = _document(site, run, RESULT, WorkResult)
        if found and [found.order_key] == _key(run):
            keys.discard(found.order_key)
            yield found


def _key(run: WorkflowRun) -> list[str]:
    """The second word of its title; a person may have started one without any."""
    return run.display_title.split()[1:2]


def _document(site: Site, run: WorkflowRun, name: str, kind: type[codec.T]) -> codec.T | None:
    for artifact in run.get_artifacts():
        if artifact.name == name and not artifact.expired and artifact.size_in_bytes < MOST:
            try:
                return codec.load(kind, _unzipped(_bytes(site, artifact.id), f"{name}.json"))
            except (Refused, codec.Invalid, zipfile.BadZipFile, KeyError, ValueError):
                return None
    return None


def _bytes(site: Site, artifact: int) -> bytes:
    return site.wire.download(f"{site.url}/actions/artifacts/{artifact}/zip", MOST)


def _unzipped(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.getinfo(name).file_size > MOST:
            raise ValueError("the result is too big")
        return archive.read(name)


def _cancel(site: Site, url: str) -> None:
    try:
        site.wire.requestJson("POST", url)
    except Refused as no:
        if no.status != 409:  # it ended by itself
            raise


def _url(site: Site, file: str = FILE) -> str:
    return f"{site.url}/actions/workflows/{file}"


def _runs(site: Site, *title: str, file: str = FILE) -> Iterator[WorkflowRun]:
    """Newest first. Each run is titled with the request and the key that it works for.

    On another branch a file of the same name says and does what its writer likes."""
    since = site.clock.now() - (LONGEST if file == FILE else LONGEST_GATE)
    asked = {"event": "workflow_dispatch", "branch": site.policy.default_branch}
    runs: PaginatedList[WorkflowRun] = PaginatedList(
        WorkflowRun, site.wire, f"{_url(site, file)}/runs", asked, list_item="workflow_runs"
    )
    recent = takewhile(lambda run: run.created_at.timestamp() > since, runs)
    try:
        yield from (r for r in recent if r.display_title.split()[: len(title)] == list(title))
    except Refused as no:
        if no.status != 404:  # the workflow is not there, so it has no runs
            raise


def _holds(run: WorkflowRun, now: float) -> bool:
    if run.status != "completed":
        return True
    return run.conclusion == "success" and now - run.updated_at.timestamp() < SETTLING
