"""What follows from finished work: planned, drafted, published, tested, repaired, merged. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, text, verdict
from bot.tasks import STEPS, current, enter, folder, put, queue
from bot.wanted import wanted
from schemas import codec
from schemas.acts import CloseIssue
from schemas.base import TaskId
from schemas.plan import ROUTES, BranchTodo, Route
from schemas.report import GeneratedTests, TestReport, TestSpec
from schemas.work import (
    DraftMade,
    PaperTraded,
    PlanMade,
    QuestionsAsked,
    RequestDeclined,
    StrategyDraft,
    Tested,
    TestsBuilt,
    TestsPlanned,
    WorkFailed,
    WorkOrder,
    WorkResult,
)
from schemas.workflow import Phase, Step, Task, Workflow

TRIES = 3
"""How often a worker may be lost or fail before a person is asked."""


def on_result(workflow: Workflow, order: WorkOrder, result: WorkResult, at: int) -> Workflow:
    """The next state. A product that does not fit its order is a failure of the worker."""
    task = current(workflow)
    match order.kind, result.product:
        case _, WorkFailed() as failed:
            return stumble(workflow, failed.message, at)
        case "plan", PlanMade() | QuestionsAsked() | RequestDeclined() as plan:
            return _planned(workflow, plan, at)
        case "draft" | "repair", DraftMade(draft=draft) if task:
            return _drafted(workflow, task, draft, order, at)
        case "test", Tested(report=report) if task:
            return _tested(workflow, task, report, at)
        case "plan_tests", TestsPlanned(spec=spec) if task:
            return _tests_planned(workflow, task, spec, at)
        case "build_tests", TestsBuilt(tests=tests) if task:
            return _tests_built(workflow, task, tests, at)
        case "paper", PaperTraded() as traded:
            return _paper_traded(workflow, traded, at)
    return stumble(workflow, f"{order.kind} gave back {result.product.kind}", at)


def stumble(workflow: Workflow, why: str, at: int) -> Workflow:
    """A worker failed or was lost: ask again, and after a few times ask a person."""
    if workflow.tries + 1 >= TRIES:
        return escalate(workflow, text.worker_gave_up(TRIES, why))
    return replace(workflow, tries=workflow.tries + 1, since=at, note=text.trying_again(why))


def escalate(workflow: Workflow, why: str) -> Workflow:
    """Stop, keep the work, say why. `/retry`, `/debug` and `/skip` go on from here."""
    return replace(workflow, phase=Phase.ESCALATED, stopped_in=workflow.phase, note=why[:8000])


def approve(workflow: Workflow, login: str, at: int) -> Workflow:
    """A person has read the plan: the four steps and the search for missing tests begin."""
    tasks = tuple(Task(id=i) for i in (*STEPS, TaskId.TESTS))
    started = replace(workflow, tasks=tasks, approved_by=login, draft=None, report=None)
    return _next_task(enter(started, Phase.BUILDING, at), at)


def _planned(
    workflow: Workflow, plan: PlanMade | QuestionsAsked | RequestDeclined, at: int
) -> Workflow:
    match plan:
        case QuestionsAsked():
            return replace(enter(workflow, Phase.ASKING, at), questions=plan.questions)
        case RequestDeclined():
            return replace(enter(workflow, Phase.DECLINED, at), note=text.declined(plan.reason))
    if tuple(i.id for i in plan.todo.items) != STEPS or plan.contract.workflow_id != workflow.id:
        return stumble(workflow, "the plan does not have the four fixed steps", at)
    digest = codec.digest(plan.contract)
    made = replace(
        workflow, contract=plan.contract, contract_digest=digest, todo=plan.todo, questions=()
    )
    return enter(made, Phase.PLANNED, at)


def _next_task(workflow: Workflow, at: int) -> Workflow:
    task = current(workflow)
    if task is None:
        return _deliver(workflow, at)
    started = replace(task, step=Step.DRAFTING, started_at=at)
    return put(replace(workflow, since=at, tries=0), started)


def _drafted(
    workflow: Workflow, task: Task, draft: StrategyDraft, order: WorkOrder, at: int
) -> Workflow:
    if draft.contract_digest != workflow.contract_digest or draft.task_id != task.id:
        return stumble(workflow, "the draft is for another contract or task", at)
    if order.kind == "repair" and workflow.draft and draft.tests != workflow.draft.tests:
        return _failed(workflow, task, (verdict.touched_tests(),), at)
    drafted = replace(workflow, draft=draft)
    return _publish(drafted, task, codec.digest(draft), at)


def _publish(workflow: Workflow, task: Task, digest: str, at: int) -> Workflow:
    moved = replace(task, step=Step.PUBLISHING, draft_digest=digest)
    act = acts.publication(workflow, moved, digest)
    return queue(put(replace(workflow, since=at, tries=0), moved), act)


def on_published(workflow: Workflow, task: Task, sha: str) -> Workflow:
    """The commit is there: open its pull request and test exactly that commit."""
    moved = put(workflow, replace(task, head=sha, step=Step.TESTING))
    return queue(moved, acts.task_pull(workflow, task))


def resume(workflow: Workflow, at: int) -> Workflow:
    """After a hold or a cancel: what came in meanwhile counts, what was undone is done again."""
    free = replace(workflow, held=False, parked=(), note="", since=at)
    for result in workflow.parked:
        order = next((o for o in wanted(free) if o.key == result.order_key), None)
        free = on_result(free, order, result, at) if order else free
    if any(f"paid/{o.key}" in free.seen for o in wanted(free)):
        free = replace(free, round=free.round + 1)  # a used order needs a new name to run again
    return queue(free, *acts.standing_acts(free))


def on_pushed(workflow: Workflow, task: Task, sha: str, at: int) -> Workflow:
    """Somebody pushed to the branch: what was tested is no longer what would be merged."""
    if task.head == sha or task.step not in (Step.TESTING, Step.REPAIRING, Step.MERGING):
        return workflow
    stale = {acts.merge(workflow, task).key} if task.passed_sha else set()
    left = tuple(act for act in workflow.outbox if act.key not in stale)
    moved = replace(task, head=sha, step=Step.TESTING, passed_sha=None)
    return put(replace(workflow, since=at, tries=0, outbox=left), moved)


def _tested(workflow: Workflow, task: Task, report: TestReport, at: int) -> Workflow:
    assert workflow.contract is not None  # nosec B101: building starts with a contract
    failures = verdict.judge(
        task.id, task.head, workflow.contract, workflow.contract_digest, report
    )
    workflow = replace(
        workflow, report=report, trials=workflow.trials + (report.summary is not None)
    )
    if failures:
        return _failed(workflow, task, failures, at)
    return _passed(workflow, task, report, at)


def _passed(workflow: Workflow, task: Task, report: TestReport, at: int) -> Workflow:
    passed = replace(task, step=Step.MERGING, passed_sha=report.commit_sha, summary=report.summary)
    closing = tuple(
        CloseIssue(topic=acts.topic(todo), body=text.debug_closed(report.commit_sha))
        for todo in task.todos
    )
    merge = (acts.merge(workflow, passed),) if workflow.policy.auto_merge else ()
    return queue(put(replace(workflow, since=at, tries=0), passed), *closing, *merge)


def _failed(
    workflow: Workflow, task: Task, failures: tuple[verdict.Failure, ...], at: int
) -> Workflow:
    """A branch todo for the debugger; the same failure twice, or too many, is for a person."""
    if task.id is TaskId.TESTS:
        return skip(workflow, task, text.tests_dropped(failures[0].message), at)
    todo = _branch_todo(task, failures)
    seen_before = todo.signature in {t.signature for t in task.todos}
    todos = (*task.todos, todo)[-20:]
    task = replace(task, attempts=task.attempts + 1, todos=todos, failed_sha=task.head)
    workflow = queue(workflow, acts.debug_issue(workflow, task, todo))
    if seen_before:
        return escalate(put(workflow, replace(task, step=Step.REPAIRING)), text.same_again(todo))
    if task.attempts > task.allowed:
        return escalate(put(workflow, replace(task, step=Step.REPAIRING)), text.gave_up(task))
    return _route(replace(workflow, since=at, tries=0), task, todo, at)


def _route(workflow: Workflow, task: Task, todo: BranchTodo, at: int) -> Workflow:
    match todo.branch_reason:
        case Route.IMPLEMENTATION_BUG:
            return put(workflow, replace(task, step=Step.REPAIRING))
        case Route.TIMEOUT | Route.FLAKY_TEST:
            return put(workflow, replace(task, step=Step.TESTING))
        case Route.SPEC_MISMATCH:
            again = put(workflow, replace(task, step=Step.WAITING))
            return replace(
                enter(again, Phase.OPENED, at), note=text.plan_again(todo), round=again.round + 1
            )


def on_merged(workflow: Workflow, task: Task, at: int) -> Workflow:
    return _next_task(put(workflow, replace(task, step=Step.MERGED, finished_at=at)), at)


def skip(workflow: Workflow, task: Task, why: str, at: int) -> Workflow:
    """Only the added tests may be left out."""
    left = put(workflow, replace(task, step=Step.SKIPPED, finished_at=at))
    return replace(_next_task(replace(left, phase=Phase.BUILDING), at), note=why)


def _tests_planned(workflow: Workflow, task: Task, spec: TestSpec, at: int) -> Workflow:
    if not spec.cases:
        return skip(workflow, task, text.no_tests_missing(), at)
    return replace(workflow, spec=spec, since=at, tries=0)


def _tests_built(workflow: Workflow, task: Task, tests: GeneratedTests, at: int) -> Workflow:
    inside = tests.path.startswith(f"{folder(workflow)}/tests/")
    if tests.precheck == "FAILED" or not inside:
        why = "; ".join(tests.notes) if inside else f"{tests.path} is outside the strategy's tests"
        return skip(replace(workflow, generated=tests), task, text.tests_dropped(why), at)
    return _publish(replace(workflow, generated=tests), task, codec.digest(tests), at)


def _deliver(workflow: Workflow, at: int) -> Workflow:
    return queue(enter(workflow, Phase.DELIVERING, at), acts.delivery_pull(workflow))


def _paper_traded(workflow: Workflow, traded: PaperTraded, at: int) -> Workflow:
    if traded.sha != workflow.delivered_sha or traded.differences:
        return replace(enter(workflow, Phase.DELIVERED, at), note=text.paper_differs(traded))
    return enter(workflow, Phase.WAITING, at)


def _branch_todo(task: Task, failures: tuple[verdict.Failure, ...]) -> BranchTodo:
    first, route = failures[0], verdict.route(failures)
    return BranchTodo(
        id=f"{task.id}_branch_{task.attempts + 1:02}",
        parent_id=task.id,
        title=text.todo_title(task, first),
        agent_role=ROUTES[route],
        branch_reason=route,
        failure_classification=first.failure_class,
        signature=verdict.signature(failures),
        debug_instructions=text.instructions(failures),
        reproduce_command=first.finding.reproduce_command if first.finding else "",
    )
