"""The sealed bars are opened once, at the delivery, and nobody who writes learns how it went."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from bot.wanted import wanted
from schemas import codec
from schemas.base import TaskId
from schemas.report import TestReport
from schemas.work import Tested, WorkKind
from schemas.workflow import Phase, Step
from tests import samples
from tests.fakes import sha_of
from tests.story import DELIVER, Story
from tests.test_whole import delivering

SECRET = Decimal("-987.65")


def opened(sha: str, net: Decimal = SECRET) -> TestReport:
    made = samples.report(TaskId.EXIT, sha)
    assert made.summary is not None
    return replace(made, sealed=replace(made.summary, net_pnl=net))


def head(story: Story) -> str:
    return story.hub.heads[DELIVER]


def test_only_the_delivery_opens_them() -> None:
    story, opens = Story().building(), []
    while story.now.phase is not Phase.DELIVERING:
        opens += [order.opens for order in story.orders()]
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    assert opens and not any(opens)
    assert [order.opens for order in story.orders()] == [True]


def test_the_first_look_is_recorded_and_is_the_last() -> None:
    story = delivering()
    first = head(story)
    story.answer(Tested(report=opened(first)))
    assert story.now.opened is not None
    assert (story.now.opened.sha, story.now.opened.summary.net_pnl) == (first, SECRET)
    story.hub.push(DELIVER, sha_of("by hand"))
    story.look()
    [order] = story.orders()
    assert order.head == sha_of("by hand") and not order.opens
    story.answer(Tested(report=opened(order.head or "", Decimal("1000000"))))
    assert story.now.opened.sha == first and story.now.opened.summary.net_pnl == SECRET


def test_also_when_the_whole_then_failed() -> None:
    story = delivering()
    red = replace(opened(head(story)), isolated=False)
    story.answer(Tested(report=red))
    assert story.now.delivery.passed_sha is None and story.now.opened is not None
    assert [o.opens for o in story.orders()] == [False]


def test_a_backtest_by_hand_does_not_open_them() -> None:
    story = delivering()
    story.hub.comment(7, "octocat", "/backtest")
    story.look()
    assert {o.key.startswith("backtest"): o.opens for o in wanted(story.now)}[True] is False


def test_whoever_mends_later_does_not_learn_how_it_went() -> None:
    story = delivering()
    story.answer(Tested(report=opened(head(story))))
    assert str(SECRET) in codec.dump(story.now)
    for step in (Step.DRAFTING, Step.REPAIRING, Step.TESTING):
        task = replace(story.now.tasks[0], step=step)
        again = replace(story.now, phase=Phase.BUILDING, tasks=(task,))
        [order] = wanted(again)
        assert str(SECRET) not in codec.dump(order), step
        assert order.kind is not WorkKind.REPAIR or order.report is not None
