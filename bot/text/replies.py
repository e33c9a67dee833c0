"""What the bot answers to a command. Each answer says what to do next."""

from __future__ import annotations

from bot.agents.changes import Change
from bot.tasks import at_work
from bot.text.base import DOING, STANDS, TITLES, WHO, Reason, code, inert_line, who_resumes
from bot.verdict import Failure
from schemas.live import Deployment
from schemas.report import TestReport
from schemas.workflow import Phase, Role, Step, Task, Workflow

BUILT = (Phase.BUILDING, Phase.DELIVERING)
"""Where something is made that can fail."""


def refused(reason: Reason, why: str) -> str:
    return f"I did not do that. {why}\n\n<sub>reason: `{reason}`</sub>"


def not_a_request() -> str:
    return (
        "This issue is not a strategy request, so nothing was done. Type the command in the issue "
        "of the request that it is about (for what trades: the one that its pull request names). "
        "To ask for a strategy, open a new issue."
    )


def was_edited(name: str) -> str:
    return (
        f"I read comments as they were first posted, and this one was edited. Post `/{name}` again."
    )


def unknown(name: str, meant: str | None) -> str:
    if meant:
        return f"There is no `/{inert_line(name, 40)}`. Did you mean `/{meant}`?"
    return f"There is no `/{inert_line(name, 40)}`. `/help` lists the commands."


def no_permission(name: str, who: Role) -> str:
    return (
        f"`/{name}` is for {WHO[who]}. GitHub does not tell me that you are one of them; if you "
        "are, my token may lack the right to read permissions, or to see teams. Ask an owner."
    )


def wrong_phase(name: str, workflow: Workflow) -> str:
    return f"`/{name}` does not apply now. {stands(workflow)}"


def bad_argument(name: str, example: str) -> str:
    return f"`/{name}` does not go with what follows it. Type it as in `{example}`."


def is_held(name: str) -> str:
    return f"It is on hold, so `/{name}` would start nothing. `/resume` first, then again."


def raise_the_cap(workflow: Workflow) -> str:
    return (
        f"{workflow.usage.cost} USD of at most {workflow.policy.max_cost} USD are spent, and this "
        "would spend more. Somebody with write permission raises the cap with `/cost` and an "
        "amount; then type it again."
    )


def stands(workflow: Workflow) -> str:
    """Where things stand, and what that asks of a person."""
    task, delivery = at_work(workflow), workflow.delivery
    step = task.step if task else None
    match workflow.phase:
        case Phase.DELIVERING if step in (Step.REPAIRING, Step.PUBLISHING):
            return "The steps passed, but the whole does not. I am repairing it."
        case Phase.DELIVERING if delivery.head is None or delivery.passed_sha != delivery.head:
            return "The strategy is complete and being tested as a whole. `/status` says how far."
        case Phase.BUILDING if step is Step.MERGING and not workflow.policy.auto_merge:
            return "A step has passed. Review and merge its pull request; then I go on."
        case Phase.ESCALATED if step is Step.REPAIRING and workflow.stopped_in in BUILT:
            return "I need a person. `/debug` with a hint, `/retry`, or push to the branch."
    return STANDS[workflow.phase]


def help_table(rows: list[tuple[str, Role, str]]) -> str:
    lines = [f"| `{example}` | {what} | {WHO[who]} |" for example, who, what in rows]
    head = ["| command | what it does | for |", "|---|---|---|"]
    end = (
        "A command is the first word of a comment in the conversation of this request or of my "
        "pull requests. In a review, on a line of the diff, in a quote or in a code block it does "
        "nothing."
    )
    return "\n".join([*head, *lines, "", end])


def standing(workflow: Workflow) -> str:
    lines = [stands(workflow)]
    if workflow.held:
        lines.append(f"It is on hold. {who_resumes(workflow)}")
    if workflow.note:
        lines.append(f"Last note: {workflow.note}")
    task = at_work(workflow)
    if task and workflow.phase is Phase.BUILDING:
        lines.append(f"Now: {TITLES[task.id]} ({DOING[task.step]}).")
    return "\n\n".join(lines)


def no_plan_yet(workflow: Workflow) -> str:
    return f"There is no plan yet. {stands(workflow)}"


def approved() -> str:
    return "Approved. I start with the data. The status comment shows every step; `/hold` waits."


def planning_again() -> str:
    return "Thank you. I am writing a new plan; the status comment will show it."


def plan_changed(what: tuple[Change, ...]) -> str:
    listed = "; ".join(map(_changed, what))
    bars = any(x.old.startswith("timeframe") for x in what)
    kept = " Every length keeps its number of bars." if bars else ""
    return (
        f"Changed: {listed}. Everything else is unchanged.{kept} `/approve` builds it, `/revise` "
        "changes it again."
    )


def _changed(what: Change) -> str:
    if what.old and what.new:
        return f"{code(what.old)} → {code(what.new)}"
    return f"{code(what.new)} is new" if what.new else f"{code(what.old)} is gone"


def not_applied(said: str) -> str:
    return (
        f"I could not apply *{inert_line(said, 300)}*: it changes no rule. The plan is unchanged. "
        "Name one thing and its new value, as in `/revise use a 2 % stop`, or edit the text of the "
        "issue; `/approve` builds the plan as it is."
    )


def asks_first(said: str) -> str:
    return (
        f"I could not apply *{inert_line(said, 300)}* yet: I have questions first. The status "
        "comment lists them; answer with `/answer`."
    )


def revise_ended(why: str) -> str:
    return f"The change was not made: {inert_line(why, 700)}"


def too_many_notes() -> str:
    return "This request has too many changes. Open a new one that says it all."


def going_on(workflow: Workflow) -> str:
    return f"Going on. {stands(workflow)}"


def nothing_failed() -> str:
    return "No repair is open. `/retry` goes on from where it stopped."


def one_more_repair() -> str:
    return "I try one more repair. The status comment shows how it goes."


def one_more_run() -> str:
    return "The run itself came to nothing, so I test the same commit again."


def cancelled() -> str:
    return (
        "Cancelled. The work so far is kept on its branches, and its pull requests stay open. "
        "People with write permission go on with `/retry`; otherwise close them."
    )


def candidate_cancelled(trading: Deployment) -> str:
    return (
        f"Cancelled: the newer version goes no further. `{trading.tag}` stays as it was: "
        f"{trading.stage}. `/halt` or `/rollback` stops it; `/deploy` starts again."
    )


def held(workflow: Workflow) -> str:
    kept = "On hold: I start nothing new. What is running ends and is kept."
    return f"{kept} {who_resumes(workflow)}"


def already_held(workflow: Workflow) -> str:
    return f"It is on hold already. {who_resumes(workflow)}"


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
    return f"There are no figures: {inert_line(why)}. Type `/backtest` again."


def backtest(report: TestReport, failures: tuple[Failure, ...]) -> str:
    bad = sorted({f.check for f in failures})
    checks = "All checks passed." if not bad else f"Not passed: {', '.join(bad)}."
    lines = [f"Backtest of `{report.commit_sha[:12]}`. {checks}"]
    if report.summary is None:
        return f"{lines[0]} There are no figures. The checks on the pull request say why."
    s = report.summary
    lines += [
        "",
        "| trades | net result | win rate | maximum drawdown |",
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
