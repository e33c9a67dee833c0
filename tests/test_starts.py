"""Who may start what costs money, and what a label says."""

from __future__ import annotations

from bot.events import IssueDisowned
from bot.sweep import sweep
from schemas.work import WorkKind
from schemas.workflow import Policy
from tests.fakes import FakeHub
from tests.story import Story
from tests.world import ISSUE


def paid() -> FakeHub:
    return FakeHub(policy=Policy(asks_first=True))


def test_a_strangers_request_waits_where_it_costs_money() -> None:
    story = Story(paid())
    assert story.now.held and not story.orders() and not story.hub.orders
    assert "somebody with write permission starts it" in story.status
    said = story.say("/resume", "monalisa")
    assert "no_permission" in said and "`/resume`" in said and not story.orders()
    story.say("/resume")
    assert not story.now.held and story.orders()[0].kind is WorkKind.PLAN
    story.answer()
    story.say("/hold", "monalisa")
    story.say("/resume", "monalisa")
    assert not story.now.held, "what a writer started is the author's too"


def test_a_writers_request_starts_at_once() -> None:
    hub = paid()
    hub.writers = ("monalisa",)
    assert not Story(hub).now.held


def test_without_a_model_a_stranger_may_start() -> None:
    assert Story().orders() and not Story().now.held


def test_a_request_that_is_disowned_stops() -> None:
    story = Story().building()
    story.deliver(IssueDisowned(ISSUE, "not-a-request", story.hub.tick()))
    assert story.now.held and not story.orders() and "Take the label off" in story.status
    story.say("/resume")
    assert story.orders()


def swept(story: Story) -> list[str]:
    said: list[str] = []
    assert sweep(story.hub.clock, story.store, story.hub, said.append) == 0
    return said


def test_who_waits_for_words_is_looked_at_while_somebody_talks() -> None:
    story = Story().planned()
    story.hub.opened.clear()  # not young any more
    assert swept(story) == [f"request {ISSUE}: planned"]
    story.hub.clock += 8 * 24 * 3600
    assert swept(story) == []
    lost = story.hub.comment(ISSUE, "octocat", "/approve")
    assert swept(story) == [f"request {ISSUE}: building"] and lost.comment_id in story.hub.replies
    story.hub.clock += 8 * 24 * 3600
    assert swept(story), "work is looked after, however quiet it is"
