"""The shell: read, decide, write, act, show. Safe to kill between any two lines and run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot import registry, text
from bot.decide import decide, learn
from bot.events import (
    ActRefused,
    CommentPosted,
    Event,
    Fact,
    IssueClosed,
    IssueOpened,
    Tick,
    WorkFinished,
)
from bot.flow import hold
from bot.journal import record
from bot.keep import kept
from bot.ports import Conflict, Hub, Look, Rejected, Store, Unavailable
from bot.telling import tell
from bot.view import labels, render, reports
from bot.wanted import overdue, wanted
from schemas.acts import Act, Labels, React, View
from schemas.work import WorkOrder
from schemas.workflow import Role, Workflow

ATTEMPTS = 20


def handle(event: Event, store: Store, hub: Hub) -> Workflow:
    """Bring the state and the world up to date with this event and with all that was missed."""
    for attempt in range(ATTEMPTS):
        try:
            moved = _advance(event, store, hub)
            again = replace(moved, relabelled=True) if attempt else moved
            return _show(event.issue, again, store, hub)
        except Conflict:
            continue  # somebody else was faster: what they wrote may change what we decide
    raise Unavailable(f"request {event.issue}: others kept writing; run again")


@dataclass(frozen=True, slots=True)
class Moved:
    """`ordered`: work that nobody can have started before, since it is wanted since just now.
    `relabelled`: the labels may be wrong. A worker's result alone seldom changes them."""

    ordered: frozenset[str]
    relabelled: bool
    swept: bool


def _advance(event: Event, store: Store, hub: Hub) -> Moved:
    workflow, at = store.read(event.issue)
    heard = _fresh(workflow, event, hub)
    fresh, asked = _now(heard, event), _asked(heard)
    after = workflow
    for item in fresh:
        after = kept(after, decide(after, item, _role(after, item, hub)), item)
    repeated = after == workflow  # somebody was here before us and may not have come to the end
    if not repeated:
        at = store.write(after, at, record(workflow, after, fresh, asked))  # durable first
    while after.outbox:
        facts = [_perform(hub, after, act) for act in after.outbox]
        acted = after
        after = replace(after, outbox=())
        for fact in facts:
            after = kept(after, learn(after, fact, event.at), event) if fact else after
        at = store.write(after, at, record(acted, after, (event,), asked))
    quiet = isinstance(event, WorkFinished) and not repeated and labels(after) == labels(workflow)
    return Moved(frozenset(_keys(after) - _keys(workflow)), not quiet, isinstance(event, Tick))


def _drawn(workflow: Workflow, moved: Moved) -> Iterator[View]:
    """A report is posted by its own act; the sweep looks whether it is still there.

    Who is waited for comes first: with the status the listing of the comments is used up.
    """
    yield tell(workflow)
    yield from (v for v in render(workflow) if moved.relabelled or not isinstance(v, Labels))
    yield from reports(workflow) if moved.swept else ()


def _keys(workflow: Workflow) -> set[str]:
    return {order.key for order in wanted(workflow)}


def _fresh(workflow: Workflow, event: Event, hub: Hub) -> tuple[Event, ...]:
    """This event and all that nobody told us, in the order in which it must be read."""
    found = {e.key: e for e in hub.news(workflow, _look(event))}
    found[event.key] = _timed(workflow, event, hub)  # a later edit does not change it
    return tuple(sorted((e for e in found.values() if e.key not in workflow.seen), key=_order))


def _timed(workflow: Workflow, event: Event, hub: Hub) -> Event:
    """Before work is called lost GitHub is asked whether it is at it."""
    late = overdue(workflow, event.at) if isinstance(event, Tick) else ()
    return replace(event, alive=hub.alive(late)) if isinstance(event, Tick) and late else event


def _now(heard: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
    """What is heard late starts its work now. A closing starts none, and its time is its name."""
    now = max((e.at for e in heard), default=event.at)
    return tuple(e if isinstance(e, IssueClosed) else replace(e, at=now) for e in heard)


def _asked(heard: tuple[Event, ...]) -> int | None:
    """When the oldest command was typed, however late it was heard."""
    said = [e for e in heard if isinstance(e, CommentPosted)]
    return min((e.at for e in said if registry.parse(e.body) is not None), default=None)


def _look(event: Event) -> Look:
    match event:
        case Tick():
            return Look.EVERYWHERE
        case WorkFinished():
            return Look.SAID
    return Look.REQUEST


def _order(event: Event) -> tuple[bool, int, int]:
    """As it happened, by GitHub's clock; words of one second as written; our own clock last."""
    word = event.comment_id if isinstance(event, CommentPosted) else 0
    return isinstance(event, Tick), event.at, word


def _role(workflow: Workflow, event: Event, hub: Hub) -> Role:
    """Who is asking, read again at this moment. The receipt comes first: seconds count."""
    if isinstance(event, IssueOpened) and event.policy.asks_first:
        return hub.role(event.login)
    if not isinstance(event, CommentPosted) or registry.parse(event.body) is None:
        return Role.READ
    _perform(hub, workflow, React(comment_id=event.comment_id, content="eyes"))
    return hub.role(event.login)


def _perform(hub: Hub, workflow: Workflow, act: Act) -> Fact | None:
    try:
        return hub.perform(workflow, act)
    except Rejected as error:
        return ActRefused(act.key, str(error))


def _dispatch(
    order: WorkOrder, fresh: bool, workflow: Workflow, at: str, store: Store, hub: Hub
) -> None:
    """Work that GitHub will not start is for a person: hold, say so, draw again."""
    try:
        hub.dispatch(order, fresh)
    except Rejected as error:
        note = text.github_refused(f"work/{order.key}", str(error))
        held = hold(workflow, note)
        store.write(held, at, record(workflow, held, ()))
        raise Conflict(workflow.issue) from error


def _show(issue: int, moved: Moved, store: Store, hub: Hub) -> Workflow:
    """Draw the newest state. What GitHub refuses to show does not keep the rest from showing."""
    workflow, at = store.read(issue)
    refused: list[Rejected] = []
    for view in _drawn(workflow, moved):
        try:
            hub.show(workflow, view)
        except Rejected as error:
            refused.append(error)
    for order in wanted(workflow):
        _dispatch(order, order.key in moved.ordered, workflow, at, store, hub)
    if store.read(issue)[1] != at:
        raise Conflict(issue)  # it moved while we drew it: draw again
    if refused:
        raise refused[0]
    return workflow
