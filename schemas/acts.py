"""What the bot does once: an act's key decides its content, so repeats do not matter."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schemas.base import Branch, Digest, Line, LongText, Name, Number, Path, Sha, Source, document


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
    path: Path
    text: Source


@document
class Publish:
    """Commit these files on top of `base` (on top of the branch itself where it exists)."""

    branch: Branch
    base: Branch
    digest: Digest
    files: Annotated[tuple[File, ...], Field(min_length=1, max_length=20)]
    message: Line
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
    """A linked debug or incident issue: one per topic."""

    topic: Name
    title: Line
    body: LongText
    label: Name
    kind: Literal["open_issue"] = "open_issue"

    @property
    def key(self) -> str:
        return f"issue/{self.topic}"


@document
class CloseIssue:
    """Close the linked issue of this topic, or the request itself where the topic is `request`."""

    topic: Name
    body: LongText
    kind: Literal["close_issue"] = "close_issue"

    @property
    def key(self) -> str:
        return f"close/{self.topic}"


@document
class StopWork:
    """Stop every run of this workflow: with its grace period, or at once."""

    comment_id: Number
    force: bool
    kind: Literal["stop_work"] = "stop_work"

    @property
    def key(self) -> str:
        return f"stop/{self.comment_id}"


Act = Annotated[
    Reply | React | Publish | OpenPull | MergePull | OpenIssue | CloseIssue | StopWork,
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


View = StatusComment | Labels | CommitStatus
"""May change under one key, so never queued: always drawn from the newest state."""
