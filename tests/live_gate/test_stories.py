"""The way to live and back, told line by line: what each command answers and leaves behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.events import Fact, GateAnswered, ParityBroke, Tick
from bot.ports import Rejected
from bot.why import Why
from schemas.acts import Act, TagCommit
from schemas.live import Gate, GateAnswer, Incident, OnRollback, Stage
from schemas.work import PaperTraded
from schemas.workflow import Phase, Policy, Workflow
from tests.fakes import FakeHub
from tests.story import DELIVER, Story
from tests.world import ISSUE, gate_answer

NEW = "c" * 40


def delivered(gate: Gate = Gate.ENVIRONMENT, hub: FakeHub | None = None) -> Story:
    story = Story(hub or FakeHub(policy=Policy(gate=gate))).building()
    while story.now.phase is not Phase.DELIVERING or story.orders():
        story.say("/debug x") if story.now.phase is Phase.ESCALATED else story.answer()
    story.hub.merge(DELIVER)
    assert story.look().phase is Phase.DELIVERED
    return story


def answered(story: Story, **other: object) -> Workflow:
    number = len(story.now.deployments)
    told = gate_answer(number, story.now.deployments[-1].commit_sha)
    told = replace(told, **other)  # type: ignore[arg-type]
    story.hub.gate_answers[number] = GateAnswered(told, story.hub.tick())
    return story.deliver(story.hub.gate_answers[number])


def live(story: Story, sha: str = "") -> Story:
    story.say(f"/deploy {sha}".strip())
    story.answer()
    assert answered(story).phase is Phase.LIVE
    return story


def ended(story: Story) -> Phase:
    return story.now.phase


def kinds(story: Story) -> list[str]:
    return [e.event_type for _, r, _ in story.store.history(ISSUE) for e in r.events]


def test_after_the_paper_run_a_run_waits_for_a_review() -> None:
    story = delivered()
    assert "waits for your review" in story.say("/deploy")
    assert story.hub.gates == {}
    story.answer()
    sha = story.now.delivered_sha
    assert story.now.phase is Phase.WAITING and story.hub.gates == {1: sha}
    assert "deploy.yml" in story.status and "somebody else than octocat" in story.status
    assert "other_gate" in story.say(f"/approve-live {sha}", "hubot-owner")


def test_a_paper_run_that_differs_or_was_not_isolated_leads_to_no_gate() -> None:
    for wrong in ({"differences": 1}, {"bars": 0}, {"isolated": False}, {"sha": NEW}):
        story = delivered()
        story.say("/deploy")
        sha = story.now.delivered_sha or ""
        story.answer(replace(PaperTraded(sha=sha, bars=9, differences=0), **wrong))
        assert story.now.phase is Phase.DELIVERED and story.hub.gates == {}, wrong
        assert story.now.deployments[-1].stage is Stage.FAILED and "/deploy" in story.status


def test_where_comments_are_the_gate_the_run_starts_after_the_second() -> None:
    story = delivered(Gate.COMMENT)
    assert "weaker" in story.say("/deploy")
    story.answer()
    sha = story.now.delivered_sha
    story.say(f"/approve-live {sha}")
    assert story.hub.gates == {} and "a second person" in story.status
    assert "weaker" in story.say(f"/approve-live {sha}", "hubot-owner")
    assert story.hub.gates == {1: sha} and story.now.phase is Phase.WAITING
    assert "nothing_to_do" in story.say(f"/approve-live {sha}", "hubot-owner")


def test_an_open_gate_tags_and_names_who_approved() -> None:
    story = live(delivered())
    newest = story.now.deployments[-1]
    assert story.hub.tags[newest.tag] == newest.commit_sha == story.now.delivered_sha
    assert newest.approval and newest.approvers == ("hubot-owner",)
    assert newest.tag in story.status and "token" in story.status
    assert kinds(story)[-2:] == ["approval.granted", "deployment.started"]


@pytest.mark.parametrize(
    "other",
    [{"deployment": 2}, {"commit_sha": NEW}],
)
def test_an_answer_about_something_else_changes_nothing(other: dict[str, object]) -> None:
    story = delivered()
    story.say("/deploy")
    story.answer()
    assert answered(story, **other).phase is Phase.WAITING


def test_an_approval_of_another_commit_shuts_it() -> None:
    story = delivered()
    story.say("/deploy")
    story.answer()
    wrong = gate_answer(1, NEW).approval
    after = answered(story, approval=wrong)
    assert after.phase is Phase.DELIVERED and after.deployments[-1].stage is Stage.FAILED


def test_a_shut_gate_says_why_and_lets_one_start_again() -> None:
    story = delivered()
    story.say("/deploy")
    story.answer()
    told = GateAnswer(
        issue=ISSUE, deployment=1, commit_sha=story.now.delivered_sha or "",
        reason=Why.SELF_REVIEW, message="`self_review`: Type `/deploy`.",
    )  # fmt: skip
    after = story.deliver(GateAnswered(told, story.hub.tick()))
    assert after.phase is Phase.DELIVERED and "self_review" in story.status
    assert after.deployments[-1].reason == "self_review" and not story.hub.tags.get("live")
    assert live(story).now.deployments[-1].tag.endswith("/2")


def test_an_answer_after_a_cancel_opens_nothing() -> None:
    story = delivered()
    story.say("/deploy")
    story.answer()
    story.say("/cancel")
    assert answered(story).phase is Phase.CANCELLED
    assert not any(name.startswith("live/") for name in story.hub.tags)


def test_a_cancel_of_a_newer_version_leaves_the_one_that_trades() -> None:
    story = live(delivered())
    story.say(f"/deploy {NEW}")
    said = story.say("/cancel")
    assert "stays as it was: live" in said and "/halt" in said
    now = story.now
    assert now.phase is Phase.LIVE and now.stopped_in is None
    assert [d.stage for d in now.deployments] == [Stage.LIVE, Stage.FAILED]
    assert not story.orders() and "stratbot:live" in story.hub.labels[ISSUE]
    assert "waits for your review" in story.say(f"/deploy {NEW}")


def test_a_newer_version_waits_beside_the_one_that_trades() -> None:
    story = live(delivered())
    assert "nothing_to_do" in story.say("/deploy")
    story.say(f"/deploy {NEW}")
    story.answer()
    first, second = story.now.deployments
    assert (first.stage, second.stage) == (Stage.LIVE, Stage.WAITING)
    answered(story, approval=None, reason="rejected", message="`/deploy` again.")
    assert story.now.phase is Phase.LIVE and story.now.deployments[0].stage is Stage.LIVE


def test_a_rollback_brings_the_previous_version_forward() -> None:
    story = live(live(delivered()), NEW)
    assert [d.stage for d in story.now.deployments] == [Stage.REPLACED, Stage.LIVE]
    told = story.say("/rollback flatten", "hubot-owner")
    assert "closed at the market" in told and "--positions flatten" in told and "/1`" in told
    bad, back = story.now.deployments[1:]
    assert (bad.stage, bad.rollback) == (Stage.ROLLED_BACK, OnRollback.FLATTEN)
    assert bad.todo and bad.todo.parent_id == "t4_exit"
    assert (back.commit_sha, back.stage) == (story.now.delivered_sha, Stage.PAPER)
    assert (story.now.phase, back.requested_by) == (Phase.PAPER, "hubot-owner")
    assert story.hub.linked[ISSUE, "incident-rollback-2"] == "open"
    assert f"{bad.tag.replace('live/', 'back/')}/flatten" in story.hub.tags
    assert {"deployment.rolled_back", "workflow.branch_created"} <= set(kinds(story)[-5:])
    story.answer()
    assert story.now.phase is Phase.WAITING and story.hub.gates[3] == back.commit_sha
    assert answered(story).deployments[-1].tag.endswith("/3")
    again = story.say("/rollback hold")
    assert "Nothing was live before it" in again and ended(story) is Phase.ROLLED_BACK


def difference(story: Story, number: int, **other: str) -> ParityBroke:
    trading = story.now.deployments[-1]
    made = Incident(
        strategy=trading.strategy, workflow_id="wf_7", correlation_id="corr_7",
        commit_sha=trading.commit_sha, bar=61, bar_time="2024-03-01T00:00:00", what="decision",
        live='{"entry": "BUY @octocat"}', offline='{"entry": null}', noticed_at=1,
    )  # fmt: skip
    told = replace(made, **other)  # type: ignore[arg-type]
    return ParityBroke(ISSUE, number, told, story.hub.tick())


def test_a_difference_on_a_machine_opens_one_incident_with_bar_and_values() -> None:
    story = live(delivered())
    for number, other in ((2, {}), (0, {}), (1, {"commit_sha": NEW}), (1, {"strategy": "other"})):
        story.hub.differences = [difference(story, number, **other)]
        story.look()
    assert (ISSUE, "incident-parity-1") not in story.hub.linked, "about something else"
    story.hub.differences = [difference(story, 1)]
    assert "stopped itself" in story.look().note
    assert story.hub.linked[ISSUE, "incident-parity-1"] == "open"
    body = story.hub.issue_bodies[-1]
    assert "bar 61 (2024-03-01T00:00:00)" in body and "BUY" in body and "null" in body
    assert "@octocat" not in body and "/rollback" in body
    before = story.now
    assert story.look().seen == before.seen and story.now.outbox == ()


def test_a_rollback_gives_up_what_is_on_its_way() -> None:
    story = live(delivered())
    story.say(f"/deploy {NEW}")
    story.say("/rollback handover")
    first, second = story.now.deployments
    assert (first.stage, second.stage) == (Stage.ROLLED_BACK, Stage.FAILED)
    assert story.now.phase is Phase.ROLLED_BACK and not story.orders()


@pytest.mark.parametrize("login", ["monalisa", "stranger"])
@pytest.mark.parametrize("command", ["/rollback flatten", "/halt", "/deploy"])
def test_only_who_may_write_is_heard(command: str, login: str) -> None:
    story = live(delivered())
    before = story.now.deployments
    assert "no_permission" in story.say(command, login)
    assert story.now.deployments == before


@pytest.mark.parametrize("command", ["/rollback flatten", "/halt"])
def test_nothing_live_is_nothing_to_stop(command: str) -> None:
    assert "nothing_to_do" in delivered().say(command)


def test_the_kill_switch_is_heard_in_every_phase() -> None:
    story = live(delivered())
    story.say(f"/deploy {NEW}")
    story.say("/cancel")
    assert "live halt --strategy" in story.say("/halt")
    assert story.now.deployments[0].stage is Stage.HALTED
    halted = [name for name in story.hub.tags if name.startswith("halt/")]
    assert len(halted) == 1 and story.hub.linked[ISSUE, "incident-halt-1"] == "open"
    assert "deployment.halted" in kinds(story)
    assert "nothing_to_do" in story.say("/halt")
    assert "Taken back" in story.say("/rollback flatten")


def test_a_lost_answer_is_found_by_the_sweep() -> None:
    story = delivered()
    story.say("/deploy")
    story.answer()
    told = gate_answer(1, story.now.delivered_sha or "")
    story.hub.gate_answers[1] = GateAnswered(told, story.hub.tick())
    assert story.deliver(Tick(ISSUE, story.hub.tick())).phase is Phase.LIVE


class Deaf(FakeHub):
    """A repository whose rules let nobody put tags that machines listen to."""

    deaf = True

    def perform(self, workflow: Workflow, act: Act) -> Fact | None:
        if self.deaf and isinstance(act, TagCommit) and act.name.startswith(("halt/", "back/")):
            raise Rejected("Repository rule violations found")
        return super().perform(workflow, act)


@pytest.mark.parametrize("said", ["/halt", "/rollback flatten"])
def test_a_stop_that_github_does_not_take_is_told_loudly_and_sent_again(said: str) -> None:
    story = live(delivered(Gate.ENVIRONMENT, Deaf()))
    story.say(said)
    assert story.now.held and "NOT HEARD" in story.status and "may still trade" in story.status
    assert "stratbot live halt" in story.status and "rule violations" in story.status
    incidents = [topic for _, topic in story.hub.linked if "unheard" in topic]
    assert len(incidents) == 1 and "stratbot:needs-human" in story.hub.labels[ISSUE]
    assert not any(name.startswith(("halt/", "back/")) for name in story.hub.tags)
    story.hub.deaf = False  # type: ignore[attr-defined]
    story.say("/resume")
    [tag] = [name for name in story.hub.tags if name.startswith(("halt/", "back/"))]
    assert not story.now.held and "NOT HEARD" not in story.status, tag


@pytest.mark.parametrize("way", ["/resume", "/cancel", "/halt"])
def test_a_halt_is_sent_again_by_whatever_is_typed_next(way: str) -> None:
    """Also when two candidates have failed since, and stand behind it."""
    story = live(delivered(Gate.ENVIRONMENT, Deaf()))
    for _ in range(2):
        story.say(f"/deploy {NEW}")
        story.say("/cancel")
    story.say(f"/deploy {NEW}")
    story.say("/halt")
    assert "NOT HEARD" in story.status
    story.say(way)
    assert "NOT HEARD" in story.status, "it was refused once more"
    story.hub.deaf = False  # type: ignore[attr-defined]
    story.say("/halt" if way == "/cancel" else way)
    assert [name for name in story.hub.tags if name.startswith("halt/")]
