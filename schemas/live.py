"""What happens after delivery: the passport of an artifact, the approval, the deployment."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schemas.base import (
    Count,
    Digest,
    Instant,
    Line,
    Login,
    Money,
    Name,
    Number,
    Provenance,
    Seconds,
    Sha,
    Text,
    Version,
    document,
)
from schemas.contract import Contract
from schemas.plan import BranchTodo
from schemas.report import Artifact


@document
class Passport:
    """Where a delivered strategy comes from, with the digest of every file."""

    strategy: Name
    workflow_id: Name
    correlation_id: Name
    issue: Number
    commit_sha: Sha
    contract_digest: Digest
    report_digest: Digest
    files: Annotated[tuple[Artifact, ...], Field(min_length=1, max_length=50)]
    written_by: Provenance
    trials: Count
    schema: Version = 1


class Gate(StrEnum):
    ENVIRONMENT = "environment"
    COMMENT = "comment"
    """The weaker gate, for repositories whose environments cannot have reviewers."""


@document
class Approval:
    """Leave to run one commit of one strategy live, for a while."""

    strategy: Name
    workflow_id: Name
    correlation_id: Name
    commit_sha: Sha
    files: Annotated[tuple[Artifact, ...], Field(min_length=1, max_length=50)]
    gate: Gate
    approvers: Annotated[tuple[Login, ...], Field(min_length=1, max_length=6)]
    run_id: Number | None = None
    granted_at: Instant
    expires_at: Instant
    schema: Version = 1


class Stage(StrEnum):
    PAPER = "paper"
    WAITING = "waiting"
    LIVE = "live"
    HALTED = "halted"
    REPLACED = "replaced"
    ROLLED_BACK = "rolled_back"
    FAILED = "failed"


class OnRollback(StrEnum):
    """What happens to open positions."""

    FLATTEN = "flatten"
    HOLD = "hold"
    HANDOVER = "handover"


@document
class Incident:
    """What a machine tells of a live run that was stopped: a bar, and the decision on it.

    Where `live` and `offline` differ it stopped itself; else somebody took it back.
    """

    strategy: Name
    workflow_id: Name
    correlation_id: Name
    commit_sha: Sha
    bar: Count
    bar_time: Line
    what: Line
    live: Text
    offline: Text
    noticed_at: Instant
    bars: Annotated[tuple[Line, ...], Field(max_length=20)] = ()
    """The bars up to this one, the newest last."""
    audit: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    """The last lines of the machine's audit log."""
    schema: Version = 1


@document
class Deployment:
    strategy: Name
    workflow_id: Name
    correlation_id: Name
    commit_sha: Sha
    stage: Stage
    requested_by: Login
    requester_id: Number | None = None
    paper_bars: Count = 0
    """How many bars the paper run of this commit had; none: it has not matched."""
    approvers: Annotated[tuple[Login, ...], Field(max_length=6)] = ()
    approver_ids: Annotated[tuple[Number, ...], Field(max_length=6)] = ()
    """A person who changes their name is still one person."""
    gate: Gate | None = None
    rollback: OnRollback | None = None
    approval: Approval | None = None
    """What was signed, word for word."""
    tag: Line = ""
    todo: BranchTodo | None = None
    """What a rollback, a difference or a red test left to find out."""
    incident: Incident | None = None
    """What the machine that traded told of it."""
    contract: Contract | None = None
    """What it was built from, where the request has another contract since."""
    note: Text = ""
    reason: Line = ""
    since: Instant
    schema: Version = 1


@document
class GateAnswer:
    """What the gate said about one deployment: an approval, or a reason to stay shut."""

    issue: Number
    deployment: Number
    commit_sha: Sha
    approval: Approval | None = None
    approver_ids: Annotated[tuple[Number, ...], Field(max_length=6)] = ()
    tag: Line = ""
    reason: Line = ""
    message: Text = ""
    schema: Version = 1


class BrokerName(StrEnum):
    IBKR = "ibkr"
    MT5 = "mt5"
    SIM = "sim"


Volume = Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)]


@document
class Limits:
    """What a live run may do at most. The owner of the account writes it."""

    symbols: Annotated[tuple[Line, ...], Field(min_length=1, max_length=50)]
    max_order: Volume
    max_position: Volume
    orders_per_minute: Annotated[int, Field(ge=1, le=1_000)] = 10
    max_daily_loss: Money = Decimal(500)
    max_data_age: Seconds = 120.0
    """Seconds from the end of the newest bar to the decision."""
    max_clock_skew: Seconds = 5.0
    max_unheard: Seconds = 300.0
    """Seconds without an answer of the repository, after which nothing new is opened."""
    schema: Version = 1
