"""The way back from live: the kill switch, and the rollback to what was live before. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import incident, text
from bot.agents import debugger
from bot.events import ParityBroke
from bot.flow import hold
from bot.ship import MOST, change, deploy, live, put
from bot.tasks import enter, queue
from bot.verdict import Failure
from schemas.acts import Attempt, OpenIssue, TagCommit
from schemas.live import Deployment, Incident, OnRollback, Stage
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
    said = text.rollback_todo(trading, how)
    known = _analysed(workflow, trading, trading.incident, said)
    facts = {"stage": Stage.ROLLED_BACK, "rollback": how, "reason": login}
    taken = put(_given_up(known, at), _row(known, workflow, trading), **facts, since=at)
    body = text.incident_body(workflow, trading, how, login, what_next(workflow, trading))
    body = f"{body}\n\n{_analysis(workflow, trading.incident)}"
    acts = (_heard(trading, how, body), _incident(workflow, trading, "rollback", body))
    back = previous(workflow, trading)
    if _mending(workflow):
        return queue(taken, *acts)
    if back is None or len(taken.deployments) >= MOST:
        return queue(enter(_free(taken), Phase.ROLLED_BACK, at), *acts)
    forward = deploy(_free(taken), login, user_id, back.commit_sha, at)
    return queue(replace(forward, note=text.put_forward(trading, back)), *acts)


def what_next(workflow: Workflow, trading: Deployment) -> str:
    """What follows a rollback by itself."""
    back = previous(workflow, trading)
    if _mending(workflow):
        return text.build_goes_on()
    return text.comes_forward(back) if back else text.nothing_before()


def _mending(workflow: Workflow) -> bool:
    """A new build is under way, or was stopped: a rollback does not throw it away."""
    return (workflow.stopped_in or workflow.phase) not in incident.AFTER_DELIVERY


def _heard(trading: Deployment, how: OnRollback, body: str) -> TagCommit:
    """What a machine that trades looks for; its name alone says what happens to positions."""
    name = f"{trading.tag.replace('live/', 'back/', 1)}/{how}"
    return TagCommit(name=name, sha=trading.commit_sha, message=body)


def differed(workflow: Workflow, event: ParityBroke) -> Workflow:
    """What a machine tells of the run that it stopped: bar, decisions and audit log, once."""
    if event.key in workflow.seen or not 1 <= event.number <= len(workflow.deployments):
        return workflow
    trading, told = workflow.deployments[event.number - 1], event.incident
    if (trading.strategy, trading.commit_sha) != (told.strategy, told.commit_sha):
        return workflow
    seen = replace(workflow, seen=(*workflow.seen, event.key))
    known = _analysed(seen, trading, told, text.incident_todo(trading, told))
    analysis = _analysis(workflow, told)
    if not incident.differs(told):
        return queue(known, _comment(workflow, trading, analysis))
    body = f"{text.parity_body(workflow, trading, told)}\n\n{analysis}"
    noted = replace(known, note=text.parity_broke(trading))
    return queue(noted, _incident(workflow, trading, "parity", body))


def tested(
    workflow: Workflow, sha: str | None, failures: tuple[Failure, ...], turn: int
) -> Workflow:
    """A red test of the commit that trades is an incident. People decide: nothing is traded."""
    trading = live(workflow)
    if trading is None or trading.commit_sha != sha or debugger.proves_nothing(failures):
        return workflow
    said = text.red_todo(trading, failures)
    known = _analysed(workflow, trading, trading.incident, said)
    body = text.red_body(workflow, trading, failures)
    told = replace(known, note=text.red_when_live(trading))
    return queue(told, replace(_incident(workflow, trading, "red", body), turn=turn))


def _analysed(
    workflow: Workflow, trading: Deployment, told: Incident | None, said: str
) -> Workflow:
    """What is left to find out stays with the deployment; a new build carries it in its orders."""
    why, title = incident.cause(workflow, told), text.incident_title(workflow)
    todo = incident.todo(workflow, trading, why, title, said)
    return put(workflow, trading, incident=told, todo=todo)


def _analysis(workflow: Workflow, told: Incident | None) -> str:
    return text.analysis(told, incident.cause(workflow, told))


def _row(now: Workflow, before: Workflow, trading: Deployment) -> Deployment:
    return now.deployments[before.deployments.index(trading)]


def _comment(workflow: Workflow, trading: Deployment, body: str) -> Attempt:
    """The rollback was told at once; what the machine saw comes after it."""
    number = workflow.deployments.index(trading) + 1
    return Attempt(topic=f"incident-rollback-{number}", turn=number, body=body)


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


def _incident(workflow: Workflow, trading: Deployment, what: str, body: str) -> OpenIssue:
    return OpenIssue(
        topic=f"incident-{what}-{workflow.deployments.index(trading) + 1}",
        title=text.incident_title(workflow),
        body=body,
        label="incident",
    )
