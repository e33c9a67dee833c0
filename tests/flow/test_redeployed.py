"""Live, an incident, taken back, revised, built, merged and live again; its log, line by line."""

from __future__ import annotations

import json
import subprocess
import time

import pytest
from github.WorkflowRun import WorkflowRun

from bot.io.github.setup import CHOSEN
from bot.io.gitref import GitRefStore
from bot.live import repository, token
from schemas import codec
from schemas.live import Incident, Stage
from schemas.workflow import Workflow
from tests.audited import milestones
from tests.flow.conftest import Made
from tests.flow.world import Story
from tests.twin.desk import TOKENS

LOG = [
    "approval.granted plan", "deployment.started paper", "approval.granted live",
    "deployment.started live", "workflow.branch_created human", "deployment.rolled_back flatten",
    "approval.granted plan", "deployment.started paper",
    "approval.granted live", "deployment.started live",
]  # fmt: skip


def guarded(story: Story) -> Story:
    """The environment `live`: hubot reviews, and the key is in it alone."""
    desk = story.world.desk
    path, people = desk.at("/environments/live"), [desk.client().get_user("hubot").id]
    rows = [{"type": "User", "id": ident} for ident in people]
    made = desk.api("PUT", path, reviewers=rows, wait_timer=0, **CHOSEN)
    assert made.status_code == 200, made.text
    desk.api("POST", f"{path}/deployment-branch-policies", name="main")
    private, _ = token.new_pair()
    environment = story.world.repo().get_environment("live")
    environment.create_secret("STRATBOT_SIGNING_KEY", private.decode())
    return story


def store(story: Story) -> GitRefStore:
    remote = f"{story.world.desk.twin.url}/{story.world.name}.git"
    return GitRefStore(remote, f"{TOKENS}octocat")


def state(story: Story) -> Workflow:
    return store(story).read(story.number)[0]


def delivered(story: Story, build: int) -> str:
    """A person merges the delivery; the commit on main."""
    story.comes_to("delivering", "needs-human")
    story.world.rest()
    again = f"-{build}" if build > 1 else ""
    head = f"octocat:ai/generated/wf_{story.number}{again}/deliver"
    [pull] = story.world.repo().get_pulls(state="open", head=head)
    assert "Closes" in pull.body
    story.world.repo("hubot").get_pull(pull.number).merge()
    story.comes_to("delivered")
    story.world.rest()
    assert story.issue().state == "closed"
    return str(state(story).delivered_sha)


def live(story: Story, number: int) -> Workflow:
    """A paper run, a review by somebody else, and the approval."""
    assert "paper run starts" in story.answered("/deploy", "octocat")
    story.comes_to("waiting", "needs-human")

    def waiting() -> list[WorkflowRun]:
        runs = story.world.repo().get_workflow("deploy.yml").get_runs()
        return [r for r in runs if r.display_title.split()[1] == f"gate-{number}"]

    [run] = story.until(waiting, lambda found: found and found[0].status == "waiting")
    desk = story.world.desk
    path = desk.at(f"/actions/runs/{run.id}/pending_deployments")
    [gate] = desk.api("GET", path).json()
    given = {
        "environment_ids": [gate["environment"]["id"]], "comment": "", "state": "approved",
    }  # fmt: skip
    assert desk.api("POST", path, "hubot", **given).status_code == 200
    story.comes_to("live")
    story.world.rest()
    return state(story)


def tells(story: Story, now: Workflow) -> None:
    """As a machine does: it decided otherwise than on its stored inputs, and stopped itself."""
    trading = now.deployments[-1]
    incident = Incident(
        strategy=trading.strategy, workflow_id=now.id, correlation_id=now.correlation_id,
        commit_sha=trading.commit_sha, bar=61, bar_time="2024-03-01T00:00:00", what="decision",
        live='{"entry": {"action": "BUY"}, "exits": []}', offline='{"entry": null, "exits": []}',
        noticed_at=int(time.time()), bars=("2024-03-01T00:00:00: close 2",),
        audit=('{"event": "parity_difference"}',),
    )  # fmt: skip
    desk = story.world.desk
    remote = f"{desk.twin.url.replace('://', f'://x:{TOKENS}octocat@')}/{story.world.name}.git"
    root = story.world.folder / "machine"
    subprocess.run(["git", "clone", "-q", remote, str(root)], check=True, capture_output=True)
    name = f"refs/tags/incident/{trading.strategy}/{len(now.deployments)}"
    assert repository.leave(root, name, codec.dump(incident))
    story.world.sweep()


@pytest.mark.soak
def test_a_rollback_leads_to_a_fix_that_is_live(made: Made) -> None:
    story = guarded(made(max_cost="5").ask())
    story.comes_to("planned", "needs-human").say("/approve")
    first = delivered(story, 1)
    now = live(story, 1)
    tells(story, now)
    [incident] = story.world.repo().get_issues(labels=["incident"])
    assert "### Analysis" in incident.body and "They differ in: entry" in incident.body
    assert "engine or the data of that machine" in incident.body and "parity_diff" in incident.body

    assert "Taken back" in story.answered("/rollback flatten", on=incident.number)
    assert "would mend nothing" in story.answered("/debug"), "rules wrote the code"
    story.world.rest()
    asked = story.say("/revise use a 2 % stop")
    story.comes_to("planned", "needs-human")
    assert "stop loss none → 2%" in story.answer(asked)
    assert story.issue().state == "open", "it is at work again"
    trials = state(story).trials
    story.say("/approve")
    second = delivered(story, 2)
    assert second != first and state(story).trials > trials
    contract = story.file(f"strategies/{now.deployments[0].strategy}/contract.json", "main")
    assert json.loads(contract)["risk"]["stops"]

    done = live(story, 2)
    assert [d.stage for d in done.deployments] == [Stage.ROLLED_BACK, Stage.LIVE]
    assert done.deployments[1].tag.endswith("/2") and done.deployments[1].commit_sha == second
    assert milestones(story.audit()) == LOG
