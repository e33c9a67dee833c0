"""What went wrong with what is live: which deployment, why, and its branch todo. Pure."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from bot.agents.coder import write_strategy
from bot.agents.faults import Unwritable
from schemas import codec
from schemas.base import AgentRole, TaskId
from schemas.live import Deployment, Incident
from schemas.plan import ROUTES, BranchTodo, Route
from schemas.report import FailureClass
from schemas.workflow import Phase, Workflow

AFTER_DELIVERY = (Phase.DELIVERED, Phase.PAPER, Phase.WAITING, Phase.LIVE, Phase.ROLLED_BACK)


class Cause(StrEnum):
    """What has to change so that it does not happen again."""

    CODE = "code"
    CONTRACT = "contract"
    """The code is what the rules write from the contract, so no repair of it is another one."""
    ENGINE = "engine"
    """The same, and yet it decided otherwise than on the stored inputs."""


ROUTE: dict[Cause, tuple[Route, AgentRole]] = {
    Cause.CODE: (Route.IMPLEMENTATION_BUG, ROUTES[Route.IMPLEMENTATION_BUG]),
    Cause.CONTRACT: (Route.SPEC_MISMATCH, ROUTES[Route.SPEC_MISMATCH]),
    Cause.ENGINE: (Route.IMPLEMENTATION_BUG, AgentRole.HUMAN),
}


def trouble(workflow: Workflow) -> Deployment | None:
    """The newest deployment that left a todo, until a commit that was not live before it is."""
    rows = workflow.deployments
    for n in reversed(range(len(rows))):
        if rows[n].todo is not None:
            known = {row.commit_sha for row in rows[: n + 1]}
            later = (row for row in rows[n + 1 :] if row.approval)
            return None if any(row.commit_sha not in known for row in later) else rows[n]
    return None


def differs(incident: Incident | None) -> bool:
    """The machine itself noticed it; else somebody took back what had decided as it should."""
    return incident is not None and incident.live != incident.offline


def cause(workflow: Workflow, incident: Incident | None) -> Cause:
    if not _as_the_rules_write(workflow):
        return Cause.CODE
    return Cause.ENGINE if differs(incident) else Cause.CONTRACT


def _as_the_rules_write(workflow: Workflow) -> bool:
    contract, draft = workflow.contract, workflow.draft
    if contract is None or draft is None or draft.contract_digest != workflow.contract_digest:
        return False
    try:
        return write_strategy(contract).strip() == draft.strategy.strip()
    except Unwritable:
        return False


def todo(
    workflow: Workflow, trading: Deployment, why: Cause, title: str, instructions: str
) -> BranchTodo:
    """Of the step that leaves positions: what is left to find out, and by whom."""
    route, role = ROUTE[why]
    return BranchTodo(
        id=f"live_{workflow.deployments.index(trading) + 1}_branch_01",
        parent_id=TaskId.EXIT,
        title=title,
        agent_role=role,
        debug_instructions=instructions[:8000],
        branch_reason=route,
        failure_classification=FailureClass.TEST_FAILURES,
        reproduce_command=f"stratbot live audit --strategy {trading.strategy}",
        signature=trading.commit_sha[:16],
    )


def as_deployed(workflow: Workflow, sha: str | None) -> Workflow:
    """With the contract that this commit was built from: the request may have another since."""
    own = next(
        (d.contract for d in workflow.deployments if d.commit_sha == sha and d.contract), None
    )
    if own is None:
        return workflow
    return replace(workflow, contract=own, contract_digest=codec.digest(own))


def remembered(workflow: Workflow) -> Workflow:
    """Before the request gets another contract: what was live keeps its own."""
    rows = tuple(
        replace(d, contract=workflow.contract) if d.approval and d.contract is None else d
        for d in workflow.deployments
    )
    return replace(workflow, deployments=rows)
