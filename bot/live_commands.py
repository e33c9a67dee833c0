"""The commands that lead to live trading and back. Everything about them is checked again later."""

from __future__ import annotations

import re

from bot import ship, takeback, text
from bot.registry import ALWAYS, ONE_WORD, Answer, Call, command, done, refuse
from bot.tasks import queue
from bot.text import Reason
from schemas.live import Gate, OnRollback, Stage
from schemas.workflow import Phase, Role

SHA = re.compile("[0-9a-f]{40}")


@command(
    "deploy",
    who=Role.WRITE,
    when=frozenset({Phase.DELIVERED, Phase.ROLLED_BACK, Phase.LIVE}),
    example="/deploy",
    takes=ONE_WORD,
    while_held=False,
)
def _deploy(call: Call) -> Answer:
    """Start a paper run of the delivered strategy, or of a newer commit; no orders are sent."""
    workflow, who = call.workflow, call.event
    sha = call.args[0] if call.args else workflow.delivered_sha
    if sha is None or not SHA.fullmatch(sha):
        return refuse(call, Reason.STALE_SHA, text.name_the_sha(workflow))
    trading = ship.live(workflow)
    if trading and trading.commit_sha == sha and trading.stage is Stage.LIVE:
        return refuse(call, Reason.NOTHING_TO_DO, text.is_live_already(trading))
    if len(workflow.deployments) >= ship.MOST:
        return refuse(call, Reason.TOO_MANY, text.too_many_deployments())
    after = ship.deploy(workflow, who.login, who.user_id, sha, call.at)
    return done(after, text.paper_started(workflow.policy.gate))


@command(
    "approve-live",
    who=Role.WRITE,
    when=frozenset({Phase.WAITING}),
    example="/approve-live 0123456789abcdef0123456789abcdef01234567",
    takes=ONE_WORD,
    while_held=False,
)
def _approve_live(call: Call) -> Answer:
    """Approve exactly this commit, where comments are the gate; a second person confirms."""
    newest, who = call.workflow.deployments[-1], call.event
    if call.args != (newest.commit_sha,):
        return refuse(call, Reason.STALE_SHA, text.name_the_sha(call.workflow))
    if call.workflow.policy.gate is Gate.ENVIRONMENT:
        return refuse(call, Reason.OTHER_GATE, text.review_the_run())
    if len(newest.approvers) > 1:
        return refuse(call, Reason.NOTHING_TO_DO, text.is_being_signed())
    if ship.has_approved(call.workflow, who.user_id):
        return refuse(call, Reason.SELF_REVIEW, text.second_person())
    after = ship.approve_live(call.workflow, who.login, who.user_id, call.at)
    return done(after, text.live_approved(after))


@command("halt", who=Role.WRITE, when=ALWAYS, example="/halt")
def _halt(call: Call) -> Answer:
    """The kill switch: no more orders of what is live, until it is approved again."""
    trading = ship.live(call.workflow)
    if trading is None:
        return refuse(call, Reason.NOTHING_TO_DO, text.nothing_is_live(trading))
    if trading.stage is Stage.HALTED:  # said once more, should the first have got lost
        again = queue(call.workflow, *takeback.standing(call.workflow))
        return Answer(again, text.nothing_is_live(trading), Reason.NOTHING_TO_DO)
    after = takeback.halt(call.workflow, trading, call.event.login, call.at)
    return done(after, text.halted(trading))


@command("rollback", who=Role.WRITE, when=ALWAYS, example="/rollback flatten", takes=ONE_WORD)
def _rollback(call: Call) -> Answer:
    """Stop live trading; say what happens to open positions: flatten, hold or handover."""
    if len(call.args) != 1 or call.args[0] not in list(OnRollback):
        return refuse(call, Reason.BAD_ARGUMENT, text.say_what_happens())
    how, who, trading = OnRollback(call.args[0]), call.event, ship.live(call.workflow)
    if trading is None:
        return refuse(call, Reason.NOTHING_TO_DO, text.nothing_is_live(None))
    after = takeback.rollback(call.workflow, trading, how, who.login, who.user_id, call.at)
    return done(after, text.rolled_back(trading, how, takeback.what_next(call.workflow, trading)))
