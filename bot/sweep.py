"""The same code on a schedule: find what an event should have told us, and what is overdue."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.commands import ENDED
from bot.events import Tick
from bot.handle import handle
from bot.ports import Gone, Hub, Rejected, Store, Unavailable
from bot.wanted import wanted
from schemas.workflow import Phase, Workflow

DAY = 24 * 3600
WAITS_FOR_PEOPLE = {Phase.ASKING, Phase.PLANNED, Phase.DELIVERING, Phase.ESCALATED}


def sweep(now: int, store: Store, hub: Hub, say: Callable[[str], None]) -> int:
    """Handles every request once. One that fails does not keep the others from their turn."""
    failed, asking, stirred = 0, hub.open_requests(), hub.stirred()
    for issue in sorted({*store.issues(), *asking}):
        try:
            if issue not in asking and _rests(store.read(issue)[0], stirred, now):
                continue
            workflow = handle(Tick(issue, now), store, hub)
            say(f"request {issue}: {workflow.phase}")
        except Gone as gone:
            say(f"request {issue}: {gone}; left alone")
        except (Unavailable, Rejected, ValueError) as error:  # ValueError: what cannot be read
            failed += 1
            say(f"request {issue}: {error}")
    return failed


def _rests(workflow: Workflow, stirred: Mapping[int, int], now: int) -> bool:
    """It is no request; or nobody has done anything there, for days where people are waited for and
    for a day where it has ended."""
    ended = workflow.phase in ENDED
    since = now - DAY if ended else 0
    young = any(stirred.get(place, -1) >= since for place in _places(workflow))
    waits = ended or workflow.held or workflow.phase in WAITS_FOR_PEOPLE
    idle = workflow.request is None or (waits and not young)
    return idle and not workflow.outbox and not wanted(workflow)


def _places(workflow: Workflow) -> frozenset[int]:
    """Where people do something about it: the request, its pull requests, its debug issues."""
    tasks = (n for t in workflow.tasks for n in (t.pull, t.debug_issue))
    return frozenset(n for n in (workflow.issue, workflow.delivery_pull, *tasks) if n)
