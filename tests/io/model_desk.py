"""A writer, the server behind it, and orders as the bot makes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from typing import Any

from bot.io.llm import LlmWriter, Price
from schemas.base import Usage
from schemas.report import FailureClass
from schemas.work import Product, WorkFailed, WorkKind, WorkOrder
from schemas.workflow import Phase
from tests.io.model_server import ModelServer, Reply
from tests.story import Story

KEY = "sk-canary-5f1e0c77"
START = 1_000_000.0
ROUND = Price(input=Decimal(1), output=Decimal(10), cached=Decimal("0.1"))
"""USD for a million tokens, easy to work with in the head."""


@dataclass
class HeldClock:
    """Stands still, but for sleeping and for `tick` seconds at each look."""

    time: float = START
    tick: float = 0.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        self.time += self.tick
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@dataclass
class ModelDesk:
    server: ModelServer
    clock: HeldClock = field(default_factory=HeldClock)

    def writer(self, **more: Any) -> LlmWriter:
        settings: dict[str, Any] = {"price": ROUND, "clock": self.clock, "timeout": 20.0} | more
        return LlmWriter(self.server.url, KEY, "gpt-5-mini", **settings)

    def ask(self, order: WorkOrder, *replies: Reply, **more: Any) -> tuple[Product, Usage]:
        self.server.replies += replies
        return self.writer(**more).write(order)

    def fail(self, order: WorkOrder, *replies: Reply, **more: Any) -> tuple[WorkFailed, Usage]:
        product, usage = self.ask(order, *replies, **more)
        assert isinstance(product, WorkFailed), product.kind
        return product, usage


@cache
def order(kind: WorkKind) -> WorkOrder:
    """The bot's own, with a deadline that the held clock can keep."""
    story = Story()
    if kind is not WorkKind.PLAN:
        story.building()
    if kind in (WorkKind.PLAN_TESTS, WorkKind.BUILD_TESTS):
        story.until(Phase.ESCALATED).say("/debug the side is wrong")
    found = (
        story.orders()[0]
        if kind is WorkKind.PLAN
        else story.until(Phase.BUILDING, kind).orders()[0]
    )
    return replace(found, deadline=int(START) + 900, budget=None)


def is_trouble(product: WorkFailed) -> bool:
    """Of the world, not of an answer."""
    return product.failure_class is FailureClass.SANDBOX_ERROR
