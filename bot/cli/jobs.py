"""`stratbot handle`, `finish` and `sweep`: what the workflows call to bring requests up to date."""

from __future__ import annotations

import time
from pathlib import Path

import click

from bot import events, payloads, work
from bot.cli.job_log import told
from bot.cli.outside import (
    hub,
    identity,
    most_cost,
    patient,
    policy,
    read,
    read_json,
    store,
    summarised,
)
from bot.handle import handle
from bot.ports import Unavailable
from bot.sweep import settle, sweep
from bot.text.jobs import settled, swept
from bot.wanted import awaited
from schemas import codec
from schemas.base import Usage
from schemas.work import WorkOrder, WorkResult, answered

MAX_RESULT = 4_000_000
"""One, and the figures of a few backtests, fit beside the rest of a state that is still read."""


@click.command("handle")
@click.option("--event", required=True, help="GitHub's name of the event: issues, issue_comment.")
@click.option("--payload", required=True, type=click.Path(path_type=Path), help="Its JSON file.")
def handle_event(event: str, payload: Path) -> None:
    """Read one event and bring the request up to date."""
    found = payloads.parse(event, read_json(payload), identity(), policy(), int(time.time()))
    if found is None:
        told("event.ignored", f"{event}: not for us")
        return
    handled(found)


def handled(event: events.Event) -> None:
    there = hub()
    refs = store(lambda: there.requests[0])
    started = time.monotonic()
    workflow = patient()(handle, event, refs, there)
    (sent, free), took = there.requests, time.monotonic() - started
    asked = f"{sent} requests to GitHub, {free} of them free, {took:.2f} s"
    told("request.handled", f"{workflow.phase}; {asked}", workflow.issue)
    summarised(f"Request {workflow.issue} is {workflow.phase}: {asked}.")


@click.command("finish")
@click.option("--issue", required=True, type=click.IntRange(1), help="The request it is for.")
@click.option("--key", required=True, help="The work order it is for.")
@click.option("--result", type=click.Path(path_type=Path), help="A WorkResult.")
@click.option("--failed", help="Where there is no result: why not.")
@click.option("--spent", type=click.Path(path_type=Path), help="What was drafted, for its cost.")
@click.option("--unknown-cost", is_flag=True, help="A model was at it: count the most it may cost.")
def finish(
    issue: int, key: str, result: Path | None, failed: str | None, spent: Path | None,
    unknown_cost: bool,
) -> None:  # fmt: skip
    """Take in what the worker of one order gave back."""
    if result is not None and result.exists():
        product = codec.load(WorkResult, read(result), MAX_RESULT)
    elif failed is not None:
        found = next((o for o in awaited(store().read(issue)[0]) if o.key == key), None)
        if found is None:
            told("result.not_awaited", f"the request no longer waits for {key}", issue)
            return
        product = answered(
            found, work.failed(failed[:2000]), _cost(found, spent, unknown_cost), int(time.time())
        )
    else:
        raise click.UsageError("Name the result with --result, or say why there is none: --failed.")
    if (product.issue, product.order_key) != (issue, key):
        other = f"it answers {product.order_key} of request {product.issue}"
        raise click.UsageError(f"{result}: {other}, not {key} of request {issue}.")
    handled(events.WorkFinished(product, int(time.time())))


def _cost(order: WorkOrder, drafted: Path | None, unknown: bool) -> Usage:
    """Of work that came to nothing. A model whose job died may have cost all that it may."""
    most = min(most_cost(), order.budget) if order.budget is not None else most_cost()
    nothing = Usage(cost=most) if unknown else Usage()
    if drafted is None or not drafted.exists():
        return nothing
    try:
        found = codec.load(WorkResult, read(drafted), MAX_RESULT)
    except codec.Invalid:
        return nothing  # the work failed already, and that must be told
    return found.usage if found.order_key == order.key else nothing


@click.command("sweep")
def sweep_all() -> None:
    """Look after every request: what was missed, what is overdue. Off where nothing is open."""
    there = hub()
    refs = store(lambda: there.requests[0])
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        issue, _, what = line.removeprefix("request ").partition(": ")
        told("request.swept", what, int(issue))

    now = int(time.time())
    failed = sweep(now, refs, there, say)
    summarised(swept(len(said), failed))
    ended = settled(settle(now, refs, there, failed, there.schedule))
    told("sweep.ended", ended)
    summarised(ended)
    if failed:
        raise Unavailable(
            f"{failed} requests could not be looked after; the next sweep tries again"
        )
