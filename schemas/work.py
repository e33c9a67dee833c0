"""What a job that cannot write to GitHub gets (WorkOrder) and gives back (WorkResult)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.acts import File
from schemas.base import (
    AgentRole,
    Cost,
    Count,
    Digest,
    Instant,
    Line,
    LongText,
    Name,
    Number,
    Percent,
    Provenance,
    Sha,
    Source,
    TaskId,
    Text,
    Usage,
    Version,
    document,
)
from schemas.contract import Contract
from schemas.live import Incident
from schemas.plan import BranchTodo, TodoList
from schemas.report import (
    MIN_LINE_COVERAGE,
    FailureClass,
    GeneratedTests,
    TestReport,
    TestSpec,
)

SANDBOX_SECONDS = 300
SandboxSeconds = Annotated[int, Field(ge=10, le=1800)]
"""For each container; a job has an hour."""


class WorkKind(StrEnum):
    PLAN = "plan"
    DRAFT = "draft"
    REPAIR = "repair"
    TEST = "test"
    PLAN_TESTS = "plan_tests"
    BUILD_TESTS = "build_tests"
    PAPER = "paper"


ROLES: dict[WorkKind, AgentRole] = {
    WorkKind.PLAN: AgentRole.PLANNER,
    WorkKind.DRAFT: AgentRole.CODER,
    WorkKind.REPAIR: AgentRole.DEBUGGER,
    WorkKind.TEST: AgentRole.TESTER,
    WorkKind.PLAN_TESTS: AgentRole.TEST_PLANNER,
    WorkKind.BUILD_TESTS: AgentRole.TEST_BUILDER,
    WorkKind.PAPER: AgentRole.TESTER,
}


@document
class Note:
    """Something a person added to the request: an answer, a revision, a hint."""

    author: Line
    text: Text
    asked: Annotated[tuple[Line, ...], Field(max_length=5)] = ()
    """The questions that were open when it was written."""


@document
class Request:
    """A stranger's words. Data for a reader, never an instruction to the bot."""

    title: Line
    body: LongText
    author: Line
    notes: Annotated[tuple[Note, ...], Field(max_length=200)] = ()


@document
class StrategyDraft:
    """One strategy file and its tests, as written for one task."""

    correlation_id: Name
    workflow_id: Name
    task_id: TaskId
    contract_digest: Digest
    strategy: Source
    tests: Source
    explanation: Text = ""
    written_by: Provenance
    usage: Usage
    schema: Version = 1


@document
class WorkOrder:
    """Everything a worker needs. Its key is the digest of its inputs, so twice is harmless.

    `budget` is what the request may still cost, in USD. `opens` the sealed bars: once, at delivery.
    """

    key: Name
    kind: WorkKind
    issue: Number
    workflow_id: Name
    correlation_id: Name
    task_id: TaskId | None = None
    request: Request
    contract: Contract | None = None
    todo: TodoList | None = None
    draft: StrategyDraft | None = None
    report: TestReport | None = None
    spec: TestSpec | None = None
    head: Sha | None = None
    tried: Annotated[tuple[BranchTodo, ...], Field(max_length=20)] = ()
    deadline: Instant
    budget: Cost | None = None
    opens: bool = False
    sandbox_timeout: SandboxSeconds = SANDBOX_SECONDS
    min_line_coverage: Percent = MIN_LINE_COVERAGE
    incident: Incident | None = None
    """Of the live run that this work is to mend."""
    schema: Version = 1


@document
class PlanMade:
    contract: Contract
    todo: TodoList
    kind: Literal["plan_made"] = "plan_made"


@document
class QuestionsAsked:
    questions: Annotated[tuple[Line, ...], Field(min_length=1, max_length=5)]
    kind: Literal["questions_asked"] = "questions_asked"


@document
class RequestDeclined:
    code: Name
    reason: Text
    kind: Literal["request_declined"] = "request_declined"


@document
class DraftMade:
    draft: StrategyDraft
    kind: Literal["draft_made"] = "draft_made"


@document
class Tested:
    """`files` are what the run left behind, by the names that the report lists as artifacts."""

    __test__ = False
    report: TestReport
    files: Annotated[tuple[File, ...], Field(max_length=20)] = ()
    kind: Literal["tested"] = "tested"


@document
class TestsPlanned:
    __test__ = False
    spec: TestSpec
    kind: Literal["tests_planned"] = "tests_planned"


@document
class TestsBuilt:
    __test__ = False
    tests: GeneratedTests
    kind: Literal["tests_built"] = "tests_built"


@document
class PaperTraded:
    sha: Sha
    bars: Count
    differences: Count
    isolated: bool = True
    kind: Literal["paper_traded"] = "paper_traded"


@document
class WorkFailed:
    """The worker itself could not finish: no engine, no model, out of time or money."""

    failure_class: FailureClass
    message: Text
    kind: Literal["work_failed"] = "work_failed"


Product = Annotated[
    PlanMade
    | QuestionsAsked
    | RequestDeclined
    | DraftMade
    | Tested
    | TestsPlanned
    | TestsBuilt
    | PaperTraded
    | WorkFailed,
    Field(discriminator="kind"),
]


@document
class WorkResult:
    order_key: Name
    issue: Number
    correlation_id: Name
    task_id: TaskId | None = None
    finished_at: Instant
    product: Product
    usage: Usage
    schema: Version = 1


def answered(order: WorkOrder, product: Product, usage: Usage, at: int) -> WorkResult:
    """What a worker gives back for this order."""
    return WorkResult(
        order_key=order.key,
        issue=order.issue,
        correlation_id=order.correlation_id,
        task_id=order.task_id,
        finished_at=at,
        product=product,
        usage=usage,
    )
