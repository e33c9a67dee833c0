"""After an incident: what the machine saw is analysed, and a new build of the request mends it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.agents.coder import write_strategy
from bot.events import IssueClosed, ParityBroke
from bot.io.llm.shown import for_coder
from schemas.base import AgentRole, TaskId
from schemas.live import Gate, Incident, Stage
from schemas.plan import Route
from schemas.report import FailureClass
from schemas.work import PlanMade, RequestDeclined, Tested, WorkFailed, WorkKind
from schemas.workflow import Phase, Policy
from tests import samples
from tests.audited import logged, milestones
from tests.fakes import FakeHub
from tests.live_gate.test_stories import NEW, answered, delivered, kinds, live
from tests.story import Story
from tests.world import ISSUE

LOG = [
    "approval.granted plan", "deployment.started paper", "approval.granted live",
    "deployment.started live", "deployment.rolled_back flatten", "approval.granted plan",
    "deployment.started paper", "approval.granted live", "deployment.started live",
]  # fmt: skip
AGAIN = f"ai/generated/wf_{ISSUE}-2"


def told(story: Story, number: int = 1, **other: str) -> None:
    """A machine tells of the bar on which the run was stopped."""
    trading = story.now.deployments[number - 1]
    made = Incident(
        strategy=trading.strategy, workflow_id="wf_7", correlation_id="corr_7",
        commit_sha=trading.commit_sha, bar=61, bar_time="2024-03-01T00:00:00", what="decision",
        live='{"entry": {"action": "BUY", "volume": 2.0}, "exits": []}',
        offline='{"entry": null, "exits": [{"position_id": "p1", "reason": "RSI @all"}]}',
        noticed_at=1, bars=("2024-03-01 open 1 high 2 low 1 close 2",),
        audit=('{"event": "parity_difference"}',),
    )  # fmt: skip
    made = replace(made, **other)  # type: ignore[arg-type]
    story.hub.differences = [ParityBroke(ISSUE, number, made, story.hub.tick())]
    story.look()


def phase(story: Story) -> Phase:
    return story.now.phase


def newest(story: Story) -> Stage:
    return story.now.deployments[-1].stage


def taken_back() -> Story:
    story = live(delivered())
    told(story)
    story.say("/rollback flatten")
    return story


def by_rules(story: Story) -> Story:
    """What was delivered is what the rules write from its contract."""
    flow, at = story.store.read(ISSUE)
    assert flow.contract and flow.draft
    draft = replace(flow.draft, strategy=write_strategy(flow.contract))
    record = story.store.log[ISSUE][-1][1]
    story.store.write(replace(flow, draft=draft), at, record)
    return story


def merged_again(story: Story) -> Story:
    while phase(story) is not Phase.DELIVERING or story.orders():
        story.say("/debug x") if phase(story) is Phase.ESCALATED else story.answer()
    story.hub.merge(f"{AGAIN}/deliver")
    assert story.look().phase is Phase.DELIVERED
    return story


def test_a_difference_is_analysed_on_its_issue_and_leaves_a_todo_for_the_coder() -> None:
    story = live(delivered())
    told(story)
    [body] = [b for b in story.hub.issue_bodies if "### Analysis" in b]
    assert "| entry | action BUY, volume 2.0 | none |" in body
    assert "| exits | none | position_id p1, reason RSI @" in body
    assert "They differ in: entry and exits." in body and "`/debug`" in body
    assert "close 2" in body and "parity_difference" in body and "@all" not in body
    todo = story.now.deployments[0].todo
    assert todo and (todo.id, todo.parent_id) == ("live_1_branch_01", TaskId.EXIT)
    assert (todo.agent_role, todo.branch_reason) == (AgentRole.CODER, Route.IMPLEMENTATION_BUG)
    assert "bar 61" in todo.debug_instructions
    assert todo.reproduce_command == "stratbot live audit --strategy rsi_30_70"
    assert kinds(story)[-1] == "workflow.branch_created"


def test_debug_after_a_rollback_builds_again_with_the_incident_in_the_orders() -> None:
    story = taken_back()
    assert phase(story) is Phase.ROLLED_BACK
    trials = story.now.trials
    said = story.say("/debug look at the clock")
    assert "only a new approval puts it live" in said
    assert (phase(story), story.now.build) == (Phase.BUILDING, 2)
    [order] = story.orders()
    assert order.kind is WorkKind.DRAFT and order.task_id is TaskId.DATA
    assert order.incident and order.incident.bar == 61
    assert order.tried[0].id == "live_1_branch_01"
    assert order.request.notes[-1].text == "look at the clock"
    shown = for_coder(order)
    assert "bar 61" in shown and "look at the clock" in shown and "close 2" in shown
    assert story.hub.linked[ISSUE, "request"] == "open"
    first = story.now.deployments[0].commit_sha
    merged_again(story)
    assert story.hub.linked[ISSUE, "request"] == "closed"
    assert story.now.trials > trials and story.now.delivered_sha != first
    assert newest(story) is Stage.ROLLED_BACK, "nothing is live by itself"
    live(story)
    assert newest(story) is Stage.LIVE
    rows = milestones(logged(story.store, ISSUE))
    todos = ("workflow.branch_created coder", "workflow.branch_created debugger")
    assert [row for row in rows if not row.startswith(todos)] == LOG
    assert "wrong_phase" in story.say("/debug"), "it is mended"
    assert "wrong_phase" in story.say("/revise use a 2 % stop")


def test_code_that_the_rules_wrote_is_not_built_again() -> None:
    story = by_rules(taken_back())
    said = story.say("/debug")
    assert "nothing_to_do" in said and "would mend nothing" in said and "/revise" in said
    assert phase(story) is Phase.ROLLED_BACK and not story.orders() and story.now.build == 1


@pytest.mark.parametrize(
    ("other", "role", "says"),
    [
        ({}, AgentRole.HUMAN, "engine or the data"),
        ({"offline": '{"entry": {"action": "BUY", "volume": 2.0}, "exits": []}'},
         AgentRole.ARCHITECT, "decided the same"),
    ],
)  # fmt: skip
def test_a_rollback_says_what_has_to_change(
    other: dict[str, str], role: AgentRole, says: str
) -> None:
    story = by_rules(live(delivered()))
    story.say("/rollback hold")
    assert "No machine has told" in story.hub.issue_bodies[-1]
    told(story, 1, **other)
    todo = story.now.deployments[0].todo
    assert todo and todo.agent_role is role
    where = [*story.hub.attempts.values(), *story.hub.issue_bodies]
    assert any(says in body and "bar 61" in body.lower() for body in where)


def revised(story: Story) -> Story:
    """Another plan, that a person accepts."""
    story.say("/revise use a 2 % stop")
    assert phase(story) is Phase.OPENED
    [order] = story.orders()
    assert order.kind is WorkKind.PLAN and order.tried and order.contract
    other = replace(order.contract, symbol="QQQ")
    story.answer(PlanMade(contract=other, todo=samples.todo(ISSUE)))
    assert phase(story) is Phase.PLANNED
    return story


def test_a_revised_plan_is_approved_and_built_and_the_first_stays_known() -> None:
    story = taken_back()
    first = story.now.contract
    revised(story)
    assert story.now.deployments[0].contract == first != story.now.contract
    story.say("/approve")
    assert (phase(story), story.now.build) == (Phase.BUILDING, 2)
    [order] = story.orders()
    assert order.contract == story.now.contract and order.tried and order.incident


def test_what_was_live_before_comes_forward_with_its_own_contract() -> None:
    story = live(live(delivered()), NEW)
    story.say("/rollback hold")
    story.answer()
    answered(story)
    first = story.now.contract
    revised(story)
    assert {d.contract for d in story.now.deployments} == {first}, "all of them were live"
    assert "The new build goes on" in story.say("/rollback flatten")
    assert phase(story) is Phase.PLANNED and not story.orders()
    assert newest(story) is Stage.ROLLED_BACK


def test_words_that_change_nothing_lead_back_to_where_it_was() -> None:
    story = taken_back()
    story.say("/revise be careful")
    contract = story.now.contract
    assert contract
    story.answer(PlanMade(contract=contract, todo=samples.todo(ISSUE)))
    assert phase(story) is Phase.ROLLED_BACK
    story.say("/revise make it trade options")
    story.answer(RequestDeclined(code="no_options", reason="No options."))
    assert phase(story) is Phase.ROLLED_BACK and "No options" in story.status


def test_debug_waits_until_what_comes_forward_is_there_or_was_cancelled() -> None:
    story = live(live(delivered()), NEW)
    story.say("/rollback hold")
    assert phase(story) is Phase.PAPER
    assert "wrong_phase" in story.say("/debug") and "`/cancel`" in story.say("/debug")
    assert "nothing comes forward" in story.say("/cancel")
    assert phase(story) is Phase.ROLLED_BACK
    assert "new approval" in story.say("/debug") and phase(story) is Phase.BUILDING


def test_a_fix_is_built_beside_what_came_forward() -> None:
    story = live(live(delivered()), NEW)
    story.say("/rollback hold")
    story.answer()
    assert answered(story).phase is Phase.LIVE
    story.say("/debug")
    assert phase(story) is Phase.BUILDING
    assert "Halted" in story.say("/halt"), "what trades is stopped from everywhere"
    assert "goes on" in story.say("/rollback flatten") and phase(story) is Phase.BUILDING
    assert any(name.endswith("/3/flatten") for name in story.hub.tags)


def red(story: Story) -> Tested:
    sha = story.orders()[0].head or ""
    return Tested(report=samples.red(TaskId.EXIT, sha, "no_exit", ISSUE))


def test_a_red_test_of_what_is_live_opens_an_incident_and_trades_nothing() -> None:
    policy = Policy(gate=Gate.ENVIRONMENT, owners=("@octocat",))
    story = live(delivered(hub=FakeHub(policy=policy)))
    hub = story.hub
    before = dict(hub.tags)
    story.say("/backtest")
    assert story.orders()[0].head == story.now.deployments[0].commit_sha
    story.answer(red(story))
    assert hub.linked[ISSUE, "incident-red-1"] == "open"
    body = hub.issue_bodies[-1]
    for words in ("@octocat: a test", "`/halt`", "`/rollback flatten`", "expected 28.5"):
        assert words in body
    assert hub.tags == before and story.now.deployments[0].stage is Stage.LIVE
    assert "`/halt`" in story.status and phase(story) is Phase.LIVE
    assert kinds(story)[-1] == "workflow.branch_created"
    story.say("/backtest")
    story.answer(red(story))
    assert len([b for b in hub.issue_bodies if "failed, and that commit" in b]) == 1


def test_a_green_one_and_one_that_could_not_run_are_no_incident() -> None:
    story = live(delivered())
    story.say("/backtest")
    story.answer()
    story.say("/backtest")
    story.answer(WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine"))
    assert not [topic for _, topic in story.hub.linked if topic.startswith("incident")]
    assert story.now.deployments[0].todo is None


def test_a_red_test_before_it_is_live_is_no_incident() -> None:
    story = delivered()
    story.say("/backtest")
    story.answer(red(story))
    assert not [topic for _, topic in story.hub.linked if topic.startswith("incident")]


def test_a_closing_from_before_does_not_hold_the_new_build() -> None:
    """The request was closed with its delivery, and GitHub goes on saying so."""
    story = taken_back()
    closed = IssueClosed(ISSUE, "stratbot", 1)
    story.deliver(closed)
    story.say("/debug")
    story.deliver(closed)
    assert phase(story) is Phase.BUILDING and not story.now.held
    story.deliver(IssueClosed(ISSUE, "octocat", 2))
    assert story.now.held, "a new one is meant"


def test_a_way_back_from_a_fix_is_tested_by_the_first_contract() -> None:
    story = taken_back()
    first = story.now.contract
    story.say("/deploy")
    story.answer()
    answered(story)
    revised(story).say("/approve")
    story.until(Phase.BUILDING)
    flow, at = story.store.read(ISSUE)
    delivered_now = replace(flow, phase=Phase.DELIVERED, delivered_sha=NEW, tasks=())
    story.store.write(delivered_now, at, story.store.log[ISSUE][-1][1])
    live(story)
    assert story.now.deployments[-1].commit_sha == NEW
    story.say("/rollback hold")
    assert phase(story) is Phase.ROLLED_BACK, "the first was taken back too"
    story.say(f"/deploy {story.now.deployments[0].commit_sha}")
    [order] = story.orders()
    assert order.kind is WorkKind.PAPER and order.contract == first != story.now.contract
