"""Requests that one version of the project began and a later one finishes.

python -m tests.upgrade record FOLDER    states as this version stores them, one per moment
python -m tests.upgrade finish FOLDER    takes them up from there; prints how each one ends
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bot.events import WorkFinished
from bot.handle import handle
from bot.io.offline import OfflineWriter
from bot.tasks import delivery_branch, task_branch
from bot.wanted import wanted
from schemas import codec
from schemas.base import TaskId, Usage
from schemas.types import DOCUMENTS
from schemas.work import Product, Tested, WorkKind, WorkOrder, WorkResult, answered
from schemas.workflow import Phase, Record, Step, Workflow
from tests import samples
from tests.fakes import FakeHub, MemoryStore, Pull
from tests.story import Story
from tests.world import ISSUE

REQUEST = "Buy SPY when RSI(2) is below 10. Sell when it is above 70. Daily, long only, no stop."
MOMENTS = ("opened", "planned", "drafting", "testing", "delivering")


def worked(order: WorkOrder) -> WorkResult:
    """Written by the project's own rules; tests are green and about what was ordered."""
    return answered(order, _product(order), Usage(seconds=1.0), 1_500_000)


def _product(order: WorkOrder) -> Product:
    if order.kind is not WorkKind.TEST:
        return OfflineWriter().write(order)[0]
    assert order.contract and order.head
    report = samples.report(order.task_id or TaskId.EXIT, order.head, order.issue)
    return Tested(report=replace(report, contract_digest=codec.digest(order.contract)))


class Taken(Story):
    """A request from the state that was stored, on a GitHub that has what the state speaks of."""

    def __init__(self, workflow: Workflow, results: tuple[WorkResult, ...] = ()) -> None:
        self.store, self.hub = MemoryStore(), hub_of(workflow)
        self.store.write(workflow, "", _line(workflow))
        found = {r.order_key: WorkFinished(r, self.hub.tick()) for r in results}
        self.hub.results |= found
        for event in found.values():
            handle(event, self.store, self.hub)

    def work(self) -> None:
        order = self.orders()[0]
        self.hub.results[order.key] = WorkFinished(worked(order), self.hub.tick())
        self.deliver(self.hub.results[order.key])

    def finish(self) -> Workflow:
        """Approved, built, reviewed and merged; a request that stops ends it where it stops."""
        self.look()
        for _ in range(40):
            if self.orders():
                self.work()
            elif self.now.phase is Phase.PLANNED:
                self.say("/approve")
            elif self.now.phase is Phase.DELIVERING and self.now.delivery_pull:
                self.hub.merge(delivery_branch(self.now))
                self.look()
            else:
                break
        return self.now


def _line(workflow: Workflow) -> Record:
    return Record(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        at=workflow.since,
        because=(),
        actor="monalisa",
        phase=workflow.phase,
    )


def hub_of(workflow: Workflow) -> FakeHub:
    hub = FakeHub(clock=max(1_000_000, workflow.since))
    for task in workflow.tasks:
        if task.head:
            branch = task_branch(workflow, task.id)
            hub.heads[branch] = task.head
            if task.pull:
                hub.pulls[branch] = Pull(task.pull)
            if task.pull and task.step is Step.MERGED:
                hub.merge(branch)
    if workflow.delivery.head:
        hub.heads[delivery_branch(workflow)] = workflow.delivery.head
    if workflow.delivery_pull:
        hub.pulls[delivery_branch(workflow)] = Pull(workflow.delivery_pull)
    hub.numbers = 100 + len(hub.pulls)
    return hub


def moments() -> Iterator[tuple[str, Workflow]]:
    """The same request at each of the moments at which a new version may come."""
    hub, store = FakeHub(), MemoryStore()
    handle(hub.open_issue(ISSUE, "monalisa", REQUEST), store, hub)
    story = Taken(store.read(ISSUE)[0])
    yield "opened", story.now
    story.work()
    yield "planned", story.now
    story.say("/approve")
    yield "drafting", story.now
    while story.orders()[0].task_id is not TaskId.ENTRY or story.orders()[0].kind != "test":
        story.work()
    yield "testing", story.now
    while story.now.phase is not Phase.DELIVERING:
        story.work()
    yield "delivering", story.now


def record(folder: Path) -> None:
    """The state, the order that is out, and what a worker of this version answers to it."""
    for name, workflow in moments():
        home = folder / f"v1_{name}"
        home.mkdir(parents=True, exist_ok=True)
        (home / "workflow.json").write_text(codec.dump(workflow))
        for order in wanted(workflow)[:1]:
            (home / "work_order.json").write_text(codec.dump(order))
            (home / "work_result.json").write_text(codec.dump(worked(order)))


def states(folder: Path) -> Iterator[tuple[str, Workflow, tuple[WorkResult, ...]]]:
    for name in MOMENTS:
        home = folder / f"v1_{name}"
        result = home / "work_result.json"
        found = (codec.load(WorkResult, result.read_bytes()),) if result.exists() else ()
        yield name, codec.load(Workflow, (home / "workflow.json").read_bytes()), found


def finish(folder: Path) -> None:
    """Every document by its digest; then each request, with the result of its work or without."""
    print("schemas", Path(codec.__file__).parent)
    for file in sorted(folder.rglob("*.json")):
        doc = codec.load(DOCUMENTS[file.stem], file.read_bytes())
        print("digest", file.relative_to(folder), codec.digest(doc))
    for name, workflow, results in states(folder):
        print("order", name, *(o.key for o in wanted(workflow)[:1]))
        for among, story in (("late", Taken(workflow)), ("done", Taken(workflow, results))):
            ended = story.finish()
            print("ended", name, among, ended.phase, *ended.note.split()[:40])


if __name__ == "__main__":
    {"record": record, "finish": finish}[sys.argv[1]](Path(sys.argv[2]))
