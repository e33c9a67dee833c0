"""Whatever fails gets a branch todo and a linked issue, and is mended or handed to a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.events import WorkFinished
from schemas.base import AgentRole, TaskId
from schemas.plan import BranchTodo, Route
from schemas.report import FailureClass
from schemas.work import DraftMade, Product, Tested, WorkFailed, WorkKind, WorkOrder
from schemas.workflow import Phase, Step
from tests import samples
from tests.fakes import sha_of
from tests.story import DELIVER, Story
from tests.test_crash import _kill, calls_of
from tests.test_whole import broken, delivering, second_build
from tests.world import ISSUE, work

NO_ENGINE = WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no Docker engine")


def red(order: WorkOrder, rule: str = "together") -> Tested:
    return Tested(report=samples.red(TaskId.EXIT, order.head or "", rule))


def failing(story: Story | None = None, rule: str = "together") -> Story:
    """The steps passed, the whole did not."""
    story = story or delivering()
    story.answer(red(story.orders()[0], rule))
    return story


def repair(number: int) -> DraftMade:
    draft = samples.draft(TaskId.EXIT, ISSUE, f"x = {number}\n")
    return DraftMade(draft=replace(draft, explanation="The sign was wrong."))


def todos(story: Story) -> tuple[BranchTodo, ...]:
    repaired = story.now.delivery.repair
    return repaired.todos if repaired else ()


def issues(story: Story, of: str = "deliver") -> list[str]:
    """How the debug issues of a task stand."""
    return [end for (_, topic), end in story.hub.linked.items() if topic.startswith(f"debug-{of}-")]


def test_a_whole_that_fails_gets_a_todo_an_issue_and_a_repair_on_its_branch() -> None:
    story = failing()
    head = story.hub.heads[DELIVER]
    [todo] = todos(story)
    assert (todo.id, todo.parent_id) == ("deliver_branch_01", "deliver")
    assert (todo.agent_role, todo.branch_reason) == (AgentRole.CODER, Route.IMPLEMENTATION_BUG)
    assert issues(story) == ["open"] and "I am repairing it" in story.status
    assert story.hub.checks[head] == "failure" and f", see #{_issue(story)}" in story.status
    assert "stratbot:needs-human" not in story.hub.labels[ISSUE]
    [order] = story.orders()
    assert (order.kind, order.head, order.tried) == (WorkKind.REPAIR, head, (todo,))

    story.answer(repair(1))
    mended = story.hub.heads[DELIVER]
    assert mended != head and story.hub.checks[mended] == "pending"
    [again] = story.orders()
    assert (again.kind, again.head, again.task_id) == (WorkKind.TEST, mended, TaskId.EXIT)
    story.answer()
    assert story.now.delivery.passed_sha == mended and issues(story) == ["closed"]
    assert "The sign was wrong." in story.hub.closings[f"close/debug-deliver-{todo.signature}/1001"]
    assert "Review and merge" in story.status


def _issue(story: Story) -> int:
    repaired = story.now.delivery.repair
    return repaired.debug_issue or 0 if repaired else 0


def test_its_command_shows_it_again_on_any_machine() -> None:
    command = todos(failing())[0].reproduce_command
    assert f"git fetch origin {DELIVER} && " in command and "submission" not in command
    assert "git archive" in command and "--strategy check/strategies/rsi_30_70/" in command
    assert "--task t4_exit" in command and "\n" not in command


def test_three_repairs_and_then_a_person_and_one_more_with_a_hint() -> None:
    story = failing()
    for number in (1, 2, 3):
        story.answer(repair(number))
        assert story.now.phase is Phase.DELIVERING, number
        failing(story, f"wrong_{number}")
    assert story.now.phase is Phase.ESCALATED and "after 3 repairs" in story.status
    assert issues(story) == ["open"] * 4 and not story.orders()
    assert "`/debug` with a hint" in story.status
    assert "one more repair" in story.say("/debug check the sign")
    assert [o.kind for o in story.orders()] == [WorkKind.REPAIR]
    assert story.orders()[0].request.notes[-1].text == "check the sign"
    story.answer(repair(4))
    story.answer()
    assert issues(story) == ["closed"] * 4 and "Review and merge" in story.status


def test_the_same_failure_of_the_whole_twice_is_for_a_person() -> None:
    story = failing()
    story.answer(repair(1))
    failing(story)
    assert story.now.phase is Phase.ESCALATED and "the same failure again" in story.status
    assert issues(story) == ["open"]
    [attempt] = [b for key, b in story.hub.attempts.items() if "debug-deliver" in key]
    assert "The sign was wrong." in attempt


def test_what_a_person_pushed_to_the_delivery_is_what_is_mended() -> None:
    story = delivering()
    story.hub.push(DELIVER, sha_of("by hand"))
    story.look()
    failing(story)
    assert story.orders()[0].head == sha_of("by hand")
    story.hub.push(DELIVER, sha_of("again"))
    story.look()
    assert [(o.kind, o.head) for o in story.orders()] == [(WorkKind.TEST, sha_of("again"))]


def test_a_push_before_the_repair_is_there_stays_and_is_tested() -> None:
    story = failing()
    story.hub.heads[DELIVER] = sha_of("faster")
    order = story.orders()[0]
    result = replace(work(order), product=repair(1))
    story.hub.results[order.key] = WorkFinished(result, story.hub.tick())
    story.deliver(story.hub.results[order.key])
    story.look()
    assert story.hub.heads[DELIVER] == sha_of("faster")
    assert [(o.kind, o.head) for o in story.orders()] == [(WorkKind.TEST, sha_of("faster"))]


def test_a_hold_a_cancel_and_a_merge_while_the_whole_is_repaired() -> None:
    story = failing()
    for stop, go in (("/hold", "/resume"), ("/cancel", "/retry")):
        story.say(stop)
        assert not story.orders(), stop
        story.say(go)
        assert [o.kind for o in story.orders()] == [WorkKind.REPAIR], go
    story.hub.merge(DELIVER)
    story.look()
    assert story.now.phase is Phase.DELIVERED and issues(story) == ["closed"]
    assert "it is not tested" in story.hub.closings["close/request"]


def test_the_whole_can_show_that_the_contract_is_wrong() -> None:
    story = failing(rule="spec_mismatch")
    assert story.now.phase is Phase.OPENED and [o.kind for o in story.orders()] == [WorkKind.PLAN]


def test_a_strategy_that_added_tests_find_wrong_is_mended_on_their_branch() -> None:
    story = second_build()
    order = story.orders()[0]
    story.answer(Tested(report=broken("causality", samples.report(TaskId.TESTS, order.head or ""))))
    assert issues(story, "t5_tests") == ["open"]
    assert [(o.kind, o.task_id) for o in story.orders()] == [(WorkKind.REPAIR, TaskId.TESTS)]
    story.answer(repair(1))
    branch = f"ai/generated/wf_{ISSUE}/t5_tests"
    assert story.hub.heads[branch] != order.head
    assert [(o.kind, o.head) for o in story.orders()] == [
        (WorkKind.TEST, story.hub.heads[branch])
    ]  # fmt: skip
    story.answer()
    assert story.now.phase is Phase.DELIVERING and issues(story, "t5_tests") == ["closed"]


def not_running(story: Story) -> Story:
    for _ in range(3):
        assert story.orders()[0].kind is WorkKind.TEST
        story.answer(NO_ENGINE)
    return story


@pytest.mark.parametrize("where", ["t1_data", "t5_tests", "deliver"])
def test_a_sandbox_that_cannot_run_gets_a_todo_and_debug_runs_it_again(where: str) -> None:
    begun = {"t5_tests": second_build, "deliver": delivering}
    story = begun[where]() if where in begun else Story().building()
    if where == "t1_data":
        story.until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head
    not_running(story)
    assert story.now.phase is Phase.ESCALATED and "no Docker engine" in story.status
    assert issues(story, where) == ["open"]
    if where == "deliver":
        assert story.hub.checks[head or ""] == "error"
    body = story.hub.issue_bodies[-1]
    assert "no Docker engine" in body and "run_in_sandbox.py" in body and "`sandbox_error`" in body
    assert "test the same commit again" in story.say("/debug")
    assert [(o.kind, o.head) for o in story.orders()] == [(WorkKind.TEST, head)]
    story.answer()
    assert issues(story, where) == ["closed"]
    assert "nothing was changed" in [*story.hub.closings.values()][-1]


def test_a_run_that_proves_nothing_is_repeated_and_never_repaired() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    for _ in range(2):
        green = samples.report(TaskId.DATA, story.orders()[0].head or "")
        story.answer(Tested(report=replace(green, isolated=False)))
    assert story.now.phase is Phase.ESCALATED and story.now.tasks[0].step is Step.TESTING
    story.say("/debug")
    assert [o.kind for o in story.orders()] == [WorkKind.TEST]


MOMENTS = ("red", "repaired", "green", "not run")


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_anywhere_while_the_whole_is_mended(moment: str) -> None:
    story = delivering() if moment in ("red", "not run") else failing()
    if moment == "green":
        story.answer(repair(1))
    if moment == "not run":
        story.answer(NO_ENGINE)
        story.answer(NO_ENGINE)
    order = story.orders()[0]
    made: dict[str, Product] = {"red": red(order), "repaired": repair(1), "not run": NO_ENGINE}
    result = work(order) if moment == "green" else replace(work(order), product=made[moment])
    event = WorkFinished(result, story.hub.tick())
    story.hub.results[order.key] = event
    quiet, world = story.store.copy(), story.hub.copy()
    total = calls_of(event, quiet, world)
    for at in range(total):
        for when in ("before", "after"):
            _kill(event, story.store.copy(), story.hub.copy(), at, when, quiet, world)
    assert total >= 4
