"""The same code on a schedule: find what an event should have told us, and what is overdue."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.commands import ENDED
from bot.events import Tick
from bot.handle import handle
from bot.ports import Gone, Hub, Rejected, Store, Unavailable
from bot.ship import live
from bot.tasks import whole
from bot.wanted import wanted
from schemas.workflow import Phase, Workflow

HOUR = 3600
DAY = 24 * HOUR
WAITS_FOR_PEOPLE = {Phase.ASKING, Phase.PLANNED, Phase.DELIVERING, Phase.ESCALATED}


def sweep(now: int, store: Store, hub: Hub, say: Callable[[str], None]) -> int:
    """Handles every request once. One that fails does not keep the others from their turn."""
    failed, asking, stirred = 0, hub.open_requests(), hub.stirred()
    for issue in sorted({*store.issues(), *asking}):
        try:
            if issue not in asking and _rests(store.read(issue)[0], stirred, now, DAY):
                continue
            workflow = handle(Tick(issue, now), store, hub)
            say(f"request {issue}: {workflow.phase}")
        except Gone as gone:
            say(f"request {issue}: {gone}; left alone")
        except (Unavailable, Rejected, ValueError) as error:  # ValueError: what cannot be read
            failed += 1
            say(f"request {issue}: {error}")
    return failed


def settle(now: int, store: Store, hub: Hub, failed: int, schedule: Callable[[bool], None]) -> bool:
    """Leaves the schedule on while there is something to look after, and off otherwise.

    Every event of a person switches it on, before anything else is done. One that came while it was
    being switched off is found by the second look, because what it is about was there before it.
    """
    on = failed > 0 or _needed(now, store, hub)
    schedule(on)
    if on or not _needed_after_all(now, store, hub):
        return on
    schedule(True)
    return True


def _needed_after_all(now: int, store: Store, hub: Hub) -> bool:
    try:
        return _needed(now, store, hub)
    except (Unavailable, Rejected, ValueError):
        return True  # a schedule too many costs a minute, one too few a request


def _needed(now: int, store: Store, hub: Hub) -> bool:
    """A young open request, one at work, one that is live; or one that ended within the hour."""
    asking, stirred = hub.open_requests(), hub.stirred()
    newest_first = sorted(store.issues(), reverse=True)
    return bool(asking) or any(
        not _rests(store.read(issue)[0], stirred, now, HOUR) for issue in newest_first
    )


def _rests(workflow: Workflow, stirred: Mapping[int, int], now: int, after: int) -> bool:
    """It is no request; or nobody has done anything there, for days where people are waited for and
    for `after` seconds where it has ended. What is live never rests: its machine tells us alone."""
    ended = workflow.phase in ENDED
    since = now - after if ended else 0
    young = any(stirred.get(place, -1) >= since for place in _places(workflow))
    waits = ended or workflow.held or workflow.phase in WAITS_FOR_PEOPLE
    idle = workflow.request is None or (waits and not young)
    return idle and not live(workflow) and not workflow.outbox and not wanted(workflow)


def _places(workflow: Workflow) -> frozenset[int]:
    """Where people do something about it: the request, its pull requests, its debug issues."""
    tasks = (n for t in (*workflow.tasks, whole(workflow)) for n in (t.pull, t.debug_issue))
    return frozenset(n for n in (workflow.issue, workflow.delivery_pull, *tasks) if n)
