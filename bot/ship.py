"""After delivery: paper run, approval for one exact commit, rollback, backtests on demand. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot import text, verdict
from bot.tasks import enter, queue
from schemas.acts import OpenIssue, React, Reply
from schemas.base import TaskId
from schemas.live import Deployment, Gate, OnRollback, Stage
from schemas.work import Product, Tested, WorkFailed
from schemas.workflow import Asked, Phase, Workflow


def deploy(workflow: Workflow, login: str, at: int) -> Workflow:
    assert workflow.contract is not None  # nosec B101
    assert workflow.delivered_sha is not None  # nosec B101
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


def has_approved(workflow: Workflow, user_id: int) -> bool:
    """One person cannot be both looks, unless the repository says that it has one person."""
    return user_id in workflow.deployments[-1].approver_ids and not workflow.policy.solo


def approve_live(workflow: Workflow, login: str, user_id: int, at: int) -> Workflow:
    """The first approval waits for a confirmation; the second opens the gate."""
    newest = workflow.deployments[-1]
    seconded = bool(newest.approvers)
    stage = Stage.LIVE if seconded else Stage.WAITING
    named = replace(
        newest,
        approvers=(*newest.approvers, login),
        approver_ids=(*newest.approver_ids, user_id),
        gate=Gate.COMMENT,
        stage=stage,
        since=at,
    )
    after = replace(workflow, deployments=(*workflow.deployments[:-1], named))
    return enter(after, Phase.LIVE, at) if seconded else after


def unapproved(workflow: Workflow) -> Workflow:
    """A first approval does not outlive a cancel: whoever goes on later looks again."""
    if not workflow.deployments or workflow.phase is not Phase.WAITING:
        return workflow
    newest = replace(workflow.deployments[-1], approvers=(), approver_ids=(), gate=None)
    return replace(workflow, deployments=(*workflow.deployments[:-1], newest))


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


def backtested(workflow: Workflow, asked: Asked, product: Product | None) -> Workflow:
    """The figures go to the person who asked. Looking at them is a trial."""
    match product:
        case Tested(report=report) if workflow.contract is not None:
            contract, digest = workflow.contract, workflow.contract_digest
            failures = verdict.judge(
                TaskId.EXIT, asked.sha, contract, digest, report,
                unisolated=workflow.policy.unisolated,
            )  # fmt: skip
        case WorkFailed(message=why):
            return backtest_failed(workflow, asked, text.backtest_failed(why))
        case _:
            return backtest_failed(workflow, asked, text.backtest_failed("another result came"))
    wrong = next((f.message for f in failures if f.check == "report"), None)
    if wrong:  # about something else, or proving nothing
        return backtest_failed(workflow, asked, text.backtest_failed(wrong))
    looked = replace(workflow, trials=workflow.trials + (report.summary is not None))
    return _answered(looked, asked, text.backtest(report, failures), "rocket")


def backtest_failed(workflow: Workflow, asked: Asked, body: str) -> Workflow:
    return _answered(workflow, asked, body, "confused")


def _answered(
    workflow: Workflow, asked: Asked, body: str, end: Literal["rocket", "confused"]
) -> Workflow:
    rest = tuple(a for a in workflow.asked if a.comment_id != asked.comment_id)
    reply = Reply(number=asked.number, comment_id=asked.comment_id, body=body)
    react = React(comment_id=asked.comment_id, content=end)
    return queue(replace(workflow, asked=rest), reply, react)
