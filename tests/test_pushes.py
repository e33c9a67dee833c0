"""A person pushes or merges while the bot is at something else: theirs counts, and is said."""

from __future__ import annotations

from bot.events import Event
from bot.ports import Look
from bot.text import pull_body
from schemas.base import TaskId
from schemas.work import Tested, WorkKind
from schemas.workflow import Phase, Step, Task, Workflow
from tests import samples
from tests.fakes import FakeHub, sha_of
from tests.story import DELIVER, TASK, Story

MINE = sha_of("by hand")


class Slow(FakeHub):
    """As GitHub is: what happened to a pull request is heard later than a worker's result."""

    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        late = () if look is Look.EVERYWHERE else tuple(self._pull_news(workflow))
        return tuple(e for e in super().news(workflow, look) if e not in late)


def repairing() -> Story:
    """A step has failed, and its repair is being written."""
    story = Story(Slow()).building().until(Phase.BUILDING, WorkKind.TEST)
    head = story.now.tasks[0].head or ""
    story.answer(Tested(report=samples.red(TaskId.DATA, head, "rsi_mismatch")))
    assert story.orders()[0].kind is WorkKind.REPAIR
    return story


def test_a_repair_is_not_pushed_over_what_somebody_pushed_meanwhile() -> None:
    story = repairing()
    story.hub.push(TASK, MINE)
    story.answer()  # GitHub has not told of the push yet
    assert story.hub.heads[TASK] == MINE
    [order] = story.orders()
    assert (order.kind, order.head) == (WorkKind.TEST, MINE)
    assert "I test what they pushed" in story.status
    story.answer(Tested(report=samples.report(TaskId.DATA, MINE)))
    assert story.now.tasks[0].step is Step.MERGED
    assert story.now.tasks[0].passed_sha == MINE


def test_a_push_and_a_closed_pull_request_hold_until_a_person_says_so() -> None:
    story = repairing()
    story.hub.push(TASK, MINE)
    story.hub.close(TASK)
    story.answer()
    story.look()
    assert story.now.held and "closed the pull request" in story.status
    story.say("/resume")
    assert story.hub.pulls[TASK].state == "open"
    assert [(o.kind, o.head) for o in story.orders()] == [(WorkKind.TEST, MINE)]


def test_a_repair_that_nobody_was_before_goes_on_top() -> None:
    story = repairing()
    before = story.hub.heads[TASK]
    story.answer()
    [order] = story.orders()
    assert order.kind is WorkKind.TEST and order.head == story.hub.heads[TASK] != before


def test_a_delivery_that_is_merged_after_a_cancel_is_delivered() -> None:
    story = Story().building()
    while story.now.phase is not Phase.DELIVERING:
        story.say("/debug x") if story.now.phase is Phase.ESCALATED else story.answer()
    story.answer()
    story.say("/cancel")
    story.hub.merge(DELIVER)
    assert story.look().phase is Phase.DELIVERED
    assert "not tested" not in story.hub.closings["close/request"]
    assert story.say("/deploy").startswith("A paper run")


def test_a_pull_request_says_how_long_a_push_lasts() -> None:
    """Each step but the last is written over by the next one."""
    warned = [t for t in TaskId if "anew" in pull_body(Workflow(issue=7), Task(id=t))]
    assert warned == [TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY]


def test_a_failure_that_a_person_merges_is_nobodys_work_any_more() -> None:
    story = repairing()
    story.hub.merge(TASK)
    story.look()
    assert story.now.tasks[0].step is Step.MERGED
    assert list(story.hub.linked.values()) == ["closed"]
    [said] = story.hub.closings.values()
    assert "before it passed" in said
