"""What the bot does once: an act's key decides its content, so repeats do not matter."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import (
    Branch,
    Count,
    Digest,
    Line,
    LongText,
    Name,
    Number,
    Path,
    Results,
    Sha,
    Text,
    document,
)


@document
class Reply:
    """The answer to one comment."""

    number: Number
    comment_id: Number
    body: LongText
    kind: Literal["reply"] = "reply"

    @property
    def key(self) -> str:
        return f"reply/{self.comment_id}"


@document
class React:
    comment_id: Number
    content: Literal["eyes", "rocket", "confused"]
    kind: Literal["react"] = "react"

    @property
    def key(self) -> str:
        return f"react/{self.comment_id}/{self.content}"


@document
class File:
    """Code, or what a test run left behind: figures, trades, equity, events."""

    path: Path
    text: Results


@document
class Publish:
    """Commit these files on top of `base` (on top of the branch itself where it exists).

    With a `parent` they go on top of exactly that commit: a branch that moved on is left alone,
    and one that is gone is begun again on `base`, unless it is that branch itself.
    """

    branch: Branch
    base: Branch
    digest: Digest
    files: Annotated[tuple[File, ...], Field(min_length=1, max_length=20)]
    message: Line
    trailers: Annotated[tuple[Line, ...], Field(max_length=20)] = ()
    parent: Sha | None = None
    removes: Annotated[tuple[Path, ...], Field(max_length=20)] = ()
    """Files of an earlier build; one that is not there is no mistake."""
    kind: Literal["publish"] = "publish"

    @property
    def key(self) -> str:
        return f"publish/{self.branch}/{self.digest}"


@document
class OpenPull:
    branch: Branch
    base: Branch
    title: Line
    body: LongText
    sha: Sha | None = None
    """Where the branch stands; if somebody deleted it, it is made again there."""
    kind: Literal["open_pull"] = "open_pull"

    @property
    def key(self) -> str:
        return f"pull/{self.branch}"


@document
class MergePull:
    """Merge exactly this commit into `base`; a branch that moved on is refused by GitHub."""

    branch: Branch
    base: Branch
    sha: Sha
    kind: Literal["merge_pull"] = "merge_pull"

    @property
    def key(self) -> str:
        return f"merge/{self.branch}/{self.sha}"


@document
class OpenIssue:
    """A linked debug or incident issue: one per topic.

    With a `turn` one that was closed in an earlier turn is opened again.
    """

    topic: Name
    title: Line
    body: LongText
    label: Name
    turn: Count = 0
    kind: Literal["open_issue"] = "open_issue"

    @property
    def key(self) -> str:
        return f"issue/{_in_turn(self.topic, self.turn)}"


@document
class CloseIssue:
    """Close the linked issue of this topic, or the request itself where the topic is `request`.

    One that was opened again in a later turn stays open.
    """

    topic: Name
    body: LongText
    turn: Count = 0
    kind: Literal["close_issue"] = "close_issue"

    @property
    def key(self) -> str:
        return f"close/{_in_turn(self.topic, self.turn)}"


@document
class Attempt:
    """What was tried against a failure and how it ended: a comment on the issue of its topic."""

    topic: Name
    turn: Number
    body: LongText
    kind: Literal["attempt"] = "attempt"

    @property
    def key(self) -> str:
        return f"attempt/{_in_turn(self.topic, self.turn)}"


def _in_turn(topic: str, turn: int) -> str:
    return f"{topic}/{turn}" if turn else topic


@document
class CallOwners:
    """Ask the owners of the code to look at the request: once for each build of it."""

    build: Number
    body: Text
    kind: Literal["call_owners"] = "call_owners"

    @property
    def key(self) -> str:
        return f"call/{self.build}"


@document
class StopWork:
    """Stop every run of this workflow: with its grace period, or at once."""

    comment_id: Number
    force: bool
    kind: Literal["stop_work"] = "stop_work"

    @property
    def key(self) -> str:
        return f"stop/{self.comment_id}"


@document
class OpenGate:
    """Start the run in which one deployment waits for its approval. It decides nothing itself."""

    deployment: Number
    sha: Sha
    kind: Literal["open_gate"] = "open_gate"

    @property
    def key(self) -> str:
        return f"gate/{self.deployment}/{self.sha}"


@document
class Annotation:
    """One finding at its line, as GitHub shows it beside the code."""

    path: Path
    line: Annotated[int, Field(ge=1, le=100_000)]
    title: Line
    message: Text


@document
class CheckRun:
    """The verdict on one commit with its findings at their lines. `run` counts the tests of it."""

    sha: Sha
    run: Count
    passed: bool
    title: Line
    summary: LongText
    annotations: Annotated[tuple[Annotation, ...], Field(max_length=50)] = ()
    kind: Literal["check_run"] = "check_run"

    @property
    def key(self) -> str:
        return f"check/{self.sha}/{self.run}"


@document
class TagCommit:
    """An annotated tag. It is never moved."""

    name: Branch
    sha: Sha
    message: Text
    kind: Literal["tag_commit"] = "tag_commit"

    @property
    def key(self) -> str:
        return f"tag/{self.name}"


@document
class ReportComment:
    """The one comment on a pull request that shows what its tests found, newest first.

    A lower version never replaces a higher one, so that a late repeat does no harm.
    """

    number: Number
    version: Count
    body: LongText
    kind: Literal["report"] = "report"

    @property
    def key(self) -> str:
        return f"report/{self.number}/{self.version}"


Act = Annotated[
    Reply
    | React
    | Publish
    | OpenPull
    | MergePull
    | OpenIssue
    | CloseIssue
    | Attempt
    | StopWork
    | OpenGate
    | CheckRun
    | TagCommit
    | ReportComment
    | CallOwners,
    Field(discriminator="kind"),
]


@document
class StatusComment:
    """The one comment that shows where a request stands."""

    body: LongText

    @property
    def key(self) -> str:
        return "status"


@document
class Tell:
    """The one comment that tells the author that the request waits: GitHub sends out no edits.

    Under a new name it is a new comment. Without words nobody is waited for, and none is there.
    """

    name: Line = ""
    body: LongText = ""

    @property
    def key(self) -> str:
        return "tell"


@document
class Labels:
    """Ours only: labels of other people are left alone."""

    names: tuple[Line, ...]

    @property
    def key(self) -> str:
        return "labels"


@document
class CommitStatus:
    """What branch protection can require on one commit."""

    sha: Sha
    state: Literal["pending", "success", "failure", "error"]
    description: Line

    @property
    def key(self) -> str:
        return f"status/{self.sha}"


View = Tell | StatusComment | Labels | CommitStatus | ReportComment
"""May change under one key, so never queued: always drawn from the newest state."""
