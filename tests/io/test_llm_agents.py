"""Each agent: a good answer becomes a document that the bot takes; a bad one gets one more try."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.agents.architect import problems
from bot.io.llm.agents import AGENTS
from bot.io.llm.prompts import prompt
from bot.tasks import STEPS
from sandbox import intake
from schemas import codec
from schemas.base import AgentRole
from schemas.report import FailureClass
from schemas.work import (
    ROLES,
    DraftMade,
    PlanMade,
    QuestionsAsked,
    RequestDeclined,
    TestsBuilt,
    TestsPlanned,
    WorkFailed,
    WorkKind,
    WorkOrder,
    WorkResult,
)
from schemas.workflow import Phase
from tests.io.model_desk import ModelDesk, order
from tests.io.model_server import Reply, answers, recorded, reply, says
from tests.story import Story

PLAN, DRAFT, REPAIR = order(WorkKind.PLAN), order(WorkKind.DRAFT), order(WorkKind.REPAIR)
PLAN_TESTS, BUILD_TESTS = order(WorkKind.PLAN_TESTS), order(WorkKind.BUILD_TESTS)
GOOD = {
    WorkKind.PLAN: "planner_understood",
    WorkKind.DRAFT: "coder",
    WorkKind.REPAIR: "debugger",
    WorkKind.PLAN_TESTS: "test_planner",
    WorkKind.BUILD_TESTS: "test_builder",
}
EACH = pytest.mark.parametrize("kind", AGENTS, ids=str)


@EACH
def test_a_good_answer_is_one_call_and_a_document(model: ModelDesk, kind: WorkKind) -> None:
    product, usage = model.ask(order(kind), reply(GOOD[kind]))
    asked = order(kind)
    result = WorkResult(
        order_key=asked.key, issue=asked.issue, correlation_id=asked.correlation_id,
        task_id=asked.task_id, finished_at=1, product=product, usage=usage,
    )  # fmt: skip
    assert codec.load(WorkResult, codec.dump(result)) == result
    assert len(model.server.seen) == 1 and not isinstance(product, WorkFailed)
    sent = model.server.seen[0]
    assert sent.path == "/v1/chat/completions" and sent.sent["model"] == "gpt-5-mini"
    assert sent.system == prompt(AGENTS[kind].prompt)
    assert sent.sent["response_format"]["json_schema"]["strict"] is True
    assert sent.sent["max_tokens"] == AGENTS[kind].tokens


@EACH
def test_the_bot_goes_on_with_it(model: ModelDesk, kind: WorkKind) -> None:
    """Nothing stumbles: the core finds the document fit for the order that it gave."""
    story = Story()
    if kind is not WorkKind.PLAN:
        story.building()
    if kind in (WorkKind.PLAN_TESTS, WorkKind.BUILD_TESTS):
        story.until(Phase.ESCALATED).say("/debug the side is wrong")
    if kind is not WorkKind.PLAN:
        story.until(Phase.BUILDING, kind)
    mine = replace(story.orders()[0], deadline=order(kind).deadline)
    product, usage = model.ask(mine, reply(GOOD[kind]))
    after = story.answer(product, usage)
    assert after.tries == 0 and not after.note
    assert kind is WorkKind.PLAN or [o.kind for o in story.orders()] != [kind]


def test_a_plan_is_a_contract_and_the_four_steps(model: ModelDesk) -> None:
    product, _ = model.ask(PLAN, reply("planner_understood"))
    assert isinstance(product, PlanMade)
    assert product.contract.name == "rsi_30_70_7" and product.contract.workflow_id == "wf_7"
    assert tuple(i.id for i in product.todo.items) == STEPS
    assert problems(product.contract) == ()


def test_a_question_is_an_answer_too(model: ModelDesk) -> None:
    product, _ = model.ask(PLAN, reply("planner_questions"))
    assert isinstance(product, QuestionsAsked) and len(product.questions) == 2


def test_a_declined_request_says_why(model: ModelDesk) -> None:
    product, _ = model.ask(PLAN, reply("planner_declined"))
    assert isinstance(product, RequestDeclined) and product.code == "needs_the_future"


def test_a_draft_passes_the_intake_and_belongs_to_its_order(model: ModelDesk) -> None:
    product, usage = model.ask(DRAFT, reply("coder"))
    assert isinstance(product, DraftMade)
    draft = product.draft
    assert intake.check(draft.strategy.encode(), draft.tests.encode()) == ()
    assert DRAFT.contract and draft.contract_digest == codec.digest(DRAFT.contract)
    assert (draft.task_id, draft.workflow_id) == (DRAFT.task_id, DRAFT.workflow_id)
    assert draft.usage == usage


def test_a_repair_changes_the_strategy_alone(model: ModelDesk) -> None:
    product, _ = model.ask(REPAIR, reply("debugger"))
    assert isinstance(product, DraftMade) and REPAIR.draft
    mended = product.draft
    assert mended.strategy != REPAIR.draft.strategy and mended.tests == REPAIR.draft.tests
    assert mended.contract_digest == REPAIR.draft.contract_digest
    assert mended.written_by.agent is AgentRole.DEBUGGER


@pytest.mark.parametrize("name", ["tests", "contract", "fixtures"])
def test_a_repair_that_touches_more_is_sent_back_and_then_rejected(
    model: ModelDesk, name: str
) -> None:
    greedy = answers("debugger", **{name: "def test_x() -> None:\n    assert True\n"})
    product, _ = model.fail(REPAIR, greedy, greedy)
    assert product.failure_class is FailureClass.ARTIFACT_SCHEMA
    assert len(model.server.seen) == 2
    assert f"$.{name}" in model.server.seen[1].sent["messages"][-1]["content"]


def test_a_repair_that_mends_nothing_is_sent_back(model: ModelDesk) -> None:
    assert REPAIR.draft
    same = answers("debugger", strategy=REPAIR.draft.strategy)
    product, _ = model.ask(REPAIR, same, reply("debugger"))
    assert isinstance(product, DraftMade)
    assert "nothing is mended" in model.server.seen[1].sent["messages"][-1]["content"]


def test_missing_tests_are_named_for_the_strategy_that_was_looked_at(model: ModelDesk) -> None:
    product, _ = model.ask(PLAN_TESTS, reply("test_planner"))
    assert isinstance(product, TestsPlanned) and PLAN_TESTS.report
    spec = product.spec
    assert spec.parent_commit_sha == PLAN_TESTS.report.commit_sha and spec.min_line_coverage == 80.0
    assert {c.target_path for c in spec.cases} == {"strategies/rsi_30_70/strategy.py"}
    assert [c.name for c in spec.cases] == ["test_gap", "test_at_the_line"]


def test_a_diff_becomes_one_file_of_tests(model: ModelDesk) -> None:
    product, _ = model.ask(BUILD_TESTS, reply("test_builder"))
    assert isinstance(product, TestsBuilt) and BUILD_TESTS.spec
    tests = product.tests
    assert tests.path == "strategies/rsi_30_70/tests/test_added.py"
    assert tests.precheck == "PASSED" and tests.notes == () and "+" not in tests.tests[:20]
    assert "def test_gap() -> None:" in tests.tests and tests.tests.endswith("is None\n")
    assert tests.commit_sha == BUILD_TESTS.spec.parent_commit_sha


ELSEWHERE = [
    ("another file", "rsi_30_70/tests/test_added.py", "rsi_30_70/conftest.py"),
    ("another folder", "rsi_30_70/tests", "sma_cross/tests"),
    ("out of the tree", "strategies/rsi_30_70", "../rsi_30_70"),
    ("not an addition", "--- /dev/null", "--- a/strategies/rsi_30_70/tests/test_added.py"),
]


@pytest.mark.parametrize(("old", "new"), [e[1:] for e in ELSEWHERE], ids=[e[0] for e in ELSEWHERE])
def test_a_diff_that_does_more_than_add_the_tests_is_rejected(
    model: ModelDesk, old: str, new: str
) -> None:
    diff = json.loads(recorded("test_builder")["choices"][0]["message"]["content"])["diff"]
    bad = answers("test_builder", diff=diff.replace(old, new))
    product, _ = model.fail(BUILD_TESTS, bad, bad)
    assert "diff:" in product.message and len(model.server.seen) == 2


def test_two_files_in_a_diff_are_one_too_many(model: ModelDesk) -> None:
    diff = json.loads(recorded("test_builder")["choices"][0]["message"]["content"])["diff"]
    both = answers("test_builder", diff=diff + diff.replace("test_added", "test_more"))
    product, _ = model.fail(BUILD_TESTS, both, both)
    assert "2 files" in product.message


def test_tests_that_a_second_try_did_not_mend_fail_their_precheck(model: ModelDesk) -> None:
    """The strategy is green; it does not wait for a person because of tests that nobody needs."""
    diff = json.loads(recorded("test_builder")["choices"][0]["message"]["content"])["diff"]
    other = answers("test_builder", diff=diff.replace("test_gap", "test_hole"))
    product, _ = model.ask(BUILD_TESTS, other, other)
    assert isinstance(product, TestsBuilt) and product.tests.precheck == "FAILED"
    assert product.tests.notes == ("there is no test test_gap",)
    assert "no test test_gap" in model.server.seen[1].sent["messages"][-1]["content"]


@EACH
def test_an_answer_is_signed(model: ModelDesk, kind: WorkKind) -> None:
    product, _ = model.ask(order(kind), reply(GOOD[kind]))
    signed = {"draft_made": "draft", "tests_built": "tests"}.get(product.kind)
    if signed is None:
        return
    by = getattr(product, signed).written_by
    assert (by.agent, by.agent_version, by.model) == (ROLES[kind], "llm-v2", "gpt-5-mini")
    again, _ = model.ask(replace(order(kind), issue=8), reply(GOOD[kind]))
    assert getattr(again, signed).written_by.prompt_hash == by.prompt_hash


WRONG = [
    ("not JSON", says("here you are"), "$: not JSON"),
    ("empty", says(""), "$: not JSON"),
    ("nothing", says(None), "$: not JSON"),
    ("a list", says("[]"), "$: not JSON"),
    ("a field is missing", answers("coder", tests=None), "$.tests: Field required"),
    ("a field too many", answers("coder", extra=1), "$.extra"),
    ("a number for a text", answers("coder", tests=7), "$.tests"),
    ("too long a text", answers("coder", strategy="#" * 100_001), "$.strategy"),
    ("not Python", answers("coder", strategy="def f(:\n"), "strategy: not Python 3.11"),
    ("no code", answers("coder", tests="# later\n"), "tests: there is no code"),
    ("half a character", says('{"strategy": "\\ud800", "tests": "x", "explanation": ""}'), "$"),
    ("half a character outside", says("\ud800"), "$: not JSON"),
    ("the same key twice", says('{"strategy": "x", "strategy": "y"}'), "appears twice"),
    ("cut off", says('{"strategy": "x', end="length"), "too long; be brief"),
    ("a tool call", says(None, tool_calls=[{"id": "1", "type": "function", "function": {
        "name": "shell", "arguments": "{}"}}]), "called a tool"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "told"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_a_wrong_answer_gets_one_more_try_and_is_told_why(
    model: ModelDesk, bad: Reply, told: str
) -> None:
    product, usage = model.ask(DRAFT, bad, reply("coder"))
    assert isinstance(product, DraftMade)
    first, second = model.server.seen
    assert second.sent["messages"][:2] == first.sent["messages"]
    assert [m["role"] for m in second.sent["messages"]] == ["system", "user", "assistant", "user"]
    assert told in second.sent["messages"][-1]["content"]
    assert usage.input_tokens == 2 * 4210 and usage.output_tokens == 2 * 1480
    assert product.draft.usage == usage


@pytest.mark.parametrize(("bad", "told"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_twice_is_a_failure_that_says_why_and_what_it_cost(
    model: ModelDesk, bad: Reply, told: str
) -> None:
    product, usage = model.fail(DRAFT, bad, bad)
    assert product.failure_class is FailureClass.ARTIFACT_SCHEMA and told in product.message
    assert len(model.server.seen) == 2 and usage.output_tokens == 2 * 1480


def test_no_choices_at_all_are_a_wrong_answer(model: ModelDesk) -> None:
    empty = reply("coder").body.replace(b'"choices": [{', b'"choices": [], "x": [{')
    product, usage = model.fail(DRAFT, *[replace(reply("coder"), body=empty)] * 2)
    assert "no answer in it" in product.message and usage.output_tokens == 2 * 1480


def test_a_contract_that_cannot_be_built_is_sent_back(model: ModelDesk) -> None:
    content = json.loads(recorded("planner_understood")["choices"][0]["message"]["content"])
    content["answer"]["contract"]["indicators"][0]["kind"] = "magic"
    product, _ = model.ask(PLAN, says(json.dumps(content)), reply("planner_understood"))
    assert isinstance(product, PlanMade)
    assert "no kind 'magic'" in model.server.seen[1].sent["messages"][-1]["content"]


def test_a_long_wrong_answer_is_not_paid_for_twice(model: ModelDesk) -> None:
    model.ask(DRAFT, says("x" * 100_000), reply("coder"))
    assert len(model.server.seen[1].sent["messages"][2]["content"]) == 8_000


def test_a_code_fence_around_the_answer_does_no_harm(model: ModelDesk) -> None:
    content = recorded("coder")["choices"][0]["message"]["content"]
    product, _ = model.ask(DRAFT, says(f"Here it is:\n```json\n{content}\n```\n"))
    assert isinstance(product, DraftMade)


@pytest.mark.parametrize("bad", [says(None, refusal="I will not."), says("", "content_filter")])
def test_a_refusal_is_not_asked_again(model: ModelDesk, bad: Reply) -> None:
    failed, usage = model.fail(DRAFT, bad)
    assert "refused" in failed.message and len(model.server.seen) == 1
    assert usage.output_tokens == 1480
    declined, _ = model.ask(PLAN, bad)
    assert isinstance(declined, RequestDeclined) and declined.code == "model_refused"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (replace(DRAFT, kind=WorkKind.TEST), "no model is asked for test work"),
        (replace(DRAFT, contract=None), "no contract"),
        (replace(REPAIR, draft=None, report=None), "no draft, report"),
    ],
)
def test_an_order_that_cannot_be_worked_on_costs_nothing(
    model: ModelDesk, asked: WorkOrder, told: str
) -> None:
    product, usage = model.fail(asked)
    assert told in product.message and not model.server.seen and usage.cost == 0
