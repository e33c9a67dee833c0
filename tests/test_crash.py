"""Kill the handler before and after every outside call, run it again: the same world, once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from bot.events import Event, Tick, WorkFinished
from bot.handle import handle
from bot.io.gitref import GitRefStore
from bot.ports import Hub, Store, Unavailable
from bot.wanted import awaited
from schemas.workflow import Workflow
from tests.fakes import FakeHub, MemoryStore
from tests.world import CANCELLED, HANDS, ISSUE, MENDED, STORY, Move, play

STORIES: dict[str, tuple[Move, ...]] = {
    "whole": STORY, "mended": MENDED, "cancelled": CANCELLED, "by hand": HANDS,
}  # fmt: skip


class Killed(BaseException):
    """SIGKILL: not an Exception, so that nothing can catch it by accident."""


class Mortal:
    """A port that dies at one call, before or after the call takes effect, or gets no answer."""

    def __init__(self, inner: object, clock: count[int], at: int, when: str) -> None:
        self._inner, self._clock, self._at, self._when = inner, clock, at, when

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._inner, name)

        def call(*args: Any) -> Any:
            n = next(self._clock)
            if n == self._at and self._when == "before":
                raise Killed
            if n == self._at and self._when == "unanswered":
                raise Unavailable("502")
            answer = method(*args)
            if n == self._at and self._when == "after":
                raise Killed
            return answer

        return call


def calls_of(event: Event, store: MemoryStore, hub: FakeHub) -> int:
    clock = count()
    ports = (Mortal(p, clock, -1, "") for p in (store, hub))
    handle(event, cast(Store, next(ports)), cast(Hub, next(ports)))
    return next(clock)


def steps(moves: tuple[Move, ...]) -> list[tuple[Event, MemoryStore, FakeHub]]:
    """Each event with the world as it was just before it was delivered."""
    store, hub = MemoryStore(), FakeHub()
    found: list[tuple[Event, MemoryStore, FakeHub]] = []

    def deliver(event: Event) -> Workflow:
        found.append((event, store.copy(), hub.copy()))
        return handle(event, store, hub)

    play(hub, moves, deliver)
    return found


def told(name: str) -> list[tuple[Event, MemoryStore, FakeHub]]:
    """Of a story that goes on where another ends, only what is new."""
    rows = steps(STORIES[name])
    return rows[len(steps(STORY)) - 1 :] if name == "mended" else rows


@pytest.mark.parametrize("name", STORIES)
def test_killed_anywhere_converges(name: str) -> None:
    """Each event from the quiet world before it; so, by induction, the whole story."""
    points = 0
    for event, before, world in told(name):
        store, hub = before.copy(), world.copy()
        total = calls_of(event, store, hub)
        for at in range(total):
            for when in ("before", "after", "unanswered")[: 3 if at % 3 == 0 else 2]:
                points += 1
                _kill(event, before.copy(), world.copy(), at, when, store, hub)
    print(f"{name}: killed at {points} points, all converged")
    assert points > 150


def _kill(
    event: Event, store: MemoryStore, hub: FakeHub, at: int, when: str,
    quiet: MemoryStore, world: FakeHub,
) -> None:  # fmt: skip
    clock = count()
    with pytest.raises((Killed, Unavailable)):
        ports = (Mortal(p, clock, at, when) for p in (store, hub))
        handle(event, cast(Store, next(ports)), cast(Hub, next(ports)))
    handle(event, store, hub)  # the job is run again
    assert timeless(store) == timeless(quiet), (event.key, at, when)
    assert hub.world() == world.world(), (event.key, at, when)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", STORIES)
def test_killed_and_only_swept(name: str) -> None:
    """Nobody runs the job again; the schedule finds what was left. Only the clock may differ."""
    for event, before, world in told(name):
        if isinstance(event, WorkFinished) and not _awaited(event, before):
            continue  # only its own job can tell what it cost
        store, hub = before.copy(), world.copy()
        total = calls_of(event, store, hub)
        for at in range(0, total, 3):
            late_store, late_hub = before.copy(), world.copy()
            clock = count()
            with pytest.raises(Killed):
                ports = (Mortal(p, clock, at, "after") for p in (late_store, late_hub))
                handle(event, cast(Store, next(ports)), cast(Hub, next(ports)))
            handle(Tick(ISSUE, hub.clock), late_store, late_hub)
            assert late_hub.world() == hub.world(), (event.key, at)
            assert timeless(late_store) == timeless(store), (event.key, at)


def _awaited(event: WorkFinished, store: MemoryStore) -> bool:
    return event.result.order_key in {o.key for o in awaited(store.read(ISSUE)[0])}


def timeless(store: Store) -> Workflow:
    workflow = store.read(ISSUE)[0]
    tasks = tuple(replace(t, started_at=0, finished_at=0) for t in workflow.tasks)
    deployments = tuple(replace(d, since=0) for d in workflow.deployments)
    asked = tuple(replace(a, at=0) for a in workflow.asked)
    seen = tuple(sorted(workflow.seen))
    runs = tuple(replace(r, at=0) for r in workflow.runs)
    return replace(
        workflow,
        since=0,
        tasks=tasks,
        deployments=deployments,
        asked=asked,
        seen=seen,
        runs=runs,
    )


def test_the_same_on_a_real_git_remote(tmp_path: Path) -> None:
    """One kill in every event of the whole story, with the state in a real repository."""
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path)], check=True)
    store, hub, turn = GitRefStore(str(tmp_path)), FakeHub(), count()

    def deliver(event: Event) -> Workflow:
        clock, at = count(), next(turn) % 7
        try:
            ports = (Mortal(p, clock, at, "after") for p in (store, hub))
            return handle(event, cast(Store, next(ports)), cast(Hub, next(ports)))
        except Killed:
            return handle(event, GitRefStore(str(tmp_path)), hub)

    play(hub, STORY, deliver)
    quiet_store, quiet_hub = MemoryStore(), FakeHub()
    play(quiet_hub, STORY, lambda event: handle(event, quiet_store, quiet_hub))
    assert hub.world() == quiet_hub.world()
    assert timeless(GitRefStore(str(tmp_path))) == timeless(quiet_store)
