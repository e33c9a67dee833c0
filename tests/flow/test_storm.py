"""Real processes, killed, misled and cut off: the end is that of a quiet day, and nothing twice."""

from __future__ import annotations

import random
import time

import pytest

from tests.flow import storm
from tests.flow.conftest import Made
from tests.flow.world import World

WAITING = {"building", "needs-human"}
READY = {"delivering", "needs-human"}


def walked(world: World, count: int, end: set[str]) -> list[dict[str, object]]:
    """What is to be seen after a quiet day."""
    stories = [world.ask(title=f"RSI dips {n}") for n in range(count)]
    for story in stories:
        story.comes_to("planned", "needs-human").say("/approve")
    for story in stories:
        story.comes_to(*end)
    world.rest()
    return [storm.seen(story) for story in stories]


def stormed(
    world: World, count: int, end: set[str], kills: int, seed: int
) -> list[dict[str, object]]:
    storm.by_the_back_door(world)
    dice = random.Random(seed)
    storm.break_calls(world)
    storm.disturb(world, 400)
    stories = [world.ask(title=f"RSI dips {n}") for n in range(count)]
    left = storm.survive(world, stories, {"planned", "needs-human"}, kills // 4, dice)
    for story in stories:
        story.say("/approve")
    left = storm.survive(world, stories, end, left + kills - kills // 4, dice)
    assert left == 0, "it was over before all kills had come"
    storm.calm(world)
    world.sweep()
    for story in stories:
        storm.answered_once(story)
    return [storm.seen(story) for story in stories]


def test_four_kills_and_every_tenth_call_broken(made: Made) -> None:
    quiet = walked(made(auto_merge=False), 1, WAITING)
    assert stormed(made(auto_merge=False), 1, WAITING, 4, 7) == quiet


@pytest.mark.soak
def test_ten_kills_and_every_tenth_call_broken(made: Made) -> None:
    quiet = walked(made(auto_merge=False), 1, WAITING)
    assert stormed(made(auto_merge=False), 1, WAITING, 10, 7) == quiet


@pytest.mark.soak
def test_two_hundred_kills_on_the_whole_way(made: Made) -> None:
    """Each request against its own twin of a quiet day: names and files have its number in them."""
    quiet, world = walked(made().many(), 2, READY), made().many()
    world.patience = 7200
    assert stormed(world, 2, READY, 200, 11) == quiet


def test_twenty_comments_in_ten_seconds_with_runs_evicted(made: Made) -> None:
    """Nothing queues here but the newest, so most runs are dropped; nobody goes unanswered."""
    world = made(queue=False)
    story = world.ask().comes_to("planned", "needs-human")
    said = []
    for n in range(20):
        said.append(story.say("/status" if n % 2 else "/cost", ("hubot", "stranger")[n % 3 == 0]))
        time.sleep(0.4)
    world.rest()
    world.sweep()
    runs = world.repo().get_workflow("stratbot.yml").get_runs()
    assert "cancelled" in {run.conclusion for run in runs}
    storm.answered_once(story)
    assert len(story.words()) == 2 + len(said)
