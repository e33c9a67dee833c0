"""When the schedule of the sweep is on: while something is open or live, and a little after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from bot.ports import Unavailable
from bot.sweep import DAY, HOUR, settle
from tests.fakes import FakeHub, MemoryStore
from tests.live_gate.test_stories import NEW, delivered, live
from tests.story import Story
from tests.world import ISSUE


@dataclass
class Schedule:
    """As GitHub has it: on or off, whoever says so last."""

    on: bool = True
    before: Callable[[], object] = lambda: None
    """What happens just before it is switched off."""
    said: list[bool] = field(default_factory=list)

    def __call__(self, on: bool) -> None:
        if not on:
            self.before()
        self.on = on
        self.said.append(on)


def settled(hub: FakeHub, store: MemoryStore, failed: int = 0) -> Schedule:
    schedule = Schedule()
    assert settle(hub.clock, store, hub, failed, schedule) is schedule.on
    return schedule


def test_nothing_is_open() -> None:
    assert settled(FakeHub(), MemoryStore()).said == [False]


def test_an_issue_that_nobody_has_told_us_of_keeps_it_on() -> None:
    hub = FakeHub()
    hub.open_issue(ISSUE, "a", "x")
    assert settled(hub, MemoryStore()).said == [True]


def test_work_that_goes_on_keeps_it_on_though_its_issue_is_old() -> None:
    story = Story().planned()
    story.say("/approve")
    story.hub.opened.clear()
    story.hub.clock += 30 * DAY
    assert settled(story.hub, story.store).on


@pytest.mark.parametrize(("seconds", "on"), [(HOUR // 2, True), (2 * HOUR, False)])
def test_what_has_ended_keeps_it_on_for_an_hour(seconds: int, on: bool) -> None:
    story = Story().planned()
    story.say("/cancel")
    story.hub.opened.clear()
    story.hub.clock += seconds
    assert settled(story.hub, story.store).on is on


def test_what_failed_is_tried_again() -> None:
    assert settled(FakeHub(), MemoryStore(), failed=1).said == [True]


def test_a_request_that_comes_while_it_is_switched_off_is_not_lost() -> None:
    """Its own event has switched it on, a moment too early."""
    hub = FakeHub()
    schedule = Schedule(before=lambda: hub.open_issue(ISSUE, "a", "x"))
    assert settle(hub.clock, MemoryStore(), hub, 0, schedule) is True
    assert schedule.said == [False, True]


class Breaks(FakeHub):
    silent = False

    def open_requests(self) -> tuple[int, ...]:
        if self.silent:
            raise Unavailable("no answer")
        return super().open_requests()


def test_who_cannot_look_again_leaves_it_on() -> None:
    hub = Breaks()

    def break_off() -> None:
        hub.silent = True

    schedule = Schedule(before=break_off)
    assert settle(hub.clock, MemoryStore(), hub, 0, schedule) is True and schedule.on


def test_who_cannot_look_at_all_changes_nothing() -> None:
    hub, schedule = Breaks(), Schedule()
    hub.silent = True
    with pytest.raises(Unavailable):
        settle(hub.clock, MemoryStore(), hub, 0, schedule)
    assert schedule.said == []


@pytest.mark.parametrize("words", [("/halt",), (f"/deploy {NEW}", "/hold")])
def test_a_live_strategy_keeps_it_on_for_ever(words: tuple[str, ...]) -> None:
    """Nobody but the sweep hears of what its machine reports, also beside a version on hold."""
    story = live(delivered())
    for word in words:
        story.say(word)
    story.hub.opened.clear()
    story.hub.clock += 300 * DAY
    assert settled(story.hub, story.store).said == [True]
