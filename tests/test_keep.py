"""Whatever a worker gives back, the state can be read again and somebody is told."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from bot.events import WorkFinished
from bot.keep import kept, problem
from schemas import codec
from schemas.base import MOST, TaskId, Usage
from schemas.contract import Assumption, Example
from schemas.report import FailureClass, Finding, Outcome
from schemas.work import DraftMade, PlanMade, Tested, WorkKind
from schemas.workflow import Phase, Step, Workflow
from tests import samples
from tests.story import TASK, Story
from tests.test_commands import comment, replies, workflow_in
from tests.world import ISSUE, work


def readable(story: Story) -> bool:
    """Every state and every line of the log, as git would give them back."""
    for _, record, workflow in story.store.history(ISSUE):
        assert codec.load(type(record), codec.dump(record)) == record
        assert codec.load(Workflow, codec.dump(workflow)) == workflow
    return True


def in_test() -> Story:
    return Story().building().until(Phase.BUILDING, WorkKind.TEST)


@pytest.mark.parametrize("field", ["correlation_id", "task_id"])
def test_a_result_for_something_else_is_the_workers_failure(field: str) -> None:
    story = in_test()
    order = story.orders()[0]
    result = {
        "correlation_id": replace(work(order), correlation_id="corr_9"),
        "task_id": replace(work(order), task_id=TaskId.EXIT),
    }[field]
    story.deliver(WorkFinished(result, story.hub.tick()))
    assert story.now.tasks[0].step is Step.TESTING and story.hub.pulls[TASK].state == "open"
    assert "another request or task" in story.status and story.now.tries == 1


def test_usage_without_end_stays_a_figure() -> None:
    story = Story()
    story.answer(usage=Usage(cost=MOST, seconds=9e8))
    story.say("/cost 1000")
    story.say("/answer x")
    late = replace(next(iter(story.hub.orders.values())), key="plan-of-nobody")
    more = replace(work(late), usage=Usage(cost=MOST, seconds=9e8))
    story.deliver(WorkFinished(more, story.hub.tick()))
    assert story.now.usage.cost == MOST and story.now.usage.seconds == 1e9 and readable(story)


def test_a_plan_that_is_too_long_to_show_is_cut() -> None:
    story = Story()
    story.answer()
    story.say("/answer x")
    guesses = (Assumption(topic="a|b" * 40, taken="[x]" * 90, because="#" * 300),) * 50
    contract = replace(samples.contract(), assumptions=guesses)
    story.answer(PlanMade(contract=contract, todo=samples.todo()))
    assert "Too long to show" in story.say("/plan")
    story.say("/approve")
    digest = codec.digest(contract)
    while story.now.phase is not Phase.DELIVERING:
        order = story.orders()[0]
        product = work(order).product
        if isinstance(product, DraftMade):
            product = replace(product, draft=replace(product.draft, contract_digest=digest))
        if isinstance(product, Tested):
            green = samples.report(order.task_id or TaskId.EXIT, order.head or "")
            product = Tested(report=replace(green, contract_digest=digest))
        story.answer(product)
    assert readable(story)


def test_a_contract_that_no_file_holds_is_the_workers_failure() -> None:
    story = Story()
    story.answer()
    story.say("/answer x")
    long = tuple(Example(fixture="f", bar=i, expects="long", because="x" * 490) for i in range(50))
    guesses = (Assumption(topic="a" * 490, taken="b" * 490, because="c" * 490),) * 50
    contract = replace(samples.contract(), examples=long, assumptions=guesses)
    story.answer(PlanMade(contract=contract, todo=samples.todo()))
    assert story.now.phase is Phase.OPENED and "more than 100000" in story.status


def test_a_report_that_is_too_large_is_left_out_and_said_so() -> None:
    story = in_test()
    order = story.orders()[0]
    finding = Finding(
        failure_class=FailureClass.TEST_FAILURES, rule="r", message="m" * 8000, trace="t" * 8000
    )
    green = samples.report(TaskId.DATA, order.head or "")
    checks = tuple(
        replace(c, outcome=Outcome.FAILED, findings=(finding,) * 45) for c in green.checks
    )
    story.answer(Tested(report=replace(green, checks=checks)))
    assert story.now.phase is Phase.ESCALATED and "cannot be kept" in story.status
    assert readable(story)
    story.say("/retry")
    assert story.orders()[0].kind is WorkKind.TEST and story.orders()[0].key != order.key


def test_figures_beyond_the_owners_are_clamped_in_the_log() -> None:
    story = in_test()
    green = samples.report(TaskId.DATA, story.orders()[0].head or "")
    assert green.summary
    rich = replace(green.summary, net_pnl=Decimal(10**17), max_drawdown=Decimal(-(10**17)))
    story.answer(Tested(report=replace(green, summary=rich)))
    assert story.now.tasks[0].step is Step.MERGED and readable(story)


def test_a_command_whose_state_cannot_be_kept_is_answered() -> None:
    before = workflow_in(Phase.LIVE)
    event = comment("/help")
    broken = replace(before, note="x" * 9000)
    assert "$.note" in problem(broken)
    after = kept(before, broken, event)
    assert after.phase is Phase.LIVE and "cannot be kept" in replies(after)[0]
    assert event.key in after.seen and not problem(after)


def test_the_log_tells_of_every_failure_also_after_many() -> None:
    story, told = in_test(), 0
    for n in range(23):
        while story.orders()[0].kind is not WorkKind.TEST:
            story.answer()
        head = story.orders()[0].head or ""
        story.answer(Tested(report=samples.red(TaskId.DATA, head, f"r{n}")))
        story.say("/debug")
    told = sum(
        e.event_type == "test.failed" for _, r, _ in story.store.history(ISSUE) for e in r.events
    )
    assert told == 23 and len(story.now.tasks[0].todos) == 20 and not problem(story.now)
