"""The events of the audit log are true: each test that began ended once, and as the state says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot import acts
from bot.handle import handle
from bot.tasks import whole
from bot.wanted import awaited, subject
from schemas import codec
from schemas.acts import File, OpenIssue
from schemas.base import AgentRole, TaskId
from schemas.events import (
    AuditEvent,
    BranchCreated,
    TaskDispatched,
    TestFailed,
    TestPassed,
    TestStarted,
    WorkflowChanged,
)
from schemas.plan import BranchTodo, Route
from schemas.report import Artifact, FailureClass, Outcome
from schemas.types import DOCUMENTS
from schemas.work import DraftMade, Product, Tested, WorkKind, WorkOrder
from schemas.workflow import Phase, Workflow
from tests import samples
from tests.audited import logged, open_tests
from tests.fakes import FakeHub, MemoryStore, sha_of
from tests.story import DELIVER, Story
from tests.test_repairs import NO_ENGINE, failing, not_running, red
from tests.test_whole import delivering, second_build
from tests.world import CANCELLED, HANDS, ISSUE, STORY, Move, play, work

TABLES = {"trades.csv": "a\n", "equity_curve.csv": "b\n", "events.log": "c\n"}


def events(story: Story) -> list[object]:
    return [e for _, r, _ in story.store.history(ISSUE) for e in r.events]


def under_way(workflow: Workflow) -> list[tuple[str, str]]:
    orders = [o for o in awaited(workflow) if o.kind is WorkKind.TEST and o.head]
    gone = workflow.phase is Phase.CANCELLED
    return [] if gone else [(subject(workflow, o), o.head or "") for o in orders]


def check(store: MemoryStore) -> None:
    """What must hold at the end of every story."""
    now = store.read(ISSUE)[0]
    told = logged(store, ISSUE)
    assert sorted(open_tests(told).elements()) == sorted(under_way(now))
    before = Workflow(issue=ISSUE)
    for _, record, after in store.history(ISSUE):
        check_line(before, after, list(record.events))
        before = after


def check_line(before: Workflow, after: Workflow, told: list[object]) -> None:
    ends = [e for e in told if isinstance(e, TestPassed | TestFailed)]
    for run in after.runs[len(after.runs) - (after.tested - before.tested) :]:
        name = run.task or TaskId.DELIVERY
        [end] = [e for e in ends if (e.task_id, e.commit_sha) == (name, run.sha)]
        assert isinstance(end, TestPassed) is run.passed, (end, run)
        todos = [e for e in told if isinstance(e, BranchCreated) and e.origin_task == name]
        assert len(todos) == (not run.passed), run
    made = [a for a in after.outbox if isinstance(a, OpenIssue) and a.label == "debug"]
    for todo in _todos(after) - _todos(before):
        assert acts.topic(todo) in {a.topic for a in made}, todo


def _todos(workflow: Workflow) -> set[BranchTodo]:
    return {todo for task in (*workflow.tasks, whole(workflow)) for todo in task.todos}


@pytest.mark.parametrize("moves", [STORY, CANCELLED, HANDS], ids=["whole", "cancelled", "by hand"])
def test_every_test_that_began_ended_once(moves: tuple[Move, ...]) -> None:
    store, hub = MemoryStore(), FakeHub()
    play(hub, moves, lambda event: handle(event, store, hub))
    check(store)


MOVES = st.sampled_from([
    "work", "work", "work", "work", "red", "red again", "not run", "flaky", "no proof", "spec",
    "late", "push", "/hold", "/resume", "/cancel", "/retry", "/debug", "/skip", "/backtest",
    "/approve", "merge",
])  # fmt: skip


BEGUN: dict[str, Callable[[], Story]] = {
    "start": lambda: Story().building(), "second build": second_build, "whole": delivering,
}  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(first=st.sampled_from(sorted(BEGUN)), moves=st.lists(MOVES, max_size=14))
def test_in_any_story_every_event_is_true(first: str, moves: list[str]) -> None:
    story = BEGUN[first]()
    for number, move in enumerate(moves):
        _move(story, move, number)
    check(story.store)


def _move(story: Story, move: str, number: int) -> None:
    if move.startswith("/"):
        story.say(move)
    elif move == "push":
        known = [b for b in story.hub.heads if b.startswith("ai/")]
        story.hub.push(known[number % len(known)] if known else DELIVER, sha_of(f"push {number}"))
        story.look()
    elif move == "late":
        story.look(after=3 * 3600)
    elif move == "merge" and DELIVER in story.hub.pulls:
        story.hub.merge(DELIVER)
        story.look()
    elif story.orders():
        story.answer(_product(story.orders()[0], move, number))


def _product(order: WorkOrder, move: str, number: int) -> Product | None:
    task, sha = order.task_id or TaskId.EXIT, order.head or samples.SHA
    rules = {"red": f"wrong_{number}", "red again": "same", "flaky": "flaky_test",
             "spec": "spec_mismatch"}  # fmt: skip
    match move:
        case "not run":
            return NO_ENGINE
        case "no proof" if order.kind is WorkKind.TEST:
            return Tested(report=replace(samples.report(task, sha), isolated=False))
        case _ if move in rules and order.kind is WorkKind.TEST:
            return Tested(report=samples.red(task, sha, rules[move]))
    if order.kind is WorkKind.REPAIR and order.draft:
        return DraftMade(draft=replace(order.draft, strategy=f"x = {number}\n"))
    return None


def test_each_is_named_after_what_was_tested() -> None:
    story = delivering()
    story.hub.comment(ISSUE, "octocat", "/backtest")
    story.look()
    while story.orders():
        story.answer()
    ends = [e.task_id for e in events(story) if isinstance(e, TestPassed)]
    assert ends[-2:] == ["deliver", f"backtest-{story.hub.said[-1].comment_id}"]
    assert [e for e in ends if e == "t4_exit"] == ["t4_exit"]


@pytest.mark.parametrize("product", [NO_ENGINE, None], ids=["failed", "about another commit"])
def test_a_backtest_that_could_not_run_ends_too(product: Product | None) -> None:
    story = delivering()
    story.answer()
    story.say("/backtest")
    [order] = story.orders()
    other = Tested(report=samples.report(TaskId.EXIT, "f" * 40))
    story.answer(product or other)
    newest = events(story)[-1]
    assert isinstance(newest, TestFailed) and newest.task_id == order.key
    assert newest.commit_sha == order.head


def test_the_cause_comes_first_in_the_event_of_a_failure() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    report = samples.red(TaskId.DATA, story.orders()[0].head or "", "look_ahead")
    found = next(c for c in report.checks if c.outcome is Outcome.FAILED)
    skipped = tuple(replace(c, outcome=Outcome.SKIPPED) for c in report.checks if c is not found)
    story.answer(Tested(report=replace(report, checks=(*skipped, found))))
    [failed] = [e for e in events(story) if isinstance(e, TestFailed)]
    assert failed.failures[0].message == found.findings[0].message
    assert failed.failures[-1].message.endswith("was skipped")


def test_a_sandbox_that_does_not_start_ends_each_try_and_asks_once() -> None:
    story = not_running(Story().building().until(Phase.BUILDING, WorkKind.TEST))
    told = events(story)
    fails = [e for e in told if isinstance(e, TestFailed)]
    assert len(fails) == len([e for e in told if isinstance(e, TestStarted)]) == 3
    assert {f.failures[0].message for f in fails} == {"no Docker engine"}
    [todo] = [e for e in told if isinstance(e, BranchCreated)]
    assert todo.branch_todo.failure_classification is FailureClass.SANDBOX_ERROR
    assert todo.branch_todo.attachments == (fails[-1].artifacts.logs,)
    assert story.hub.reports[story.now.tasks[0].pull or 0][1].startswith("### ✘ Load the data")


ROUTED = {"x": Route.IMPLEMENTATION_BUG, "spec_mismatch": Route.SPEC_MISMATCH,
          "flaky_test": Route.FLAKY_TEST, "timeout": Route.TIMEOUT}  # fmt: skip


@pytest.mark.parametrize("delivery", [False, True], ids=["step", "whole"])
@pytest.mark.parametrize("rule", ROUTED)
def test_the_target_agent_gets_the_order_that_follows(rule: str, delivery: bool) -> None:
    if delivery:
        story = failing(rule=rule)
    else:
        story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
        order = story.orders()[0]
        story.answer(Tested(report=samples.red(TaskId.DATA, order.head or "", rule)))
    todo, *_, order_sent = [
        e for e in events(story) if isinstance(e, BranchCreated | TaskDispatched)
    ][-2:]
    assert isinstance(todo, BranchCreated) and isinstance(order_sent, TaskDispatched)
    assert order_sent.agent_role is todo.branch_todo.target_agent
    roles = {"x": AgentRole.DEBUGGER, "spec_mismatch": AgentRole.ARCHITECT}
    assert order_sent.agent_role is roles.get(rule, AgentRole.TESTER)


def with_files(order: WorkOrder) -> Tested:
    report = samples.report(TaskId.EXIT, order.head or "")
    listed = tuple(Artifact(path=n, digest=codec.digest_of(t)) for n, t in TABLES.items())
    files = tuple(File(path=n, text=t) for n, t in TABLES.items())
    return Tested(report=replace(report, artifacts=listed), files=files)


def test_a_delivery_that_passed_names_files_of_the_commit_of_its_results() -> None:
    story = delivering()
    story.answer(with_files(story.orders()[0]))
    end = [e for e in events(story) if isinstance(e, TestPassed)][-1]
    home = "strategies/rsi_30_70/results"
    found = end.artifacts
    assert (found.trades, found.equity_curve) == (f"{home}/trades.csv", f"{home}/equity_curve.csv")
    assert (found.events_log, found.logs) == (f"{home}/events.log", f"{home}/events.log")
    assert (found.test_report, found.summary) == (f"{home}/test_report.json", "")


def opened(address: str, order: WorkOrder, product: Product) -> object:
    """As a person opens it: the run by its title, what it uploaded, the place in the file."""
    title, artifact, rest = address.split("/", 2)
    file, _, pointer = rest.partition("#")
    assert (title, artifact, file) == (f"wf_{ISSUE} {order.key}", "result", "result.json")
    found = json.loads(codec.dump(replace(work(order), product=product)))
    for part in pointer.split("/")[1:]:
        found = found[int(part)] if part.isdigit() else found[part]
    return found


def test_any_other_run_names_what_it_uploaded() -> None:
    story = delivering()
    order = story.orders()[0]
    product = replace(with_files(order), report=red(order).report)
    story.answer(product)
    [end] = [e for e in events(story) if isinstance(e, TestFailed) and e.task_id == "deliver"]
    assert opened(end.artifacts.trades, order, product) == "a\n"
    assert opened(end.artifacts.logs, order, product) == "c\n"
    kept = opened(end.artifacts.test_report, order, product)
    assert isinstance(kept, dict) and kept["commit_sha"] == order.head
    todo = [e for e in events(story) if isinstance(e, BranchCreated)][-1].branch_todo
    assert todo.attachments == (end.artifacts.test_report,)


def test_the_bars_of_a_failure_are_attached() -> None:
    story = delivering()
    order = story.orders()[0]
    report = red(order).report
    found = replace(next(c for c in report.checks if c.findings).findings[0], fixture="bars.csv")
    checks = tuple(replace(c, findings=(found,)) if c.findings else c for c in report.checks)
    bars = File(path="bars.csv", text="Date,Open\n")
    product = Tested(report=replace(report, checks=checks), files=(bars,))
    story.answer(product)
    todo = [e for e in events(story) if isinstance(e, BranchCreated)][-1].branch_todo
    assert opened(todo.attachments[1], order, product) == "Date,Open\n"
    kept = story.now.delivery.repair
    assert kept and kept.todos[-1].fixture == "bars.csv"


def test_every_event_has_a_schema_and_a_type_and_keeps_its_stored_form() -> None:
    kinds = {k for k in get_args(get_args(AuditEvent)[0])}
    assert kinds < {*DOCUMENTS.values()} and WorkflowChanged in DOCUMENTS.values()
    store, hub = MemoryStore(), FakeHub()
    play(hub, CANCELLED, lambda event: handle(event, store, hub))
    stored = [codec.line(e) for _, r, _ in store.history(ISSUE) for e in r.events]
    assert stored and not any("timestamp" in line for line in stored)
