"""What a job did, in one sentence on its page. Pure."""

from __future__ import annotations

from schemas.work import WorkOrder, WorkResult


def swept(looked: int, failed: int) -> str:
    if not looked:
        return "No request needed a look."
    said = f"Looked after {_count(looked, 'request')}."
    if not failed:
        return said
    return f"{said} {failed} failed: the log says why, and the next sweep tries again."


def settled(on: bool) -> str:
    if on:
        return "The sweep runs again in half an hour."
    return "Nothing is open: the sweep is off. The next issue or command switches it on."


def posted(count: int) -> str:
    if not count:
        return "No pull request lacked its status."
    return f"Gave {_count(count, 'pull request')} the status that a merge waits for."


def wrote(order: WorkOrder, made: WorkResult) -> str:
    asked = f"Request {order.issue} wanted `{order.kind}` and got `{made.product.kind}`"
    spent = f"{made.usage.seconds:.1f} s, {made.usage.cost:.2f} USD"
    return f"{asked}: {spent}. The next job takes it in."


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number > 1)}"
