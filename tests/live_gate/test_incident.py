"""A machine leaves the bar on which it differed in the repository; the bot opens an issue."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from pathlib import Path

from bot.events import Identity, ParityBroke, Tick
from bot.handle import handle
from bot.io.github import GitHubHub
from bot.live import repository
from schemas import codec
from schemas.live import Incident, Stage
from schemas.workflow import Phase, Record
from tests import samples
from tests.live_gate.door import NAME, Door
from tests.twin.desk import TOKENS

REF = f"refs/tags/incident/{NAME}"


def clone(door: Door, folder: Path) -> Path:
    remote = f"{door.desk.twin.url}/{door.desk.full_name}.git"
    remote = remote.replace("://", f"://x:{TOKENS}octocat@")
    subprocess.run(["git", "clone", "-q", remote, str(folder)], check=True, capture_output=True)
    return folder


def hub(door: Door) -> GitHubHub:
    me = Identity(door.ident("octocat"))
    url, token = door.desk.twin.url, f"{TOKENS}octocat"
    return GitHubHub(door.desk.full_name, token, me, door.policy, base_url=url, spacing=0)


def test_a_difference_becomes_an_issue_with_bar_and_values(door: Door, tmp_path: Path) -> None:
    number = door.desk.repo("monalisa").create_issue("t", body="b").number
    approved = door.deployment(
        stage=Stage.LIVE, tag=f"live/{NAME}/1", approval=samples.approval(number, door.sha)
    )
    live = replace(door.state, issue=number, phase=Phase.LIVE, deployments=(approved,))
    incident = Incident(
        strategy=NAME, workflow_id="wf_1", correlation_id="corr_1", commit_sha=door.sha, bar=61,
        bar_time="2024-03-01T00:00:00", what="decision", live="BUY", offline="nothing",
        noticed_at=1,
    )  # fmt: skip
    root = clone(door, tmp_path / "machine")
    there = hub(door)
    assert [e for e in there.news(live) if isinstance(e, ParityBroke)] == []
    assert repository.leave(root, f"{REF}/1", codec.dump(incident))
    assert repository.leave(root, f"{REF}/2", "no document")
    (told,) = (e for e in there.news(live) if isinstance(e, ParityBroke))
    assert (told.number, told.incident) == (1, incident)

    record = Record(correlation_id="corr_1", workflow_id="wf_1", at=1, because=("before",),
                    actor="octocat", phase=live.phase)  # fmt: skip
    door.store.write(live, door.store.read(number)[1], record)
    for _ in range(2):
        handle(Tick(number, int(time.time())), door.store, hub(door))
    (issue,) = door.desk.repo().get_issues(labels=["incident"])
    assert "bar 61 (2024-03-01T00:00:00)" in issue.body
    assert "live: BUY" in issue.body and "offline: nothing" in issue.body
