"""(workflow, event, role) -> workflow. Pure: no clock, no network, no randomness, no logging."""

from __future__ import annotations

from dataclasses import replace

from bot import acts, build, commands, flow, pulls, registry, ship, takeback, text
from bot.events import (
    BODY,
    TITLE,
    ActRefused,
    BranchGone,
    BranchMoved,
    CommentPosted,
    Event,
    Fact,
    GateAnswered,
    IssueClosed,
    IssueDisowned,
    IssueEdited,
    IssueMade,
    IssueOpened,
    ParityBroke,
    Published,
    PullClosed,
    PullMerged,
    PullOpened,
    PullPushed,
    Tick,
    WorkFinished,
)
from bot.flow import escalate
from bot.registry import Answer, Call
from bot.reports import stumble
from bot.tasks import at_work, delivery_branch, enter, on_branch, put, queue, whole
from bot.text import Reason
from bot.wanted import PAID, awaited, backtest_of, is_lost, wanted
from schemas.acts import React, Reply
from schemas.base import total
from schemas.work import Request
from schemas.workflow import LastCommand, Phase, Role, Step, Workflow

OPEN_TO_WORDS = {Phase.OPENED, Phase.ASKING, Phase.PLANNED, Phase.DECLINED}
AT_WORK = {Phase.BUILDING, Phase.DELIVERING, Phase.ESCALATED}
CLOSABLE = OPEN_TO_WORDS | AT_WORK
BY_THE_WAY = {
    "reply",
    "react",
    "close",
    "issue",
    "stop",
    "check",
    "tag",
    "report",
    "call",
    "attempt",
}
RANK = {Role.READ: 0, Role.AUTHOR: 1, Role.WRITE: 2}


def decide(workflow: Workflow, event: Event, role: Role) -> Workflow:
    """The next state. The shell has left out what was seen; what changes nothing is not kept."""
    after = _capped(_dispatch(workflow, event, role))
    if after == workflow or not isinstance(event, IssueOpened | CommentPosted):
        return after  # the others say how things are, so reading them again does no harm
    return replace(after, seen=(*after.seen, event.key))


def _dispatch(workflow: Workflow, event: Event, role: Role) -> Workflow:
    match event:
        case IssueOpened():
            return _opened(workflow, event, role)
        case IssueEdited():
            return _edited(workflow, event)
        case IssueClosed():
            return _closed(workflow, event)
        case IssueDisowned(label=label):
            return _shut(workflow, text.is_no_request(label), own=False)
        case CommentPosted():
            return _commented(workflow, event, role)
        case WorkFinished():
            return _finished(workflow, event)
        case GateAnswered(answer=answer):
            return ship.answered(workflow, answer, event.at)
        case ParityBroke():
            return takeback.differed(workflow, event)
        case PullPushed():
            return pulls.pushed(workflow, event)
        case PullClosed():
            return pulls.closed(workflow, event)
        case Tick():
            return _ticked(workflow, event)


def _capped(workflow: Workflow) -> Workflow:
    """What is drafted may still be tested and merged; more money is not spent."""
    return escalate(workflow, text.over_budget(workflow)) if _over(workflow) else workflow


def _over(workflow: Workflow) -> bool:
    spent = workflow.usage.cost >= workflow.policy.max_cost
    return spent and any(o.kind in PAID for o in wanted(workflow))


def learn(workflow: Workflow, fact: Fact, at: int) -> Workflow:
    """What doing an act taught us."""
    return _capped(_learn(workflow, fact, at))


def _learn(workflow: Workflow, fact: Fact, at: int) -> Workflow:
    match fact:
        case Published(branch, sha):
            task = on_branch(workflow, branch)
            if branch == delivery_branch(workflow):
                return build.on_delivery_published(workflow, sha, at)
            if task is None or task.step is not Step.PUBLISHING:
                return workflow
            return build.on_published(replace(workflow, since=at), task, sha)
        case PullOpened(branch, number):
            return pulls.opened(workflow, branch, number)
        case PullMerged(branch, sha):
            return pulls.merged(workflow, branch, sha, "", at)
        case BranchGone(branch):
            task = on_branch(workflow, branch)
            if branch == delivery_branch(workflow):
                return escalate(workflow, text.delivery_was_deleted(branch))
            return build.on_branch_gone(workflow, task, at) if task else workflow
        case BranchMoved(branch, sha):
            if branch == delivery_branch(workflow):
                return build.on_delivery_moved(workflow, sha, at)
            task = on_branch(workflow, branch)
            return build.on_branch_moved(workflow, task, sha, at) if task else workflow
        case IssueMade(topic, number):
            known = (*workflow.tasks, whole(workflow))
            task = next((t for t in known if topic.startswith(f"debug-{t.id}-")), None)
            return put(workflow, replace(task, debug_issue=number)) if task else workflow
        case ActRefused(key, why):
            return _act_refused(workflow, key, why)


def _opened(workflow: Workflow, event: IssueOpened, role: Role) -> Workflow:
    if workflow.request is not None:
        return workflow
    request = Request(title=event.title[:TITLE], body=event.body[:BODY], author=event.login)
    made = replace(workflow, request=request, author_id=event.user_id, policy=event.policy)
    opened = enter(made, Phase.OPENED, event.at)
    if role is Role.WRITE or not event.policy.asks_first:
        return opened
    return flow.hold(opened, text.waits_for_a_writer())


def _edited(workflow: Workflow, event: IssueEdited) -> Workflow:
    """Before a plan is approved the new words count; after it, what was approved is built."""
    if workflow.request is None:
        return workflow
    if (workflow.stopped_in or workflow.phase) in OPEN_TO_WORDS:
        request = replace(workflow.request, title=event.title, body=event.body)
        return flow.reworded(workflow, request, event.at)
    told = replace(workflow, note=text.also(workflow.note, text.edited_too_late()))
    return replace(told, seen=(*told.seen, event.key))


def _closed(workflow: Workflow, event: IssueClosed) -> Workflow:
    """Each closing stops it once: whoever says go on in a closed issue means it."""
    if workflow.request is None:
        return workflow
    if workflow.phase not in {*CLOSABLE, Phase.CANCELLED}:  # of no meaning when it is opened again
        return replace(workflow, seen=(*workflow.seen, event.key))
    own = event.login == workflow.request.author
    shut = _shut(workflow, text.issue_was_closed(), own)
    return replace(shut, seen=(*shut.seen, event.key))


def _shut(workflow: Workflow, why: str, own: bool) -> Workflow:
    if workflow.held:
        return replace(workflow, held_by_author=workflow.held_by_author and own)
    if workflow.phase not in CLOSABLE:
        return workflow
    return flow.hold(flow.stopped(workflow), why, own)


def _commented(workflow: Workflow, event: CommentPosted, role: Role) -> Workflow:
    parsed = registry.parse(event.body)
    if parsed is None:
        return workflow
    name, args, rest = parsed
    if role is Role.READ and event.user_id == workflow.author_id:
        role = Role.AUTHOR
    answer = _answer(Call(workflow, event, role, args, rest), name)
    return _say(answer, event, name)


def _answer(call: Call, name: str) -> Answer:
    """The checks that every command has in common, then the command itself."""
    cmd, workflow = commands.COMMANDS.get(name), call.workflow
    if workflow.request is None:
        return registry.refuse(call, Reason.NOT_A_REQUEST, text.not_a_request())
    if call.event.edited:
        return registry.refuse(call, Reason.EDITED, text.was_edited(name))
    if cmd is None:
        return registry.refuse(
            call, Reason.UNKNOWN_COMMAND, text.unknown(name, registry.suggestion(name))
        )
    if RANK[call.role] < RANK[cmd.who]:
        return registry.refuse(call, Reason.NO_PERMISSION, text.no_permission(name, cmd.who))
    if workflow.phase not in cmd.when:
        return registry.refuse(call, Reason.WRONG_PHASE, text.wrong_phase(name, workflow))
    if not cmd.takes.fullmatch(call.rest):
        return registry.refuse(call, Reason.BAD_ARGUMENT, text.bad_argument(name, cmd.example))
    if workflow.held and not cmd.while_held:
        return registry.refuse(call, Reason.HELD, text.is_held(name))
    return _affordable(call, cmd.run(call))


def _affordable(call: Call, answer: Answer) -> Answer:
    """What the cap would stop at once is not promised. The cap itself can always be set."""
    if answer.workflow.policy == call.workflow.policy and _over(answer.workflow):
        return registry.refuse(call, Reason.OVER_BUDGET, text.raise_the_cap(call.workflow))
    return answer


def _say(answer: Answer, event: CommentPosted, name: str) -> Workflow:
    """Reply and final reaction. A command that will answer later says nothing yet."""
    accepted = answer.reason is None
    last = LastCommand(text=f"/{name}", login=event.login, accepted=accepted)
    after = replace(answer.workflow, last=last)
    if not answer.body:
        return after
    body = answer.body if answer.reason is None else text.refused(answer.reason, answer.body)
    return queue(
        after,
        Reply(number=event.number, comment_id=event.comment_id, body=body[:60_000]),
        React(comment_id=event.comment_id, content="rocket" if accepted else "confused"),
    )


def _finished(workflow: Workflow, event: WorkFinished) -> Workflow:
    """Cost counts once, whatever becomes of the work. A result that nobody waits for ends here."""
    result, paid = event.result, _pay(workflow, event)
    idle = workflow.held or workflow.phase is Phase.CANCELLED
    order = next((o for o in awaited(workflow) if o.key == result.order_key), None)
    if order is None:
        return paid
    if idle:
        rest = tuple(r for r in paid.parked if r.order_key != result.order_key)
        return replace(paid, parked=(*rest, ship.light(workflow, order, result))[-10:])
    return build.on_result(paid, order, result, event.at)


def _pay(workflow: Workflow, event: WorkFinished) -> Workflow:
    if event.receipt in workflow.seen:
        return workflow
    usage, seen = workflow.usage + event.result.usage, (*workflow.seen, event.receipt)
    paid = replace(workflow, usage=usage, seen=seen)
    task = next((t for t in paid.tasks if t.id == event.result.task_id), None)
    return (
        put(paid, replace(task, cost=total(task.cost, event.result.usage.cost))) if task else paid
    )


def _act_refused(workflow: Workflow, key: str, why: str) -> Workflow:
    """A reply that cannot be posted is dropped; anything that the work needs is for a person."""
    if key.startswith(("tag/halt/", "tag/back/")):
        return takeback.unheard(workflow, key.removeprefix("tag/"), why)
    if key.split("/")[0] in BY_THE_WAY and not key.startswith("tag/live/"):
        return workflow
    if workflow.phase in (Phase.CANCELLED, Phase.ESCALATED):
        return workflow
    return flow.hold(workflow, text.github_refused(key, why))


def _ticked(workflow: Workflow, event: Tick) -> Workflow:
    """Work past its deadline that no run is at is lost: ask again, and say so."""
    for order in wanted(workflow):
        if not is_lost(order, event.at, event.alive):
            continue
        asked = backtest_of(workflow, order)
        if asked:
            late = text.backtest_failed(text.took_too_long(order.kind))
            workflow = ship.backtest_failed(workflow, asked, late)
        else:
            workflow = stumble(workflow, text.took_too_long(order.kind), event.at)
    return _stood_up(workflow)


def _stood_up(workflow: Workflow) -> Workflow:
    """A push or a merge of ours that came to nothing is done again: no event will tell of it."""
    task = at_work(workflow)
    waits = task is not None and task.step in (Step.PUBLISHING, Step.MERGING)
    if workflow.held or not waits or not workflow.policy.auto_merge:
        return workflow
    return queue(workflow, *acts.standing_acts(workflow))
