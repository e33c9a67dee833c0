"""Who puts a request on hold, and who may say that it goes on."""

from __future__ import annotations

import pytest

from bot.events import IssueClosed
from tests.story import Story
from tests.world import ISSUE


@pytest.mark.parametrize("stop", ["/hold", "closed"])
def test_only_who_may_write_ends_a_hold_of_somebody_else(stop: str) -> None:
    story = Story().building()
    if stop == "closed":
        story.deliver(IssueClosed(ISSUE, "octocat", story.hub.tick()))
    else:
        story.say(stop)
    said = story.say("/resume", "monalisa")
    assert "no_permission" in said and "`/resume`" in said and story.now.held
    assert "Going on" in story.say("/resume") and not story.now.held


def test_a_hold_of_the_author_becomes_one_of_who_may_write() -> None:
    story = Story().building()
    story.say("/hold", "monalisa")
    assert "nothing_to_do" in story.say("/hold", "monalisa")
    assert "somebody with write permission" in story.say("/hold")
    assert "no_permission" in story.say("/resume", "monalisa") and story.now.held
    story.say("/resume")
    story.say("/hold", "monalisa")
    story.deliver(IssueClosed(ISSUE, "octocat", story.hub.tick()))
    assert "no_permission" in story.say("/resume", "monalisa") and story.now.held


def test_the_author_ends_a_hold_of_their_own() -> None:
    story = Story().building()
    story.say("/hold", "monalisa")
    assert "Going on" in story.say("/resume", "monalisa") and not story.now.held
    story.deliver(IssueClosed(ISSUE, "monalisa", story.hub.tick()))
    assert story.now.held
    assert "Going on" in story.say("/resume", "monalisa") and not story.now.held
