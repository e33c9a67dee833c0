"""Cancelled at each stage, and gone on from there; nothing is done after a cancel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow.conftest import Made
from tests.flow.world import REQUEST, Story


def cancelled(story: Story, how: str = "/cancel") -> Story:
    said = story.answered(how)
    assert "`/retry`" in said, said
    story.comes_to("cancelled")
    story.world.rest()
    assert story.labels == {"cancelled"} and "Nothing is running." in story.status
    return story


@pytest.mark.soak
def test_cancelled_at_each_stage_and_retried(made: Made, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    world = made(auto_merge=False)
    story = world.ask(f"{REQUEST}\n\n<!-- gate {gate} -->")
    cancelled(story)  # while it is being read
    assert "plan" not in story.boxes and not story.boxes
    story.answered("/retry")
    story.comes_to("planned", "needs-human")
    cancelled(story)  # while the plan waits
    story.answered("/retry")
    story.comes_to("planned", "needs-human")
    story.say("/approve")
    cancelled(story)  # while the first step is written
    assert [b.name for b in world.repo().get_branches()] == ["main"]
    story.answered("/retry")
    story.pull("t1_data")
    story.until(lambda: [t for t in world.busy() if " test-" in t], bool)
    cancelled(story, "/cancel --force")  # while it is tested
    pull = story.pull("t1_data")
    assert pull.state == "open" and not pull.merged
    gate.touch()
    story.answered("/retry")
    story.comes_to("building", "needs-human")
    cancelled(story)  # while it waits to be merged
    story.answered("/retry")
    story.comes_to("building", "needs-human")
    world.rest()
    assert [p.head.ref for p in world.repo().get_pulls()] == [story.branch("t1_data")]
    assert len(story.words()) == 2 + 11  # the status, who is waited for, and the answers


@pytest.mark.soak
def test_questions_and_a_stop_for_a_person_can_be_cancelled_too(made: Made) -> None:
    world = made()
    asking = world.ask("Buy SPY when RSI(2) is below 10. Daily, long only.")
    stuck = world.ask(f"{REQUEST}\n\n<!-- stuck t1_data -->", "Stuck")
    asking.comes_to("asking", "needs-human")
    cancelled(asking)
    asking.answered("/retry")
    asking.comes_to("asking", "needs-human")
    stuck.comes_to("planned", "needs-human").say("/approve")
    stuck.comes_to("escalated", "needs-human")
    cancelled(stuck)
    assert "wrong_phase" in stuck.answered("/approve")
    assert stuck.pull("t1_data").state == "open"


@pytest.mark.soak
def test_two_requests_at_once_do_not_meet(made: Made) -> None:
    world = made(auto_merge=False)
    one, two = world.ask(), world.ask(REQUEST.replace("70", "65"), "Other dips", "hubot")
    for story in (one, two):
        story.comes_to("planned", "needs-human").say("/approve")
    for story in (one, two):
        story.comes_to("building", "needs-human")
    world.rest()
    homes = [
        {f.filename.rpartition("/")[0] for f in s.pull("t1_data").get_files()} for s in (one, two)
    ]
    assert homes[0].isdisjoint(homes[1]), homes
    cancelled(one)
    assert two.labels == {"building", "needs-human"} and "65" in two.status
    assert two.pull("t1_data").merge().merged
    two.box("t1_data", "merged")
    two.box("t2_indicators", "#")
    assert one.labels == {"cancelled"} and not one.pull("t1_data").merged
