"""A red report becomes a branch todo: why, who, how; and a repair may touch the strategy alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import verdict
from bot.agents import debugger
from bot.verdict import Failure
from schemas import codec
from schemas.base import AgentRole, TaskId
from schemas.plan import BranchTodo, Route
from schemas.report import Check, CheckName, FailureClass, Finding, Outcome, TestReport
from schemas.work import Tested, WorkKind
from schemas.workflow import Phase, Step, Task
from tests import samples
from tests.story import Story

EXIT = Task(id=TaskId.EXIT)
GREEN = samples.report(TaskId.EXIT)


def judged(report: TestReport) -> tuple[Failure, ...]:
    contract = samples.contract()
    return verdict.judge(TaskId.EXIT, samples.SHA, contract, codec.digest(contract), report)


def with_check(name: CheckName, outcome: Outcome, *found: Finding) -> TestReport:
    changed = Check(name=name, outcome=outcome, seconds=1.0, findings=found)
    return replace(GREEN, checks=tuple(changed if c.name is name else c for c in GREEN.checks))


def finding(rule: str, kind: FailureClass = FailureClass.TEST_FAILURES) -> Finding:
    return Finding(
        failure_class=kind, rule=rule, message=f"{rule} happened", test_name="test_rsi",
        file="strategy.py", line=31, bar=449, fixture="ranging_D1", fix="shift by one",
        trace="strategy.py:31: in find_entries\nAssertionError",
        reproduce_command="python x --seed 7",
    )  # fmt: skip


def test_the_todo_says_what_failed_where_and_how_to_mend_it() -> None:
    todo = debugger.branch_todo(
        EXIT, judged(with_check(CheckName.PYTEST, Outcome.FAILED, finding("test")))
    )
    assert (todo.id, todo.parent_id, todo.is_temporary) == ("t4_exit_branch_01", "t4_exit", True)
    assert todo.agent_role is AgentRole.CODER and todo.branch_reason is Route.IMPLEMENTATION_BUG
    assert todo.reproduce_command == "python x --seed 7"
    for told in (
        "pytest: test happened", "test: test_rsi", "file: strategy.py:31", "bar: 449",
        "bars: ranging_D1", "fix: shift by one", "  | AssertionError", "tests, the contract",
    ):  # fmt: skip
        assert told in todo.debug_instructions


def test_what_explains_the_others_comes_first() -> None:
    """The file does not load, so nothing after it could come to an answer."""
    checks = {
        CheckName.ACCEPTANCE: Check(name=CheckName.ACCEPTANCE, outcome=Outcome.ERROR, seconds=0.0),
        CheckName.PYTEST: Check(
            name=CheckName.PYTEST, outcome=Outcome.FAILED, seconds=0.0, findings=(finding("test"),)
        ),
        CheckName.MYPY: Check(
            name=CheckName.MYPY, outcome=Outcome.FAILED, seconds=0.0,
            findings=(finding("mypy", FailureClass.STATIC_FAILURES),),
        ),
    }  # fmt: skip
    order = (CheckName.ACCEPTANCE, CheckName.PYTEST, CheckName.MYPY)
    rest = tuple(c for c in GREEN.checks if c.name not in checks)
    failures = judged(replace(GREEN, checks=(*(checks[n] for n in order), *rest)))
    assert [f.check for f in debugger.by_cause(failures)] == ["mypy", "pytest", "acceptance"]
    todo = debugger.branch_todo(EXIT, failures)
    assert todo.failure_classification is FailureClass.STATIC_FAILURES
    assert todo.title == "Debug t4_exit: mypy (mypy)"
    assert todo.debug_instructions.startswith("mypy:")


ROUTED = [
    ("a test", with_check(CheckName.PYTEST, Outcome.FAILED, finding("test")), "implementation_bug"),
    ("a skipped test", with_check(CheckName.INTAKE, Outcome.FAILED, finding("skipped")),
     "implementation_bug"),
    ("chance", with_check(CheckName.DETERMINISM, Outcome.FAILED, finding("differs")),
     "implementation_bug"),
    ("too slow", with_check(CheckName.BACKTEST, Outcome.FAILED, finding("timeout")), "timeout"),
    ("flaky", with_check(CheckName.PYTEST, Outcome.FAILED, finding("flaky_test")), "flaky_test"),
    ("the contract", with_check(CheckName.ACCEPTANCE, Outcome.FAILED, finding("spec_mismatch")),
     "spec_mismatch"),
    ("no answer", with_check(CheckName.ACCEPTANCE, Outcome.ERROR), "timeout"),
    ("not run", replace(GREEN, checks=GREEN.checks[1:]), "timeout"),
    ("not isolated", replace(GREEN, isolated=False), "timeout"),
    ("other commit", replace(GREEN, commit_sha="f" * 40), "timeout"),
    ("no trades", replace(GREEN, summary=replace(GREEN.summary, total_trades=0))
     if GREEN.summary else GREEN, "implementation_bug"),
]  # fmt: skip


@pytest.mark.parametrize(("report", "route"), [r[1:] for r in ROUTED], ids=[r[0] for r in ROUTED])
def test_it_goes_to_whom_it_concerns(report: TestReport, route: str) -> None:
    failures = judged(report)
    assert failures and debugger.route(failures) == route


def test_a_run_that_proves_nothing_is_repeated_and_not_repaired() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head or ""
    story.answer(Tested(report=replace(samples.report(TaskId.DATA, head), isolated=False)))
    assert story.now.tasks[0].step is Step.TESTING
    story.answer(Tested(report=replace(samples.report(TaskId.DATA, head), isolated=False)))
    assert story.now.phase is Phase.ESCALATED


def test_the_signature_is_of_the_failure_and_not_of_its_figures() -> None:
    one = judged(with_check(CheckName.PYTEST, Outcome.FAILED, finding("test")))
    other = replace(finding("test"), message="expected 1, got 2", bar=3)
    two = judged(with_check(CheckName.PYTEST, Outcome.FAILED, other))
    three = judged(with_check(CheckName.PYTEST, Outcome.FAILED, replace(other, test_name="t2")))
    assert debugger.signature(one) == debugger.signature(two) != debugger.signature(three)


@given(st.lists(st.text(max_size=8000), min_size=1, max_size=30), st.text(max_size=8000))
def test_any_report_makes_a_document(messages: list[str], trace: str) -> None:
    failures = tuple(
        Failure("pytest", FailureClass.TEST_FAILURES, "test", m,
                replace(finding("test"), message=m, trace=trace))
        for m in messages
    )  # fmt: skip
    todo = debugger.branch_todo(EXIT, failures)
    assert len(todo.debug_instructions) <= 8000
    assert codec.load(BranchTodo, codec.dump(todo)) == todo


def test_a_repair_may_change_the_strategy_alone() -> None:
    before = samples.draft(TaskId.EXIT)
    assert debugger.rejects(before, replace(before, strategy="x = 2\n", explanation="why")) is None
    tests = debugger.rejects(before, replace(before, tests=before.tests + "\n"))
    assert tests is not None and "changed a test" in tests
    for other in (
        replace(before, contract_digest="sha256:" + "0" * 64),
        replace(before, task_id=TaskId.ENTRY),
        replace(before, workflow_id="wf_8"),
    ):
        why = debugger.rejects(before, other)
        assert why is not None and "another" in why
