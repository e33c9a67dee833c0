"""What happened to a request that its state does not know: a lost event is found here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, TypeVar

from github.Issue import Issue

from bot.events import (
    CommentPosted,
    Event,
    GateAnswered,
    IssueOpened,
    ParityBroke,
    PullClosed,
    PullPushed,
    WorkFinished,
)
from bot.io.github.runs import gate_answer, results
from bot.io.github.settings import seen
from bot.io.github.site import Site
from bot.io.github.wire import Refused
from bot.payloads import comment_found, issue_changed, issue_found, pull_found
from bot.ports import Gone, Look
from bot.reader import Malformed, instant
from bot.wanted import awaited, limit
from schemas import codec
from schemas.acts import MergePull, Publish
from schemas.live import Incident
from schemas.workflow import Phase, Step, Task, Workflow

T = TypeVar("T")
YOUNG = 7 * 24 * 3600
GRACE = 60
"""Seconds in which nobody wonders where a result is."""
OVER = {Step.MERGED, Step.SKIPPED}


def news(site: Site, workflow: Workflow, look: Look) -> tuple[Event, ...]:
    """Oldest first. Nothing here trusts a date of ours: a comment is new until it was seen."""
    found: list[Event] = []
    if workflow.request is None or look >= Look.REQUEST:
        found += _of_issue(site, workflow)
    if workflow.request is None and not found:
        return ()
    found += _said(site, workflow, workflow.issue)
    if look is Look.EVERYWHERE:
        for number, task in _watched(workflow):
            found += _of_pull(site, workflow, number, task)
        for number in _linked(site, workflow):
            found += _said(site, workflow, number)
        found += _finished(site, workflow)
        found += _gated(site, workflow)
        found += _differed(site, workflow)
    return tuple(sorted(found, key=_age))


def _of_issue(site: Site, workflow: Workflow) -> list[Event]:
    try:
        _, row = site.wire.requestJsonAndCheck("GET", f"{site.url}/issues/{workflow.issue}")
    except Refused as no:
        if no.status != 410:  # 404 may be a right that we have lost
            raise
        raise Gone(f"#{workflow.issue} was deleted") from no
    site.memory[f"issue/{workflow.issue}"] = row
    if workflow.request is not None:
        return list(issue_changed(row, workflow.request))
    found = issue_found(row, site.me, site.policy)
    return [found] if found else []


def _finished(site: Site, workflow: Workflow) -> Iterator[WorkFinished]:
    """Results whose own message was lost. Work that was started a moment ago has none yet."""
    now = int(site.clock.now())
    old = {
        o.key
        for o in awaited(workflow)
        if now - o.deadline + limit(workflow.policy, o.kind) > GRACE
    }
    return (WorkFinished(r, now) for r in (results(site, workflow, old) if old else ()))


def _gated(site: Site, workflow: Workflow) -> Iterator[GateAnswered]:
    if workflow.phase is not Phase.WAITING or not workflow.deployments:
        return
    found = gate_answer(site, workflow)
    if found:
        yield GateAnswered(found, int(site.clock.now()))


def _differed(site: Site, workflow: Workflow) -> Iterator[ParityBroke]:
    """What machines have left as `incident/<strategy>/<n>`. Anybody who may push can do that."""
    if not any(d.approval for d in workflow.deployments):
        return
    start = f"tags/incident/{workflow.deployments[-1].strategy}/"
    for row in seen(site.wire, f"{site.url}/git/matching-refs/{start}") or ():
        number = str(row["ref"]).rpartition("/")[2]
        if not number.isdecimal() or f"parity/{number}" in workflow.seen:
            continue
        told = seen(site.wire, f"{site.url}/git/commits/{row['object']['sha']}") or {}
        with suppress(codec.Invalid):
            incident = codec.load(Incident, str(told.get("message", "")).encode())
            yield ParityBroke(workflow.issue, int(number), incident, int(site.clock.now()))


def open_requests(site: Site) -> tuple[int, ...]:
    """Only young ones: an old one was there before us, or has its state already."""
    young, rows = site.clock.now() - YOUNG, _stirred(site)
    found = _readable(lambda row: issue_found(row, site.me, site.policy), rows)
    return tuple(sorted(issue.issue for issue in found if issue.at >= young))


def stirred(site: Site) -> dict[int, int]:
    """When something last happened to issues and pull requests of these days, also closed ones."""
    return {int(row["number"]): instant(str(row["updated_at"])) for row in _stirred(site)}


def _stirred(site: Site) -> Iterator[Any]:
    """Of whole hours: asked twice in a sweep, it is the same question, and free."""
    young = int(site.clock.now() - YOUNG) // 3600 * 3600
    since = datetime.fromtimestamp(young, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return site.wire.rows(f"{site.url}/issues", state="all", since=since)


def _readable(read: Callable[[object], T | None], rows: Iterable[object]) -> Iterator[T]:
    """One row that nobody can read does not hide the others."""
    for row in rows:
        with suppress(Malformed):
            found = read(row)
            if found is not None:
                yield found


def _said(site: Site, workflow: Workflow, number: int) -> Iterator[CommentPosted]:
    """All of them: the state keeps no time before which nothing can have been lost."""
    rows = list(site.wire.rows(f"{site.url}/issues/{number}/comments"))
    site.memory[f"comments/{number}"] = rows
    found = _readable(lambda row: comment_found(row, workflow.issue, number, site.me), rows)
    return (comment for comment in found if comment.key not in workflow.seen)


def _watched(workflow: Workflow) -> Iterator[tuple[int, Task | None]]:
    """Pull requests that still matter; without a task it is the delivery."""
    for task in workflow.tasks:
        if task.pull and task.step not in OVER:
            yield task.pull, task
    if workflow.delivery_pull:
        yield workflow.delivery_pull, None


def _linked(site: Site, workflow: Workflow) -> Iterator[int]:
    """Its debug issues, and its incidents: there people type what they would type here."""
    tasks = (*workflow.tasks, workflow.delivery.repair)
    yield from sorted({t.debug_issue for t in tasks if t and t.debug_issue})
    if workflow.deployments:
        yield from (row.number for row in _incidents(site, workflow) if row.comments)


def _incidents(site: Site, workflow: Workflow) -> Iterator[Issue]:
    """GitHub lists the newest first, and none of ours is older than its request."""
    mark = f"<!-- stratbot:topic={workflow.id}/"
    listed = site.repo.get_issues(state="all", labels=["incident"])
    young = takewhile(lambda row: row.number > workflow.issue, listed)
    return (row for row in young if site.is_ours(row, mark))


def _of_pull(site: Site, workflow: Workflow, number: int, task: Task | None) -> list[Event]:
    _, pull = site.wire.requestJsonAndCheck("GET", f"{site.url}/pulls/{number}")
    found: list[Event] = []
    match pull_found(pull, site.name):
        case PullPushed() as pushed if not _knows_head(workflow, task, pushed):
            found.append(pushed)
        case PullClosed() as closed if not _knows_end(workflow, task, closed):
            found.append(replace(closed, login=_closer(site, number, pull)))
    if pull["user"]["id"] == site.me.bot_id and pull["comments"]:
        found += _said(site, workflow, number)
    return found


def _knows_head(workflow: Workflow, task: Task | None, pushed: PullPushed) -> bool:
    """A commit of our own is no news: its act waits in the outbox until it is recorded."""
    publishing = {act.branch for act in workflow.outbox if isinstance(act, Publish)}
    known = task.head if task else workflow.delivery.head
    return pushed.sha == known or pushed.branch in publishing


def _knows_end(workflow: Workflow, task: Task | None, closed: PullClosed) -> bool:
    merging = {act.branch for act in workflow.outbox if isinstance(act, MergePull)}
    delivered = task is None and workflow.delivered_sha is not None
    return delivered or closed.branch in merging or closed.key in workflow.seen


def _closer(site: Site, number: int, pull: dict[str, object]) -> str:
    """Only the pull request says who merged it, and only the issue who closed it."""
    who = pull.get("merged_by")
    if who is None:
        _, issue = site.wire.requestJsonAndCheck("GET", f"{site.url}/issues/{number}")
        who = issue.get("closed_by")
    return str(who["login"]) if isinstance(who, dict) else "ghost"


def _age(event: Event) -> tuple[bool, int, int]:
    opened = isinstance(event, IssueOpened)
    return not opened, event.at, event.comment_id if isinstance(event, CommentPosted) else 0
