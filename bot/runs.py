"""(before, after) -> the events of tests: which began, how they ended, which todo follows. Pure.

A test is under way as long as its work order is awaited, so each start has exactly one end: what
the sandbox found; or, without a result, that it was cancelled, lost or about an older commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from bot import incident, passport, text, verdict
from bot.agents import debugger
from bot.tasks import whole
from bot.wanted import awaited, backtest_of, subject
from schemas.base import AgentRole, TaskId
from schemas.events import (
    Artifacts,
    AuditEvent,
    BranchCreated,
    BranchRequest,
    Failure,
    Metrics,
    TestFailed,
    TestPassed,
    TestStarted,
)
from schemas.plan import BranchTodo
from schemas.work import Tested, WorkFailed, WorkKind, WorkOrder, WorkResult
from schemas.workflow import Phase, Task, Workflow

PLACES = {
    "trades": "trades.csv",
    "equity_curve": "equity_curve.csv",
    "events_log": "events.log",
    "summary": "summary.json",
}
UPLOADED = "result/result.json"
"""What stratbot-work.yml keeps of every run: the artifact, and its file."""


@dataclass(frozen=True, slots=True)
class Ended:
    """One test that is over. `result`: None where nothing came back."""

    order: WorkOrder
    name: str
    result: WorkResult | None


def events(before: Workflow, after: Workflow, results: Iterable[WorkResult]) -> list[AuditEvent]:
    """`results`: what came in between the two states."""
    came = {r.order_key: r for r in (*before.parked, *results)}
    was, now = _open(before), _open(after)
    known, waits = _awaited(before), _awaited(after)
    late = [o for key, o in known.items() if key not in {*was, *waits} and key in came]
    ended = [
        Ended(o, subject(before, o), came.get(key)) for key, o in was.items() if key not in now
    ]
    ended += [Ended(order, subject(before, order), came[order.key]) for order in late]
    return [
        *(
            _started(before, order) for order in late
        ),  # it was called cancelled, and came all the same
        *(_end(before, after, test) for test in ended),
        *_todos(before, after, ended),
        *(_started(after, order) for key, order in now.items() if key not in was),
    ]


def _awaited(workflow: Workflow) -> dict[str, WorkOrder]:
    return {o.key: o for o in awaited(workflow) if o.kind is WorkKind.TEST and o.head}


def _open(workflow: Workflow) -> dict[str, WorkOrder]:
    """Whoever cancels kills the runs; a hold lets them come to their end."""
    return {} if workflow.phase is Phase.CANCELLED else _awaited(workflow)


def _started(workflow: Workflow, order: WorkOrder) -> TestStarted:
    return TestStarted(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=subject(workflow, order),
        commit_sha=order.head or "",
    )


def _end(before: Workflow, after: Workflow, test: Ended) -> TestPassed | TestFailed:
    order, product = test.order, test.result.product if test.result else None
    if test.result and isinstance(product, Tested) and _fits(order, test.result):
        asked = incident.as_deployed(before, order.head) if backtest_of(before, order) else before
        where = None if test.name == TaskId.DELIVERY else order.task_id
        failures = verdict.of(asked, where, order.head, product.report)
        if not failures:
            return _passed(before, test, product)
        told = tuple(map(_failure, debugger.by_cause(failures)[:50]))
        return _failed(test, told, _uploaded(order, product))
    if isinstance(product, WorkFailed):
        return _failed(test, (_not_run(product.message),), Artifacts(logs=run_of(order)))
    return _failed(test, (_not_run(_why(before, after, test)),), Artifacts())


def _fits(order: WorkOrder, result: WorkResult) -> bool:
    return (result.correlation_id, result.task_id) == (order.correlation_id, order.task_id)


def _why(before: Workflow, after: Workflow, test: Ended) -> str:
    if test.result:
        return text.test_not_told()
    if after.phase is Phase.CANCELLED:
        return text.test_cancelled()
    lost = after.tries > before.tries or after.phase is Phase.ESCALATED
    return text.took_too_long(WorkKind.TEST) if lost else text.test_superseded()


def _passed(workflow: Workflow, test: Ended, product: Tested) -> TestPassed:
    s, order = product.report.summary, test.order
    return TestPassed(
        correlation_id=order.correlation_id,
        workflow_id=order.workflow_id,
        task_id=test.name,
        metrics=Metrics(
            total_trades=s.total_trades if s else 0,
            net_pnl=_real(s.net_pnl) if s else 0.0,
            win_rate=s.win_rate if s else 0.0,
            max_drawdown=_real(s.max_drawdown) if s else 0.0,
        ),
        artifacts=_kept(workflow, test, product) or _uploaded(order, product),
        duration_seconds=product.report.seconds,
        commit_sha=order.head,
    )


def _real(amount: Decimal) -> float:
    """As far as the owner's figure reaches; the report keeps the exact amount."""
    return max(-1e15, min(1e15, float(amount)))


def _failed(test: Ended, failures: tuple[Failure, ...], artifacts: Artifacts) -> TestFailed:
    return TestFailed(
        correlation_id=test.order.correlation_id,
        workflow_id=test.order.workflow_id,
        task_id=test.name,
        failures=failures,
        artifacts=artifacts,
        commit_sha=test.order.head,
    )


def _failure(failure: verdict.Failure) -> Failure:
    found = failure.finding
    return Failure(
        check=failure.check,
        test_name=found.test_name if found else "",
        message=failure.message[:8000],
        trace=found.trace if found else "",
    )


def _not_run(why: str) -> Failure:
    return Failure(check="sandbox", test_name="", message=why[:8000], trace="")


def run_of(order: WorkOrder) -> str:
    """The title of its run, as stratbot-work.yml writes it."""
    return f"{order.workflow_id} {order.key}"


def _uploaded(order: WorkOrder, product: Tested) -> Artifacts:
    """In what the run uploaded: the file, and where in it."""
    at = f"{run_of(order)}/{UPLOADED}#/product"
    names = [file.path for file in product.files]
    found = {field: f"{at}/files/{names.index(name)}/text"
             for field, name in PLACES.items() if name in names}  # fmt: skip
    logs = found.get("events_log", f"{at}/report")
    return Artifacts(test_report=f"{at}/report", logs=logs, **found)


def _kept(workflow: Workflow, test: Ended, product: Tested) -> Artifacts | None:
    """In the commit of the results: only a delivery that passed has one."""
    if test.name != TaskId.DELIVERY or not product.files:
        return None
    home = passport.results(workflow)
    names = passport.kept(product.report, product.files)
    found = {field: f"{home}/{name}" for field, name in PLACES.items() if name in names}
    report = f"{home}/{passport.REPORT}"
    return Artifacts(test_report=report, logs=found.get("events_log", report), **found)


def _todos(before: Workflow, after: Workflow, ended: list[Ended]) -> Iterator[BranchCreated]:
    """One for each failure that is new, right after the test that found it."""
    known = {(task.id, todo.id) for task in _tasks(before) for todo in task.todos}
    for task in _tasks(after):
        test = next((e for e in ended if e.name == task.id), None)
        for todo in task.todos:
            if (task.id, todo.id) not in known:
                shown = attached(test, todo) if test else ()
                yield branch(after, task.id, todo, debugger.mender(todo), shown)


def _tasks(workflow: Workflow) -> tuple[Task, ...]:
    return (*workflow.tasks, whole(workflow))


def attached(test: Ended, todo: BranchTodo) -> tuple[str, ...]:
    """The report with its trace, and the bars of the failure where there is a file of them."""
    product = test.result.product if test.result else None
    if not isinstance(product, Tested):
        return (run_of(test.order),) if isinstance(product, WorkFailed) else ()
    at = f"{run_of(test.order)}/{UPLOADED}#/product"
    names = [file.path for file in product.files]
    inside = todo.fixture in names
    fixture = f"{at}/files/{names.index(todo.fixture)}/text" if inside else todo.fixture
    return (f"{at}/report", *((fixture,) if inside or _is_path(fixture) else ()))


def _is_path(fixture: str) -> bool:
    return fixture.startswith("fixtures/") and " " not in fixture


def branch(
    workflow: Workflow,
    origin: TaskId,
    todo: BranchTodo,
    target: AgentRole,
    attachments: tuple[str, ...] = (),
) -> BranchCreated:
    """`target`: who gets the work order that follows."""
    return BranchCreated(
        correlation_id=workflow.correlation_id,
        workflow_id=workflow.id,
        origin_task=origin,
        branch_todo=BranchRequest(
            title=todo.title,
            description=todo.debug_instructions,
            attachments=attachments,
            target_agent=target,
            failure_classification=todo.failure_classification,
            reproduce_command=todo.reproduce_command,
        ),
    )
