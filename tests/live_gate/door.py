"""A repository on the twin with a delivered strategy, an environment, and a run that waits."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from github.WorkflowRun import WorkflowRun

from bot.cli.gate import Here, gathered
from bot.events import GateAnswered, Identity
from bot.gate import Open, judge
from bot.io.github import GitHubHub
from bot.io.github.setup import CHOSEN
from bot.io.gitref import GitRefStore
from bot.twin.seed import BOT_ID
from bot.why import Shut
from schemas import codec
from schemas.live import Deployment, Stage
from schemas.work import Request
from schemas.workflow import Delivery, Phase, Policy, Record, Workflow
from tests import samples
from tests.twin.desk import TOKENS, Desk
from tests.twin.workflows import dispatch, ended

WAITS = """
name: deploy
run-name: wf_${{ inputs.issue }} gate-${{ inputs.deployment }} ${{ inputs.sha }}
on:
  workflow_dispatch: {inputs: {issue: {}, deployment: {}, sha: {}}}
  push: {branches: [pushed]}
jobs:
  sign:
    environment: ${{ github.event_name == 'push' && 'elsewhere' || 'live' }}
    runs-on: ubuntu-latest
    steps: [{run: "true"}]
"""
"""Only the wait: what is judged is what the real deploy.yml would be told."""
NAME = samples.contract().name
HOME = f"strategies/{NAME}"
LOOKS = {"actions": "read", "contents": "read", "metadata": "read"}


class Door:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.policy = Policy(home=f"{desk.twin.url}/{desk.full_name}")
        for name, text in (
            (".github/workflows/deploy.yml", WAITS),
            (".github/workflows/other.yml", WAITS.replace("name: deploy", "name: other")),
            ("adapters/guards.py", "GUARDS = True\n"),
            ("requirements.lock", "pandas==3.0.0\n"),
            (f"{HOME}/contract.json", codec.dump(samples.contract(1))),
            (f"{HOME}/strategy.py", "x = 1\n"),
        ):
            self.write(name, text)
        self.sha = self.head()
        remote = f"{desk.twin.url}/{desk.full_name}.git"
        self.store = GitRefStore(remote, f"{TOKENS}octocat")
        self.state = Workflow(
            issue=1, request=Request(title="t", body="b", author="monalisa"), policy=self.policy,
            phase=Phase.WAITING, contract=samples.contract(1), delivered_sha=self.sha,
            delivery=Delivery(head=self.sha, passed_sha=self.sha),
            deployments=(self.deployment(),),
        )  # fmt: skip

    def deployment(self, **other: Any) -> Deployment:
        made = Deployment(
            strategy=NAME, workflow_id="wf_1", correlation_id="corr_1", commit_sha=self.sha,
            stage=Stage.WAITING, requested_by="octocat", requester_id=self.ident("octocat"),
            paper_bars=450, since=int(time.time()) - 60,
        )  # fmt: skip
        return replace(made, **other)

    def ident(self, login: str) -> int:
        return self.desk.client().get_user(login).id

    def write(self, name: str, text: str, branch: str = "main") -> None:
        repo = self.desk.repo()
        try:
            there = repo.get_contents(name, branch)
            assert not isinstance(there, list)
            repo.update_file(name, "Change it", text, there.sha, branch=branch)
        except Exception as error:
            if "404" not in str(error):
                raise
            repo.create_file(name, "Add it", text, branch=branch)

    def head(self, branch: str = "main") -> str:
        return self.desk.repo().get_branch(branch).commit.sha

    def protect(self, *logins: str, name: str = "live") -> None:
        rows = [{"type": "User", "id": self.ident(login)} for login in logins]
        path = self.desk.at(f"/environments/{name}")
        made = self.desk.api("PUT", path, reviewers=rows, wait_timer=0, **CHOSEN)
        assert made.status_code == 200, made.text
        self.desk.api("POST", f"{path}/deployment-branch-policies", name="main")

    def let_all(self, *logins: str) -> None:
        """Reviewed, and open to every branch: as an environment is made by hand."""
        self.protect(*logins)
        rows = [{"type": "User", "id": self.ident(login)} for login in logins]
        made = self.desk.api("PUT", self.desk.at("/environments/live"), reviewers=rows)
        assert made.json()["deployment_branch_policy"] is None

    @property
    def inputs(self) -> dict[str, str]:
        return {"issue": "1", "deployment": str(len(self.state.deployments)), "sha": self.sha}

    def start(self, file: str = "deploy.yml", branch: str = "main") -> WorkflowRun:
        """As the bot does it: with the token of a job."""
        token = self.desk.bot({"actions": "write"})
        got = self.desk.as_bot(
            token, "POST", f"/actions/workflows/{file}/dispatches", ref=branch,
            inputs=self.inputs, return_run_details=True,
        )  # fmt: skip
        assert got.status_code == 200, got.text
        return self.desk.repo().get_workflow_run(got.json()["workflow_run_id"])

    def start_by_hand(self, login: str) -> WorkflowRun:
        return dispatch(self.desk, "deploy.yml", login, **self.inputs)

    def review(self, run: WorkflowRun, login: str, state: str = "approved") -> None:
        ended(self.desk, run, "waiting")
        path = self.desk.at(f"/actions/runs/{run.id}/pending_deployments")
        [gate] = self.desk.api("GET", path).json()
        given = {"environment_ids": [gate["environment"]["id"]], "comment": "", "state": state}
        done = self.desk.api("POST", path, login, **given)
        assert done.status_code == 200, done.text
        ended(self.desk, run)

    def reviewed(self, login: str = "hubot") -> WorkflowRun:
        """The usual way: a run, and a review by somebody else."""
        self.protect("hubot", "octocat", "monalisa")
        run = self.start()
        self.review(run, login)
        return run

    def judge(self, run: WorkflowRun, at: str = "", **other: Any) -> Open | Shut:
        """What the signing job would find, with a token like that job's."""
        self.store.write(replace(self.state, **other), self.store.read(1)[1], _record())
        policy = other.get("policy", self.policy)
        token = self.desk.bot(LOOKS)
        hub = GitHubHub(
            self.desk.full_name, token, Identity(1), policy, base_url=self.desk.twin.url, spacing=0
        )
        here = Here(self.desk.full_name, run.id, policy, BOT_ID, hub.site.wire, self._read, _nobody)
        number = len(self.state.deployments)
        return judge(gathered(here, 1, number, self.sha, self.checkout(at or self.sha)))

    def _read(self, issue: int) -> Workflow:
        return self.store.read(issue)[0]

    def checkout(self, sha: str) -> Path:
        folder = self.desk.folder / f"candidate-{sha[:12]}"
        if not folder.exists():
            remote = f"{self.desk.twin.url}/{self.desk.full_name}.git"
            remote = remote.replace("://", f"://x:{TOKENS}octocat@")
            folder.mkdir()
            lines = [
                "init --quiet",
                f"fetch --quiet --depth=1 {remote} {sha}",
                f"checkout -q {sha}",
            ]
            for line in lines:
                subprocess.run(["git", *line.split()], cwd=folder, check=True, capture_output=True)
        return folder


def _record() -> Record:
    return Record(
        correlation_id="corr_1", workflow_id="wf_1", at=1, because=("test",), actor="octocat",
        phase=Phase.WAITING,
    )  # fmt: skip


def _nobody(answer: GateAnswered) -> None:
    raise AssertionError("nothing is told here")
