"""Our few events: what can happen to a request, and what doing an act teaches."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from schemas.live import GateAnswer, Incident
from schemas.work import WorkResult
from schemas.workflow import Policy

TITLE, BODY = 500, 60_000
"""How much of a request is read."""
LEFT_ALONE = "not-a-request"
NOT_REQUESTS = {"debug", "incident", LEFT_ALONE}


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are and which other bots we listen to, by number: a name proves nothing."""

    bot_id: int
    trusted_bots: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class IssueOpened:
    issue: int
    title: str
    body: str
    login: str
    user_id: int
    at: int
    policy: Policy = field(default_factory=Policy)

    @property
    def key(self) -> str:
        return f"issue/{self.issue}"


@dataclass(frozen=True, slots=True)
class IssueEdited:
    """The request reads differently now than when it was last read."""

    issue: int
    title: str
    body: str
    login: str
    at: int

    @property
    def key(self) -> str:
        text = f"{self.title}\n{self.body}"
        return f"edited/{hashlib.sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class IssueClosed:
    """A person closed the request while it was being worked on."""

    issue: int
    login: str
    at: int

    @property
    def key(self) -> str:
        return f"shut/{self.at}"


@dataclass(frozen=True, slots=True)
class IssueDisowned:
    """A person labelled the request as something that is none."""

    issue: int
    label: str
    at: int

    @property
    def key(self) -> str:
        return f"label/{self.label}"


@dataclass(frozen=True, slots=True)
class CommentPosted:
    """`number` is where it was posted: the request itself, or one of its pull requests."""

    issue: int
    number: int
    comment_id: int
    login: str
    user_id: int
    body: str
    at: int
    edited: bool = False

    @property
    def key(self) -> str:
        return f"comment/{self.comment_id}"


@dataclass(frozen=True, slots=True)
class PullPushed:
    issue: int
    branch: str
    sha: str
    at: int

    @property
    def key(self) -> str:
        return f"push/{self.branch}/{self.sha}"


@dataclass(frozen=True, slots=True)
class PullClosed:
    """`sha` is the merge commit of what was merged; `head` is where the branch stood."""

    issue: int
    branch: str
    sha: str
    merged: bool
    login: str
    at: int
    head: str = ""

    @property
    def key(self) -> str:
        return f"closed/{self.branch}/{self.sha}"


@dataclass(frozen=True, slots=True)
class WorkFinished:
    """`at` is when we heard of it: a worker's own clock is not trusted with our deadlines."""

    result: WorkResult
    at: int

    @property
    def issue(self) -> int:
        return self.result.issue

    @property
    def key(self) -> str:
        return f"work/{self.result.order_key}"

    @property
    def receipt(self) -> str:
        """Under this name its cost is counted once."""
        return f"paid/{self.result.order_key}"


@dataclass(frozen=True, slots=True)
class GateAnswered:
    """What the run that waited for an approval came to."""

    answer: GateAnswer
    at: int

    @property
    def issue(self) -> int:
        return self.answer.issue

    @property
    def key(self) -> str:
        return f"gate/{self.answer.deployment}"


@dataclass(frozen=True, slots=True)
class ParityBroke:
    """A machine that trades tells of the first bar on which it differed. `number` is its tag's."""

    issue: int
    number: int
    incident: Incident
    at: int

    @property
    def key(self) -> str:
        return f"parity/{self.number}"


@dataclass(frozen=True, slots=True)
class Tick:
    """No news but the time. Finishes whatever an interrupted run left behind.

    `alive`: overdue work that GitHub still has in its queue, or is doing.
    """

    issue: int
    at: int
    alive: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        return f"tick/{self.at}"


Event = (
    IssueOpened
    | IssueEdited
    | IssueClosed
    | IssueDisowned
    | CommentPosted
    | PullPushed
    | PullClosed
    | WorkFinished
    | GateAnswered
    | ParityBroke
    | Tick
)


@dataclass(frozen=True, slots=True)
class Published:
    branch: str
    sha: str


@dataclass(frozen=True, slots=True)
class PullOpened:
    branch: str
    number: int


@dataclass(frozen=True, slots=True)
class PullMerged:
    branch: str
    sha: str


@dataclass(frozen=True, slots=True)
class BranchGone:
    """Somebody deleted a branch that a pull request needs."""

    branch: str


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """Somebody else's commit is where ours was to go on top of another."""

    branch: str
    sha: str


@dataclass(frozen=True, slots=True)
class IssueMade:
    topic: str
    number: int


@dataclass(frozen=True, slots=True)
class ActRefused:
    """The world will not do this act. `why` is for a person."""

    key: str
    why: str


Fact = Published | PullOpened | PullMerged | BranchGone | BranchMoved | IssueMade | ActRefused
"""What only the outside knows, learnt by doing an act."""
