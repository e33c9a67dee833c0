"""Why the work paused or stopped: the note in the status comment."""

from __future__ import annotations

import re

from bot.text.base import WORKING, inert, inert_line, who_resumes
from bot.text.replies import stands
from bot.verdict import Failure
from schemas.base import whole
from schemas.plan import BranchTodo, Route
from schemas.work import PaperTraded, WorkKind
from schemas.workflow import Phase, Task, Workflow

MENTION = whole("[A-Za-z0-9][A-Za-z0-9_-]{0,98}")
"""A person's login: no bot, and nothing that could be more than one mention."""


def worker_gave_up(times: int, why: str) -> str:
    said = f"{times} times. The last time" if times > 1 else "once. Then"
    return f"The worker did not finish {said}: {inert_line(why)}"


def declined(reason: str) -> str:
    return inert(reason, 1200)


def trying_again(why: str) -> str:
    return f"I try again: {inert_line(why)}"


def took_too_long(kind: WorkKind) -> str:
    return f"{WORKING[kind]} did not come back in time"


def same_again(todo: BranchTodo) -> str:
    if todo.branch_reason is Route.FLAKY_TEST:
        return (
            f"Both runs of {todo.parent_id} show tests whose result depends on their order or "
            "environment. Push tests that do not; the debug issue names them."
        )
    return (
        f"The repair of {todo.parent_id} ended in the same failure again, so I stop early. "
        "Everything I tried is in the debug issue."
    )


def gave_up(task: Task) -> str:
    return (
        f"{task.id} still fails after {task.attempts - 1} repairs. The work is kept on its branch; "
        "everything I tried is in the debug issues."
    )


def plan_again(todo: BranchTodo) -> str:
    return (
        f"The strategy of {todo.parent_id} does not have the interface that the contract asks for, "
        "so it needs a new plan. The debug issue says what differs."
    )


def tests_dropped(why: str) -> str:
    return f"The added tests were not kept: {inert_line(why)}"


def no_tests_planned() -> str:
    return "no test was planned"


def cannot_drop(why: str, covered: float, least: float, missed: str) -> str:
    lines = f" Missed lines of the strategy: {missed}." if missed else ""
    return (
        f"The added tests were not kept: {inert_line(why)}. Without them {covered:g} % of the "
        f"lines are covered, and at least {least:g} % is asked for, so they cannot be left out."
        f"{lines} `/retry` tries again; or `/skip`, and push tests of your own to the delivery."
    )


def delivery_failed(failures: tuple[Failure, ...]) -> str:
    return (
        f"The steps passed, but the whole does not: {_first(failures)} "
        "Push a repair to the delivery branch, or `/retry` to test it again."
    )


def _first(failures: tuple[Failure, ...]) -> str:
    return inert_line(f"{failures[0].check}: {failures[0].message}") + "."


def test_cancelled() -> str:
    return "the request was cancelled while it was tested"


def test_superseded() -> str:
    return "it was no longer needed: a newer commit came, or the request went on without it"


def test_not_told() -> str:
    return "the run came back with another result than a test report of this commit"


def not_kept(problem: str) -> str:
    return (
        f"What came in cannot be kept ({inert_line(problem, 300)}), so I left it out. "
        "`/status` says where things stand."
    )


def no_tests_missing() -> str:
    return "No tests were missing."


def over_budget(workflow: Workflow) -> str:
    return (
        f"The cap of {workflow.policy.max_cost} USD is reached; {workflow.usage.cost} USD are "
        "spent. The work is kept. Somebody with write permission raises it with `/cost` and an "
        "amount, then `/retry`."
    )


def paper_differs(traded: PaperTraded) -> str:
    if not traded.bars:
        return "The paper run saw no bars, so it shows nothing. Look at the run, then `/deploy`."
    return (
        f"The paper run differed from the backtest on {traded.differences} of {traded.bars} bars, "
        "or ran another commit. It cannot go live. Look at the run, then `/deploy` again."
    )


def pull_was_closed(login: str) -> str:
    return (
        f"{inert_line(login, 100)} closed the pull request, so I hold. "
        "`/resume` of somebody with write permission opens it again, `/cancel` ends it."
    )


def owners_called(owners: tuple[str, ...], why: str) -> str:
    """Mentions people on purpose: nobody else would look."""
    return f"{' '.join(owners)}: this request needs a person. {why} The status comment has it all."


def waits_for_you(workflow: Workflow) -> str:
    """To the author alone, and short: the status comment has the rest."""
    author = workflow.request.author if workflow.request else ""
    who = f"@{author}" if re.match(MENTION, author) else "Hello"
    stands_so = f"It is on hold. {who_resumes(workflow)}" if workflow.held else stands(workflow)
    pull = f" It is #{workflow.delivery_pull}." if _to_be_merged(workflow) else ""
    why = "\n\n> " + workflow.note.replace("\n", "\n> ") if workflow.note else ""
    return f"{who}: {stands_so}{pull}{why}\n\nThe status comment above has it all."


def _to_be_merged(workflow: Workflow) -> bool:
    return workflow.phase is Phase.DELIVERING and workflow.delivery_pull is not None


def issue_was_closed() -> str:
    return "The issue was closed, so I hold. `/resume` goes on all the same; `/cancel` ends it."


def waits_for_a_writer() -> str:
    return (
        "What a model writes here costs money, so somebody with write permission starts it: they "
        "type `/resume`."
    )


def held_by_others() -> str:
    return (
        "Somebody with write permission, or something that went wrong, put this on hold, so "
        "somebody with write permission ends it: they type `/resume`."
    )


def is_no_request(label: str) -> str:
    return (
        f"The label `{label}` says that this is no request, so I hold. Take the label off and "
        "`/resume` to go on."
    )


def edited() -> str:
    return "The request was edited, so I read it again."


def asked_before() -> str:
    return (
        "I asked this before, and the answer did not settle it. A new `/answer` replaces the one "
        "before it. Edit the text of this issue to start over: I then read it without any answer."
    )


def edited_too_late() -> str:
    return (
        "The request was edited after its plan was approved. I build what was approved. "
        "To change it, `/cancel` and open a new request."
    )


def edited_while_stopped() -> str:
    return "The request was edited. `/retry` makes a plan of its new words."


def also(note: str, more: str) -> str:
    """What was said before is still true."""
    return note if more in note else f"{note}\n\n{more}".strip()[:8000]


def delivery_was_deleted(branch: str) -> str:
    return (
        f"The branch `{branch[:200]}` was deleted and GitHub no longer has its commit. Push it "
        "again, then `/retry`; or `/cancel` and open a new request."
    )


def branch_was_deleted(branch: str) -> str:
    return f"The branch `{branch[:200]}` was deleted, so I push it again."


def push_was_first() -> str:
    return "Somebody pushed before my repair was there, so I test what they pushed and drop mine."


def github_refused(key: str, why: str) -> str:
    return f"GitHub refused `{key[:200]}`: {inert_line(why)}. Mend that, then `/resume`."
