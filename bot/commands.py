"""Slash commands. To add one, write one decorated function; parser, permission, help follow."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from bot import build, flow, incident, mend, revision, ship, takeback, text
from bot.registry import (
    ALWAYS,
    COMMANDS,
    MAYBE_WORDS,
    ONE_WORD,
    WORDS,
    Answer,
    Call,
    command,
    done,
    refuse,
)
from bot.tasks import at_work, being_mended, current, enter, put, queue
from bot.text import Reason
from schemas.acts import StopWork
from schemas.base import TaskId, Usage
from schemas.work import Note
from schemas.workflow import Asked, Phase, Revising, Role, Step, Task, Workflow

__all__ = ["COMMANDS"]

ENDED = frozenset({Phase.DELIVERED, Phase.ROLLED_BACK, Phase.CANCELLED, Phase.DECLINED})
STOPPABLE = ALWAYS - ENDED - {Phase.LIVE}


@command("help", who=Role.READ, when=ALWAYS, example="/help")
def _help(call: Call) -> Answer:
    """Show this list."""
    rows = [(c.example, c.who, c.help) for c in COMMANDS.values()]
    return done(call.workflow, text.help_table(rows))


@command("status", who=Role.READ, when=ALWAYS, example="/status")
def _status(call: Call) -> Answer:
    """Say where this request stands and what it waits for."""
    return done(call.workflow, text.standing(call.workflow))


@command("plan", who=Role.AUTHOR, when=ALWAYS, example="/plan")
def _plan(call: Call) -> Answer:
    """Show the plan and the rules as I understood them."""
    if call.workflow.todo is None:
        return refuse(call, Reason.TOO_EARLY, text.no_plan_yet(call.workflow))
    return done(call.workflow, f"{text.plan(call.workflow)}\n\n{text.standing(call.workflow)}")


@command(
    "approve",
    who=Role.WRITE,
    when=frozenset({Phase.PLANNED}),
    example="/approve",
    while_held=False,
)
def _approve(call: Call) -> Answer:
    """Accept the plan and start building."""
    return done(build.approve(call.workflow, call.event.login, call.at), text.approved())


@command(
    "revise",
    who=Role.AUTHOR,
    when=frozenset({Phase.PLANNED, Phase.ASKING, Phase.DECLINED}) | mend.AFTER,
    example="/revise use a 2 % stop",
    takes=WORDS,
    while_held=False,
)
def _revise(call: Call) -> Answer:
    """Change the request and get a new plan."""
    if (no := mend.refused(call, "revise")) is not None:
        return no
    event = call.event
    revising = Revising(comment_id=event.comment_id, number=event.number, words=call.rest[:8000])
    noted = _add_note(call, "")  # what it changed is said once there is a plan
    if noted.reason:
        return noted
    after = replace(noted.workflow, revising=revising)
    again = call.workflow.phase in mend.AFTER
    return done(queue(after, mend.reopened(call.workflow)) if again else after, "")


@command(
    "answer",
    who=Role.AUTHOR,
    when=frozenset({Phase.ASKING}),
    example="/answer daily bars",
    takes=WORDS,
    while_held=False,
)
def _answer(call: Call) -> Answer:
    """Answer my questions."""
    return _add_note(call, text.planning_again())


def _open(workflow: Workflow) -> tuple[str, ...]:
    return workflow.questions if workflow.phase is Phase.ASKING else ()


def _add_note(call: Call, body: str) -> Answer:
    request = call.workflow.request
    if request is None or len(request.notes) >= 200:
        return refuse(call, Reason.TOO_MANY, text.too_many_notes())
    note = Note(author=call.event.login[:500], text=call.rest[:8000], asked=_open(call.workflow))
    noted = replace(call.workflow, request=replace(request, notes=(*request.notes, note)))
    again = replace(enter(noted, Phase.OPENED, call.at), round=noted.round + 1)
    return done(again, body)


@command(
    "retry",
    who=Role.WRITE,
    when=frozenset({Phase.ESCALATED, Phase.CANCELLED}),
    example="/retry",
)
def _retry(call: Call) -> Answer:
    """Go on from where it stopped."""
    back = call.workflow.stopped_in or Phase.OPENED
    again = enter(replace(call.workflow, stopped_in=None), back, call.at)
    free = build.resume(again, call.at)
    return done(free, text.going_on(free))


@command(
    "debug",
    who=Role.WRITE,
    when=frozenset({Phase.ESCALATED}) | mend.AFTER,
    example="/debug check the sign",
    takes=MAYBE_WORDS,
    while_held=False,
)
def _debug(call: Call) -> Answer:
    """Allow one more repair, with a hint if you have one; after an incident, a new build."""
    if call.workflow.phase in mend.AFTER:
        return mend.refused(call, "debug") or mend.debug(call)
    task, request = at_work(call.workflow), call.workflow.request
    if task is None or request is None or not _is_broken(call.workflow, task):
        return refuse(call, Reason.NOTHING_TO_DO, text.nothing_failed())
    if call.rest and len(request.notes) < 200:
        note = Note(author=call.event.login[:500], text=call.rest[:8000])
        request = replace(request, notes=(*request.notes, note))
    more = replace(task, allowed=min(100, max(task.allowed, task.attempts) + 1))
    again = put(replace(call.workflow, request=request, stopped_in=None), more)
    home = Phase.DELIVERING if task.id is TaskId.DELIVERY else Phase.BUILDING
    free = flow.renewed(enter(again, home, call.at))
    told = text.one_more_repair() if task.step is Step.REPAIRING else text.one_more_run()
    return done(free, told)


def _is_broken(workflow: Workflow, task: Task) -> bool:
    """It waits for a repair; or, where the run itself came to nothing, for another run."""
    again = task.step is Step.TESTING and being_mended(workflow, task)
    return task.step is Step.REPAIRING or again


@command(
    "cancel",
    who=Role.AUTHOR,
    when=STOPPABLE,
    example="/cancel --force",
    takes=re.compile("(--force)?"),
)
def _cancel(call: Call) -> Answer:
    """Stop the work; `--force` kills it at once."""
    stop = StopWork(comment_id=call.event.comment_id, force=call.args == ("--force",))
    phase = call.workflow.stopped_in or call.workflow.phase
    stopped = queue(ship.unapproved(flow.stopped(call.workflow)), stop)
    stopped = revision.ended(stopped, text.revise_ended(text.cancelled()), "confused")
    stopped = queue(stopped, *takeback.standing(stopped))  # a halt that was not heard yet
    for asked in call.workflow.asked:
        stopped = ship.backtest_failed(stopped, asked, text.backtest_cancelled())
    trading = ship.live(call.workflow)
    if phase in (Phase.PAPER, Phase.WAITING) and (trading or incident.trouble(call.workflow)):
        words = text.candidate_cancelled(trading) if trading else text.nothing_comes_forward()
        kept = replace(ship.shut(stopped, "cancelled", words, call.at), stopped_in=None, held=False)
        return done(kept, words)
    ended = replace(stopped, phase=Phase.CANCELLED, stopped_in=phase, held=False, note="")
    return done(ended, text.cancelled())


@command("hold", who=Role.AUTHOR, when=STOPPABLE, example="/hold")
def _hold(call: Call) -> Answer:
    """Start nothing new until you say so."""
    own = call.role is not Role.WRITE
    if call.workflow.held and (own or not call.workflow.held_by_author):
        return refuse(call, Reason.NOTHING_TO_DO, text.already_held(call.workflow))
    stopped = call.workflow if call.workflow.held else flow.stopped(call.workflow)
    held = flow.hold(stopped, stopped.note, own)
    return done(held, text.held(held))


@command("resume", who=Role.AUTHOR, when=ALWAYS, example="/resume")
def _resume(call: Call) -> Answer:
    """Go on after a hold."""
    if not call.workflow.held:
        return refuse(call, Reason.NOTHING_TO_DO, text.not_held())
    unpaid = call.workflow.policy.asks_first and call.workflow.usage == Usage()
    if unpaid and call.role is not Role.WRITE:
        return refuse(call, Reason.NO_PERMISSION, text.waits_for_a_writer())
    if call.role is not Role.WRITE and not call.workflow.held_by_author:
        return refuse(call, Reason.NO_PERMISSION, text.held_by_others())
    free = build.resume(call.workflow, call.at)
    return done(free, text.going_on(free))


@command(
    "skip",
    who=Role.WRITE,
    when=frozenset({Phase.BUILDING, Phase.ESCALATED}),
    example="/skip",
    while_held=False,
)
def _skip(call: Call) -> Answer:
    """Leave out the added tests. The safety checks cannot be skipped."""
    task = current(call.workflow)
    if task is None or task.id is not TaskId.TESTS:
        return refuse(call, Reason.NOT_OPTIONAL, text.not_optional(task))
    left = flow.skip(replace(call.workflow, stopped_in=None), task, "", call.at)
    return done(left, text.skipped())


@command(
    "backtest",
    who=Role.WRITE,
    when=ALWAYS - {Phase.CANCELLED, Phase.DECLINED},
    example="/backtest",
    while_held=False,
)
def _backtest(call: Call) -> Answer:
    """Run the sandbox again on the newest commit and post the figures."""
    sha = _newest(call.workflow)
    if sha is None:
        return refuse(call, Reason.TOO_EARLY, text.nothing_to_test())
    if len(call.workflow.asked) >= 5:
        return refuse(call, Reason.TOO_MANY, text.too_many_backtests())
    event = call.event
    asked = Asked(comment_id=event.comment_id, number=event.number, sha=sha, at=call.at)
    return done(replace(call.workflow, asked=(*call.workflow.asked, asked)), "")


def _newest(workflow: Workflow) -> str | None:
    heads = [t.head for t in workflow.tasks if t.head]
    whole = workflow.delivery.head if current(workflow) is None else None
    trading = ship.live(workflow)
    if trading and workflow.phase is Phase.LIVE:
        return trading.commit_sha
    return workflow.delivered_sha or whole or (heads[-1] if heads else None)


@command("cost", who=Role.READ, when=ALWAYS, example="/cost 10", takes=ONE_WORD)
def _cost(call: Call) -> Answer:
    """Show what it has cost so far; with an amount, set the cap."""
    if not call.args:
        return done(call.workflow, text.cost(call.workflow))
    if call.role is not Role.WRITE:
        return refuse(call, Reason.NO_PERMISSION, text.no_permission("cost", Role.WRITE))
    amount = _amount(call.args[0])
    if amount is None:
        return refuse(call, Reason.BAD_ARGUMENT, text.not_an_amount())
    capped = replace(call.workflow, policy=replace(call.workflow.policy, max_cost=amount))
    return done(capped, text.cost(capped))


def _amount(typed: str) -> Decimal | None:
    plain = re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,2})?", typed)
    return Decimal(typed) if plain and Decimal(typed) <= 1000 else None


import bot.live_commands  # noqa: E402, F401 - the last ones of the list
