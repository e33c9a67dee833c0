"""The real deploy.yml on the twin: it opens for a review, and says why when it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.live import token
from schemas.acts import OpenGate
from schemas.live import Gate, Stage
from schemas.workflow import Phase
from tests.live_gate.road import STRATEGY, Road, secret_lines
from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin


@pytest.fixture
def road(twin: Twin, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Road]:
    with checked_exchanges():
        yield Road(Desk(twin, tmp_path), getattr(request, "param", Gate.ENVIRONMENT))


def at_the_gate(road: Road) -> None:
    """The run is asked for by what waits in the outbox, as after a crash."""
    waiting = road.waiting()
    road.keep(replace(waiting, outbox=(OpenGate(deployment=1, sha=road.base),)))
    assert "waits for the review" in road.say("/status")


def test_a_review_signs_tags_and_tells(road: Road) -> None:
    road.protect("hubot")
    at_the_gate(road)
    run = road.gate(1, "waiting")
    assert f"What will run: `{road.base}`" in road.logs() and "| `adapters` |" in road.logs()
    assert road.ends(run)["ask"] == "success" and road.now.phase is Phase.WAITING
    road.review(run, "hubot", "approved")
    run = road.gate(1, "completed")
    assert set(road.ends(run).values()) == {"success"}, road.logs()
    newest = road.until(Phase.LIVE).deployments[-1]
    assert (newest.stage, newest.approvers, newest.gate) == (
        Stage.LIVE, ("hubot",), Gate.ENVIRONMENT,
    )  # fmt: skip
    assert road.tags()[f"live/{STRATEGY}/1"] == road.base
    signed = road.token(run)
    key = token.read_public(road.public)
    assert newest.approval and token.verify(signed, key, newest.since) == newest.approval
    assert newest.approval.run_id == run.id
    seen = road.everything()
    assert signed not in seen and not any(line in seen for line in secret_lines(road.private))


def test_a_rejected_review_leaves_it_shut(road: Road) -> None:
    road.protect("hubot")
    at_the_gate(road)
    road.review(road.gate(1, "waiting"), "hubot", "rejected")
    after = road.until(Phase.DELIVERED)
    assert after.deployments[-1].reason == "rejected" and "/deploy" in after.note
    run = road.gate(1, "completed")
    assert road.ends(run) == {"ask": "success", "sign": "failure", "tell": "success"}
    assert road.artifact(run, "token") is None and road.tags() == {}


def test_no_environment_is_made_and_nobody_is_asked(road: Road) -> None:
    at_the_gate(road)
    after = road.until(Phase.DELIVERED)
    assert after.deployments[-1].reason == "no_environment" and "Settings" in after.note
    run = road.gate(1, "completed")
    assert road.ends(run) == {"ask": "failure", "sign": "skipped", "tell": "success"}
    assert road.desk.api("GET", road.desk.at("/environments/live")).status_code == 404
    assert road.tags() == {}


def test_a_key_that_is_not_there_opens_nothing(road: Road) -> None:
    road.protect("hubot")
    road.desk.repo().get_environment("live").delete_secret("STRATBOT_SIGNING_KEY")
    at_the_gate(road)
    road.review(road.gate(1, "waiting"), "hubot", "approved")
    after = road.until(Phase.DELIVERED)
    assert after.deployments[-1].reason == "no_answer"
    assert road.tags() == {} and road.artifact(road.gate(1, "completed"), "token") is None


@pytest.mark.parametrize("road", [Gate.COMMENT], indirect=True)
def test_two_comments_lead_to_the_same_job_and_say_that_they_are_weaker(road: Road) -> None:
    road.protect()
    road.keep(road.waiting())
    assert "second person" in road.say(f"/approve-live {road.base}")
    assert "self_review" in road.say(f"/approve-live {road.base}")
    assert "weaker" in road.say(f"/approve-live {road.base}", "hubot")
    newest = road.until(Phase.LIVE).deployments[-1]
    assert newest.approval and newest.approval.gate is Gate.COMMENT
    assert newest.approval.approvers == ("octocat", "hubot")
    assert "weaker" in road.now.note and road.tags()[newest.tag] == road.base
    assert token.verify(
        road.token(road.gate(1, "completed")), token.read_public(road.public), newest.since
    )
