"""A comment on the twin stops a run on the simulated broker; who may not write cannot."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.live import machine, token
from schemas.live import Approval, Gate, Stage
from schemas.workflow import Phase
from tests.live.stage import Stage as Machine
from tests.live.stage import exchange
from tests.live.test_kill import asked_net
from tests.live_gate.road import STRATEGY, Road
from tests.twin.desk import TOKENS, Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin


@pytest.fixture(scope="module")
def road(twin: Twin, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """One repository; each test is about an approval of its own."""
    with checked_exchanges():
        yield Road(Desk(twin, tmp_path_factory.mktemp("halt")))


def clone(road: Road, login: str, name: str, number: int) -> Machine:
    """A machine whose git is this person."""
    remote = f"{road.desk.twin.url}/{road.desk.full_name}.git"
    remote = remote.replace("://", f"://x:{TOKENS}{login}@")
    line = ["git", "clone", "--quiet", "--branch", f"live/{STRATEGY}/{number}", remote, name]
    subprocess.run(line, cwd=road.desk.folder, check=True, capture_output=True)
    stage = Machine.build(road.desk.folder / name, road.desk.folder / f"{name}-state", STRATEGY)
    (stage.state / "approver.pub").write_bytes(road.public)
    return stage.rehearsed()


def live(road: Road, login: str, name: str) -> tuple[Machine, str, int]:
    """As after one more approval: a machine, the token, and its number."""
    number = len(road.now.deployments) + 1
    tag = f"live/{STRATEGY}/{number}"
    road.desk.repo().create_git_ref(f"refs/tags/{tag}", road.base)
    stage, now = clone(road, login, name, number), int(time.time())
    approval = Approval(
        strategy=STRATEGY, workflow_id="wf_1", correlation_id="corr_1", commit_sha=road.base,
        files=machine.files(stage.root, STRATEGY), gate=Gate.ENVIRONMENT, approvers=("hubot",),
        run_id=1, granted_at=now - 60 + number, expires_at=now + 3600,
    )  # fmt: skip
    newest = replace(
        road.waiting().deployments[-1], stage=Stage.LIVE, approval=approval, tag=tag,
        approvers=("hubot",), gate=Gate.ENVIRONMENT,
    )  # fmt: skip
    old = tuple(replace(d, stage=Stage.REPLACED) for d in road.now.deployments)
    known = road.now if old else road.request()  # with the comments that were answered
    road.keep(replace(known, phase=Phase.LIVE, deployments=(*old, newest)))
    return stage, token.sign(approval, token.read_private(road.private)), number


def decided(stage: Machine, run: subprocess.Popen[str], more: int) -> int:
    """How many bars it has decided, once there are so many more."""
    file, end = stage.home / "audit.jsonl", time.monotonic() + 100
    start = -1
    while time.monotonic() < end and run.poll() is None:
        rows = file.read_text().splitlines()[:-1] if file.exists() else []
        found = [json.loads(row)["event"] for row in rows].count("decided")
        start = found if start < 0 else start
        if found >= start + more:
            return found
        time.sleep(0.1)
    raise AssertionError(run.communicate())


def test_a_comment_stops_the_run(road: Road) -> None:
    stage, signed, number = live(road, "monalisa", "reader")
    with exchange(stage, "--pace", "0.3"):
        run = stage.start(stage.launch(token=signed, unclaimed=True, listen=0.5))
        decided(stage, run, 2)
        told = road.say("/halt", "hubot")
        assert "Halted" in told and "open positions stay" in told
        _, err = run.communicate(timeout=60)
        assert run.returncode == 1 and "halted_on_github" in err and "weaker" in err, err
    assert road.now.deployments[-1].stage is Stage.HALTED
    assert f"halt/{STRATEGY}/{number}" in road.tags()


def test_a_rollback_ends_the_run_as_it_says_and_tells_what_it_saw(road: Road) -> None:
    """What was live before it was halted, so nothing comes forward."""
    stage, signed, number = live(road, "octocat", "machine")
    with exchange(stage, "--pace", "0.3"):
        run = stage.start(stage.launch(token=signed, listen=0.5))
        decided(stage, run, 3)
        told = road.say("/rollback flatten", "hubot")
        assert "makes it so and ends" in told and "live stop" in told
        _, err = run.communicate(timeout=60)
        assert run.returncode == 1 and f"back/{STRATEGY}/{number}/flatten; " in err, err
        assert asked_net(stage) == 0.0
    assert road.now.deployments[-1].stage is Stage.ROLLED_BACK
    assert f"incident/{STRATEGY}/{number}" in road.tags()
    [issue] = [i for i in road.desk.repo().get_issues(labels=["incident"]) if "took back" in i.body]
    assert "No machine has told" in issue.body
    road.desk.api("POST", f"/_twin/schedules/{road.desk.full_name}", "root")
    comments = road.patient(lambda: [c.body for c in issue.get_comments()], bool)
    assert "it decided the same" in comments[0] and "close" in comments[0]


@pytest.mark.soak
def test_a_token_is_for_one_machine(road: Road) -> None:
    first, signed, number = live(road, "hubot", "first")
    second = clone(road, "octocat", "second", number)
    unwriting = clone(road, "monalisa", "unwriting", number)
    with exchange(first):
        code, _, err = first.run(first.launch(token=signed, bars=1))
        assert code == 0, err
        second.port = unwriting.port = first.port
        code, _, err = second.run(second.launch(token=signed, bars=1, unclaimed=True))
        assert code == 1 and "replayed" in err, err
        code, _, err = unwriting.run(unwriting.launch(token=signed))
        assert code == 1 and ("token_not_claimed" in err or "replayed" in err), err
        code, _, err = first.run(first.launch(token=signed, bars=1))
        assert code == 0, f"a restart is the same use: {err}"
    seen = "\n".join(p.read_text(errors="replace") for p in first.state.rglob("*") if p.is_file())
    assert f"{TOKENS}hubot" not in seen
