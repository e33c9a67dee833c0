"""A deployment that may pass the gate; each row of the table changes one thing about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.engine import Engine
from bot.gate import FILE, Code, Earlier, Facts, Review, Run
from schemas.live import Deployment, Gate, Stage
from schemas.report import Artifact
from schemas.work import Request
from schemas.workflow import Delivery, Phase, Policy, Workflow
from tests import samples

NOW = 2_000_000_000
SHA, OLD, HEAD = samples.SHA, "e" * 40, "d" * 40
ASKER, HUBOT, MONA = 11, 22, 33
RUN, BOT = 4711, 41
ENGINE = {"adapters": "1" * 40, "bot": "2" * 40}
CHANGED = {**ENGINE, "adapters": "3" * 40}
NAME = samples.contract().name
FILES = tuple(
    Artifact(path=f"strategies/{NAME}/{name}", digest=samples.DIGEST, size=9)
    for name in ("contract.json", "strategy.py")
)


def deployment(**other: Any) -> Deployment:
    made = Deployment(
        strategy=NAME, workflow_id="wf_7", correlation_id="corr_7", commit_sha=SHA,
        stage=Stage.WAITING, requested_by="octocat", requester_id=ASKER, paper_bars=500,
        since=NOW - 3600,
    )  # fmt: skip
    return replace(made, **other)


def workflow(**other: Any) -> Workflow:
    made = Workflow(
        issue=7, request=Request(title="t", body="b", author="monalisa"), phase=Phase.WAITING,
        contract=samples.contract(), delivered_sha=SHA,
        delivery=Delivery(head=HEAD, passed_sha=HEAD), deployments=(deployment(),),
    )  # fmt: skip
    return replace(made, **other)


def review(login: str = "hubot", user_id: int = HUBOT, **other: Any) -> Review:
    made = Review(login, user_id, True, "approved", frozenset({"live"}))
    return replace(made, **other)


def deploy_run(number: int = 1, sha: str = SHA, **other: Any) -> Run:
    title = f"wf_7 gate-{number} {sha}"
    made = Run(RUN, 1, "workflow_dispatch", FILE, "main", title, BOT, BOT)
    return replace(made, **other)


def earlier(sha: str = SHA, engine: Engine = CHANGED, **other: Any) -> Earlier:
    """Approved as number 1, by a run that GitHub knows."""
    run = deploy_run(1, sha, id=RUN - 1)
    made = Earlier(1, sha, engine, run, signed=True, reviews=(review(),))
    return replace(made, **other)


def back_to(*before: Earlier, **code: Any) -> Facts:
    """The second deployment, of a commit whose engine is not the default branch's any more."""
    rows = (
        deployment(stage=Stage.REPLACED, approval=samples.approval(7, before[0].sha)),
        deployment(),
    )
    return facts(
        workflow=workflow(deployments=rows), deployment=2, earlier=before,
        code=replace(facts().code, **{"engine": CHANGED, **code}),
    )  # fmt: skip


def facts(**other: Any) -> Facts:
    """Reviewed by somebody else who may write, in this run, of this commit."""
    made = Facts(
        now=NOW, workflow=workflow(), deployment=1, sha=SHA, policy=Policy(), run_id=RUN,
        run=deploy_run(), bot_id=BOT, reviewers=1,
        live_from=frozenset({"refs/heads/main"}), reviews=(review(),),
        writers=frozenset({ASKER, HUBOT}),
        code=Code(
            merged=True, first_parent=True, same_now=True, checkout=SHA, files=FILES, tags={},
            engine=ENGINE, engine_now=ENGINE,
        ),
    )  # fmt: skip
    return replace(made, **other)


def with_deployment(**other: Any) -> Facts:
    return facts(workflow=workflow(deployments=(deployment(**other),)))


def with_run(**other: Any) -> Facts:
    return facts(run=replace(facts().run, **other))  # type: ignore[type-var]


def with_code(**other: Any) -> Facts:
    return facts(code=replace(facts().code, **other))


def by_comments(
    *people: tuple[str, int], solo: bool = False, now: Policy | None = None, **other: Any
) -> Facts:
    """Where comments are the gate: these approved, in this order."""
    policy = Policy(gate=Gate.COMMENT, solo=solo)
    rows = deployment(
        approvers=tuple(login for login, _ in people), approver_ids=tuple(i for _, i in people),
        gate=Gate.COMMENT,
    )  # fmt: skip
    made = workflow(policy=policy, deployments=(rows,))
    found = {"workflow": made, "policy": now or policy, "reviewers": None, "reviews": (), **other}
    return facts(**found)
