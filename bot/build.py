"""What follows from finished work: planned, drafted, published, pushed, merged. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, incident, passport, revision, ship, takeback, text
from bot.agents import debugger
from bot.flow import covered_without, drop, next_task, renewed, skip
from bot.reports import delivery_tested, failed, stumble, tested, told
from bot.tasks import (
    STEPS,
    at_work,
    being_mended,
    current,
    enter,
    folder,
    planned_again,
    put,
    queue,
    task_branch,
    whole,
)
from bot.wanted import backtest_of, wanted
from schemas import codec
from schemas.base import SOURCE, TaskId
from schemas.report import GeneratedTests, TestSpec
from schemas.work import (
    DraftMade,
    PaperTraded,
    PlanMade,
    Product,
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
from schemas.workflow import Asked, Delivery, Phase, Step, Task, Workflow

MOVABLE = (Step.TESTING, Step.REPAIRING, Step.MERGING)
"""Steps in which the branch is there for a person to push to."""


def on_result(workflow: Workflow, order: WorkOrder, result: WorkResult, at: int) -> Workflow:
    """The next state. A result that does not fit its order is a failure of the worker."""
    fits = (result.correlation_id, result.task_id) == (order.correlation_id, order.task_id)
    asked = backtest_of(workflow, order)
    if asked is not None:
        after = ship.backtested(workflow, asked, result.product if fits else None)
        return _of_what_is_live(after, asked, result.product) if fits else after
    if not fits:
        return stumble(workflow, f"{order.kind} gave back a result for another request or task", at)
    if isinstance(result.product, WorkFailed):
        return stumble(workflow, result.product.message, at)
    going = replace(workflow, note="") if workflow.tries else workflow  # "I try again" is over
    return _made(going, order, result, at)


def _of_what_is_live(workflow: Workflow, asked: Asked, product: Product) -> Workflow:
    if not isinstance(product, Tested):
        return workflow
    failures = ship.failures_of(workflow, asked.sha, product.report)
    return takeback.tested(workflow, asked.sha, failures, asked.comment_id)


def _made(workflow: Workflow, order: WorkOrder, result: WorkResult, at: int) -> Workflow:
    task = at_work(workflow)
    match order.kind, result.product:
        case "plan", PlanMade() | QuestionsAsked() | RequestDeclined() as plan:
            return _replanned(workflow, plan, at)
        case "draft" | "repair", DraftMade(draft=draft) if task:
            return _drafted(workflow, task, draft, order, at)
        case "test", Tested(report=report, files=files) if workflow.phase is Phase.DELIVERING:
            return delivery_tested(workflow, report, files, at)
        case "test", Tested(report=report, files=files) if task:
            return tested(workflow, task, report, files, at)
        case "plan_tests", TestsPlanned(spec=spec) if task:
            return _tests_planned(workflow, task, spec, at)
        case "build_tests", TestsBuilt(tests=tests) if task:
            return _tests_built(workflow, task, tests, at)
        case "paper", PaperTraded() as traded:
            return ship.paper_traded(workflow, traded, at)
    return stumble(workflow, f"{order.kind} gave back {result.product.kind}", at)


def approve(workflow: Workflow, login: str, at: int) -> Workflow:
    """A person has read the plan: the four steps and the search for missing tests begin."""
    allowed = workflow.policy.max_debug_attempts
    tasks = tuple(Task(id=i, allowed=allowed) for i in (*STEPS, TaskId.TESTS))
    build = workflow.build + 1 if workflow.approved_by else workflow.build
    clean = replace(
        workflow, draft=None, report=None, spec=None, generated=None, delivery=Delivery(),
        delivery_pull=None, delivered_sha=None,
    )  # fmt: skip
    started = replace(clean, tasks=tasks, approved_by=login, build=build)
    return next_task(enter(started, Phase.BUILDING, at), at)


def _replanned(
    workflow: Workflow, plan: PlanMade | QuestionsAsked | RequestDeclined, at: int
) -> Workflow:
    """Whoever typed `/revise` is told what became of it: a change, or none."""
    if isinstance(plan, PlanMade) and revision.changes_nothing(workflow, plan):
        home = ship.home(workflow) if _is_delivered(workflow) else Phase.PLANNED
        return enter(revision.not_applied(workflow), home, at)
    after = _planned(workflow, plan, at)
    if after.phase is Phase.DECLINED and _is_delivered(workflow):
        after = replace(after, phase=ship.home(workflow))
    is_over = after.phase is not Phase.OPENED  # else it stumbled, and is tried again
    return revision.answered(workflow, after, plan) if is_over else after


def _is_delivered(workflow: Workflow) -> bool:
    """What the plan says is there already: it was delivered, and an incident asks for another."""
    draft = workflow.draft
    built = draft is not None and draft.contract_digest == workflow.contract_digest
    return built and workflow.delivered_sha is not None


def _planned(
    workflow: Workflow, plan: PlanMade | QuestionsAsked | RequestDeclined, at: int
) -> Workflow:
    match plan:
        case QuestionsAsked():
            note = text.asked_before() if set(plan.questions) & set(workflow.questions) else ""
            asking = replace(enter(workflow, Phase.ASKING, at), questions=plan.questions)
            return replace(asking, note=note)
        case RequestDeclined():
            return replace(enter(workflow, Phase.DECLINED, at), note=text.declined(plan.reason))
    if tuple(i.id for i in plan.todo.items) != STEPS or plan.contract.workflow_id != workflow.id:
        return stumble(workflow, "the plan does not have the four fixed steps", at)
    if len(codec.dump(plan.contract)) > SOURCE:
        return stumble(workflow, f"the contract has more than {SOURCE} characters", at)
    digest = codec.digest(plan.contract)
    known = incident.remembered(workflow) if digest != workflow.contract_digest else workflow
    made = replace(
        known, contract=plan.contract, contract_digest=digest, todo=plan.todo, questions=()
    )
    why = planned_again(workflow)
    return replace(enter(made, Phase.PLANNED, at), note=text.plan_again(why) if why else "")


def _drafted(
    workflow: Workflow, task: Task, draft: StrategyDraft, order: WorkOrder, at: int
) -> Workflow:
    before = workflow.draft if order.kind == "repair" else None
    asked = before.task_id if before else task.id  # the whole, and added tests, mend an earlier one
    if draft.contract_digest != workflow.contract_digest or draft.task_id != asked:
        return stumble(workflow, "the draft is for another contract or task", at)
    if before and (why := debugger.rejects(before, draft)):
        tried = text.not_used(draft)
        return failed(workflow, task, (debugger.no_repair(why),), tried, at)
    drafted = replace(workflow, draft=draft)
    return _publish(drafted, task, _name(draft, order), at)


def _name(draft: StrategyDraft, order: WorkOrder) -> str:
    """The same repair may be written for two mistakes: it goes on top of the one it mends."""
    made = codec.digest(draft)
    return codec.digest_of(f"{made} on {order.head}") if order.kind == "repair" else made


def _publish(workflow: Workflow, task: Task, digest: str, at: int) -> Workflow:
    moved = replace(task, step=Step.PUBLISHING, draft_digest=digest)
    act = acts.publication(workflow, moved, digest)
    return queue(put(replace(workflow, since=at, tries=0), moved), act)


def on_published(workflow: Workflow, task: Task, sha: str) -> Workflow:
    """The commit is there: open its pull request and test exactly that commit."""
    moved = put(workflow, replace(task, head=sha, published=sha, step=Step.TESTING))
    if task.id is TaskId.TESTS and workflow.generated:
        moved = replace(moved, generated=replace(workflow.generated, commit_sha=sha))
    return queue(moved, acts.task_pull(workflow, task))


def on_delivery_published(workflow: Workflow, sha: str, at: int) -> Workflow:
    """The repair of the whole, which is tested next; or the results of what passed."""
    task = whole(workflow)
    if task.step is not Step.PUBLISHING:
        return on_results_published(workflow, sha)
    moved = replace(task, head=sha, published=sha, step=Step.TESTING)
    return put(replace(workflow, since=at), moved)


def on_results_published(workflow: Workflow, sha: str) -> Workflow:
    """Our own commit on top of what passed adds its figures and changes nothing that was tested."""
    delivery = workflow.delivery
    if delivery.head is None or delivery.head != delivery.passed_sha:
        return workflow  # somebody pushed meanwhile: the newer commit is tested first
    moved = replace(delivery, head=sha, passed_sha=sha, results_sha=sha)
    kept = replace(workflow, delivery=moved)
    return told(queue(kept, passport.tag(kept, sha)), None)


def on_branch_gone(workflow: Workflow, task: Task, at: int) -> Workflow:
    """What was drafted is still here: push it again and test that commit."""
    if workflow.phase is not Phase.BUILDING or task.step not in MOVABLE or not task.draft_digest:
        return workflow
    again = replace(task, head=None, passed_sha=None, pull=None)
    told = replace(workflow, note=text.branch_was_deleted(task_branch(workflow, task.id)))
    return _publish(told, again, task.draft_digest, at)


def resume(workflow: Workflow, at: int) -> Workflow:
    """After a hold or a cancel: what came in meanwhile counts, what was undone is done again."""
    again = whole(workflow).step is Step.TESTING
    delivery = replace(workflow.delivery, failed_sha=None) if again else workflow.delivery
    free = replace(workflow, held=False, parked=(), note="", since=at, delivery=delivery)
    for result in workflow.parked:
        order = next((o for o in wanted(free) if o.key == result.order_key), None)
        free = on_result(free, order, result, at) if order else free
    free = renewed(_started(free, at))
    standing = (*acts.standing_acts(free), *ship.gate_acts(free), *takeback.standing(free))
    return queue(free, *standing)


def _started(workflow: Workflow, at: int) -> Workflow:
    """A person may have merged the current task while nothing was going on."""
    task = current(workflow)
    if workflow.phase is Phase.BUILDING and (task is None or task.step is Step.WAITING):
        return next_task(workflow, at)
    return workflow


def on_pushed(workflow: Workflow, task: Task, sha: str, at: int) -> Workflow:
    """Somebody pushed to the branch: what was tested is no longer what would be merged."""
    if task.head == sha or task.step not in MOVABLE:
        return workflow
    stale = {acts.merge(workflow, task).key} if task.passed_sha else set()
    left = tuple(act for act in workflow.outbox if act.key not in stale)
    moved = replace(task, head=sha, step=Step.TESTING, passed_sha=None)
    return _pushed(put(replace(workflow, outbox=left), moved), Phase.BUILDING, at)


def on_branch_moved(workflow: Workflow, task: Task, sha: str, at: int) -> Workflow:
    """Somebody pushed before our repair was there: theirs stays, and is tested."""
    if task.step is not Step.PUBLISHING:
        return workflow
    told = replace(workflow, note=text.push_was_first())
    return on_pushed(told, replace(task, step=Step.REPAIRING), sha, at)


def on_delivery_moved(workflow: Workflow, sha: str, at: int) -> Workflow:
    """Somebody pushed before our repair was there. Results wait for the next look."""
    task = whole(workflow)
    if task.step is not Step.PUBLISHING:
        return workflow
    told = replace(workflow, note=text.push_was_first())
    return on_delivery_pushed(put(told, replace(task, step=Step.REPAIRING)), sha, at)


def on_delivery_pushed(workflow: Workflow, sha: str, at: int) -> Workflow:
    """Not while a repair of ours is on its way: the push may be that one."""
    task = whole(workflow)
    is_open = Phase.DELIVERING in (workflow.phase, workflow.stopped_in)
    if task.head == sha or not is_open or task.step is Step.PUBLISHING:
        return workflow
    moved = replace(workflow, delivery=replace(workflow.delivery, head=sha))
    if task.todos:
        moved = put(moved, replace(task, head=sha, step=Step.TESTING))
    return _pushed(moved, Phase.DELIVERING, at)


def _pushed(workflow: Workflow, home: Phase, at: int) -> Workflow:
    """A push is what a stopped request may be waiting for; a cancelled one stays cancelled."""
    if workflow.phase is Phase.ESCALATED and workflow.stopped_in is home:
        workflow = replace(workflow, phase=home, stopped_in=None, note="")
    return replace(workflow, since=at, tries=0)


def on_merged(workflow: Workflow, task: Task, sha: str, at: int) -> Workflow:
    """`sha` is where the delivery branch stands now."""
    done = put(workflow, replace(task, step=Step.MERGED, finished_at=at))
    if being_mended(workflow, task):
        done = queue(done, *acts.over(workflow, task, text.merged_unmended()))
    moved = replace(done, delivery=replace(workflow.delivery, head=sha))
    going = workflow.phase is Phase.BUILDING and not workflow.held
    return next_task(moved, at) if going else moved


def _tests_planned(workflow: Workflow, task: Task, spec: TestSpec, at: int) -> Workflow:
    """What was planned is kept also where nothing is missing. The floor is the repository's."""
    least = workflow.policy.min_line_coverage
    planned = replace(workflow, spec=replace(spec, min_line_coverage=least), since=at, tries=0)
    if spec.cases:
        return planned
    covered = covered_without(workflow)
    if covered is not None and covered < least:
        return drop(workflow, task, text.no_tests_planned(), at)
    return skip(planned, task, text.no_tests_missing(), at)


def _tests_built(workflow: Workflow, task: Task, tests: GeneratedTests, at: int) -> Workflow:
    tests = replace(tests, branch_name=task_branch(workflow, task.id))  # a worker cannot know it
    inside = tests.path.startswith(f"{folder(workflow)}/tests/")
    if tests.precheck == "FAILED" or not inside:
        why = "; ".join(tests.notes) if inside else f"{tests.path} is outside the strategy's tests"
        return drop(replace(workflow, generated=tests), task, why, at)
    return _publish(replace(workflow, generated=tests), task, codec.digest(tests), at)
