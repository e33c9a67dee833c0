"""Merge, paper, review in the browser, token, live run, fault, rollback, the old one live."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.live import audit
from schemas.live import OnRollback, Stage
from schemas.workflow import Delivery, Phase, Workflow
from tests.live.stage import KEY, exchange
from tests.live.stage import Stage as Machine
from tests.live.test_kill import asked_net
from tests.live_gate.road import BRANCH, STRATEGY, Road, secret_lines
from tests.twin.browser import Person, chromium, needed
from tests.twin.desk import TOKENS, Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin

FILE = f"strategies/{STRATEGY}/test_strategy.py"
STORY = [
    "deployment.started paper", "approval.granted hubot", "deployment.started live",
    "deployment.started paper", "approval.granted hubot", "deployment.started live",
    "deployment.rolled_back flatten", "workflow.branch_created", "deployment.started paper",
    "approval.granted hubot", "deployment.started live",
]  # fmt: skip


@pytest.fixture
def road(twin: Twin, tmp_path: Path) -> Iterator[Road]:
    with checked_exchanges():
        yield Road(Desk(twin, tmp_path), seconds=400)  # three paper runs, and all their checks


def merged(road: Road) -> str:
    """A delivery that a person merges; the bot hears of it by itself."""
    repo = road.desk.repo()
    repo.create_git_ref(f"refs/heads/{BRANCH}", road.base)
    repo.create_file(f"strategies/{STRATEGY}/notes.md", "Deliver it", "x", branch=BRANCH)
    pull = repo.create_pull(base="main", head=BRANCH, title="Deliver", body="")
    head = repo.get_branch(BRANCH).commit.sha
    delivery = Delivery(head=head, passed_sha=head)
    road.keep(road.request(
        phase=Phase.DELIVERING, delivered_sha=None, delivery=delivery, delivery_pull=pull.number,
    ))  # fmt: skip
    road.desk.repo("hubot").get_pull(pull.number).merge()
    return str(road.until(Phase.DELIVERED).delivered_sha)


def approved(road: Road, number: int) -> Workflow:
    road.until(Phase.WAITING)
    road.review(road.gate(number, "waiting"), "hubot", "approved")
    return road.until(Phase.LIVE)


def approved_in_the_browser(road: Road, number: int) -> Workflow:
    needed()
    road.until(Phase.WAITING)
    run = road.gate(number, "waiting")
    with chromium() as browser:
        hubot = Person(browser, road.desk.twin.url, "hubot")
        hubot.go(f"/{road.desk.full_name}/actions/runs/{run.id}")
        hubot.write("#comment", "Looked at every line.")
        hubot.send("button[value='approved']")
        hubot.wait_for("hubot approved live")
    return road.until(Phase.LIVE)


def machine(road: Road) -> Machine:
    """The owner's machine: a clone, the public key, and no secret of the repository."""
    folder = road.desk.folder / "machine"
    remote = f"{road.desk.twin.url}/{road.desk.full_name}.git"
    remote = remote.replace("://", f"://x:{TOKENS}octocat@")
    git(road.desk.folder, "clone", "--quiet", remote, str(folder))
    stage = Machine.build(folder, road.desk.folder / "state", STRATEGY)
    (stage.state / "approver.pub").write_bytes(road.public)
    return stage


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)


def on_tag(stage: Machine, number: int) -> None:
    git(stage.root, "fetch", "--quiet", "--tags", "origin")
    git(stage.root, "checkout", "--quiet", f"live/{STRATEGY}/{number}")


def ran(stage: Machine, token: str, bars: int) -> None:
    """A dry run first, then the live one."""
    with exchange(stage):
        code, out, err = stage.run(stage.launch(dry_run=True, bars=3))
        assert code == 0, err
    live, stage.port = stage.port, 0
    assert live
    with exchange(stage):
        code, out, err = stage.run(stage.launch(token=token, bars=bars))
        assert code == 0 and f"{bars} bars are done" in out, err


@pytest.mark.soak
def test_the_whole_way_and_back(road: Road) -> None:
    road.protect("hubot")
    first = merged(road)
    assert "paper run starts" in road.say("/deploy")
    live = approved_in_the_browser(road, 1)
    assert live.deployments[-1].paper_bars > 0
    assert road.tags() == {f"live/{STRATEGY}/1": first}
    stage = machine(road)
    on_tag(stage, 1)
    one = road.token(road.gate(1, "completed"))
    ran(stage, one, 5)

    there = road.desk.repo().get_contents(FILE)
    assert not isinstance(there, list)
    text = there.decoded_content.decode() + "\n# A newer version.\n"
    made = road.desk.repo().update_file(FILE, "Change it", text, there.sha)
    second = made["commit"].sha
    road.say(f"/deploy {second}")
    approved(road, 2)
    on_tag(stage, 2)
    two = road.token(road.gate(2, "completed"))
    stage.rehearsed()
    shrunk = stage.home / "journal.jsonl"
    shrunk.unlink()  # another account: the exchange of this run knows nothing of the first
    with exchange(stage, "--faults", "0.3", "--pace", "0.05"):
        running = stage.start(stage.launch(token=two, listen=0.5))
        wait_for(stage, "line_broken")
        told = road.say("/rollback flatten", "hubot")
        assert "closed at the market" in told and "live stop" in told and "live/" in told
        _, err = running.communicate(timeout=120)
        assert "rolled_back: " in err and f"back/{STRATEGY}/2/flatten; stopped: flatten)" in err
        assert asked_net(stage) == 0.0
    assert stage.cli("resume", "--strategy", STRATEGY).exit_code == 0
    taken = road.now.deployments[1]
    assert (taken.stage, taken.rollback) == (Stage.ROLLED_BACK, OnRollback.FLATTEN)
    issues = [i.title for i in road.desk.repo().get_issues(labels=["incident"])]
    assert len(issues) == 1

    # Who asked is hubot now, so somebody else must look; octocat is made a reviewer.
    road.protect("octocat", "hubot")
    road.until(Phase.WAITING)
    road.review(road.gate(3, "waiting"), "octocat", "approved")
    back = road.until(Phase.LIVE)
    assert back.deployments[-1].commit_sha == first
    assert road.tags()[f"live/{STRATEGY}/3"] == first
    assert f"back/{STRATEGY}/2/flatten" in road.tags(), "on a commit of its own"
    assert f"incident/{STRATEGY}/2" in road.tags()
    on_tag(stage, 3)
    three = road.token(road.gate(3, "completed"))
    shrunk.unlink()
    ran(stage, three, 5)
    told_story(road)
    no_secret(road, stage, (one, two, three))


def wait_for(stage: Machine, event: str) -> None:
    for _ in range(600):
        if any(row["event"] == event for row in stage.audit()):
            return
        time.sleep(0.1)
    raise AssertionError(f"no {event} in the audit log")


def told_story(road: Road) -> None:
    """The audit log of the request, oldest first; each state can be read again."""
    events = [e for _, record, _ in road.store.history(1) for e in record.events]
    found = []
    for event in events:
        match event.event_type:
            case "deployment.started":
                found.append(f"{event.event_type} {event.stage}")
            case "deployment.rolled_back":
                found.append(f"{event.event_type} {event.positions}")
            case "approval.granted":
                found.append(f"{event.event_type} {event.approver}")
            case "workflow.branch_created":
                found.append(event.event_type)
    assert found == [*STORY[:-2], "approval.granted octocat", STORY[-1]]


def no_secret(road: Road, stage: Machine, tokens: tuple[str, ...]) -> None:
    for folder in ("", "paper"):
        assert audit.verify(stage.home / folder / "audit.jsonl") == ""
    kept = [p.read_text(errors="replace") for p in stage.state.rglob("*") if p.is_file()]
    seen = "\n".join([road.everything(), *kept])
    for secret in (*secret_lines(road.private), *tokens, KEY):
        assert secret not in seen
