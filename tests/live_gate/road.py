"""This project on the twin, with a strategy that is about to be delivered, and its people."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from github.WorkflowRun import WorkflowRun

from bot.io.github.setup import CHOSEN
from bot.io.gitref import GitRefStore
from bot.live import token
from schemas import codec
from schemas.contract import Contract
from schemas.live import Deployment, Gate, Stage
from schemas.work import Request
from schemas.workflow import Delivery, Phase, Policy, Record, Workflow
from tests.live.stage import ROOT, generated
from tests.twin.desk import TOKENS, Desk
from tests.workflows.project import push

T = TypeVar("T")
STRATEGY = "sma_cross"
BRANCH = "ai/generated/wf_1/deliver"
BOT = "github-actions[bot]"


class Road:
    """octocat asks, hubot reviews. The signing key is known to nobody but the environment."""

    def __init__(self, desk: Desk, gate: Gate = Gate.ENVIRONMENT, seconds: float = 100) -> None:
        self.desk, self.seconds = desk, seconds
        desk.unlimited()
        self.private, self.public = token.new_pair()
        # Before the workflows are there: nobody shall plan what is planned already.
        self.issue = desk.repo("monalisa").create_issue("Cross", body="Averages that cross")
        push(desk.twin.url, desk.full_name, f"{TOKENS}octocat")
        self.base = self.generated()
        self.policy = Policy(
            unisolated=True, gate=gate, home=f"{desk.twin.url}/{desk.full_name}"
        )  # fmt: skip
        for name, value in (
            ("STRATBOT_SPACING", "0"),
            ("STRATBOT_BACKEND", "process"),
            ("STRATBOT_POLICY", json.dumps({"unisolated": True, "gate": str(gate)})),
        ):
            desk.repo().create_variable(name, value)
        self.store = GitRefStore(f"{desk.twin.url}/{desk.full_name}.git", f"{TOKENS}octocat")

    def generated(self) -> str:
        """The example by hand becomes what the generator writes: only that is run. Its commit."""
        path, repo = f"strategies/{STRATEGY}/strategy.py", self.desk.repo()
        there = repo.get_contents(path)
        assert not isinstance(there, list)
        done = repo.update_file(path, "Generate it", generated(ROOT, STRATEGY), there.sha)
        return str(done["commit"].sha)

    def patient(self, look: Callable[[], T], good: Callable[[T], bool]) -> T:
        end = time.monotonic() + self.seconds
        while not good(found := look()):
            assert time.monotonic() < end, f"still {str(found)[:300]}\n{self.logs()}"
            time.sleep(0.3)
        return found

    def protect(self, *logins: str) -> None:
        """The environment with its reviewers and its key, as an administrator makes it."""
        people = [self.desk.client().get_user(login).id for login in logins]
        rows = [{"type": "User", "id": ident} for ident in people]
        path = self.desk.at("/environments/live")
        made = self.desk.api("PUT", path, reviewers=rows, wait_timer=0, **CHOSEN)
        assert made.status_code == 200, made.text
        self.desk.api("POST", f"{path}/deployment-branch-policies", name="main")
        environment = self.desk.repo().get_environment("live")
        environment.create_secret("STRATBOT_SIGNING_KEY", self.private.decode())

    def request(self, **other: Any) -> Workflow:
        contract = codec.load(
            Contract, (ROOT / f"strategies/{STRATEGY}/contract.json").read_bytes()
        )
        made = Workflow(
            issue=1, policy=self.policy, phase=Phase.DELIVERED, contract=contract,
            request=Request(title="Cross", body="Averages that cross", author="monalisa"),
            author_id=self.desk.client().get_user("monalisa").id,
            contract_digest=codec.digest(contract), delivered_sha=self.base,
            delivery=Delivery(head=self.base, passed_sha=self.base),
        )  # fmt: skip
        return replace(made, **other)

    def waiting(self) -> Workflow:
        """At the gate, as if its paper run had just matched."""
        newest = Deployment(
            strategy=STRATEGY, workflow_id="wf_1", correlation_id="corr_1", commit_sha=self.base,
            stage=Stage.WAITING, requested_by="octocat", paper_bars=450,
            requester_id=self.desk.client().get_user("octocat").id, since=int(time.time()) - 5,
        )  # fmt: skip
        return self.request(phase=Phase.WAITING, deployments=(newest,))

    def keep(self, workflow: Workflow) -> None:
        record = Record(
            correlation_id="corr_1", workflow_id="wf_1", at=1, because=("before",),
            actor="octocat", phase=workflow.phase,
        )  # fmt: skip
        self.store.write(workflow, self.store.read(1)[1], record)

    @property
    def now(self) -> Workflow:
        return self.store.read(1)[0]

    def say(self, body: str, login: str = "octocat") -> str:
        """Posts a comment, gives the bot's answer."""
        before = len(self.said())
        self.desk.repo(login).get_issue(1).create_comment(body)
        more = self.patient(self.said, lambda told: len(told) > before)
        return more[-1]

    def said(self) -> list[str]:
        """Replies only: the status comment changes in place."""
        found = self.desk.repo().get_issue(1).get_comments()
        return [c.body for c in found if c.user.login == BOT and "stratbot:reply" in c.body]

    def until(self, phase: Phase) -> Workflow:
        return self.patient(lambda: self.now, lambda w: w.phase is phase)

    def gate(self, number: int, status: str) -> WorkflowRun:
        def look() -> list[WorkflowRun]:
            runs = self.desk.repo().get_workflow("deploy.yml").get_runs()
            return [r for r in runs if r.display_title.split()[1] == f"gate-{number}"]

        done = self.patient(look, lambda rs: bool(rs) and rs[0].status == status)
        return done[0]

    def review(self, run: WorkflowRun, login: str, state: str) -> None:
        path = self.desk.at(f"/actions/runs/{run.id}/pending_deployments")
        [gate] = self.desk.api("GET", path).json()
        given = {"environment_ids": [gate["environment"]["id"]], "comment": "", "state": state}
        assert self.desk.api("POST", path, login, **given).status_code == 200

    def artifact(self, run: WorkflowRun, name: str) -> bytes | None:
        for found in run.get_artifacts():
            if found.name == name:
                got = self.desk.api("GET", self.desk.at(f"/actions/artifacts/{found.id}/zip"))
                with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
                    return archive.read(archive.namelist()[0])
        return None

    def token(self, run: WorkflowRun) -> str:
        found = self.artifact(run, "token")
        assert found is not None, self.logs()
        return found.decode().strip()

    def tags(self) -> dict[str, str]:
        """The commit of each tag."""
        return {t.name: t.commit.sha for t in self.desk.repo().get_tags()}

    def ends(self, run: WorkflowRun) -> dict[str, str]:
        return {job.name: job.conclusion or "" for job in run.jobs()}

    def logs(self) -> str:
        """Everything that any job has said."""
        jobs = [job for run in self.desk.repo().get_workflow_runs() for job in run.jobs()]
        paths = (self.desk.at(f"/actions/jobs/{job.id}/logs") for job in jobs)
        return "\n".join(self.desk.api("GET", path).text for path in paths)

    def everything(self) -> str:
        """All that is kept on the server and that somebody could read, tokens' artifacts apart."""
        comments = [c.body for c in self.desk.repo().get_issues_comments()]
        issues = [f"{i.title} {i.body}" for i in self.desk.repo().get_issues(state="all")]
        states = [codec.dump(w) + codec.dump(r) for _, r, w in self.store.history(1)]
        kept = []
        for run in self.desk.repo().get_workflow_runs():
            names = {a.name for a in run.get_artifacts()} - {"token"}
            kept += [(self.artifact(run, n) or b"").decode(errors="replace") for n in names]
        server = (self.desk.twin.data / "log").read_text(errors="replace")
        return "\n".join([*comments, *issues, *states, *kept, self.logs(), server])


def secret_lines(pem: bytes) -> list[str]:
    return [line for line in pem.decode().splitlines() if line and not line.startswith("-")]
