"""The answer to a `/revise`: what it changed in the plan, once there is one. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot import text
from bot.agents.changes import changes
from bot.tasks import queue
from schemas.acts import React, Reply
from schemas.work import PlanMade, Product, QuestionsAsked
from schemas.workflow import Workflow


def begun(workflow: Workflow) -> bool:
    """A `/revise` of a plan that is there to compare with."""
    return workflow.revising is not None and workflow.contract is not None


def changes_nothing(workflow: Workflow, plan: PlanMade) -> bool:
    """The rules of the new plan are those of the old one."""
    old = workflow.contract
    return begun(workflow) and old is not None and not changes(old, plan.contract)


def not_applied(workflow: Workflow) -> Workflow:
    """The plan stays, and the words that changed nothing are no part of the request."""
    said = workflow.revising.words if workflow.revising else ""
    request = workflow.request
    kept = replace(request, notes=request.notes[:-1]) if request and request.notes else request
    return ended(replace(workflow, request=kept), text.not_applied(said), "confused")


def answered(before: Workflow, after: Workflow, plan: Product) -> Workflow:
    """`after` is the state that the plan, the questions or the refusal made of `before`."""
    if before.revising is None:
        return after
    match plan:
        case PlanMade(contract=new) if before.contract is not None:
            return ended(after, text.plan_changed(changes(before.contract, new)), "rocket")
        case PlanMade():
            return ended(after, text.stands(after), "rocket")
        case QuestionsAsked():
            return ended(after, text.asks_first(before.revising.words), "confused")
    return ended(after, text.stands(after), "confused")


def ended(workflow: Workflow, body: str, end: Literal["rocket", "confused"]) -> Workflow:
    revising = workflow.revising
    if revising is None:
        return workflow
    reply = Reply(number=revising.number, comment_id=revising.comment_id, body=body[:60_000])
    react = React(comment_id=revising.comment_id, content=end)
    last = workflow.last
    told = replace(last, accepted=end == "rocket") if last and last.text == "/revise" else last
    return queue(replace(workflow, revising=None, last=told), reply, react)
