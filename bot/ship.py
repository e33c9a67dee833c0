"""After delivery: paper run, approval for one exact commit, rollback, backtests on demand. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import text
from bot.tasks import enter, queue
from schemas.acts import OpenIssue, React, Reply
from schemas.live import Deployment, Gate, OnRollback, Stage
from schemas.work import Tested, WorkResult
from schemas.workflow import Asked, Phase, Workflow


def deploy(workflow: Workflow, login: str, at: int) -> Workflow:
    assert workflow.contract is not None  # nosec B101: delivered with a contract
    assert workflow.delivered_sha is not None  # nosec B101: delivered
    started = Deployment(
        strategy=workflow.contract.name,
        workflow_id=workflow.id,
        correlation_id=workflow.correlation_id,
        commit_sha=workflow.delivered_sha,
        stage=Stage.PAPER,
        requested_by=login,
        since=at,
    )
    kept = workflow.deployments[-199:]
    again = replace(workflow, deployments=(*kept, started), round=workflow.round + 1)
    return enter(again, Phase.PAPER, at)


def has_approved(workflow: Workflow, login: str) -> bool:
    """One person cannot be both looks, unless the repository says that it has one person."""
    return login in workflow.deployments[-1].approvers and not workflow.policy.solo


def approve_live(workflow: Workflow, login: str, at: int) -> Workflow:
    """The first approval waits for a confirmation; the second opens the gate."""
    newest = workflow.deployments[-1]
    seconded = bool(newest.approvers)
    approvers = tuple(dict.fromkeys((*newest.approvers, login)))
    stage = Stage.LIVE if seconded else Stage.WAITING
    named = replace(newest, approvers=approvers, gate=Gate.COMMENT, stage=stage, since=at)
    after = replace(workflow, deployments=(*workflow.deployments[:-1], named))
    return enter(after, Phase.LIVE, at) if seconded else after


def rollback(workflow: Workflow, how: OnRollback, login: str, at: int) -> Workflow:
    newest = replace(
        workflow.deployments[-1], stage=Stage.ROLLED_BACK, rollback=how, reason=login, since=at
    )
    after = replace(workflow, deployments=(*workflow.deployments[:-1], newest))
    incident = OpenIssue(
        topic=f"incident-{len(workflow.deployments)}",
        title=text.incident_title(workflow),
        body=text.incident_body(workflow, how, login),
        label="incident",
    )
    return queue(enter(after, Phase.ROLLED_BACK, at), incident)


def backtested(workflow: Workflow, asked: Asked, result: WorkResult) -> Workflow:
    """The figures go to the person who asked. Looking at them is a trial."""
    match result.product:
        case Tested(report=report):
            looked = replace(workflow, trials=workflow.trials + (report.summary is not None))
            return answer_backtest(looked, asked, text.backtest(report))
        case other:
            return answer_backtest(workflow, asked, text.backtest_failed(other.kind))


def answer_backtest(workflow: Workflow, asked: Asked, body: str) -> Workflow:
    rest = tuple(a for a in workflow.asked if a.comment_id != asked.comment_id)
    reply = Reply(number=asked.number, comment_id=asked.comment_id, body=body)
    rocket = React(comment_id=asked.comment_id, content="rocket")
    return queue(replace(workflow, asked=rest), reply, rocket)
