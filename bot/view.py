"""What the world should show for this state: a pure function of it, drawn on every run."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from bot import acts, text
from bot.tasks import STEPS, current, whole
from bot.wanted import wanted
from schemas.acts import CommitStatus, Labels, ReportComment, StatusComment, View
from schemas.base import TaskId
from schemas.workflow import LastCommand, Phase, Step, Task, Workflow

NEEDS_A_PERSON = {Phase.ASKING, Phase.PLANNED, Phase.DELIVERING, Phase.WAITING, Phase.ESCALATED}


def render(workflow: Workflow) -> tuple[View, ...]:
    if workflow.request is None:
        return ()
    return (
        StatusComment(body=status(workflow)),
        labels(workflow),
        *_checks(workflow),
    )


def labels(workflow: Workflow) -> Labels:
    names = [f"stratbot:{workflow.phase}"]
    if workflow.held:
        names.append("stratbot:held")
    if workflow.held or _needs_a_person(workflow):
        names.append("stratbot:needs-human")
    return Labels(names=tuple(names))


def _needs_a_person(workflow: Workflow) -> bool:
    """Not while something is tested; but where every merge is a person's, for each of them."""
    task = current(workflow)
    if workflow.phase is Phase.BUILDING and task and not workflow.policy.auto_merge:
        return task.step is Step.MERGING
    return workflow.phase in NEEDS_A_PERSON and not wanted(replace(workflow, asked=()))


def status(workflow: Workflow) -> str:
    """The one comment that shows where a request stands."""
    held = f"On hold. {text.who_resumes(workflow)}"
    stands = held if workflow.held else text.stands(workflow)
    parts = [f"**{stands}**"]
    if workflow.note:
        parts.append(f"> {workflow.note}".replace("\n", "\n> "))
    if workflow.phase is Phase.ASKING:
        asked = enumerate(workflow.questions, 1)
        parts.append("\n".join(f"{n}. {text.inert_line(q)}" for n, q in asked))
    if workflow.todo is not None:
        parts += [_plan(workflow), _checklist(workflow)]
    parts += [*_delivery(workflow), _footer(workflow)]
    return "\n\n".join(parts)


def _plan(workflow: Workflow) -> str:
    body = text.plan(workflow)
    if workflow.phase is Phase.PLANNED:
        return body
    return f"<details><summary>The plan</summary>\n\n{body}\n\n</details>"


def _checklist(workflow: Workflow) -> str:
    tasks = {t.id: t for t in workflow.tasks}
    return "\n".join(_box(task_id, tasks.get(task_id)) for task_id in (*STEPS, TaskId.TESTS))


def _box(task_id: TaskId, task: Task | None) -> str:
    """A hidden id per line: boxes are a view, commands are the authority."""
    ticked = "x" if task and task.step in (Step.MERGED, Step.SKIPPED) else " "
    line = f"- [{ticked}] {text.TITLES[task_id]}"
    if task is None or task.step is Step.WAITING:
        return f"{line} <!-- {task_id} -->"
    link = f" #{task.pull}" if task.pull else ""
    return f"{line}:{link} {text.DOING[task.step]}{_told(task)} <!-- {task_id} -->"


def _told(task: Task) -> str:
    """How often it failed, and where that is told."""
    times = f", failed {task.attempts} of at most {task.allowed + 1} times"
    debug = f", see #{task.debug_issue}" if task.debug_issue else ""
    return f"{times if task.attempts else ''}{debug}"


def _delivery(workflow: Workflow) -> list[str]:
    rows = []
    if workflow.delivery_pull:
        rows.append(f"Delivery: #{workflow.delivery_pull}{_told(whole(workflow))}")
    if workflow.phase is Phase.WAITING and workflow.deployments:
        rows.append(text.waits_for(workflow))
    if workflow.asked:
        rows.append(f"Backtests running: {len(workflow.asked)}")
    return rows


def _footer(workflow: Workflow) -> str:
    waits = [text.WORKING[o.kind] for o in wanted(workflow)]
    pending = f"Working on {', '.join(waits)}." if waits else "Nothing is running."
    tries = f" Try {workflow.tries + 1}." if workflow.tries else ""
    last = f" Last: {_last(workflow.last)}." if workflow.last else ""
    spent = f" Spent {workflow.usage.cost} of {workflow.policy.max_cost} USD."
    return f"<sub>{pending}{tries}{last}{spent} `/help` lists the commands.</sub>"


def _last(command: LastCommand) -> str:
    end = "done" if command.accepted else "refused"
    return f"`{command.text}` of {text.inert_line(command.login, 100)}, {end}"


def reports(workflow: Workflow) -> tuple[ReportComment, ...]:
    """On the pull request that was tested last: there again, if somebody deleted it."""
    over = workflow.report is None or workflow.delivered_sha is not None
    if over or not workflow.runs:
        return ()
    found = acts.report(workflow, workflow.runs[-1].task)
    return (found,) if found else ()


def _begins(workflow: Workflow, task: Task | None) -> bool:
    """Nothing of what comes next is on GitHub yet, so what was last is drawn once more."""
    if task is None:
        return workflow.delivery_pull is None
    return task.step in (Step.WAITING, Step.DRAFTING)


def _checks(workflow: Workflow) -> tuple[CommitStatus, ...]:
    """On the commits that a newer state can have left behind, and on the one in work."""
    task = current(workflow)
    done = [t for t in workflow.tasks if t.step is Step.MERGED and t.passed_sha]
    done = done[-1:] if _begins(workflow, task) and not workflow.policy.auto_merge else []
    passed = [_check(t.passed_sha, "success", "All checks passed.") for t in done]
    if task is None:
        return (*passed, *_delivery_check(workflow))
    if workflow.policy.auto_merge:
        return ()  # nobody waits for it: its check run and its report say how it went
    testing = task.step is Step.TESTING and workflow.phase is not Phase.ESCALATED
    again = testing and task.head == task.failed_sha
    failed = [_check(task.failed_sha, "failure", "See the debug issue.")]
    failed = failed if task.failed_sha and not again else []
    if task.head is None or (task.head == task.failed_sha and not again):
        return (*passed, *failed)
    if task.passed_sha == task.head:
        return (*passed, *failed, _check(task.head, "success", "All checks passed."))
    if workflow.phase is Phase.CANCELLED:
        return (*passed, *failed, _check(task.head, "error", "Cancelled before it was tested."))
    says = "On hold." if workflow.held else "In the sandbox."
    return (*passed, *failed, _check(task.head, "pending", says))


def _delivery_check(workflow: Workflow) -> tuple[CommitStatus, ...]:
    """On the commit that a person is about to merge: all the steps together."""
    delivery = workflow.delivery
    if delivery.head is None or workflow.delivered_sha:
        return ()
    match delivery.head:
        case delivery.passed_sha:
            more = "; this commit only adds its results" * (delivery.head == delivery.results_sha)
            says = f"The whole strategy passed all checks{more}."
            return (_check(delivery.head, "success", says),)
        case delivery.failed_sha:
            return (_check(delivery.head, "failure", "The whole does not pass; see the request."),)
    if workflow.phase is Phase.CANCELLED:
        return (_check(delivery.head, "error", "Cancelled before it was tested."),)
    if workflow.phase is Phase.ESCALATED:
        return (_check(delivery.head, "error", "It was not tested; see the request."),)
    says = "On hold." if workflow.held else "The whole strategy is in the sandbox."
    return (_check(delivery.head, "pending", says),)


def _check(
    sha: str | None, state: Literal["success", "failure", "pending", "error"], says: str
) -> CommitStatus:
    return CommitStatus(sha=sha or "", state=state, description=says)
