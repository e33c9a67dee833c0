"""Handlers of one request side by side, in every order of their outside calls."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import pytest
from greenlet import getcurrent, greenlet

from bot.events import Event
from bot.handle import handle
from bot.ports import Hub, Store
from bot.telling import NOBODY, tell
from bot.view import labels, render
from schemas.acts import StatusComment
from schemas.workflow import Workflow
from tests.fakes import FakeHub, MemoryStore
from tests.test_crash import steps, timeless
from tests.test_delivery import happen
from tests.world import CANCELLED, ISSUE, STORY


class Stepped:
    """A port whose every call hands the turn back to the scheduler first."""

    def __init__(self, inner: object, scheduler: greenlet) -> None:
        self._inner, self._scheduler = inner, scheduler

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._inner, name)

        def call(*args: Any) -> Any:
            self._scheduler.switch()
            return method(*args)

        return call


@dataclass
class Race:
    """The events that happen at once, and the world in which they do."""

    store: MemoryStore
    hub: FakeHub
    events: tuple[Event, ...]

    def run(self, choose: Callable[[list[int]], int]) -> tuple[MemoryStore, FakeHub]:
        """Make one outside call at a time, of the handler that `choose` picks."""
        store, hub, here = self.store.copy(), self._before(), getcurrent()
        ports = cast(Store, Stepped(store, here)), cast(Hub, Stepped(hub, here))

        def started(n: int) -> None:
            """It happens, after all that came before it; then its handler wakes up."""
            for event in self.events[: n + 1]:
                happen(hub, event)
            handle(self.events[n], *ports)

        handlers = [greenlet(lambda n=n: started(n)) for n in range(len(self.events))]
        while running := [i for i, h in enumerate(handlers) if not h.dead]:
            handlers[choose(running)].switch()
        return store, hub

    def _before(self) -> FakeHub:
        """The world in which nothing of this has happened yet."""
        hub, keys = self.hub.copy(), {e.key for e in self.events}
        hub.said = [c for c in hub.said if c.key not in keys]
        hub.results = {k: r for k, r in hub.results.items() if r.key not in keys}
        return hub


def in_order(race: Race, order: tuple[int, ...]) -> tuple[MemoryStore, FakeHub]:
    """The first calls in the given order, then whoever moved last runs to its end: the other one
    sleeps as long as it can, with what it has read in its hand."""
    turns = iter(order)

    def choose(running: list[int]) -> int:
        turn = next(turns, order[-1])
        return turn if turn in running else running[0]

    return race.run(choose)


def orders(calls: int) -> Iterator[tuple[int, ...]]:
    """All orders of the first calls in which both handlers make as many."""
    for seconds in itertools.combinations(range(calls), calls // 2):
        yield tuple(int(i in seconds) for i in range(calls))


def said_at_once(*words: tuple[str, str]) -> Race:
    """A planned request, and several comments posted before any of them is read."""
    store, hub = moment(lambda event, store: store.read(ISSUE)[0].phase == "planned")
    return Race(store, hub, tuple(hub.comment(ISSUE, who, what) for who, what in words))


def moment(fits: Callable[[Event, MemoryStore], bool], n: int = 0) -> tuple[MemoryStore, FakeHub]:
    found = [(s, h) for event, s, h in steps(STORY) if fits(event, s)]
    return found[n]


def result_and(word: str) -> Race:
    """A sandbox run has ended while a person types."""
    rows = steps(STORY)
    event, store, hub = next(r for r in rows if r[0].key.startswith("work/test-"))
    return Race(store, hub, (event, hub.comment(ISSUE, "octocat", word)))


def wrong(store: MemoryStore, hub: FakeHub) -> str:
    """What must hold after any race."""
    workflow = store.read(ISSUE)[0]
    status = next(v for v in render(workflow) if isinstance(v, StatusComment))
    if workflow.outbox:
        return "an act is left undone"
    if hub.status[ISSUE] != status.body or hub.labels[ISSUE] != labels(workflow).names:
        return "the view is stale"
    if hub.told.get(ISSUE, NOBODY) != tell(workflow):
        return "somebody is told what is over, or nobody what is not"
    if any(n > 1 for n in hub.made.values()):
        return "something was made twice"
    commands = {c.comment_id for c in hub.said if c.body.startswith("/")}
    if commands - set(hub.replies) - {a.comment_id for a in workflow.asked}:
        return "a command was not answered"
    return ""


End = tuple[Workflow, dict[str, object]]

PAIRS = {
    "approve and cancel": said_at_once(("octocat", "/approve"), ("octocat", "/cancel")),
    "cancel and approve": said_at_once(("octocat", "/cancel"), ("octocat", "/approve")),
    "twice the same": said_at_once(("octocat", "/approve"), ("hubot-owner", "/approve")),
    "a result and a cancel": result_and("/cancel"),
    "a result and a hold": result_and("/hold"),
}


def distinct(ends: Iterable[End]) -> list[End]:
    """They hold dictionaries, so no set keeps them."""
    found: list[End] = []
    for end in ends:
        if end not in found:
            found.append(end)
    return found


def check(name: str, all_orders: Iterable[tuple[int, ...]]) -> None:
    """Any interleaving must end as if one handler had run as a whole at one moment of the other:
    what was under way when a person typed may be done, or left; nothing in between."""
    race, total = PAIRS[name], 0
    ends = [in_order(race, (i,) * n + (1 - i,)) for i in (0, 1) for n in range(30)]
    assert not any(wrong(s, h) for s, h in ends), [wrong(s, h) for s, h in ends]
    allowed = distinct((timeless(s), h.world()) for s, h in ends)
    for order in all_orders:
        total += 1
        store, hub = in_order(race, order)
        assert not wrong(store, hub), (order, wrong(store, hub))
        assert (timeless(store), hub.world()) in allowed, order
    print(f"{name}: {total} interleavings, all right")


@pytest.mark.no_cover  # thousands of times the same lines
def test_every_interleaving_of_fourteen_calls() -> None:
    check("a result and a cancel", orders(14))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", PAIRS)
def test_every_interleaving_of_twelve_calls(name: str) -> None:
    check(name, orders(12))


@pytest.mark.soak
@pytest.mark.parametrize("name", PAIRS)
def test_every_order_of_sixteen_turns(name: str) -> None:
    check(name, itertools.product((0, 1), repeat=16))


def test_words_are_heard_in_the_order_in_which_they_were_written() -> None:
    """Whoever runs first reads both comments, so the outcome does not hang on luck."""
    for order in orders(10):
        store, hub = in_order(PAIRS["cancel and approve"], order)
        assert store.read(ISSUE)[0].phase == "cancelled"
        assert "I did not do that" in hub.replies[hub.said[-1].comment_id]


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(4))
def test_three_handlers_in_random_order(seed: int) -> None:
    chance = random.Random(seed)
    rows = steps(STORY) + steps(CANCELLED)
    for _ in range(300):
        event, store, hub = chance.choice(rows[1:])
        words = chance.sample(["/hold", "/cancel", "/approve", "/status", "/retry"], 2)
        hub = hub.copy()
        said = tuple(hub.comment(ISSUE, "octocat", word) for word in words)
        store, hub = Race(store, hub, (event, *said)).run(chance.choice)
        assert not wrong(store, hub), (event.key, words, wrong(store, hub))
