"""What people change after they have asked: other words, a stop, a branch that is gone."""

from __future__ import annotations

import pytest

from bot.decide import decide, learn
from bot.events import BranchGone, Event, IssueClosed, IssueEdited
from bot.ports import Look
from schemas.work import WorkKind
from schemas.workflow import Phase, Role, Workflow
from tests.fakes import FakeHub
from tests.story import DELIVER, Story
from tests.world import ISSUE

WORDS = "sell when RSI is high"


def edited(workflow: Workflow) -> Workflow:
    return decide(workflow, IssueEdited(ISSUE, "A title", WORDS, "monalisa", 5_000_000), Role.READ)


def delivering() -> Story:
    story = Story().building()
    while story.now.phase is not Phase.DELIVERING:
        story.say("/debug x") if story.now.phase is Phase.ESCALATED else story.answer()
    return story


def test_words_that_change_while_it_is_stopped_count_when_it_goes_on() -> None:
    story = Story()
    story.say("/cancel")
    after = edited(story.now)
    assert after.phase is Phase.CANCELLED and not after.seen[-1].startswith("edited/")
    assert after.request and after.request.body == WORDS
    assert "`/retry` makes a plan" in after.note
    assert edited(after).request == after.request


def test_the_plan_of_the_old_words_is_not_gone_on_with() -> None:
    story = Story().planned()
    story.say("/cancel")
    assert edited(story.now).stopped_in is Phase.OPENED


def test_an_edit_does_not_hide_why_it_stopped() -> None:
    story = Story().building()
    while story.now.phase is not Phase.ESCALATED:
        story.answer()
    before = story.now.note
    after = edited(story.now)
    assert after.note.startswith(before) and "after its plan was approved" in after.note
    assert after.request == story.now.request and edited(after).note == after.note


def test_a_cancelled_delivery_is_not_called_pending() -> None:
    story = delivering()
    head = story.now.delivery.head or ""
    assert story.hub.checks[head] == "pending"
    story.say("/cancel")
    assert story.hub.checks[head] == "error"
    story.say("/retry")
    assert story.hub.checks[head] == "pending" and story.orders()[0].kind is WorkKind.TEST


def test_a_delivery_branch_that_cannot_come_back_is_for_a_person() -> None:
    story = delivering()
    after = learn(story.now, BranchGone(DELIVER), 5_000_000)
    assert after.phase is Phase.ESCALATED and "no longer has its commit" in after.note


class Shut(FakeHub):
    """The issue of the request is closed, and stays so until somebody opens it."""

    closed_at = 0

    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        closed = [IssueClosed(ISSUE, "monalisa", self.closed_at)] if self.closed_at else []
        return (*super().news(workflow, look), *closed)


@pytest.mark.parametrize("before", ["", "/hold", "/cancel"])
def test_who_goes_on_in_a_closed_issue_means_it(before: str) -> None:
    hub = Shut()
    story = Story(hub).building()
    if before:
        story.say(before)
    hub.closed_at = hub.tick()
    assert story.look().held is (before != "/cancel")
    assert "Going on" in story.say("/retry" if before == "/cancel" else "/resume")
    assert not story.look().held
    hub.closed_at = hub.tick()  # opened and closed once more
    assert story.look().held and "The issue was closed" in story.status


@pytest.mark.parametrize("phase", [Phase.DELIVERED, Phase.LIVE])
def test_a_note_that_says_what_to_do_next_stays(phase: Phase) -> None:
    told = Workflow(issue=ISSUE, request=Story().now.request, phase=phase, note="Here it is.")
    assert edited(told).note.startswith("Here it is.\n\n")
