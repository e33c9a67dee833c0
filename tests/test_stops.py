"""Held, cancelled, escalated, closed, merged by hand: whatever stops it, it can go on."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from bot.events import Event, Fact, WorkFinished
from bot.metrics import measure
from bot.ports import Gone, Look, Rejected, Unavailable
from bot.sweep import sweep
from bot.tasks import current
from bot.wanted import wanted
from schemas.acts import Act
from schemas.base import TaskId, Usage
from schemas.report import FailureClass
from schemas.work import Tested, WorkFailed, WorkKind, WorkOrder
from schemas.workflow import Phase, Step, Workflow
from tests import samples
from tests.fakes import FakeHub, MemoryStore, lines, sha_of
from tests.story import TASK, Story
from tests.world import ISSUE, work


class Flaky(FakeHub):
    """GitHub, which does not answer acts of one kind for a while."""

    down = ""

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        if act.kind == self.down:
            raise Unavailable("502")
        return super().perform(workflow, act)


def in_test(hub: FakeHub | None = None) -> Story:
    return Story(hub).building().until(Phase.BUILDING, WorkKind.TEST)


def branch(task: TaskId) -> str:
    return f"ai/generated/wf_{ISSUE}/{task}"


def test_a_backtest_that_came_during_a_hold_is_not_the_tasks_test() -> None:
    story = in_test()
    story.hub.comment(ISSUE, "octocat", "/backtest")
    story.look()
    asked = next(o for o in wanted(story.now) if o.key.startswith("backtest"))
    story.say("/hold")
    story.hub.results[asked.key] = WorkFinished(work(asked), story.hub.tick())
    story.deliver(story.hub.results[asked.key])
    before = story.now.tasks
    story.say("/resume")
    assert story.now.tasks == before and not story.now.asked
    assert any("Backtest of" in body for body in story.hub.replies.values())


def test_a_task_merged_by_hand_while_stopped_leads_to_the_next() -> None:
    story = Story().building().until(Phase.ESCALATED)
    story.hub.merge(branch(TaskId.ENTRY))
    story.look()
    story.say("/retry")
    assert story.now.tasks[3].step is Step.DRAFTING and story.orders()


@pytest.mark.parametrize("word", ["/cancel", "/hold"])
def test_what_waits_to_change_the_code_is_dropped_and_comes_back(word: str) -> None:
    hub = Flaky()
    story = in_test(hub)
    hub.down = "merge_pull"
    with pytest.raises(Unavailable):
        story.answer()
    hub.down = ""
    story.say(word)
    assert hub.pulls[TASK].state == "open" and not story.now.outbox
    story.say("/retry" if word == "/cancel" else "/resume")
    assert hub.pulls[TASK].state == "merged" and story.now.tasks[1].step is Step.DRAFTING


def test_a_new_plan_builds_on_branches_of_its_own() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.REPAIR)
    story.answer()
    order = story.orders()[0]
    story.answer(Tested(report=samples.red(TaskId.INDICATORS, order.head or "", "spec_mismatch")))
    story.answer()
    story.say("/approve", "hubot-owner")
    story.answer()
    assert story.now.build == 2 and story.now.tasks[0].head
    assert story.hub.heads[f"ai/generated/wf_{ISSUE}-2/t1_data"] == story.now.tasks[0].head
    told = [e for _, r, _ in story.store.history(ISSUE) for e in r.events]
    assert [e.approver for e in told if e.event_type == "approval.granted"] == [
        "octocat", "hubot-owner",
    ]  # fmt: skip


def test_added_tests_of_a_second_plan_name_the_branch_they_are_on() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head or ""
    story.answer(Tested(report=samples.red(TaskId.DATA, head, "spec_mismatch")))
    story.answer()
    story.say("/approve")
    story.until(Phase.ESCALATED).say("/debug the side is wrong")
    story.until(Phase.DELIVERING)
    assert story.now.generated is not None
    assert story.now.generated.branch_name == f"ai/generated/wf_{ISSUE}-2/t5_tests"


def test_a_push_to_a_stopped_branch_is_tested() -> None:
    story = Story().building().until(Phase.ESCALATED)
    story.hub.push(branch(TaskId.ENTRY), sha_of("by hand"))
    story.look()
    assert story.now.phase is Phase.BUILDING and story.now.stopped_in is None
    assert story.orders()[0].head == sha_of("by hand")


class Moved(FakeHub):
    """The branch moved during the merge, and moved back."""

    moved = True

    def _merge(self, act):  # type: ignore[no-untyped-def]
        return None if self.moved else super()._merge(act)


def test_a_merge_that_came_to_nothing_is_done_by_the_sweep() -> None:
    hub = Moved()
    story = in_test(hub)
    story.answer()
    assert story.now.tasks[0].step is Step.MERGING and not story.now.outbox
    hub.moved = False
    assert story.look().tasks[0].step is Step.MERGED


def test_a_crash_after_resume_does_not_hold_again() -> None:
    hub = Flaky()
    story = in_test(hub)
    hub.close(TASK)
    story.look()
    hub.down = "open_pull"
    with pytest.raises(Unavailable):
        story.say("/resume")
    hub.down = ""
    story.look()
    assert not story.now.held and hub.pulls[TASK].state == "open"


def test_debug_asks_for_new_work() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.REPAIR)
    used = story.orders()[0].key
    for _ in range(3):
        story.answer(WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="x"))
    story.say("/debug")
    assert story.now.phase is Phase.BUILDING and story.orders()[0].key != used


def test_what_is_found_late_starts_now() -> None:
    story = Story().planned()
    story.hub.comment(ISSUE, "octocat", "/approve")
    story.look(after=7200)
    assert story.now.tries == 0 and story.orders()[0].deadline > story.hub.clock


class Closed(FakeHub):
    """A repository without our workflow file."""

    def dispatch(self, order: WorkOrder, fresh: bool = False) -> None:
        raise Rejected("Not Found")


def test_work_that_github_will_not_start_is_held_and_said() -> None:
    story = Story(Closed())
    assert story.now.held and "GitHub refused `work/plan-" in story.status
    assert "stratbot:needs-human" in story.hub.labels[ISSUE]


def test_over_the_cap_nothing_is_promised() -> None:
    story = Story().building()
    story.answer(usage=Usage(cost=Decimal(5)))
    story.answer()
    assert story.now.phase is Phase.ESCALATED
    assert "over_budget" in story.say("/retry") and story.now.phase is Phase.ESCALATED
    story.say("/cost 10")
    assert "Going on" in story.say("/retry") and story.orders()


def test_a_cap_of_nothing_spends_nothing() -> None:
    story = Story()
    assert "at most 0 USD" in story.say("/cost 0")
    assert story.now.phase is Phase.ESCALATED and not story.orders()


def test_a_setting_that_leaves_merges_to_people_asks_them() -> None:
    story = in_test()
    workflow, at = story.store.read(ISSUE)
    policy = replace(workflow.policy, auto_merge=False)
    story.store.write(replace(workflow, policy=policy), at, story.store.log[ISSUE][-1][1])
    story.answer()
    assert "Review and merge its pull request" in story.status
    assert "stratbot:needs-human" in story.hub.labels[ISSUE]


def test_after_three_repairs_a_person_is_asked() -> None:
    story = in_test()
    for n in range(4):
        while story.orders()[0].kind is not WorkKind.TEST:
            story.answer()
        head = story.orders()[0].head or ""
        story.answer(Tested(report=samples.red(TaskId.DATA, head, f"rule_{n}")))
    assert story.now.phase is Phase.ESCALATED and "after 3 repairs" in story.status


def test_no_count_of_attempts_is_beyond_its_limit() -> None:
    story = Story().building().until(Phase.ESCALATED)
    assert "at most 3 repairs" in story.hub.issue_bodies[-1]
    assert not any("4 of 3" in body for body in story.hub.issue_bodies)


def test_tasks_that_nobody_tested_do_not_count_as_passed() -> None:
    story = in_test()
    story.hub.merge(TASK)
    story.look()
    figures = measure([lines(story.store)])
    assert figures.task_pass_rate is None


class Odd(FakeHub):
    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        if workflow.issue == ISSUE:
            raise ValueError("comment: body: 70000 characters, at most 65536")
        return super().news(workflow, look)


def test_one_that_cannot_be_read_does_not_stop_the_sweep() -> None:
    hub, store, said = Odd(), MemoryStore(), list[str]()
    hub.open_issue(ISSUE, "a", "x")
    hub.open_issue(8, "a", "x")
    assert sweep(1, store, hub, said.append) == 1
    assert [line[:18] for line in said] == ["request 7: comment", "request 8: opened"]


class Deleted(FakeHub):
    def news(self, workflow: Workflow, look: Look = Look.EVERYWHERE) -> tuple[Event, ...]:
        raise Gone("#7 was deleted")


def test_a_deleted_issue_fails_no_sweep() -> None:
    hub, said = Deleted(), list[str]()
    hub.open_issue(ISSUE, "a", "x")
    assert sweep(1, MemoryStore(), hub, said.append) == 0
    assert said == ["request 7: #7 was deleted; left alone"]


def test_what_has_ended_rests() -> None:
    story, said = Story().planned(), list[str]()
    story.say("/cancel")
    story.hub.opened.clear()
    story.hub.clock += 30 * 24 * 3600
    assert sweep(story.hub.clock, story.store, story.hub, said.append) == 0 and said == []


class Quiet(FakeHub):
    """Nothing happened anywhere for days, but where `touched` says so."""

    touched: frozenset[int] = frozenset()

    def stirred(self) -> dict[int, int]:
        return dict.fromkeys(self.touched, self.clock)


@pytest.mark.parametrize("at", ["the request", "its pull request", "its debug issue", "nothing"])
def test_who_waits_for_people_is_looked_after_when_they_do_something(at: str) -> None:
    """Else a hundred deliveries that wait would use up what GitHub lets the bot ask."""
    hub = Quiet()
    story, said = Story(hub).building(), list[str]()
    while story.now.phase is not Phase.ESCALATED:
        story.answer()
    hub.opened.clear()
    task = next(t for t in story.now.tasks if t.debug_issue and t.step is Step.REPAIRING)
    places = {"the request": ISSUE, "its pull request": task.pull or 0,
              "its debug issue": task.debug_issue or 0, "nothing": 1}  # fmt: skip
    hub.touched = frozenset({places[at]})
    assert sweep(hub.clock, story.store, hub, said.append) == 0
    assert said == ([] if at == "nothing" else [f"request {ISSUE}: escalated"])


def test_a_stranger_cannot_spend_or_stop_anything() -> None:
    story = Story().planned()
    for body in ("/approve", "/cancel", "/hold", "/revise x", "/plan", "/cost 100", "/backtest"):
        assert "no_permission" in story.say(body, "stranger"), body
    assert story.now.phase is Phase.PLANNED


def test_a_command_that_got_lost_on_an_ended_request_is_found() -> None:
    story = Story().building()
    story.say("/cancel")
    story.hub.opened.clear()  # closed long ago
    story.hub.clock += 30 * 24 * 3600
    lost = story.hub.comment(ISSUE, "octocat", "/retry")
    assert sweep(story.hub.clock, story.store, story.hub, lambda line: None) == 0
    assert "Going on" in story.hub.replies[lost.comment_id]


def test_a_backtest_is_of_what_a_person_pushed_last() -> None:
    story = Story().building()
    while story.now.phase is not Phase.DELIVERING or story.orders():
        story.say("/debug x") if story.now.phase is Phase.ESCALATED else story.answer()
    story.say("/backtest")
    assert story.now.asked[-1].sha == story.now.delivery.head


def test_a_backtest_while_a_step_is_built_is_of_that_step() -> None:
    story = Story().building()
    while (task := current(story.now)) is None or task.id is TaskId.DATA or task.head is None:
        story.answer()
    story.say("/backtest")
    assert story.now.asked[-1].sha == task.head != story.now.delivery.head
