"""Every event twice, two neighbours swapped, one lost and swept: the same end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from bot.events import CommentPosted, Event, Tick, WorkFinished
from bot.handle import handle
from bot.sweep import sweep
from schemas.workflow import Workflow
from tests.fakes import FakeHub, MemoryStore
from tests.test_crash import steps, timeless
from tests.world import CANCELLED, ISSUE, STORY, Move, play

BOTH = pytest.mark.parametrize("moves", [STORY, CANCELLED], ids=["whole", "cancelled"])
Delivery = Callable[[int, Event, Callable[[Event], Workflow]], None]


def run(moves: tuple[Move, ...], delivery: Delivery) -> tuple[Workflow, dict[str, object], int]:
    """The story with the n-th delivery made by `delivery`."""
    store, hub, n = MemoryStore(), FakeHub(), [0]

    def deliver(event: Event) -> Workflow:
        delivery(n[0], event, lambda e: handle(e, store, hub))
        n[0] += 1
        return store.read(ISSUE)[0]

    play(hub, moves, deliver)
    assert sweep(hub.clock, store, hub, lambda line: None) == 0
    return timeless(store), hub.world(), n[0]


def once(n: int, event: Event, handled: Callable[[Event], Workflow]) -> None:
    handled(event)


@BOTH
def test_every_event_twice(moves: tuple[Move, ...]) -> None:
    def twice(n: int, event: Event, handled: Callable[[Event], Workflow]) -> None:
        handled(event)
        handled(event)

    assert run(moves, twice)[:2] == run(moves, once)[:2]


@BOTH
def test_all_earlier_events_again(moves: tuple[Move, ...]) -> None:
    past: list[Event] = []

    def again(n: int, event: Event, handled: Callable[[Event], Workflow]) -> None:
        handled(event)
        past.append(event)
        for old in past[::3]:
            handled(old)

    assert run(moves, again)[:2] == run(moves, once)[:2]


@BOTH
def test_any_one_event_lost_and_then_swept(moves: tuple[Move, ...]) -> None:
    state, world, total = run(moves, once)
    for lost in range(total):

        def drop(
            n: int, event: Event, handled: Callable[[Event], Workflow], lost: int = lost
        ) -> None:
            handled(Tick(ISSUE, event.at) if n == lost else event)

        assert run(moves, drop)[:2] == (state, world), lost


@BOTH
def test_any_two_neighbours_swapped(moves: tuple[Move, ...]) -> None:
    """Both have happened; the second is delivered first."""
    story = steps(moves)
    for (first, store, hub), (second, _, _) in pairwise(story):
        quiet_store, quiet_hub = store.copy(), hub.copy()
        handle(first, quiet_store, quiet_hub)
        if not happen(quiet_hub, second):
            continue
        handle(second, quiet_store, quiet_hub)
        happen(hub, second)
        handle(second, store, hub)
        handle(first, store, hub)
        for s, h in ((store, hub), (quiet_store, quiet_hub)):
            assert sweep(quiet_hub.clock, s, h, lambda line: None) == 0
        assert timeless(store) == timeless(quiet_store), (first.key, second.key)
        assert shown(hub) == shown(quiet_hub), (first.key, second.key)


def happen(hub: FakeHub, event: Event) -> bool:
    """Put into the world what the event tells of, if it is not there yet."""
    match event:
        case CommentPosted() if event not in hub.said:
            hub.said.append(event)
        case WorkFinished():
            hub.results[event.result.order_key] = event
        case Tick():
            return False  # a person merged: that needs the pull request of the event before
    return True


def shown(hub: FakeHub) -> dict[str, object]:
    """All but the orders: work whose result is there already need not be ordered."""
    return {k: v for k, v in hub.world().items() if k != "ordered"}
