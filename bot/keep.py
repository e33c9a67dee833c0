"""A state is written only if it can be read again; what would break it is left out. Pure."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from bot import text
from bot.events import CommentPosted, Event, IssueOpened, WorkFinished
from bot.flow import escalate
from bot.tasks import queue
from schemas import codec
from schemas.acts import React, Reply
from schemas.workflow import Phase, Workflow

AT_WORK = {Phase.OPENED, Phase.BUILDING, Phase.DELIVERING, Phase.PAPER}


def kept(before: Workflow, after: Workflow, event: Event) -> Workflow:
    """`after`, or where it could not be read again: `before`, stopped, without what came in."""
    wrong = problem(after)
    return _without(before, event, text.not_kept(wrong)) if wrong else after


@lru_cache(maxsize=512)  # handlers that race decide the same states again and again
def problem(workflow: Workflow) -> str:
    """What keeps this state from being read again; empty where nothing does."""
    try:
        same = codec.load(Workflow, codec.dump(workflow)) == workflow
    except codec.Invalid as error:
        return error.problems[0]
    except ValueError as error:
        return str(error)
    return "" if same else "$: it reads differently than it was written"


def _without(workflow: Workflow, event: Event, why: str) -> Workflow:
    """A live strategy stays live: only work is stopped."""
    known = replace(workflow, parked=(), seen=tuple(dict.fromkeys((*workflow.seen, _name(event)))))
    if isinstance(event, CommentPosted):
        reply = Reply(number=event.number, comment_id=event.comment_id, body=why)
        known = queue(known, reply, React(comment_id=event.comment_id, content="confused"))
    return escalate(known, why) if workflow.phase in AT_WORK else replace(known, note=why)


def _name(event: Event) -> str:
    match event:
        case WorkFinished():
            return event.receipt
        case IssueOpened() | CommentPosted():
            return event.key
    return "left-out"
