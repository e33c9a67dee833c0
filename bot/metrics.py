"""Figures derived from the audit log alone. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise

from schemas.acts import React
from schemas.base import TaskId
from schemas.events import TaskDispatched, TestFailed, TestPassed
from schemas.plan import Route
from schemas.workflow import Record, Step, Task, Workflow


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the audit log, the state beside it, and when it was written."""

    record: Record
    workflow: Workflow
    written: int


History = Sequence[Line]
Within = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Metrics:
    """The owner's five after `tasks`, then what it took. None where nothing was measured yet."""

    tasks: int
    task_pass_rate: float | None
    avg_iterations: float | None
    avg_time_per_task: float | None
    llm_cost_per_task: Decimal | None
    test_flakiness_rate: float | None
    commands: int
    avg_command_seconds: float | None
    max_command_seconds: int | None
    api_calls: int
    actions_minutes: float
    trials: int


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """Of tasks of one type: load the data, compute the indicators and so on."""

    tasks: int
    task_pass_rate: float | None
    avg_iterations: float | None
    avg_time_per_task: float | None
    llm_cost_per_task: Decimal | None


@dataclass(frozen=True, slots=True)
class RoleFigures:
    """Of the pieces of work of one role."""

    dispatched: int
    finished: int
    avg_time_per_task: float | None


@dataclass(frozen=True, slots=True)
class Counters:
    """What the test planner and the test builder gave; the second by how it ended."""

    tp_specs_total: int
    tb_tests_total: dict[str, int]


MEANS: dict[str, str] = {
    "tasks": "Tasks that were started",
    "task_pass_rate": "Tasks that were merged, of those that were tested",  # nosec B105
    "avg_iterations": "Runs in the sandbox per merged task",
    "avg_time_per_task": "Seconds from the start of a task to its merge",
    "llm_cost_per_task": "USD per started task",
    "test_flakiness_rate": "Runs that failed because a test was flaky, of all runs",
    "commands": "Commands that were answered",
    "avg_command_seconds": "Seconds from a command to its answer",
    "max_command_seconds": "Seconds to the slowest answer",
    "api_calls": "Requests to GitHub up to a job's last line in the log; later ones are missing",
    "actions_minutes": "Minutes of models and sandbox alone; GitHub counts whole jobs, so more",
    "trials": "Looks at the figures of a backtest",
}
ROLE_MEANS: dict[str, str] = {
    "dispatched": "Pieces of work that were asked for",
    "finished": "Pieces of work that came back",
    "avg_time_per_task": "Seconds from asking for a piece of work until it came back",
}


def always(at: int) -> bool:
    return True


def measure(histories: Iterable[History], within: Within = always) -> Metrics:
    """`within` says which moments count: a task by its start, the rest by when it was written.

    So the first four after `tasks` are of the tasks that began then; a run counts when it ended.
    """
    rows = [history for history in histories if history]
    tasks = [t for h in rows for t in h[-1].workflow.tasks if t.started_at and within(t.started_at)]
    figures = of_tasks(tasks)
    runs = sum(_runs(line.record) for h in rows for line in h if within(line.written))
    flaky = sum(found for h in rows for at, found in _flaky(h) if within(at))
    waits = [wait for h in rows for at, wait in answers(h) if within(at)]
    known = [wait for wait in waits if wait is not None]
    return Metrics(
        tasks=figures.tasks,
        task_pass_rate=figures.task_pass_rate,
        avg_iterations=figures.avg_iterations,
        avg_time_per_task=figures.avg_time_per_task,
        llm_cost_per_task=figures.llm_cost_per_task,
        test_flakiness_rate=_ratio(flaky, runs),
        commands=len(waits),
        avg_command_seconds=_ratio(sum(known), len(known)),
        max_command_seconds=max(known, default=None),
        api_calls=sum(x.record.requests for h in rows for x in h if within(x.written)),
        actions_minutes=round(sum(_grown(h, within, _worked) for h in rows) / 60, 2),
        trials=int(sum(_grown(h, within, _looks) for h in rows)),
    )


def of_tasks(tasks: Sequence[Task]) -> TaskFigures:
    tested = [t for t in tasks if t.attempts or t.passed_sha]
    merged = [t for t in tested if t.step is Step.MERGED]
    spent = sum((t.cost for t in tasks), Decimal(0))
    return TaskFigures(
        tasks=len(tasks),
        task_pass_rate=_ratio(len(merged), len(tested)),
        avg_iterations=_ratio(sum(t.attempts + 1 for t in merged), len(merged)),
        avg_time_per_task=_ratio(sum(t.finished_at - t.started_at for t in merged), len(merged)),
        llm_cost_per_task=(spent / len(tasks)).quantize(Decimal("0.0001")) if tasks else None,
    )


def by_task(histories: Iterable[History]) -> dict[str, TaskFigures]:
    """By the type of the task, in the order in which they are built."""
    started = [t for h in histories if h for t in h[-1].workflow.tasks if t.started_at]
    groups = {str(i): [t for t in started if t.id is i] for i in TaskId}
    return {name: of_tasks(tasks) for name, tasks in groups.items() if tasks}


def by_role(histories: Iterable[History]) -> dict[str, RoleFigures]:
    """By who was asked. The time is until a result was heard: waiting for a machine is in it."""
    asked: dict[str, list[int | None]] = {}
    for history in histories:
        for role, took in _pieces(history):
            asked.setdefault(role, []).append(took)
    return {role: _of_role(asked[role]) for role in sorted(asked)}


def _pieces(history: History) -> Iterator[tuple[str, int | None]]:
    """Each piece of work of this request: whose it was, and after how long it came back."""
    back: dict[str, int] = {}
    for line in history:
        for key in line.record.because:
            back.setdefault(key, line.written)
    for line in history:
        for event in line.record.events:
            if isinstance(event, TaskDispatched):
                ended = back.get(f"work/{event.work_key}")
                yield event.agent_role, None if ended is None else max(0, ended - line.written)


def _of_role(took: list[int | None]) -> RoleFigures:
    known = [seconds for seconds in took if seconds is not None]
    return RoleFigures(len(took), len(known), _ratio(sum(known), len(known)))


def counters(histories: Iterable[History]) -> Counters:
    rows = [history for history in histories if history]
    ends = [end for history in rows for end in _built(history)]
    return Counters(
        tp_specs_total=sum(_specs(history) for history in rows),
        tb_tests_total={end: ends.count(end) for end in ("PASSED", "FAILED")},
    )


def _specs(history: History) -> int:
    """Test plans that were taken in: each build of a request has its own."""
    known = [line.workflow.spec for line in history]
    return sum(now is not None and now != was for was, now in pairwise([None, *known]))


def _built(history: History) -> Iterator[str]:
    """How each answer of the test builder ended. One that is no tests at all failed."""
    heard: set[str] = set()
    for before, after in pairwise(history):
        fresh = {k for k in after.record.because if k.startswith("work/build_tests-")} - heard
        heard |= fresh
        made = after.workflow.generated
        if fresh:
            new = made is not None and made != before.workflow.generated
            yield "PASSED" if made and new and made.precheck == "PASSED" else "FAILED"


def by_strategy(histories: Iterable[History]) -> dict[str, Metrics]:
    """By the name in the contract; a request without one has no strategy yet."""
    named: dict[str, list[History]] = {}
    for history in histories:
        contract = history[-1].workflow.contract if history else None
        if contract:
            named.setdefault(contract.name, []).append(history)
    return {name: measure(named[name]) for name in sorted(named)}


def by_week(histories: Iterable[History]) -> dict[str, Metrics]:
    """By ISO week, UTC. A week without a line is left out."""
    rows = list(histories)
    weeks = sorted({week(line.written) for history in rows for line in history})
    return {name: measure(rows, _in(name)) for name in weeks}


def week(at: int) -> str:
    year, number, _ = datetime.fromtimestamp(at, UTC).isocalendar()
    return f"{year}-W{number:02}"


def _in(name: str) -> Within:
    return lambda at: week(at) == name


def answers(history: History) -> Iterator[tuple[int, int | None]]:
    """When a command was answered, and how long that took. The answer is given once what was
    promised in the line before is no longer waiting."""
    for before, after in pairwise(history):
        asked = before.record.asked_at
        for _ in _ends(before.workflow) - _ends(after.workflow):
            yield after.written, None if asked is None else max(0, after.written - asked)


def _ends(workflow: Workflow) -> set[str]:
    return {a.key for a in workflow.outbox if isinstance(a, React) and a.content != "eyes"}


def _grown(history: History, within: Within, of: Callable[[Workflow], float]) -> float:
    """How much a figure that only grows grew in these moments."""
    total, last = 0.0, 0.0
    for line in history:
        now = of(line.workflow)
        total += now - last if within(line.written) else 0.0
        last = now
    return total


def _worked(workflow: Workflow) -> float:
    return workflow.usage.seconds


def _looks(workflow: Workflow) -> float:
    return workflow.trials


def _runs(record: Record) -> int:
    return sum(isinstance(event, TestPassed | TestFailed) for event in record.events)


def _flaky(history: History) -> Iterator[tuple[int, int]]:
    """When runs ended that failed because a test was flaky, and how many. Each left a todo, in the
    same line as its run: one that is not in the line before."""
    known: set[str] = set()
    for line in history:
        now = {todo.id for task in line.workflow.tasks for todo in task.todos
               if todo.branch_reason is Route.FLAKY_TEST}  # fmt: skip
        yield line.written, len(now - known)
        known = now


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
