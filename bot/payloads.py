"""GitHub's payloads -> our events. The trust boundary: nothing past here sees a raw payload."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.events import (
    BODY,
    LEFT_ALONE,
    NOT_REQUESTS,
    TITLE,
    CommentPosted,
    Event,
    Identity,
    IssueClosed,
    IssueDisowned,
    IssueEdited,
    IssueOpened,
    PullClosed,
    PullPushed,
    Tick,
)
from bot.reader import Reader
from schemas.base import LOGIN
from schemas.work import Request
from schemas.workflow import Policy

BRANCH = re.compile(r"ai/generated/wf_([1-9][0-9]{0,15})(?:-[1-9][0-9]{0,5})?/[a-z0-9_]{1,40}")
MARKER = re.compile(r"<!-- stratbot:request=([1-9][0-9]{0,15}) -->")
TOPIC = re.compile(r"<!-- stratbot:topic=wf_([1-9][0-9]{0,15})/")
"""Of a debug or incident issue: its first words, so that nothing quoted below can be one."""
HEARD = {"issues", "issue_comment", "pull_request", "workflow_dispatch"}


def parse(name: str, payload: object, me: Identity, policy: Policy, now: int = 0) -> Event | None:
    """The event in a webhook payload; None when it is not for us; `Malformed` when it is broken."""
    if name not in HEARD:
        return None
    reader = Reader(name, payload)
    if name == "workflow_dispatch":
        return _woken(reader, now)
    match name, reader.text("action"):
        case "issues", "opened":
            return _issue(reader, me, policy)
        case "issues", "edited" | "closed" | "reopened":
            return _touched(reader, me, "issue.updated_at")
        case "issues", "labeled":
            return _labelled(reader, me)
        case "issue_comment", "created":
            return _comment(reader, me)
        case "issue_comment", "edited" | "deleted":
            return _touched(reader, me, "comment.updated_at")
        case "pull_request", "synchronize" | "closed" | "reopened":
            return _pull(reader)
    return None


def issue_found(issue: object, me: Identity, policy: Policy) -> IssueOpened | None:
    """The same for an issue as the API lists it, which has the shape that the webhook sends."""
    r = Reader("issue", {"issue": issue})
    heard = r.has("issue.user") and r.text("issue.state") == "open"
    return _issue(r, me, policy) if heard else None


def issue_changed(
    issue: object, known: Request
) -> Iterator[IssueEdited | IssueClosed | IssueDisowned]:
    """What a person did to the request itself since it was last read."""
    r = Reader("issue", {"issue": issue})
    number, at = r.number("issue.number"), r.instant("issue.updated_at")
    who = r.text("issue.user.login") if r.has("issue.user") else "ghost"
    title, body = r.text("issue.title")[:TITLE], r.body("issue.body")[:BODY]
    if (title, body) != (known.title, known.body):
        yield IssueEdited(number, title, body, who, at)
    if r.text("issue.state") == "closed":
        by = r.text("issue.closed_by.login") if r.has("issue.closed_by") else "ghost"
        yield IssueClosed(number, by, r.instant("issue.closed_at"))
    for label in sorted(r.names("issue.labels") & NOT_REQUESTS):
        yield IssueDisowned(number, label, at)


def comment_found(comment: object, issue: int, number: int, me: Identity) -> CommentPosted | None:
    """A listed comment shows its newest text, so it says whether that is still the first one."""
    r = Reader("comment", {"comment": comment})
    if not r.has("comment.user") or not _speaks(r, me):
        return None
    edited = r.text("comment.updated_at") != r.text("comment.created_at")
    return replace(_posted(r, issue, number), edited=edited)


def pull_found(pull: object, repo: str) -> PullPushed | PullClosed | None:
    """What one of our pull requests is now: where its branch stands, or how it ended."""
    r = Reader("pull", {"pull_request": pull, "repository": {"full_name": repo}})
    hint = _pull(r)
    if hint is None:
        return None
    branch, sha = r.text("pull_request.head.ref"), r.text("pull_request.head.sha")
    if r.text("pull_request.state") == "open":
        return PullPushed(hint.issue, branch, sha, hint.at)
    merged, at = r.flag("pull_request.merged"), r.instant("pull_request.closed_at")
    end = r.text("pull_request.merge_commit_sha") if merged else sha
    return PullClosed(hint.issue, branch, end, merged, "", at, sha)


def _issue(r: Reader, me: Identity, policy: Policy) -> IssueOpened | None:
    if not _listens(r, "issue.user", me) or r.names("issue.labels") & NOT_REQUESTS:
        return None
    if _is_pull(r):
        return None
    return IssueOpened(
        issue=r.number("issue.number"), title=r.text("issue.title"), body=r.body("issue.body"),
        login=r.text("issue.user.login"), user_id=r.number("issue.user.id"),
        at=r.instant("issue.created_at"), policy=policy,
    )  # fmt: skip


def _touched(r: Reader, me: Identity, when: str) -> Tick | None:
    """Only a hint, and none if it was us: what is true now is read from GitHub."""
    if r.has("sender") and r.number("sender.id") == me.bot_id:
        return None
    request = _request_of(r, me)
    return None if request is None else Tick(request, r.instant(when))


def _labelled(r: Reader, me: Identity) -> Tick | None:
    """A person says that it is no request; what else they label is nothing to us."""
    number, by = r.number("issue.number"), r.number("sender.id")
    heard = r.text("label.name") in NOT_REQUESTS and by != me.bot_id and not _is_pull(r)
    return Tick(number, r.instant("issue.updated_at")) if heard else None


def _woken(r: Reader, now: int) -> Tick | None:
    """Somebody, or a workflow of ours, asks us to look at one request."""
    said = r.text("inputs.issue") if r.has("inputs.issue") else ""
    return Tick(int(said), now) if re.fullmatch(r"[1-9][0-9]{0,15}", said) else None


def _speaks(r: Reader, me: Identity) -> bool:
    """Some very old accounts have names that no document can hold; they are not heard."""
    return _listens(r, "comment.user", me) and bool(re.match(LOGIN, r.text("comment.user.login")))


def _comment(r: Reader, me: Identity) -> CommentPosted | None:
    if not _speaks(r, me):
        return None
    number = r.number("issue.number")
    issue = _request_of(r, me) or (number if _answers(r) else None)
    return None if issue is None else _posted(r, issue, number)


def _answers(r: Reader) -> bool:
    """An incident or debug issue of a person: no request, and whoever types there is told so."""
    labels = r.names("issue.labels")
    return bool(labels & NOT_REQUESTS) and LEFT_ALONE not in labels and not _is_pull(r)


def _is_pull(r: Reader) -> bool:
    """GitHub lists pull requests as issues."""
    return r.has("issue.pull_request")


def _posted(r: Reader, issue: int, number: int) -> CommentPosted:
    return CommentPosted(
        issue=issue, number=number, comment_id=r.number("comment.id"),
        login=r.text("comment.user.login"), user_id=r.number("comment.user.id"),
        body=r.body("comment.body"), at=r.instant("comment.created_at"),
    )  # fmt: skip


def _request_of(r: Reader, me: Identity) -> int | None:
    """What we opened ourselves belongs to the request that it names; a request to itself."""
    labels, pull = r.names("issue.labels"), _is_pull(r)
    if LEFT_ALONE in labels:
        return None
    if r.has("issue.user") and r.number("issue.user.id") == me.bot_id:
        body = r.body("issue.body")
        named = MARKER.search(body) if pull else TOPIC.match(body)
        return int(named[1]) if named else None
    return None if pull or labels & NOT_REQUESTS else r.number("issue.number")


def _pull(r: Reader) -> Tick | None:
    """Only a hint: a late delivery names an old commit, so the Hub is asked for the truth."""
    ours = BRANCH.fullmatch(r.text("pull_request.head.ref"))
    if ours is None or not r.has("pull_request.head.repo"):  # null: the fork is gone
        return None
    if r.text("pull_request.head.repo.full_name") != r.text("repository.full_name"):
        return None
    return Tick(int(ours[1]), r.instant("pull_request.updated_at"))


def _listens(r: Reader, user: str, me: Identity) -> bool:
    number, kind = r.number(f"{user}.id"), r.text(f"{user}.type")
    return number != me.bot_id and (kind == "User" or number in me.trusted_bots)
