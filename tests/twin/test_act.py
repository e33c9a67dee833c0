"""The same workflows with act, which reads the real YAML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import SEED, Twin
from tests.twin.waiting import until
from tests.twin.workflows import GATED, SHAPES, SLOW, TALK, WORK, dispatch, ended, runs, write


@pytest.fixture(scope="module")
def acting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("act"), SEED, "--executor", "act") as running:
        yield running


@pytest.fixture
def desk(acting: Twin, tmp_path: Path) -> Iterator[Desk]:
    with checked_exchanges():
        yield Desk(acting, tmp_path)


def test_jobs_with_outputs_needs_and_artifacts(desk: Desk) -> None:
    write(desk, WORK)
    run = ended(desk, dispatch(desk, issue="7"))
    ends = {j.name: j.conclusion for j in run.jobs()}
    log = desk.api("GET", desk.at(f"/actions/jobs/{run.jobs()[0].id}/logs")).text
    assert ends == {"draft": "success", "finish": "success", "never": "skipped"}, log
    [artifact] = run.get_artifacts()
    url = desk.api("GET", desk.at(f"/actions/artifacts/{artifact.id}/zip")).url
    with zipfile.ZipFile(io.BytesIO(requests.get(url, timeout=20).content)) as archive:
        assert archive.read("result.json") == b'{"a": 1}\n'
    assert [s.conclusion for s in run.jobs()[0].steps][:3] == ["success"] * 3


def test_a_job_speaks_with_its_own_token(desk: Desk) -> None:
    write(desk, TALK)
    desk.repo().create_issue("x").create_comment("/help")
    found = [ended(desk, r) for r in runs(desk, 3)]
    log = desk.api("GET", desk.at(f"/actions/jobs/{found[1].jobs()[0].id}/logs")).text
    assert {r.conclusion for r in found} == {"success"}, log
    assert "the token is ***" in log and "ghs_" not in log
    users = [c.user.login for c in desk.repo().get_issue(1).get_comments()]
    assert users == ["octocat", "github-actions[bot]"]


@pytest.mark.parametrize("shape", ["matrix", "fails", "excused"])
def test_shapes_of_jobs(desk: Desk, shape: str) -> None:
    text, ends = SHAPES[shape]
    write(desk, f"on: workflow_dispatch\njobs:\n  a:\n    runs-on: x\n    {text}\n")
    run = ended(desk, dispatch(desk))
    assert {j.name: j.conclusion for j in run.jobs()} == ends


def test_a_secret_of_the_environment_reaches_the_job(desk: Desk) -> None:
    write(desk, GATED % "live")
    desk.repo().create_environment("live").create_secret("KEY", "deep")
    assert ended(desk, dispatch(desk)).conclusion == "success"


def test_another_commit_is_checked_out_when_it_is_named(desk: Desk) -> None:
    repo = desk.repo()
    repo.create_git_ref("refs/heads/side", repo.get_branch("main").commit.sha)
    repo.create_file("side.txt", "Add side", "x", branch="side")
    steps = "[{uses: actions/checkout@v7, with: {ref: side, path: s}}, {run: test -f s/side.txt}]"
    write(desk, f"on: workflow_dispatch\njobs: {{a: {{runs-on: x, steps: {steps}}}}}\n")
    assert ended(desk, dispatch(desk)).conclusion == "success"


def test_a_cancelled_run_leaves_no_process(desk: Desk) -> None:
    gate = desk.folder / "gate"
    write(desk, SLOW % ("one", gate))
    run = dispatch(desk)
    pid = until(lambda: gate.with_suffix(".pid"), lambda p: p.exists() and bool(p.read_text()))
    assert run.cancel()
    assert ended(desk, run).conclusion == "cancelled"
    number = int(pid.read_text())
    until(lambda: desk.alive(number), lambda alive: not alive)
