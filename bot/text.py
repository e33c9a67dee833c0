"""Every sentence that the bot says. Pure; each ends with what to do next."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from bot.tasks import current
from bot.verdict import Failure
from schemas.base import TaskId
from schemas.live import OnRollback
from schemas.plan import BranchTodo
from schemas.report import Outcome, TestReport
from schemas.work import PaperTraded, WorkKind
from schemas.workflow import Phase, Role, Step, Task, Workflow


class Reason(StrEnum):
    """Why a command was not done. Stable: people search for them."""

    BAD_ARGUMENT = "bad_argument"
    EDITED = "edited"
    NOTHING_TO_DO = "nothing_to_do"
    NOT_A_REQUEST = "not_a_request"
    NOT_OPTIONAL = "not_optional"
    NO_PERMISSION = "no_permission"
    SELF_REVIEW = "self_review"
    STALE_SHA = "stale_sha"
    TOO_EARLY = "too_early"
    TOO_MANY = "too_many"
    UNKNOWN_COMMAND = "unknown_command"
    WRONG_PHASE = "wrong_phase"


STANDS: dict[Phase, str] = {
    Phase.OPENED: "I am reading the request and writing a plan. `/cancel` stops me.",
    Phase.ASKING: "I have questions. Answer them with `/answer` and your words.",
    Phase.DECLINED: "I cannot build this. Change the request with `/revise` and your words.",
    Phase.PLANNED: "The plan is ready. Read it, then `/approve` it or `/revise` it.",
    Phase.BUILDING: "I am building. There is nothing to do for you; `/hold` and `/cancel` stop me.",
    Phase.DELIVERING: "The strategy is ready. Review and merge the delivery pull request.",
    Phase.DELIVERED: "The strategy is merged. `/deploy` starts a paper run.",
    Phase.PAPER: "A paper run is under way. No orders are sent. `/cancel` stops it.",
    Phase.WAITING: "The paper run matched. Going live waits for `/approve-live` and the commit.",
    Phase.LIVE: "It is live. `/rollback flatten`, `hold` or `handover` takes it back.",
    Phase.ROLLED_BACK: "It was taken back. `/deploy` starts again with a paper run.",
    Phase.ESCALATED: "I need a person. `/debug` with a hint, `/retry`, or push to the branch.",
    Phase.CANCELLED: "It was cancelled; nothing is running. `/retry` goes on from there.",
}

TITLES: dict[TaskId, str] = {
    TaskId.DATA: "Load the data",
    TaskId.INDICATORS: "Compute the indicators",
    TaskId.ENTRY: "Enter positions",
    TaskId.EXIT: "Leave positions",
    TaskId.TESTS: "Add the tests that are missing",
}

DOING: dict[Step, str] = {
    Step.WAITING: "waiting",
    Step.DRAFTING: "being written",
    Step.PUBLISHING: "being pushed",
    Step.TESTING: "in the sandbox",
    Step.REPAIRING: "being repaired",
    Step.MERGING: "passed, waiting for its merge",
    Step.MERGED: "merged",
    Step.SKIPPED: "left out",
}

WHO: dict[Role, str] = {
    Role.READ: "everybody",
    Role.AUTHOR: "the author of the request and people with write permission",
    Role.WRITE: "people with write permission",
}


def inert(words: str, limit: int = 2000) -> str:
    """Somebody else's words, made harmless: no mention, HTML, hidden text, marker or fence."""
    kept = "".join(c for c in words[: limit * 2] if c == "\n" or unicodedata.category(c)[0] != "C")[
        :limit
    ]
    for raw, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("@", "&#64;"), ("`", "&#96;"),
                      ("[", "&#91;"), ("]", "&#93;"), ("|", "&#124;"), ("#", "&#35;")):  # fmt: skip
        kept = kept.replace(raw, safe) if raw != "#" else re.sub(r"#(?!\d+;)", safe, kept)
    return re.sub(r"(?m)^(\s*)/", r"\1&#47;", kept)


def refused(reason: Reason, why: str) -> str:
    return f"I did not do that. {why}\n\n<sub>reason: `{reason}`</sub>"


def not_a_request() -> str:
    return "This issue is not a strategy request. Open a new issue that asks for a strategy."


def was_edited(name: str) -> str:
    return (
        f"I read comments as they were first posted, and this one was edited. Post `/{name}` again."
    )


def unknown(name: str, meant: str | None) -> str:
    if meant:
        return f"There is no `/{inert(name, 40)}`. Did you mean `/{meant}`?"
    return f"There is no `/{inert(name, 40)}`. `/help` lists the commands."


def no_permission(name: str, who: Role) -> str:
    return (
        f"`/{name}` is for {WHO[who]}. GitHub says that you are not one of them; if you are there "
        "through a team, the bot's token may lack the right to see teams. Ask an owner."
    )


def wrong_phase(name: str, workflow: Workflow) -> str:
    return f"`/{name}` does not apply now. {STANDS[workflow.phase]}"


def help_table(rows: list[tuple[str, Role, str]]) -> str:
    lines = [f"| `{example}` | {what} | {WHO[who]} |" for example, who, what in rows]
    head = ["| command | what it does | for |", "|---|---|---|"]
    end = "A command is the first word of a comment. In a quote or a code block it does nothing."
    return "\n".join([*head, *lines, "", end])


def standing(workflow: Workflow) -> str:
    lines = [STANDS[workflow.phase]]
    if workflow.held:
        lines.append("It is on hold. `/resume` goes on.")
    if workflow.note:
        lines.append(f"Last note: {workflow.note}")
    task = current(workflow)
    if task and workflow.phase is Phase.BUILDING:
        lines.append(f"Now: {TITLES[task.id]} ({DOING[task.step]}).")
    return "\n\n".join(lines)


def no_plan_yet(workflow: Workflow) -> str:
    return f"There is no plan yet. {STANDS[workflow.phase]}"


def plan(workflow: Workflow) -> str:
    """The contract in words, what was assumed, and the four steps."""
    contract, todo = workflow.contract, workflow.todo
    if contract is None or todo is None:
        return no_plan_yet(workflow)
    taken = [
        f"- {inert(a.topic, 200)}: {inert(a.taken, 300)} ({inert(a.because, 300)})"
        for a in contract.assumptions
    ]
    steps = [f"- {item.id}: {inert(item.title, 200)}" for item in todo.items]
    return "\n".join(
        [
            f"**{inert(contract.symbol, 40)}, {contract.timeframe}**",
            "",
            inert(contract.summary, 4000),
            "",
            *(["Assumed, because the request does not say:", *taken, ""] if taken else []),
            f"Steps, about {todo.expected_minutes} minutes:",
            *steps,
            "",
            f"Contract `{(workflow.contract_digest or '')[:19]}`. {STANDS[workflow.phase]}",
        ]
    )


def approved() -> str:
    return "Approved. I start with the data. The status comment above shows every step."


def planning_again() -> str:
    return "Thank you. I am writing a new plan; the status comment will show it."


def say_something() -> str:
    return "Write your words behind the command, as in `/revise use a 2 % stop`."


def too_many_notes() -> str:
    return "This request has too many changes. Open a new one that says it all."


def going_on(phase: Phase) -> str:
    return f"Going on. {STANDS[phase]}"


def nothing_failed() -> str:
    return "No repair is open. `/retry` goes on from where it stopped."


def one_more_repair() -> str:
    return "I try one more repair. The status comment shows how it goes."


def only_force() -> str:
    return "`/cancel` takes nothing or `--force`. Type `/cancel` to stop with a grace period."


def cancelled() -> str:
    return "Cancelled. The work so far is kept on its branches. `/retry` goes on from here."


def held() -> str:
    return "On hold: I start nothing new. What is running ends and is kept. `/resume` goes on."


def already_held() -> str:
    return "It is on hold already. `/resume` goes on."


def not_held() -> str:
    return "It is not on hold. `/status` says what it waits for."


def not_optional(task: Task | None) -> str:
    what = TITLES[task.id].lower() if task else "what is left"
    return f"Only the added tests can be skipped, not: {what}. `/cancel` stops everything."


def skipped() -> str:
    return "Left out. The delivery pull request comes next."


def nothing_to_test() -> str:
    return "There is no commit to test yet. `/status` says what comes next."


def too_many_backtests() -> str:
    return "Five backtests are waiting already. Wait for their figures, then ask again."


def backtest_cancelled() -> str:
    return "The backtest was cancelled with the request. `/retry`, then `/backtest` again."


def backtest_failed(why: str) -> str:
    return f"The backtest did not finish ({why}). Type `/backtest` again."


def backtest(report: TestReport) -> str:
    bad = [c.name for c in report.checks if c.outcome is not Outcome.PASSED]
    checks = "All checks passed." if not bad else f"Not passed: {', '.join(bad)}."
    lines = [f"Backtest of `{report.commit_sha[:12]}`. {checks}"]
    if report.summary is None:
        return f"{lines[0]} There are no figures. The checks on the pull request say why."
    s = report.summary
    lines += [
        "",
        "| trades | net result | win rate | largest drawdown |",
        "|---|---|---|---|",
        f"| {s.total_trades} | {s.net_pnl} | {s.win_rate:.1%} | {s.max_drawdown} |",
        "",
        "Looking at figures is a trial: the more you look, the more luck you see.",
    ]
    return "\n".join(lines)


def cost(workflow: Workflow) -> str:
    u = workflow.usage
    return (
        f"So far {u.cost} USD of at most {workflow.policy.max_cost} USD, "
        f"{u.input_tokens + u.output_tokens} tokens, {u.seconds / 60:.1f} minutes of work. "
        "`/cost` with an amount sets the cap."
    )


def not_an_amount() -> str:
    return "Name an amount in USD from 0 to 1000, as in `/cost 10`."


def over_budget(workflow: Workflow) -> str:
    return (
        f"The cap of {workflow.policy.max_cost} USD is reached; {workflow.usage.cost} USD are "
        "spent. The work is kept. Raise it with `/cost` and an amount, then `/retry`."
    )


def paper_started() -> str:
    return "A paper run starts. No orders are sent. Then going live waits for two people."


def paper_differs(traded: PaperTraded) -> str:
    return (
        f"The paper run differed from the backtest on {traded.differences} of {traded.bars} bars, "
        "or ran another commit. It cannot go live. Look at the run, then `/deploy` again."
    )


def name_the_sha(workflow: Workflow) -> str:
    return (
        "Name the commit that you looked at, all 40 characters. "
        f"The delivered one is `{workflow.delivered_sha}`."
    )


def second_person() -> str:
    return "You have approved it already. A second person with write permission must confirm."


def live_approved(workflow: Workflow) -> str:
    if workflow.phase is Phase.LIVE:
        return "Confirmed. This commit may trade live. `/rollback` takes it back."
    return "Approved. A second person confirms with the same command and the same commit."


def say_what_happens() -> str:
    return "Say what happens to open positions: `/rollback flatten`, `hold` or `handover`."


POSITIONS: dict[OnRollback, str] = {
    OnRollback.FLATTEN: "Open positions are closed at the market.",
    OnRollback.HOLD: "Open positions are kept as they are, with their stops.",
    OnRollback.HANDOVER: "Open positions are yours: nothing of mine touches them any more.",
}


def rolled_back(how: OnRollback) -> str:
    return f"Taken back. {POSITIONS[how]} The incident issue has the details."


def incident_title(workflow: Workflow) -> str:
    return f"Rollback of the strategy of #{workflow.issue}"


def incident_body(workflow: Workflow, how: OnRollback, login: str) -> str:
    return (
        f"{inert(login, 100)} took back the live run of #{workflow.issue} at "
        f"`{workflow.delivered_sha}`. {POSITIONS[how]} Say here what happened; "
        f"`/deploy` on #{workflow.issue} starts again."
    )


def worker_gave_up(times: int, why: str) -> str:
    return f"The worker did not finish {times} times. The last time: {inert(why, 500)}"


def trying_again(why: str) -> str:
    return f"I try again: {inert(why, 500)}"


def took_too_long(kind: WorkKind) -> str:
    return f"the {kind.replace('_', ' ')} work did not come back in time"


def same_again(todo: BranchTodo) -> str:
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
    return f"{todo.parent_id} shows that the contract is wrong, so it needs a new plan."


def tests_dropped(why: str) -> str:
    return f"The added tests were not kept: {inert(why, 500)}"


def no_tests_missing() -> str:
    return "No tests were missing."


def commit_message(workflow: Workflow, task: Task) -> str:
    return f"{TITLES[task.id]} for #{workflow.issue}"


def pull_title(workflow: Workflow, task: TaskId) -> str:
    return f"{TITLES[task]} for #{workflow.issue}"


def pull_body(workflow: Workflow, task: Task) -> str:
    return (
        f"Part of #{workflow.issue}. The sandbox tests this commit; "
        "the report appears here. Push to this branch to change it."
    )


def delivery_title(workflow: Workflow) -> str:
    name = workflow.contract.name if workflow.contract else workflow.id
    return f"Deliver {name} for #{workflow.issue}"


def delivery_body(workflow: Workflow) -> str:
    return (
        f"Closes #{workflow.issue}.\n\n{plan(workflow)}\n\n"
        "Review the strategy and the report, then merge. Merging sends no orders."
    )


def delivered(workflow: Workflow) -> str:
    return (
        f"Delivered as `{(workflow.delivered_sha or '')[:12]}` after {workflow.trials} looks at "
        f"results. {cost(workflow)} `/deploy` starts a paper run."
    )


def pull_was_closed(login: str) -> str:
    return (
        f"{inert(login, 100)} closed the pull request, so I hold. "
        "`/resume` opens it again, `/cancel` ends it."
    )


def github_refused(key: str, why: str) -> str:
    return f"GitHub refused `{key[:200]}`: {inert(why, 500)}. Mend that, then `/resume`."


def todo_title(task: Task, failure: Failure) -> str:
    return f"Debug {task.id}: {failure.check} ({failure.rule})"[:200]


def instructions(failures: tuple[Failure, ...]) -> str:
    return "\n".join(f"{f.check}: {f.message}" for f in failures[:10])[:8000]


def debug_body(workflow: Workflow, task: Task, todo: BranchTodo) -> str:
    rows = [
        f"Found while testing `{task.id}` of #{workflow.issue}, attempt {task.attempts} "
        f"of {task.allowed}.",
        "",
        "| class | reason | goes to | signature |",
        "|---|---|---|---|",
        f"| `{todo.failure_classification}` | `{todo.branch_reason}` | {todo.agent_role} "
        f"| `{todo.signature}` |",
        "",
        inert(todo.debug_instructions, 4000),
    ]
    if todo.reproduce_command:
        rows += ["", f"To see it again: <code>{inert(todo.reproduce_command, 500)}</code>"]
    return "\n".join([*rows, "", f"Commands go to #{workflow.issue}; this issue only records."])


def debug_closed(sha: str) -> str:
    return f"Mended: `{sha[:12]}` passes. There is nothing left to do here."
