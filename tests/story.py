"""A request that is told line by line: somebody types, a worker answers, the sweep looks."""

from __future__ import annotations

from dataclasses import replace

from bot.events import Event, Tick, WorkFinished
from bot.handle import handle
from bot.wanted import wanted
from schemas.base import Usage
from schemas.work import Product, WorkKind, WorkOrder
from schemas.workflow import Phase, Workflow
from tests import samples
from tests.fakes import FakeHub, MemoryStore
from tests.world import ISSUE, work

TASK = f"ai/generated/wf_{ISSUE}/t1_data"
DELIVER = f"ai/generated/wf_{ISSUE}/deliver"


class Story:
    """A request that is told line by line."""

    def __init__(self, hub: FakeHub | None = None) -> None:
        self.store, self.hub = MemoryStore(), hub or FakeHub()
        self.deliver(self.hub.open_issue(ISSUE, "monalisa", "buy when RSI is low"))

    def deliver(self, event: Event) -> Workflow:
        return handle(event, self.store, self.hub)

    def say(self, body: str, login: str = "octocat") -> str:
        """Post a comment; gives back the answer."""
        comment = self.hub.comment(ISSUE, login, body)
        self.deliver(comment)
        return self.hub.replies.get(comment.comment_id, "")

    def look(self, after: int = 0) -> Workflow:
        """The sweep, some seconds later."""
        self.hub.clock += after
        return self.deliver(Tick(ISSUE, self.hub.clock))

    def orders(self) -> list[WorkOrder]:
        return [o for o in wanted(self.now) if o.key not in self.hub.results]

    def answer(self, product: Product | None = None, usage: Usage = samples.USAGE) -> Workflow:
        """The worker answers the order that is open."""
        order = self.orders()[0]
        result = replace(work(order), usage=usage)
        result = result if product is None else replace(result, product=product)
        self.hub.results[order.key] = WorkFinished(result, self.hub.tick())
        return self.deliver(self.hub.results[order.key])

    def until(self, phase: Phase, kind: WorkKind | None = None) -> Story:
        while self.now.phase is not phase or (kind and self.orders()[0].kind is not kind):
            self.answer()
        return self

    def planned(self) -> Story:
        self.answer()
        self.say("/answer daily bars")
        self.answer()
        return self

    def building(self) -> Story:
        self.planned().say("/approve")
        return self

    @property
    def now(self) -> Workflow:
        return self.store.read(ISSUE)[0]

    @property
    def status(self) -> str:
        return self.hub.status[ISSUE]
