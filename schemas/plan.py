"""The plan (TodoList): four fixed steps, and a branch todo for each failure."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schemas.base import (
    AgentRole,
    Always,
    Count,
    Line,
    Name,
    Path,
    Percent,
    TaskId,
    Text,
    Version,
    document,
)
from schemas.report import FailureClass


class Route(StrEnum):
    """Why a step failed, which decides who is asked to mend it."""

    IMPLEMENTATION_BUG = "implementation_bug"
    SPEC_MISMATCH = "spec_mismatch"
    TIMEOUT = "timeout"
    FLAKY_TEST = "flaky_test"
    TEST_FAILURE = "test_failure"
    """The owner's word for a failure whose cause nobody has named yet."""


ROUTES: dict[Route, AgentRole] = {
    Route.IMPLEMENTATION_BUG: AgentRole.CODER,
    Route.SPEC_MISMATCH: AgentRole.ARCHITECT,
    Route.TIMEOUT: AgentRole.TESTER,
    Route.FLAKY_TEST: AgentRole.TESTER,
    Route.TEST_FAILURE: AgentRole.DEBUGGER,
}

MAX_DEBUG_ATTEMPTS = 3


@document
class Criterion:
    """An acceptance criterion that a machine can run."""

    name: Line
    command: Line


@document
class ExpectedMetrics:
    """What a step should measure: about so many minutes, at least so much of the rest."""

    minutes: Count
    min_line_coverage: Percent | None = None
    min_trades: Count | None = None


@document
class TodoItem:
    id: TaskId
    title: Line
    description: Text
    agent_role: AgentRole
    priority: Annotated[int, Field(ge=1, le=5)]
    depends_on: Annotated[tuple[TaskId, ...], Field(max_length=4)]
    acceptance_criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=20)]
    expected_artifacts: Annotated[tuple[Path, ...], Field(max_length=20)]
    expected_metrics: ExpectedMetrics | None = None


@document
class BranchTodo:
    """A temporary step that mends a failed one. `fixture`: where the bars of the failure are."""

    id: Name
    parent_id: TaskId
    title: Line
    agent_role: AgentRole
    branch_reason: Route
    failure_classification: FailureClass = FailureClass.TEST_FAILURES
    signature: Name = "unknown"
    debug_instructions: Text
    reproduce_command: Text = ""
    fixture: Line = ""
    is_temporary: Always = True
    max_debug_attempts: Annotated[int, Field(ge=1, le=MAX_DEBUG_ATTEMPTS)] = MAX_DEBUG_ATTEMPTS


@document
class TodoList:
    todo_list_id: Name
    workflow_id: Name
    correlation_id: Name
    title: Line
    items: Annotated[tuple[TodoItem, ...], Field(min_length=4, max_length=5)]
    expected_minutes: Annotated[int, Field(ge=0, le=10_000)]
    schema: Version = 1
