"""The way back from live: the kill switch, and the rollback to what was live before. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import text
from bot.events import ParityBroke
from bot.flow import hold
from bot.ship import MOST, change, deploy, put
from bot.tasks import enter, queue
from schemas.acts import OpenIssue, TagCommit
from schemas.base import AgentRole, TaskId
from schemas.live import Deployment, OnRollback, Stage
from schemas.plan import BranchTodo, Route
from schemas.report import FailureClass
from schemas.workflow import Phase, Workflow


def halt(workflow: Workflow, trading: Deployment, login: str, at: int) -> Workflow:
    """The kill switch: recorded, told on an incident, and a tag that machines can look for."""
    halted = put(workflow, trading, stage=Stage.HALTED, reason=login, since=at)
    body = text.halt_body(workflow, trading, login)
    told = replace(halted, note=text.halted(trading))
    incident = _incident(workflow, trading, "halt", body)
    return queue(told, _switch(trading, body), incident)  # the machine first, people second


def _switch(trading: Deployment, body: str) -> TagCommit:
    name = trading.tag.replace("live/", "halt/", 1)
    return TagCommit(name=name, sha=trading.commit_sha, message=body)


def unheard(workflow: Workflow, tag: str, why: str) -> Workflow:
    """No machine can hear what GitHub did not take: people must, and loudly. `/resume` sends it
    again."""
    found = (d for d in workflow.deployments if any(tag == act.name for act in _signals(d)))
    trading = next(found, None)
    if trading is None:
        return workflow
    note = text.not_heard(trading, tag, why)
    what = f"unheard-{max(workflow.since, trading.since)}"  # each time anew: it must be noticed
    return queue(hold(workflow, note), _incident(workflow, trading, what, note))


def standing(workflow: Workflow) -> tuple[TagCommit, ...]:
    """What a machine should have heard of what was stopped last; harmless where it has."""
    return tuple(act for d in workflow.deployments for act in _signals(d))[-2:]


def _signals(trading: Deployment) -> tuple[TagCommit, ...]:
    """By its stage: the tags that machines look for."""
    if trading.stage is Stage.HALTED:
        return (_switch(trading, trading.tag),)
    if trading.stage is Stage.ROLLED_BACK and trading.rollback:
        return (_heard(trading, trading.rollback, trading.tag),)
    return ()


def rollback(
    workflow: Workflow, trading: Deployment, how: OnRollback, login: str, user_id: int, at: int
) -> Workflow:
    """Taken back; what was live before it comes forward, with a paper run and its own approval."""
    todo = _todo(workflow, trading, how)
    facts = {"stage": Stage.ROLLED_BACK, "rollback": how, "reason": login, "todo": todo}
    taken = put(_given_up(workflow, at), trading, **facts, since=at)
    back = previous(workflow, trading)
    body = text.incident_body(workflow, trading, how, login, back)
    acts = (_heard(trading, how, body), _incident(workflow, trading, "rollback", body))
    if back is None or len(taken.deployments) >= MOST:
        return queue(enter(_free(taken), Phase.ROLLED_BACK, at), *acts)
    forward = deploy(_free(taken), login, user_id, back.commit_sha, at)
    return queue(replace(forward, note=text.put_forward(trading, back)), *acts)


def _heard(trading: Deployment, how: OnRollback, body: str) -> TagCommit:
    """What a machine that trades looks for; its name alone says what happens to positions."""
    name = f"{trading.tag.replace('live/', 'back/', 1)}/{how}"
    return TagCommit(name=name, sha=trading.commit_sha, message=body)


def differed(workflow: Workflow, event: ParityBroke) -> Workflow:
    """A live run stopped itself: people are told bar and values, once."""
    if event.key in workflow.seen or not 1 <= event.number <= len(workflow.deployments):
        return workflow
    trading, incident = workflow.deployments[event.number - 1], event.incident
    if (trading.strategy, trading.commit_sha) != (incident.strategy, incident.commit_sha):
        return workflow
    body = text.parity_body(workflow, trading, incident)
    told = replace(workflow, note=text.parity_broke(trading), seen=(*workflow.seen, event.key))
    return queue(told, _incident(workflow, trading, "parity", body))


def previous(workflow: Workflow, trading: Deployment) -> Deployment | None:
    """The newest that was live before on another commit, and was never taken back."""
    bad = {d.commit_sha for d in workflow.deployments if d.stage is Stage.ROLLED_BACK}
    bad |= {trading.commit_sha}
    seen = (d for d in reversed(workflow.deployments) if d.approval)
    return next((d for d in seen if d.commit_sha not in bad), None)


def _given_up(workflow: Workflow, at: int) -> Workflow:
    """A newer version that is on its way does not go live over a rollback."""
    if workflow.deployments[-1].stage in (Stage.PAPER, Stage.WAITING):
        return change(workflow, stage=Stage.FAILED, reason="rolled_back", since=at)
    return workflow


def _free(workflow: Workflow) -> Workflow:
    return replace(workflow, held=False, stopped_in=None)


def _todo(workflow: Workflow, trading: Deployment, how: OnRollback) -> BranchTodo:
    """What is left to find out, as a todo of the step that leaves positions."""
    return BranchTodo(
        id=f"rollback_{workflow.deployments.index(trading) + 1}",
        parent_id=TaskId.EXIT,
        title=text.incident_title(workflow),
        agent_role=AgentRole.HUMAN,
        debug_instructions=text.rollback_todo(trading, how),
        branch_reason=Route.IMPLEMENTATION_BUG,
        failure_classification=FailureClass.TEST_FAILURES,
        reproduce_command=f"stratbot live audit --strategy {trading.strategy}",
        signature=trading.commit_sha[:16],
    )


def _incident(workflow: Workflow, trading: Deployment, what: str, body: str) -> OpenIssue:
    return OpenIssue(
        topic=f"incident-{what}-{workflow.deployments.index(trading) + 1}",
        title=text.incident_title(workflow),
        body=body,
        label="incident",
    )
