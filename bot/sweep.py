"""The same code on a schedule: find what an event should have told us, and what is overdue."""

from __future__ import annotations

from collections.abc import Callable

from bot.events import Tick
from bot.handle import handle
from bot.ports import Hub, Rejected, Store, Unavailable
from schemas.codec import Invalid


def sweep(now: int, store: Store, hub: Hub, say: Callable[[str], None]) -> int:
    """Handles every request once. One that fails does not keep the others from their turn."""
    failed = 0
    for issue in sorted({*store.issues(), *hub.open_requests()}):
        try:
            workflow = handle(Tick(issue, now), store, hub)
            say(f"request {issue}: {workflow.phase}")
        except (Unavailable, Rejected, Invalid) as error:
            failed += 1
            say(f"request {issue}: {error}")
    return failed
