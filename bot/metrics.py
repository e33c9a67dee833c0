"""Figures derived from the audit log alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from schemas.events import TestFailed, TestPassed
from schemas.plan import Route
from schemas.workflow import Record, Step, Task, Workflow


@dataclass(frozen=True, slots=True)
class Metrics:
    """The owner's five. None where nothing has been measured yet."""

    tasks: int
    task_pass_rate: float | None
    avg_iterations: float | None
    avg_time_per_task: float | None
    llm_cost_per_task: Decimal | None
    test_flakiness_rate: float | None


def measure(histories: Iterable[Iterable[tuple[Record, Workflow]]]) -> Metrics:
    """task_pass_rate = tasks that were merged / all, of those that were tested.
    avg_iterations = sandbox runs per merged task. avg_time_per_task = seconds from its start to
    its merge. llm_cost_per_task = money per started task. test_flakiness_rate = runs that failed
    because a test was flaky / all runs."""
    tasks: list[Task] = []
    runs = flaky = 0
    for history in histories:
        rows = list(history)
        runs += sum(_runs(record) for record, _ in rows)
        if rows:
            started = [t for t in rows[-1][1].tasks if t.started_at]
            tasks += started
            flaky += sum(td.branch_reason is Route.FLAKY_TEST for t in started for td in t.todos)
    tested = [t for t in tasks if t.attempts or t.passed_sha]
    merged = [t for t in tested if t.step is Step.MERGED]
    spent = sum((t.cost for t in tasks), Decimal(0))
    return Metrics(
        tasks=len(tasks),
        task_pass_rate=_ratio(len(merged), len(tested)),
        avg_iterations=_ratio(sum(t.attempts + 1 for t in merged), len(merged)),
        avg_time_per_task=_ratio(sum(t.finished_at - t.started_at for t in merged), len(merged)),
        llm_cost_per_task=(spent / len(tasks)).quantize(Decimal("0.0001")) if tasks else None,
        test_flakiness_rate=_ratio(flaky, runs),
    )


def _runs(record: Record) -> int:
    return sum(isinstance(event, TestPassed | TestFailed) for event in record.events)


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
