"""After delivery: paper run, the gate's answer for one exact commit, backtests on demand. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot import incident, text, verdict
from bot.tasks import enter, queue
from bot.wanted import backtest_of
from schemas.acts import OpenGate, React, Reply, TagCommit
from schemas.base import TaskId
from schemas.live import Approval, Deployment, Gate, GateAnswer, Stage
from schemas.report import TestReport
from schemas.work import PaperTraded, Product, Tested, WorkFailed, WorkOrder, WorkResult
from schemas.workflow import Asked, Phase, Workflow

MOST = 200
"""Deployments that one request can have."""
TRADING = (Stage.LIVE, Stage.HALTED)


def deploy(workflow: Workflow, login: str, user_id: int, sha: str, at: int) -> Workflow:
    """A paper run of this commit, then the gate."""
    assert workflow.contract is not None  # nosec B101
    started = Deployment(
        strategy=workflow.contract.name,
        workflow_id=workflow.id,
        correlation_id=workflow.correlation_id,
        commit_sha=sha,
        stage=Stage.PAPER,
        requested_by=login,
        requester_id=user_id,
        since=at,
        contract=next((d.contract for d in workflow.deployments if d.commit_sha == sha), None),
    )
    all_of_them = (*workflow.deployments, started)
    again = replace(workflow, deployments=all_of_them, round=workflow.round + 1)
    return enter(again, Phase.PAPER, at)


def paper_traded(workflow: Workflow, traded: PaperTraded, at: int) -> Workflow:
    """Only a paper run of this commit that did what the backtest did comes before the gate."""
    newest = workflow.deployments[-1]
    safe = traded.isolated or workflow.policy.unisolated
    if not safe:
        return shut(workflow, "no_paper_run", text.paper_not_isolated(), at)
    if traded.sha != newest.commit_sha or traded.differences or not traded.bars:
        return shut(workflow, "no_paper_run", text.paper_differs(traded), at)
    matched = change(workflow, stage=Stage.WAITING, paper_bars=traded.bars, since=at)
    waiting = enter(matched, Phase.WAITING, at)
    return queue(waiting, *gate_acts(waiting))


def gate_acts(workflow: Workflow) -> tuple[OpenGate | TagCommit, ...]:
    """The run that waits for a review; where comments are the gate, when they are complete."""
    trading = live(workflow)
    if workflow.phase is Phase.LIVE and trading and trading.approval:
        return (_tag(workflow, trading, trading.approval),)
    if workflow.phase is not Phase.WAITING or not workflow.deployments:
        return ()
    newest = workflow.deployments[-1]
    if workflow.policy.gate is Gate.COMMENT and len(newest.approvers) < 2:
        return ()
    return (OpenGate(deployment=len(workflow.deployments), sha=newest.commit_sha),)


def has_approved(workflow: Workflow, user_id: int) -> bool:
    """One person cannot be both looks, unless the repository says that it has one person."""
    return user_id in workflow.deployments[-1].approver_ids and not workflow.policy.solo


def approve_live(workflow: Workflow, login: str, user_id: int, at: int) -> Workflow:
    """The first approval waits for a confirmation; the second starts the run that signs."""
    newest = workflow.deployments[-1]
    named = change(
        workflow,
        approvers=(*newest.approvers, login),
        approver_ids=(*newest.approver_ids, user_id),
        gate=Gate.COMMENT,
    )
    return queue(named, *gate_acts(named))


def unapproved(workflow: Workflow) -> Workflow:
    """A first approval does not outlive a cancel: whoever goes on later looks again."""
    if not workflow.deployments or workflow.phase is not Phase.WAITING:
        return workflow
    return change(workflow, approvers=(), approver_ids=(), gate=None)


def answered(workflow: Workflow, answer: GateAnswer, at: int) -> Workflow:
    """What the gate said. An answer about anything but what waits here changes nothing."""
    if workflow.phase is not Phase.WAITING or workflow.held or not workflow.deployments:
        return workflow
    newest = workflow.deployments[-1]
    asked = (len(workflow.deployments), newest.commit_sha)
    if newest.stage is not Stage.WAITING or (answer.deployment, answer.commit_sha) != asked:
        return workflow
    if answer.approval is None or answer.approval.commit_sha != newest.commit_sha:
        return shut(workflow, answer.reason, answer.message, at)
    before = live(workflow)
    retired = put(workflow, before, stage=Stage.REPLACED, since=at) if before else workflow
    opened = change(
        retired,
        stage=Stage.LIVE,
        approvers=answer.approval.approvers,
        approver_ids=answer.approver_ids,
        gate=answer.approval.gate,
        approval=answer.approval,
        tag=answer.tag,
        since=at,
    )
    now_live = enter(opened, Phase.LIVE, at)
    return queue(replace(now_live, note=text.token_is_there(now_live)), *gate_acts(now_live))


def _tag(workflow: Workflow, trading: Deployment, approval: Approval) -> TagCommit:
    message = text.live_tag(workflow, approval)
    return TagCommit(name=trading.tag, sha=trading.commit_sha, message=message)


def shut(workflow: Workflow, reason: str, message: str, at: int) -> Workflow:
    """Back to where it was; what trades goes on trading."""
    failed = change(workflow, stage=Stage.FAILED, reason=reason, since=at)
    return replace(enter(failed, home(failed), at), note=message)


def home(workflow: Workflow) -> Phase:
    """Where a request rests after its delivery."""
    if live(workflow):
        return Phase.LIVE
    return Phase.ROLLED_BACK if incident.trouble(workflow) else Phase.DELIVERED


def live(workflow: Workflow) -> Deployment | None:
    """The deployment that trades, or was halted while it did. A newer one may wait beside it."""
    return next((d for d in reversed(workflow.deployments) if d.stage in TRADING), None)


def change(workflow: Workflow, **changes: object) -> Workflow:
    return put(workflow, workflow.deployments[-1], **changes)


def put(workflow: Workflow, old: Deployment, **changes: object) -> Workflow:
    changed = replace(old, **changes)  # type: ignore[arg-type]
    rows = (changed if d is old else d for d in workflow.deployments)
    return replace(workflow, deployments=tuple(rows))


def light(workflow: Workflow, order: WorkOrder, result: WorkResult) -> WorkResult:
    """A backtest that somebody asked for shows figures; its files would only fill the state."""
    if backtest_of(workflow, order) is None or not isinstance(result.product, Tested):
        return result
    return replace(result, product=replace(result.product, files=()))


def backtested(workflow: Workflow, asked: Asked, product: Product | None) -> Workflow:
    """The figures go to the person who asked. Looking at them is a trial."""
    match product:
        case Tested(report=report) if workflow.contract is not None:
            failures = failures_of(workflow, asked.sha, report)
        case WorkFailed(message=why):
            return backtest_failed(workflow, asked, text.backtest_failed(why))
        case _:
            return backtest_failed(workflow, asked, text.backtest_failed("another result came"))
    wrong = next((f.message for f in failures if f.check == "report"), None)
    if wrong:  # about something else, or proving nothing
        return backtest_failed(workflow, asked, text.backtest_failed(wrong))
    looked = replace(workflow, trials=workflow.trials + (report.summary is not None))
    return _answered(looked, asked, text.backtest(report, failures), "rocket")


def failures_of(workflow: Workflow, sha: str, report: TestReport) -> tuple[verdict.Failure, ...]:
    """By the contract that this commit was built from."""
    return verdict.of(incident.as_deployed(workflow, sha), TaskId.EXIT, sha, report)


def backtest_failed(workflow: Workflow, asked: Asked, body: str) -> Workflow:
    return _answered(workflow, asked, body, "confused")


def _answered(
    workflow: Workflow, asked: Asked, body: str, end: Literal["rocket", "confused"]
) -> Workflow:
    rest = tuple(a for a in workflow.asked if a.comment_id != asked.comment_id)
    reply = Reply(number=asked.number, comment_id=asked.comment_id, body=body)
    react = React(comment_id=asked.comment_id, content=end)
    return queue(replace(workflow, asked=rest), reply, react)
