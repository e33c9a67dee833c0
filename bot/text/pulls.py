"""Titles and bodies of commits, pull requests, debug and incident issues."""

from __future__ import annotations

from bot.tasks import STEPS
from bot.text.base import TITLES, inert, inert_line
from bot.text.plan import built
from bot.text.replies import cost
from bot.text.report import see_again
from bot.verdict import Failure
from schemas.base import TaskId
from schemas.plan import BranchTodo
from schemas.work import StrategyDraft
from schemas.workflow import Task, Workflow


def commit_message(workflow: Workflow, task: Task) -> str:
    return f"{TITLES[task.id]} for #{workflow.issue}"


def results_message(workflow: Workflow) -> str:
    return f"Keep the figures of what passed for #{workflow.issue}"


def pull_title(workflow: Workflow, task: TaskId) -> str:
    return f"{TITLES[task]} for #{workflow.issue}"


def pull_body(workflow: Workflow, task: Task) -> str:
    anew = " " + NOT_FOR_LONG if task.id in STEPS[:-1] else ""
    return (
        f"Part of #{workflow.issue}. The sandbox tests this commit; its report says how it went. "
        f"Push to this branch to change it.{anew}"
    )


NOT_FOR_LONG = (
    "The next step writes the strategy anew from the plan: push what is to stay to the last step "
    "or to the delivery."
)


def delivery_title(workflow: Workflow) -> str:
    name = workflow.contract.name if workflow.contract else workflow.id
    return f"Deliver {name} for #{workflow.issue}"


def delivery_body(workflow: Workflow) -> str:
    return (
        f"Closes #{workflow.issue}.\n\n{built(workflow)}\n\n"
        "Its status says whether the whole passed. Review it, then merge. Merging sends no orders."
    )


def delivered(workflow: Workflow) -> str:
    delivery = workflow.delivery
    passed = delivery.head is not None and delivery.head == delivery.passed_sha
    tested = "" if passed else "It was merged before it had passed as a whole: it is not tested. "
    return (
        f"Delivered as `{(workflow.delivered_sha or '')[:12]}` after {workflow.trials} looks at "
        f"results. {tested}{cost(workflow)} `/deploy` starts a paper run."
    )


def todo_title(task: Task, failure: Failure) -> str:
    return f"Debug {task.id}: {failure.check} ({failure.rule})"[:200]


def instructions(failures: tuple[Failure, ...]) -> str:
    """What failed, where, and what to do; the cause first, so that a cut loses the least."""
    last = MEND_TESTS if {f.rule for f in failures} == {"flaky_test"} else LEAVE_ALONE
    shown = "\n".join(_instruction(f) for f in failures[:10])
    more = f"\n… and {len(failures) - 10} more." if len(failures) > 10 else ""
    return shown[: 8000 - len(more) - len(last)] + more + last


LEAVE_ALONE = "\nMend the strategy; the tests, the contract and the fixtures stay as they are."
MEND_TESTS = "\nMend the tests; the strategy, the contract and the fixtures stay as they are."


def _instruction(failure: Failure) -> str:
    found, rows = failure.finding, [f"{failure.check}: {failure.message}"]
    if found is None:
        return rows[0]
    place = {
        "test": found.test_name,
        "file": f"{found.file}:{found.line}" if found.line else found.file,
        "bar": "" if found.bar is None else str(found.bar),
        "bars": found.fixture,
        "fix": found.fix,
    }
    rows += [f"  {name}: {told}" for name, told in place.items() if told]
    rows += [f"  | {line}" for line in found.trace[-1200:].splitlines()]
    return "\n".join(rows)


def not_a_repair() -> str:
    return "the repair changed a test; mend the strategy and leave the tests as they are"


def for_another() -> str:
    return "the repair is for another contract, task or request than the draft that it mends"


def tried(workflow: Workflow, task: Task) -> str:
    """Which commit was tested against the newest failure, and what was changed in it."""
    head = f"`{(task.head or '')[:12]}`"
    if task.head == task.failed_sha:
        return f"{head} was tested once more; nothing was changed."
    if task.head != task.published:
        return f"{head} was pushed by a person."
    return f"I pushed {head}.{_explained(workflow.draft)}"


def not_used(draft: StrategyDraft) -> str:
    return f"I wrote a repair and did not push it.{_explained(draft)}"


def _explained(draft: StrategyDraft | None) -> str:
    """In the writer's own words, which nobody has checked."""
    words = inert_line(draft.explanation, 2000) if draft else ""
    return f" What I changed, in my words:\n\n> {words}" if words else ""


def attempt_failed(number: int, tried: str, before: BranchTodo, after: BranchTodo) -> str:
    same = before.signature == after.signature
    end = "the same failure again" if same else f"another failure, {inert_line(after.title, 300)}"
    first = inert_line(after.debug_instructions.partition("\n")[0])
    return f"**Attempt {number}.** {tried}\n\nIt ended in {end}: {first}"


def debug_body(workflow: Workflow, task: Task, todo: BranchTodo) -> str:
    rows = [
        f"Found while testing `{task.id}` of #{workflow.issue} on `{(task.head or '')[:12]}`: "
        f"failure {task.attempts}; at most {task.allowed} repairs are tried. Each is told below.",
        "",
        "| class | reason | goes to | signature |",
        "|---|---|---|---|",
        f"| `{todo.failure_classification}` | `{todo.branch_reason}` | {todo.agent_role} "
        f"| `{todo.signature}` |",
        "",
        inert(todo.debug_instructions, 4000),
    ]
    if commands := "\n".join(see_again(workflow, task)).splitlines():
        place = f"in a checkout of `{workflow.policy.default_branch}`, after `make install`"
        rows += ["", f"To see it again, {place}:", "", *(f"    {row}" for row in commands)]
    return "\n".join([*rows, "", f"Commands for #{workflow.issue} are heard here too."])


def debug_closed(tried: str, task: Task) -> str:
    return (
        f"**Mended: `{(task.head or '')[:12]}` passes.** {tried}\n\n"
        "There is nothing left to do here."
    )


def delivered_unmended() -> str:
    return "**Merged by a person before it passed.** I repair it no further; the request says so."


def left_out() -> str:
    return "**The added tests are left out.** Nothing of them is in the delivery."


def merged_unmended() -> str:
    return (
        "**Merged by a person before it passed.** I repair it no further; all the steps are tested "
        "together when they are complete, and the request says how that went."
    )
