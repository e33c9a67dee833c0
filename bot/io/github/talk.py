"""Comments, reactions, labels and linked issues: one of each, however often we are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from github.Issue import Issue
from github.IssueComment import IssueComment

from bot.events import NOT_REQUESTS, IssueMade
from bot.io.github.site import Site, gone, marker
from bot.io.github.wire import Refused
from bot.ports import Unavailable
from schemas.acts import (
    Attempt,
    CallOwners,
    CloseIssue,
    Labels,
    OpenIssue,
    React,
    Reply,
    ReportComment,
    StatusComment,
    Tell,
)
from schemas.workflow import Workflow

OURS, CALL = "stratbot:", "stratbot:needs-human"
REPORT, TELL = "<!-- stratbot:report=", "<!-- stratbot:tell="
TURN = re.compile(r"<!-- stratbot:\w+=[^/ ]+/[^/ ]+/(\d{1,9}) -->")


@contextmanager
def unless_gone() -> Iterator[None]:
    """What is gone already needs no removing, and nobody is left to tell."""
    try:
        yield
    except Refused as no:
        if not gone(no):
            raise


def reply(site: Site, act: Reply) -> None:
    _one_comment(site, act.number, marker("reply", act.comment_id), act.body)


def call(site: Site, workflow: Workflow, act: CallOwners) -> None:
    _one_comment(site, workflow.issue, marker("call", act.build), act.body)


def tell(site: Site, workflow: Workflow, view: Tell) -> None:
    """One at a time: the older one goes. Of two that raced the next run leaves the lower id."""
    mark, there = marker("tell", view.name), site.known(workflow.issue, TELL)
    stands = [c for c in there if view.body and site.is_ours(c, mark)][:1]
    body = site.signed(mark, view.body)
    if view.body and not stands:
        site.say(workflow.issue, body)
    for comment in there:
        with unless_gone():
            if comment not in stands:
                comment.delete()
            elif not _same(comment.body, body):
                comment.edit(body)


def attempt(site: Site, workflow: Workflow, act: Attempt) -> None:
    issue = _subject(site, workflow, act.topic)
    if issue is not None:
        _one_comment(site, issue.number, _in_turn("attempt", workflow, act), act.body)


def react(site: Site, act: React) -> None:
    """GitHub keeps one reaction of a kind per person, so a repeat changes nothing."""
    comment = IssueComment(site.wire, url=f"{site.url}/issues/comments/{act.comment_id}")
    with unless_gone():
        comment.create_reaction(act.content)


def show_status(site: Site, workflow: Workflow, view: StatusComment) -> None:
    _show(site, workflow.issue, marker("status"), view.body)


def report(site: Site, act: ReportComment) -> None:
    """Most are new, and a twin of two that raced goes when either is posted again."""
    body = site.signed(marker("report", act.version), act.body)
    found = site.known(act.number, REPORT)
    site.forget(act.number)
    for twin in found[1:]:
        with unless_gone():
            twin.delete()
    if not found:
        site.thread(act.number).create_comment(body)
    elif _version(found[0]) < act.version:
        with unless_gone():
            found[0].edit(body)


def _version(comment: IssueComment) -> int:
    found = re.match(rf"{REPORT}(\d{{1,9}}) -->", comment.body or "")
    return int(found[1]) if found else 0


def _show(site: Site, number: int, mark: str, text: str) -> None:
    """One comment that always says the newest. What was listed a moment ago is looked at first."""
    body = site.signed(mark, text)
    known = [] if site.lacks(number, mark) else site.remembered(number, mark)
    comment = known[0] if known else _one_comment(site, number, mark, text)
    site.forget(number)
    if comment is None or _same(comment.body, body):
        return
    try:
        comment.edit(body)
    except Refused as no:
        if not gone(no):
            raise
        raise Unavailable(f"a comment of #{number} was deleted while it was drawn") from no


def show_labels(site: Site, workflow: Workflow, view: Labels) -> None:
    """GitHub makes a label that the repository lacks, and answers with all that are there then.

    The call for a person goes first: beside the next phase it would be read as a new call.
    """
    known = site.recalled(workflow.issue)
    there = {label.name.casefold(): label.name for label in known.labels} if known else {}
    wanted = {name.casefold(): name for name in view.names}
    missing = [name for low, name in wanted.items() if low not in there]
    if missing:
        there = {name.casefold(): name for name in _labelled(site, workflow.issue, missing)}
    for low, name in sorted(there.items(), key=lambda label: label[0] != CALL):
        if low.startswith(OURS) and low not in wanted:
            with unless_gone():
                site.thread(workflow.issue).remove_from_labels(name)


def _labelled(site: Site, number: int, names: list[str]) -> list[str]:
    url = f"{site.url}/issues/{number}/labels"
    _, rows = site.wire.requestJsonAndCheck("POST", url, input={"labels": names})
    return [row["name"] for row in rows]


def open_issue(site: Site, workflow: Workflow, act: OpenIssue) -> IssueMade:
    if act.topic == "request":
        return _open_again(site, workflow, act)
    mark = marker("topic", f"{workflow.id}/{act.topic}")
    found = _topic(site, workflow, mark, act.label)
    if not found:
        body = site.signed(mark, f"Part of #{workflow.issue}.\n\n{act.body}")
        made = site.repo.create_issue(act.title[:256], body=body, labels=[act.label])
        found = _topic(site, workflow, mark, act.label) or [made]
    first, *twins = found
    for twin in twins:
        if twin.state == "open":
            twin.edit(state="closed", state_reason="not_planned")
    if act.turn and first.state == "closed":
        _reopen(site, workflow, act, first)
    _link(site, workflow, first)
    return IssueMade(act.topic, first.number)


def _open_again(site: Site, workflow: Workflow, act: OpenIssue) -> IssueMade:
    """The request itself, which was closed with what it delivered."""
    issue = site.issue(workflow.issue)
    if issue.state == "closed":
        _reopen(site, workflow, act, issue)
    return IssueMade(act.topic, issue.number)


def _reopen(site: Site, workflow: Workflow, act: OpenIssue, issue: Issue) -> None:
    """It is back. A late repeat does not open what was closed after it."""
    if any(_turn(c) >= act.turn for c in site.ours(issue.number, "<!-- stratbot:close=")):
        return
    _one_comment(site, issue.number, _in_turn("back", workflow, act), act.body)
    issue.edit(state="open")


def close_issue(site: Site, workflow: Workflow, act: CloseIssue) -> None:
    """A late repeat does not close what was opened after it."""
    issue = _subject(site, workflow, act.topic)
    if issue is None:
        return
    _one_comment(site, issue.number, _in_turn("close", workflow, act), act.body)
    back = site.remembered(issue.number, "<!-- stratbot:back=")
    if issue.state != "closed" and all(_turn(c) <= act.turn for c in back):
        issue.edit(state="closed")


def _in_turn(name: str, workflow: Workflow, act: Attempt | CloseIssue | OpenIssue) -> str:
    turn = f"/{act.turn}" if act.turn else ""
    return marker(name, f"{workflow.id}/{act.topic}{turn}")


def _turn(comment: IssueComment) -> int:
    found = TURN.match(comment.body or "")
    return int(found[1]) if found else 0


def _one_comment(site: Site, number: int, mark: str, body: str) -> IssueComment | None:
    """Two of us may both have found none: look again, the lower id stays, and either tidies up."""
    found = [] if site.lacks(number, mark) else site.ours(number, mark)
    if not found:
        site.thread(number).create_comment(site.signed(mark, body))
        found = site.ours(number, mark)
    for twin in found[1:]:
        with unless_gone():
            twin.delete()
    return found[0] if found else None


def _topic(site: Site, workflow: Workflow, mark: str, label: str) -> list[Issue]:
    """Oldest first. GitHub lists the newest first, and none of ours is older than its request."""
    found: list[Issue] = []
    for issue in site.repo.get_issues(state="all", labels=[label]):
        if issue.number < workflow.issue:
            break
        if site.is_ours(issue, mark):
            found.append(issue)
    return found[::-1]


def _subject(site: Site, workflow: Workflow, topic: str) -> Issue | None:
    if topic == "request":
        return site.issue(workflow.issue)
    mark = marker("topic", f"{workflow.id}/{topic}")
    for label in sorted(NOT_REQUESTS):
        found = _topic(site, workflow, mark, label)
        if found:
            return found[0]
    return None


def _link(site: Site, workflow: Workflow, child: Issue) -> None:
    """A sub-issue where GitHub has them. The body names the request in any case."""
    parent = site.issue(workflow.issue)
    try:
        if all(sub.number != child.number for sub in parent.get_sub_issues()):
            parent.add_sub_issue(child.id)
    except Refused as no:
        if no.status not in (403, 404, 410, 422):
            raise


def _same(there: str | None, wanted: str) -> bool:
    """A person who edits on the web leaves other line ends; that is no difference to repair."""
    return (there or "").replace("\r\n", "\n").strip() == wanted.strip()
