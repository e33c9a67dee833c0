"""The same code on a schedule: find what an event should have told us, and what is overdue."""

from __future__ import annotations

from collections.abc import Callable

from bot.commands import ENDED
from bot.events import Tick
from bot.handle import handle
from bot.ports import Gone, Hub, Rejected, Store, Unavailable
from bot.wanted import wanted
from schemas.workflow import Phase, Workflow

WAITS_FOR_WORDS = {Phase.ASKING, Phase.PLANNED}


def sweep(now: int, store: Store, hub: Hub, say: Callable[[str], None]) -> int:
    """Handles every request once. One that fails does not keep the others from their turn."""
    failed, asking, stirred = 0, hub.open_requests(), hub.stirred()
    for issue in sorted({*store.issues(), *asking}):
        try:
            if issue not in asking and _rests(store.read(issue)[0], issue in stirred):
                continue
            workflow = handle(Tick(issue, now), store, hub)
            say(f"request {issue}: {workflow.phase}")
        except Gone as gone:
            say(f"request {issue}: {gone}; left alone")
        except (Unavailable, Rejected, ValueError) as error:  # ValueError: what cannot be read
            failed += 1
            say(f"request {issue}: {error}")
    return failed


def _rests(workflow: Workflow, stirred: bool) -> bool:
    """It has ended, or is no request, or waits for words that nobody has said for days."""
    over = workflow.phase in ENDED or workflow.request is None
    idle = workflow.phase in WAITS_FOR_WORDS and not stirred
    return (over or idle) and not workflow.outbox and not wanted(workflow)
