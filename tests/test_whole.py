"""What a person merges has passed as a whole, on that commit; what proves nothing is no pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot import acts, verdict
from bot.events import Fact, WorkFinished
from bot.wanted import wanted
from schemas.acts import Act, CloseIssue
from schemas.base import AgentRole, TaskId
from schemas.live import Gate
from schemas.report import FailureClass, Finding, Outcome, TestOutcome, TestReport
from schemas.work import (
    DraftMade,
    PaperTraded,
    Product,
    Tested,
    TestsBuilt,
    TestsPlanned,
    WorkFailed,
    WorkKind,
)
from schemas.workflow import Phase, Policy, Workflow
from tests import samples
from tests.fakes import FakeHub, sha_of
from tests.story import DELIVER, TASK, Story
from tests.world import ISSUE, work


def second_build(hub: FakeHub | None = None) -> Story:
    story = Story(hub).building()
    while story.orders()[0].task_id is not TaskId.TESTS or story.orders()[0].kind != "test":
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    return story


def delivering(hub: FakeHub | None = None) -> Story:
    story = second_build(hub)
    story.answer()
    return story


def test_the_delivered_commit_is_tested_before_anybody_is_asked_to_merge() -> None:
    story = delivering()
    head = story.hub.heads[DELIVER]
    [order] = story.orders()
    assert (order.kind, order.task_id, order.head) == (WorkKind.TEST, TaskId.EXIT, head)
    assert "being tested" in story.status and story.hub.checks[head] == "pending"
    assert "stratbot:needs-human" not in story.hub.labels[ISSUE]
    story.answer()
    assert "Review and merge" in story.status and story.hub.checks[head] == "success"
    assert "stratbot:needs-human" in story.hub.labels[ISSUE] and not story.orders()


@pytest.mark.parametrize("first", ["passed", "failed"])
def test_a_push_to_the_delivery_is_tested(first: str) -> None:
    story = delivering()
    head = story.hub.heads[DELIVER]
    story.answer(None if first == "passed" else Tested(report=samples.red(TaskId.EXIT, head, "x")))
    story.hub.push(DELIVER, sha_of("by hand"))
    story.look()
    assert story.now.phase is Phase.DELIVERING and story.orders()[0].head == sha_of("by hand")
    assert story.hub.checks[sha_of("by hand")] == "pending" and "being tested" in story.status


class Remembering(FakeHub):
    """Keeps the last words of the request."""

    closing = ""

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        if isinstance(act, CloseIssue):
            self.closing = act.body
        return super().perform(workflow, act)


@pytest.mark.parametrize("tested", [True, False])
def test_what_was_merged_untested_is_called_so(tested: bool) -> None:
    hub = Remembering()
    story = delivering(hub)
    if tested:
        story.answer()
    story.hub.merge(DELIVER)
    story.look()
    assert story.now.phase is Phase.DELIVERED
    assert ("it is not tested" in hub.closing) is not tested


def broken(name: str, report: TestReport) -> TestReport:
    finding = Finding(failure_class=FailureClass.TEST_FAILURES, rule="r", message="reads t+1")
    checks = tuple(
        replace(c, outcome=Outcome.FAILED, findings=(finding,)) if c.name == name else c
        for c in report.checks
    )
    return replace(report, checks=checks)


@pytest.mark.parametrize(
    ("name", "phase"),
    [("pytest", Phase.DELIVERING), ("mutants", Phase.DELIVERING), ("causality", Phase.BUILDING)],
)
def test_added_tests_are_dropped_only_for_their_own_failures(name: str, phase: Phase) -> None:
    story = second_build()
    green = samples.report(TaskId.TESTS, story.orders()[0].head or "")
    assert story.answer(Tested(report=broken(name, green))).phase is phase
    if phase is Phase.BUILDING:
        story.say("/skip")
        assert story.now.phase is Phase.DELIVERING
    [left] = [b for key, b in story.hub.closings.items() if "debug-t5_tests" in key]
    assert "left out" in left and set(story.hub.linked.values()) == {"closed"}


MISSED = (3, 4, 5, 9)


def reach(story: Story, percent: float | None) -> Story:
    """The run that is ordered covers so much; all else of it is green."""
    [order] = story.orders()
    green = samples.report(order.task_id or TaskId.EXIT, order.head or "")
    report = replace(green, line_coverage=percent, missed_lines=MISSED)
    story.answer(Tested(report=report))
    return story


def second_build_over(percent: float | None, hub: FakeHub | None = None) -> Story:
    """The strategy's own tests reach so much of it; the added ones are about to be tested."""
    story = Story(hub).building()
    while (order := story.orders()[0]).kind != "test" or order.task_id is not TaskId.TESTS:
        if order.kind == "test" and order.task_id is TaskId.EXIT:
            reach(story, percent)
        elif story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    return story


@pytest.mark.parametrize("coverage", [None, 79.9])
def test_added_tests_that_cover_too_little_are_dropped_if_there_is_enough_without_them(
    coverage: float | None,
) -> None:
    story = reach(second_build_over(80.0), coverage)
    assert story.now.phase is Phase.DELIVERING and "line coverage" in story.status


def test_added_tests_stay_where_there_is_not_enough_without_them() -> None:
    story = reach(second_build_over(40.0), 79.9)
    assert story.now.phase is Phase.ESCALATED
    assert "Without them 40 % of the lines are covered, and at least 80 %" in story.status
    assert "Missed lines of the strategy: 3-5, 9." in story.status
    story.say("/retry")
    assert reach(story, 80.0).now.phase is Phase.DELIVERING


def test_failing_added_tests_are_no_way_around_the_floor() -> None:
    story = second_build_over(79.9)
    green = samples.report(TaskId.TESTS, story.orders()[0].head or "")
    story.answer(Tested(report=broken("pytest", green)))
    assert story.now.phase is Phase.ESCALATED and "cannot be left out" in story.status


@pytest.mark.parametrize("own", [79.9, 80.0])
def test_tests_that_do_not_pass_their_precheck_are_dropped_only_above_the_floor(own: float) -> None:
    story = Story().building()
    while story.orders()[0].kind != WorkKind.BUILD_TESTS:
        order = story.orders()[0]
        if order.kind == "test" and order.task_id is TaskId.EXIT:
            reach(story, own)
        elif story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.answer(TestsBuilt(tests=replace(samples.generated(), precheck="FAILED", notes=("red",))))
    assert story.now.phase is (Phase.ESCALATED if own < 80.0 else Phase.DELIVERING)
    assert "The added tests were not kept: red" in story.status
    if own < 80.0:
        story.say("/retry")
        assert story.orders()[0].kind == WorkKind.BUILD_TESTS


@pytest.mark.parametrize("own", [79.9, 80.0])
def test_a_plan_without_a_test_is_enough_only_above_the_floor(own: float) -> None:
    story = Story().building()
    while story.orders()[0].kind != WorkKind.PLAN_TESTS:
        order = story.orders()[0]
        if order.kind == "test" and order.task_id is TaskId.EXIT:
            reach(story, own)
        elif story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.answer(TestsPlanned(spec=replace(samples.spec(), cases=())))
    assert story.now.phase is (Phase.ESCALATED if own < 80.0 else Phase.DELIVERING)
    if own < 80.0:
        story.say("/retry")
        assert story.orders()[0].kind == WorkKind.PLAN_TESTS


@pytest.mark.parametrize(("floor", "passes"), [(80.0, False), (40.0, True)])
def test_a_delivery_below_the_floor_does_not_pass_and_says_which_lines(
    floor: float, passes: bool
) -> None:
    hub = FakeHub(policy=Policy(gate=Gate.COMMENT, min_line_coverage=floor))
    story = second_build_over(60.0, hub)
    story.say("/skip")
    head = story.hub.heads[DELIVER]
    reach(story, 60.0)
    assert story.hub.checks[head] == ("success" if passes else "failure")
    shown = story.hub.reports[story.now.delivery_pull or 0][1]
    missed = "line coverage is 60 %, at least 80 % is asked for; missed lines: 3-5, 9"
    assert (missed in shown) is (missed in story.status) is not passes
    assert f"--min-line-cov {floor:g}" in shown


def test_nobody_but_the_repository_sets_the_floor() -> None:
    story = Story(FakeHub(policy=Policy(gate=Gate.COMMENT, min_line_coverage=95.0))).building()
    while story.orders()[0].kind != WorkKind.PLAN_TESTS:
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.answer(TestsPlanned(spec=replace(samples.spec(), min_line_coverage=1.0)))
    assert story.now.spec and story.now.spec.min_line_coverage == 95.0


def test_the_commit_of_added_tests_names_who_wrote_them() -> None:
    story = second_build()
    prompt = "sha256:" + "cd" * 32
    agent = AgentRole.TEST_BUILDER
    by = replace(samples.WRITER, agent=agent, model="tester", prompt_hash=prompt)
    built = replace(samples.generated(), written_by=by)
    task = next(t for t in story.now.tasks if t.id is TaskId.TESTS)
    made = acts.publication(replace(story.now, generated=built), task, samples.DIGEST)
    assert {"Agent: test_builder/1", "Model: tester", f"Prompt-Hash: {by.prompt_hash}"} <= {
        *made.trailers
    }
    assert story.now.generated and story.now.generated.commit_sha == task.head != samples.SHA


def test_missed_lines_are_told_as_ranges() -> None:
    assert verdict.lines(()) == "" and verdict.lines((7,)) == "7"
    assert verdict.lines((1, 2, 3, 5, 8, 9)) == "1-3, 5, 8-9"
    assert verdict.lines(tuple(range(1, 200, 2))).endswith("49, …")


@pytest.mark.parametrize("outcome", [None, Outcome.FAILED, Outcome.SKIPPED, Outcome.ERROR])
def test_a_green_check_over_no_passed_test_is_not_green(outcome: Outcome | None) -> None:
    green = samples.report(TaskId.DATA)
    odd = (TestOutcome(nodeid="t", outcome=outcome, seconds=1.0),) if outcome else ()
    judged = verdict.judge(
        TaskId.DATA, samples.SHA, samples.contract(), green.contract_digest,
        replace(green, tests=odd),
    )  # fmt: skip
    assert [f.check for f in judged] == ["pytest"]


@pytest.mark.parametrize("name", ["good", "other commit", "no checks", "failed"])
def test_a_backtest_says_passed_only_of_what_passed(name: str) -> None:
    story = delivering()
    story.answer()
    story.hub.comment(ISSUE, "octocat", "/backtest")
    story.look()
    order = next(o for o in wanted(story.now) if o.key.startswith("backtest"))
    good = samples.report(TaskId.EXIT, order.head or "")
    products: dict[str, Product] = {
        "good": Tested(report=good),
        "other commit": Tested(report=replace(good, commit_sha="f" * 40)),
        "no checks": Tested(report=replace(good, checks=())),
        "failed": WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine"),
    }
    story.deliver(WorkFinished(replace(work(order), product=products[name]), story.hub.tick()))
    ident = story.hub.said[-1].comment_id
    assert ("All checks passed" in story.hub.replies[ident]) is (name == "good")
    done = "rocket" if name in ("good", "no checks") else "confused"
    assert {c for n, c in story.hub.reactions if n == ident} == {"eyes", done}


def test_a_paper_run_over_no_bars_shows_nothing() -> None:
    story = delivering()
    story.answer()
    story.hub.merge(DELIVER)
    story.look()
    story.say("/deploy")
    sha = story.now.delivered_sha or ""
    story.answer(PaperTraded(sha=sha, bars=0, differences=0))
    assert story.now.phase is Phase.DELIVERED and "saw no bars" in story.status


def test_the_same_repair_for_two_mistakes_is_two_commits() -> None:
    story = Story().building()
    story.answer()
    repair = DraftMade(draft=samples.draft(TaskId.DATA, ISSUE, "x = 2\n"))
    heads = []
    for name in ("one", "two"):
        story.hub.push(TASK, sha_of(name))
        story.look()
        story.answer(Tested(report=samples.red(TaskId.DATA, sha_of(name), name)))
        story.answer(repair)
        heads.append(story.hub.heads[TASK])
    assert len({*heads}) == 2
