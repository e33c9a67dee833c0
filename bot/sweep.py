"""The same code on a schedule: find what an event should have told us, and what is overdue."""

from __future__ import annotations

from collections.abc import Callable

from bot.commands import ENDED
from bot.events import Tick
from bot.handle import handle
from bot.ports import Hub, Rejected, Store, Unavailable
from bot.wanted import wanted
from schemas.workflow import Workflow


def sweep(now: int, store: Store, hub: Hub, say: Callable[[str], None]) -> int:
    """Handles every request once. One that fails does not keep the others from their turn."""
    failed, asking = 0, hub.open_requests()
    for issue in sorted({*store.issues(), *asking}):
        try:
            if issue not in asking and _rests(store.read(issue)[0]):
                continue
            workflow = handle(Tick(issue, now), store, hub)
            say(f"request {issue}: {workflow.phase}")
        except (Unavailable, Rejected, ValueError) as error:  # ValueError: what cannot be read
            failed += 1
            say(f"request {issue}: {error}")
    return failed


def _rests(workflow: Workflow) -> bool:
    """It has ended, or is no request, and waits for nothing: an event wakes it."""
    over = workflow.phase in ENDED or workflow.request is None
    return over and not workflow.outbox and not wanted(workflow)
