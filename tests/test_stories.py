"""What people do in between, and what the issue shows then."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from bot.events import WorkFinished
from bot.ports import Rejected
from bot.text.pulls import MEND_TESTS
from bot.wanted import LIMITS, OVERTIME
from schemas.acts import Act
from schemas.base import TaskId, Usage
from schemas.report import FailureClass, Outcome
from schemas.work import (
    DraftMade,
    RequestDeclined,
    Tested,
    TestsPlanned,
    WorkFailed,
    WorkKind,
)
from schemas.workflow import Phase, Step, Workflow
from tests import samples
from tests.fakes import FakeHub, sha_of
from tests.story import DELIVER, TASK, Story
from tests.world import ISSUE, work


def test_nothing_is_written_to_git_before_the_plan_is_approved() -> None:
    story = Story().planned()
    assert not story.hub.heads and not story.hub.pulls
    assert "rsi(14) crosses below 30" in story.status and "size units 1" in story.status


def test_a_refused_request_says_why_and_can_be_changed() -> None:
    story = Story()
    story.answer(
        RequestDeclined(code="needs_future", reason="It needs tomorrow's close. <b>@x</b>")
    )
    assert "It needs tomorrow" in story.status and "/revise" in story.status
    story.say("/revise use today's close", "monalisa")
    assert story.orders()[0].request.notes[0].text == "use today's close"


def test_questions_are_shown_and_answered() -> None:
    story = Story()
    story.answer()
    assert "1. Which timeframe?" in story.status
    assert story.hub.labels[ISSUE] == ("stratbot:asking", "stratbot:needs-human")


def test_a_person_pushes_to_the_branch_and_that_commit_is_tested() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.hub.push(TASK, sha_of("by hand"))
    story.look()
    assert story.orders()[0].head == sha_of("by hand")
    story.answer()
    assert story.now.tasks[0].passed_sha == sha_of("by hand")


def test_a_push_after_the_test_is_never_merged_untested() -> None:
    """The report names the old commit; the branch has moved on before it came."""
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    old = story.orders()[0]
    story.hub.push(TASK, sha_of("by hand"))
    story.hub.results[old.key] = WorkFinished(work(old), story.hub.tick())
    story.deliver(story.hub.results[old.key])
    assert story.hub.pulls[TASK].state == "open"
    assert story.now.tasks[0].step is Step.TESTING
    assert story.orders()[0].head == sha_of("by hand")


def test_a_person_closes_the_pull_request_and_it_is_opened_again() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.hub.close(TASK)
    story.look()
    assert story.now.held and "closed the pull request" in story.status
    assert "Going on" in story.say("/resume")
    assert story.hub.pulls[TASK].state == "open" and not story.now.held


def test_a_person_merges_by_hand() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.hub.merge(TASK)
    story.look()
    assert story.now.tasks[0].step is Step.MERGED
    assert story.now.tasks[1].step is Step.DRAFTING


def test_the_delivery_is_merged_by_a_person_only() -> None:
    story = Story().building().until(Phase.ESCALATED)
    story.say("/debug")
    story.until(Phase.DELIVERING)
    assert story.hub.pulls[DELIVER].state == "open"
    story.hub.merge(DELIVER)
    story.look()
    assert story.now.phase is Phase.DELIVERED
    assert story.hub.linked[ISSUE, "request"] == "closed"


def test_a_setting_leaves_every_merge_to_a_person() -> None:
    story = Story().building()
    policy = replace(story.now.policy, auto_merge=False)
    workflow, at = story.store.read(ISSUE)
    story.store.write(replace(workflow, policy=policy), at, story.store.log[ISSUE][-1][1])
    story.until(Phase.BUILDING, WorkKind.TEST).answer()
    assert story.hub.pulls[TASK].state == "open" and story.now.tasks[0].step is Step.MERGING
    story.hub.merge(TASK)
    assert story.look().tasks[0].step is Step.MERGED


def test_a_deleted_status_comment_comes_back() -> None:
    story = Story().building()
    before = story.hub.status.pop(ISSUE)
    story.look()
    assert story.status == before


def test_lost_work_is_asked_again_and_then_a_person() -> None:
    story = Story().building()
    first = story.orders()[0]
    story.look(after=LIMITS[first.kind] - 100)
    assert story.orders() == [first]
    story.look(after=200)
    assert story.orders()[0].key != first.key and "did not come back in time" in story.status
    story.look(after=LIMITS[first.kind] + 100)
    assert story.look(after=LIMITS[first.kind] + 100).phase is Phase.ESCALATED
    assert "stratbot:needs-human" in story.hub.labels[ISSUE]
    story.say("/retry")
    assert story.orders() and story.now.phase is Phase.BUILDING


def test_work_that_still_waits_for_a_machine_is_not_lost() -> None:
    story = Story().building()
    first = story.orders()[0]
    story.hub.running.add(first.key)
    for _ in range(5):
        story.look(after=LIMITS[first.kind] + 100)
    assert story.orders() == [first] and "in time" not in story.status
    story.hub.running.clear()
    story.look()
    assert story.orders()[0].key != first.key and "did not come back in time" in story.status


def test_a_run_that_never_ends_is_given_up() -> None:
    story = Story().building()
    first = story.orders()[0]
    story.hub.running.add(first.key)
    story.look(after=OVERTIME)
    assert story.orders() == [first]
    story.look(after=LIMITS[first.kind])
    assert story.orders()[0].key != first.key


def test_a_backtest_that_still_runs_is_not_lost() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.say("/backtest")
    key = next(o.key for o in story.orders() if o.key.startswith("backtest-"))
    story.hub.running |= {o.key for o in story.orders()}
    story.look(after=LIMITS[WorkKind.TEST] + 100)
    assert key in {o.key for o in story.orders()}
    story.hub.running.clear()
    story.look()
    assert key not in {o.key for o in story.orders()}


def test_a_result_that_comes_after_all_is_paid_but_not_used_twice() -> None:
    story = Story().building()
    late = story.orders()[0]
    story.look(after=LIMITS[late.kind] + 100)
    spent = story.now.usage.cost
    story.deliver(WorkFinished(work(late), story.hub.tick()))
    story.deliver(WorkFinished(work(late), story.hub.tick()))
    assert story.now.usage.cost == spent + samples.USAGE.cost
    assert story.now.tasks[0].step is Step.DRAFTING


def test_a_worker_that_fails_is_asked_three_times() -> None:
    story = Story().building()
    broken = WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine\x07 @all")
    assert story.answer(broken).phase is Phase.BUILDING
    assert story.answer(broken).phase is Phase.BUILDING
    assert story.answer(broken).phase is Phase.ESCALATED
    assert "no engine" in story.status and "@all" not in story.status and "\x07" not in story.status


def test_what_came_back_after_all_is_not_called_a_new_try() -> None:
    story = Story().building()
    story.answer(WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine"))
    assert "> I try again: no engine" in story.status
    story.answer()
    assert "I try again" not in story.status


def test_the_same_failure_twice_stops_early() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    red = Tested(report=samples.red(TaskId.DATA, story.orders()[0].head or "", "off_by_one"))
    story.answer(red)
    assert story.now.tasks[0].step is Step.REPAIRING
    story.answer()
    again = Tested(report=samples.red(TaskId.DATA, story.orders()[0].head or "", "off_by_one"))
    assert story.answer(again).phase is Phase.ESCALATED
    assert "same failure again" in story.status and story.now.tasks[0].attempts == 2


def test_a_repair_that_changes_a_test_is_rejected() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.REPAIR)
    order = story.orders()[0]
    head = story.hub.heads[f"ai/generated/wf_{ISSUE}/t2_indicators"]
    weak = replace(samples.draft(TaskId.INDICATORS), tests="def test_x():\n    pass\n")
    story.answer(DraftMade(draft=weak))
    assert story.hub.heads[f"ai/generated/wf_{ISSUE}/t2_indicators"] == head
    assert story.now.tasks[1].todos[-1].debug_instructions.startswith("repair: the repair changed")
    assert order.kind is WorkKind.REPAIR


@pytest.mark.parametrize(
    ("rule", "step", "phase"),
    [
        ("timeout", Step.TESTING, Phase.BUILDING),
        ("flaky_test", Step.TESTING, Phase.BUILDING),
        ("wrong_value", Step.REPAIRING, Phase.BUILDING),
        ("spec_mismatch", Step.WAITING, Phase.OPENED),
    ],
)
def test_a_failure_goes_to_whom_it_concerns(rule: str, step: Step, phase: Phase) -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head or ""
    story.answer(Tested(report=samples.red(TaskId.DATA, head, rule)))
    assert (story.now.tasks[0].step, story.now.phase) == (step, phase)
    assert len(story.orders()) == 1


def test_a_plan_that_a_failure_asked_for_says_so_until_it_is_approved() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    order, pull = story.orders()[0], story.now.tasks[0].pull or 0
    story.answer(Tested(report=samples.red(TaskId.DATA, order.head or "", "spec_mismatch")))
    assert f"It needs a new plan. #{ISSUE} shows it" in story.hub.reports[pull][1]
    story.answer()
    assert story.now.phase is Phase.PLANNED and "so it needs a new plan" in story.status
    assert "Approved" in story.say("/approve") and "a new plan" not in story.status


def test_no_repair_of_the_strategy_is_tried_for_a_flaky_test() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head or ""
    for _ in range(2):
        story.answer(Tested(report=samples.red(TaskId.DATA, head, "flaky_test")))
    assert story.now.phase is Phase.ESCALATED and "Push tests that do not" in story.status
    assert story.now.tasks[0].todos[0].debug_instructions.endswith(MEND_TESTS)
    story.say("/debug")
    [order] = story.orders()
    assert (order.kind, order.head) == (WorkKind.TEST, head)


@pytest.mark.parametrize("name", ["missing", "skipped", "error", "other commit", "not isolated"])
def test_only_what_ran_and_passed_on_this_commit_has_passed(name: str) -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    good = samples.report(TaskId.DATA, story.orders()[0].head or "")
    rest, last = good.checks[:-1], good.checks[-1]
    first = replace(good.checks[0], outcome=Outcome.SKIPPED)
    bad = {
        "missing": replace(good, checks=good.checks[1:]),
        "skipped": replace(good, checks=(first, *good.checks[1:])),
        "error": replace(good, checks=(*rest, replace(last, outcome=Outcome.ERROR))),
        "other commit": replace(good, commit_sha="f" * 40),
        "not isolated": replace(good, isolated=False),
    }[name]
    story.answer(Tested(report=bad))
    assert story.hub.pulls[TASK].state == "open"
    assert story.now.tasks[0].passed_sha is None
    assert "success" not in story.hub.checks.values()


def test_only_the_last_milestone_must_trade() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    quiet = samples.report(TaskId.DATA, story.orders()[0].head or "")
    idle = replace(quiet.summary, total_trades=0) if quiet.summary else None
    story.answer(Tested(report=replace(quiet, summary=idle)))
    assert story.now.tasks[0].step is Step.MERGED


def test_the_cap_stops_before_more_is_spent() -> None:
    story = Story().building()
    story.answer(usage=Usage(cost=Decimal("6.00")))
    assert story.orders()[0].kind is WorkKind.TEST  # what was paid for is still tested
    story.answer()
    assert story.now.phase is Phase.ESCALATED and not story.orders()
    assert "cap of 5 USD" in story.status
    assert "at most 10" in story.say("/cost 10")
    story.say("/retry")
    assert story.orders()


def test_an_order_says_what_may_still_be_spent() -> None:
    story = Story()
    first = story.orders()[0]
    story.answer(usage=Usage(cost=Decimal("1.25")))
    story.say("/answer daily bars")
    second = story.orders()[0]
    assert (first.budget, second.budget) == (Decimal(5), Decimal("3.75"))
    story.say("/cost 10")
    assert replace(second, budget=Decimal("8.75")) == story.orders()[0]


def test_hold_keeps_what_comes_in_and_starts_nothing() -> None:
    story = Story().building()
    order = story.orders()[0]
    story.say("/hold")
    assert not story.orders() and "stratbot:held" in story.hub.labels[ISSUE]
    story.hub.results[order.key] = WorkFinished(work(order), story.hub.tick())
    story.deliver(story.hub.results[order.key])
    assert not story.hub.heads
    story.say("/resume")
    assert story.hub.heads and story.orders()[0].kind is WorkKind.TEST


@pytest.mark.parametrize(
    "kind", [WorkKind.DRAFT, WorkKind.TEST, WorkKind.REPAIR, WorkKind.PLAN_TESTS]
)
def test_cancel_and_retry_at_each_stage(kind: WorkKind) -> None:
    story = Story().building()
    while story.orders()[0].kind is not kind:
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.say("/cancel")
    assert not story.orders() and story.now.phase is Phase.CANCELLED
    assert len(story.hub.stops) == 1 and "Nothing is running" in story.status
    story.say("/retry")
    assert story.orders()[0].kind is kind
    while (phase := story.answer().phase) is not Phase.DELIVERING:
        if phase is Phase.ESCALATED:
            story.say("/debug")


def test_no_missing_tests_is_no_reason_to_wait() -> None:
    story = Story().building()
    while story.orders()[0].kind is not WorkKind.PLAN_TESTS:
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.answer(TestsPlanned(spec=replace(samples.spec(), cases=())))
    assert story.now.phase is Phase.DELIVERING and "No tests were missing" in story.status


def test_added_tests_that_fail_are_dropped_and_said_so() -> None:
    story = Story().building()
    while story.orders()[0].task_id is not TaskId.TESTS or story.orders()[0].kind != "test":
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    head = story.orders()[0].head or ""
    story.answer(Tested(report=samples.red(TaskId.TESTS, head, "new_test")))
    assert story.now.phase is Phase.DELIVERING and "were not kept" in story.status
    assert story.hub.pulls[f"ai/generated/wf_{ISSUE}/t5_tests"].state == "open"


class Locked(FakeHub):
    """A conversation that a person has locked, and a merge that GitHub refuses."""

    def perform(self, workflow: Workflow, act: Act):  # type: ignore[no-untyped-def]
        if act.kind in ("reply", "react", "merge_pull"):
            raise Rejected(f"{act.kind}: Unable to create comment because issue is locked.")
        return super().perform(workflow, act)


def test_what_github_refuses_is_shown_and_nothing_hangs() -> None:
    story = Story(Locked())
    story.building().until(Phase.BUILDING, WorkKind.TEST).answer()
    assert not story.now.outbox
    assert story.now.held and "GitHub refused" in story.status and "/resume" in story.status
