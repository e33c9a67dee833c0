"""The whole state of one request. Lives at refs/stratbot/<wf>; its history is the audit log."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schemas.acts import Act
from schemas.base import (
    Branch,
    Cost,
    Count,
    Digest,
    Instant,
    Line,
    Login,
    Name,
    Number,
    Owner,
    Percent,
    Seconds,
    Sha,
    TaskId,
    Text,
    Usage,
    Version,
    document,
)
from schemas.contract import Contract
from schemas.events import AuditEvent
from schemas.live import Deployment, Gate
from schemas.plan import MAX_DEBUG_ATTEMPTS, BranchTodo, TodoList
from schemas.report import (
    MIN_LINE_COVERAGE,
    GeneratedTests,
    Summary,
    TestReport,
    TestSpec,
)
from schemas.work import SANDBOX_SECONDS, Request, SandboxSeconds, StrategyDraft, WorkResult

RUNS = 60
"""How many tests a state remembers; older ones are in the audit log."""


class Phase(StrEnum):
    OPENED = "opened"
    ASKING = "asking"
    DECLINED = "declined"
    PLANNED = "planned"
    BUILDING = "building"
    DELIVERING = "delivering"
    DELIVERED = "delivered"
    PAPER = "paper"
    WAITING = "waiting"
    LIVE = "live"
    ROLLED_BACK = "rolled_back"
    ESCALATED = "escalated"
    CANCELLED = "cancelled"


class Step(StrEnum):
    """Where one task stands."""

    WAITING = "waiting"
    DRAFTING = "drafting"
    PUBLISHING = "publishing"
    TESTING = "testing"
    REPAIRING = "repairing"
    MERGING = "merging"
    MERGED = "merged"
    SKIPPED = "skipped"


class Role(StrEnum):
    """What a person may do here, weakest first."""

    READ = "read"
    AUTHOR = "author"
    WRITE = "write"


@document
class Policy:
    """Settings of the repository, as they were when the request was opened."""

    auto_merge: bool = True
    solo: bool = False
    gate: Gate = Gate.ENVIRONMENT
    """`comment` is the weaker one, for repositories whose environments cannot have reviewers."""
    unisolated: bool = False
    """A test without a container counts: only where nobody else's code can come in."""
    max_cost: Cost = Decimal(5)
    asks_first: bool = False
    """Writing costs money: what a stranger asks for waits for somebody with write permission."""
    default_branch: Branch = "main"
    owners: Annotated[tuple[Owner, ...], Field(max_length=20)] = ()
    """Whom to ask when a person is needed, as CODEOWNERS names them."""
    home: Line = ""
    """Where people see the repository, for links: its address without a slash at the end."""
    max_retries: Annotated[int, Field(ge=0, le=20)] = 2
    """How often work that was lost or failed is tried again before a person is asked."""
    max_debug_attempts: Annotated[int, Field(ge=1, le=MAX_DEBUG_ATTEMPTS)] = MAX_DEBUG_ATTEMPTS
    task_timeout: Annotated[int, Field(ge=60, le=21_600)] | None = None
    """Seconds until work is taken for lost; None: by kind of work."""
    sandbox_timeout: SandboxSeconds = SANDBOX_SECONDS
    min_line_coverage: Percent = MIN_LINE_COVERAGE


@document
class Task:
    id: TaskId
    step: Step = Step.WAITING
    attempts: Count = 0
    allowed: Annotated[int, Field(ge=0, le=100)] = 3
    head: Sha | None = None
    published: Sha | None = None
    """The newest commit of ours: another head is somebody's push."""
    pull: Number | None = None
    draft_digest: Digest | None = None
    todos: Annotated[tuple[BranchTodo, ...], Field(max_length=20)] = ()
    debug_issue: Number | None = None
    passed_sha: Sha | None = None
    failed_sha: Sha | None = None
    summary: Summary | None = None
    started_at: Instant = 0
    finished_at: Instant = 0
    cost: Cost = Decimal(0)


@document
class Asked:
    """A backtest that somebody asked for by hand. Looking at results is a trial."""

    comment_id: Number
    number: Number
    sha: Sha
    at: Instant


@document
class Revising:
    """A `/revise` whose answer waits for the new plan: who typed it where, and which words."""

    comment_id: Number
    number: Number
    words: Text


@document
class Delivery:
    """The whole strategy on its branch: where that branch stands, and what was tested of it."""

    head: Sha | None = None
    passed_sha: Sha | None = None
    failed_sha: Sha | None = None
    results_sha: Sha | None = None
    """The commit that carries the figures of what passed; it changes nothing else."""
    repair: Task | None = None
    """What failed of it and how far its repair is. Its head is the delivery's own."""


@document
class Run:
    """One test of one commit, as far as later reports speak of it. No task: the delivery."""

    task: TaskId | None
    sha: Sha
    at: Instant
    passed: bool
    failed: Annotated[tuple[Line, ...], Field(max_length=20)] = ()
    """Names of the checks that did not pass."""
    seconds: Seconds
    summary: Summary | None = None
    line_coverage: Percent | None = None


@document
class Opened:
    """The sealed bars: on which commit they were opened, when, and what it did there."""

    sha: Sha
    at: Instant
    summary: Summary


@document
class LastCommand:
    """What the newest command was and how it ended, for the status comment."""

    text: Line
    login: Login
    accepted: bool


@document
class Workflow:
    issue: Number
    request: Request | None = None
    author_id: Count = 0
    policy: Policy = Policy()
    phase: Phase = Phase.OPENED
    stopped_in: Phase | None = None
    held: bool = False
    held_by_author: bool = False
    note: Text = ""
    round: Count = 0
    build: Number = 1
    questions: Annotated[tuple[Line, ...], Field(max_length=5)] = ()
    contract: Contract | None = None
    contract_digest: Digest | None = None
    todo: TodoList | None = None
    approved_by: Login | None = None
    tasks: Annotated[tuple[Task, ...], Field(max_length=5)] = ()
    draft: StrategyDraft | None = None
    report: TestReport | None = None
    spec: TestSpec | None = None
    generated: GeneratedTests | None = None
    delivery: Delivery = Delivery()
    opened: Opened | None = None
    delivery_pull: Number | None = None
    delivered_sha: Sha | None = None
    deployments: Annotated[tuple[Deployment, ...], Field(max_length=200)] = ()
    parked: Annotated[tuple[WorkResult, ...], Field(max_length=10)] = ()
    runs: Annotated[tuple[Run, ...], Field(max_length=RUNS)] = ()
    tested: Count = 0
    """How many tests there were in all."""
    asked: Annotated[tuple[Asked, ...], Field(max_length=50)] = ()
    revising: Revising | None = None
    usage: Usage = Usage()
    trials: Count = 0
    since: Instant = 0
    tries: Count = 0
    last: LastCommand | None = None
    seen: tuple[Line, ...] = ()
    outbox: tuple[Act, ...] = ()
    schema: Version = 1

    @property
    def id(self) -> str:
        return f"wf_{self.issue}"

    @property
    def correlation_id(self) -> str:
        return f"corr_{self.issue}"


@document
class Record:
    """One line of the audit log: what made the state change, beside the state that it made.

    `asked_at`: when the oldest command in it was typed. `requests`: to GitHub, since the line
    before it and by the same process; what is drawn after the last line is not in it.
    """

    correlation_id: Name
    workflow_id: Name
    at: Instant
    because: tuple[Line, ...]
    actor: Line
    phase: Phase
    events: tuple[AuditEvent, ...] = ()
    asked_at: Instant | None = None
    requests: Count = 0
    schema: Version = 1
