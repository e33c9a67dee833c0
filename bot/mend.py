"""From an incident to a new build of the same request: `/debug` and `/revise` after it. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import build, incident, text
from bot.registry import Answer, Call, done, refuse
from bot.tasks import queue
from bot.text import Reason
from schemas.acts import OpenIssue
from schemas.work import Note
from schemas.workflow import Phase, Workflow

AFTER = frozenset({Phase.LIVE, Phase.ROLLED_BACK})
"""Phases in which an incident may wait to be mended."""


def refused(call: Call, name: str) -> Answer | None:
    """Without an incident there is nothing to mend in what is live."""
    if call.workflow.phase not in AFTER or incident.trouble(call.workflow):
        return None
    return refuse(call, Reason.WRONG_PHASE, text.wrong_phase(name, call.workflow))


def debug(call: Call) -> Answer:
    """The same plan once more, as a person accepts it: where another code can come of it."""
    workflow = call.workflow
    bad = incident.trouble(workflow)
    assert bad is not None and workflow.request is not None  # nosec B101
    why = incident.cause(workflow, bad.incident)
    if why is not incident.Cause.CODE:
        return refuse(call, Reason.NOTHING_TO_DO, text.same_code_again(bad, why))
    notes = workflow.request.notes
    if call.rest and len(notes) < 200:
        notes = (*notes, Note(author=call.event.login[:500], text=call.rest[:8000]))
    told = replace(workflow, request=replace(workflow.request, notes=notes))
    started = build.approve(told, call.event.login, call.at)
    return done(queue(started, reopened(workflow)), text.built_again(bad))


def reopened(workflow: Workflow) -> OpenIssue:
    """The request was closed with its delivery, and is at work again."""
    body, title = text.at_work_again(workflow), text.incident_title(workflow)
    turn = workflow.build + 1
    return OpenIssue(topic="request", title=title, body=body, label="incident", turn=turn)
