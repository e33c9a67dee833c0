"""What a run does before anything new: remember, compare with the broker, end what was begun."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from adapters.live import unguarded
from adapters.live.book import Placed
from adapters.live.decide import Decision
from adapters.live.ending import TRIES, halt
from adapters.live.port import Standing
from bot.live.refused import Code, Refused

if TYPE_CHECKING:
    from adapters.live.runner import Runner


def start(run: Runner) -> None:
    """Our books and the broker's must say the same before anything new is sent."""
    run.adapter.broker.connect()
    for record in run.adapter.journal.read():
        _recall(run, record)
    run.take_in()
    _reconcile(run)
    _resume(run)
    if run.asked_to_stop() is None:
        unguarded.close(run)


def _recall(run: Runner, record: dict[str, object]) -> None:
    match record["kind"]:
        case "decided":
            inputs: dict[str, float] = record["inputs"]  # type: ignore[assignment]
            run.decided, run.worth = int(inputs["idx"]), inputs["equity"]
            run.by = str(record.get("by", run.adapter.owner))
        case "finished":
            run.finished = int(str(record["idx"]))
        case "day":
            run.day = (str(record["day"]), float(str(record["equity"])))


def _reconcile(run: Runner) -> None:
    book, theirs = run.adapter.book, agree(run)
    for order in run.adapter.broker.orders().values():
        if order.standing == Standing.WORKING and order.client_id not in book.placed:
            halt(run, Refused(Code.MISMATCH, f"order {order.client_id} is not in our records"))
    run.audit.write("reconciled", position=theirs, working=len(book.working()))


def agree(run: Runner) -> float:
    """What the account holds. A fill may be on its way: ask a few times before it differs."""
    book, broker = run.adapter.book, run.adapter.broker
    for _ in range(TRIES):
        ours, theirs = book.net() + book.given_away, broker.net(book.terms.symbol)
        if abs(ours - theirs) < 1e-9:
            _drop_ended(run)
            return theirs
        time.sleep(run.pause())
        run.take_in()
    halt(run, Refused(Code.MISMATCH, f"the broker has {theirs:g}, our records {ours:g}"))


def _drop_ended(run: Runner) -> None:
    """The broker knows nothing of an order, and positions agree: it ended while we were away.

    An exit that is waited for in vain would keep its position open for ever."""
    known = run.adapter.broker.orders()
    for name, placed in run.adapter.book.placed.items():
        if placed.state == "sent" and name not in known:
            run.adapter.note("outcome", client_id=name, state="cancelled")
            run.audit.write("order_unknown_there", id=name)


def _resume(run: Runner) -> None:
    """What was intended but not noted as sent is sent now; a broker that has it says so."""
    stopping = run.asked_to_stop() is not None
    if stopping or (run.decided >= 0 and run.by != run.adapter.owner):
        _let_go(run)
    for placed in _intended(run):
        error = run.adapter.send(placed.ticket, placed.good_for, placed.comment)
        run.told("resumed", placed.ticket.client_id, error)
    if run.decided > run.finished:
        run.execute(_last_decision(run))
        run.finish()
    run.stop_if_told()
    book = run.adapter.book
    if book.bars and run.decided < len(book.bars) - 1 and not stopping:
        run.adapter.catch_up()
        run.choose()


def _intended(run: Runner) -> list[Placed]:
    return [p for p in run.adapter.book.placed.values() if p.state == "intended"]


def _let_go(run: Runner) -> None:
    """Whoever was told to stop, or follows another version, sends nothing that was left over.

    What did arrive at the broker is kept."""
    known = run.adapter.broker.orders()
    for placed in _intended(run):
        name = placed.ticket.client_id
        there = name in known and known[name].standing != Standing.REJECTED
        run.adapter.note("outcome", client_id=name, state="sent" if there else "refused")
        run.audit.write("left_over", id=name, there=there)
    run.finish()


def _last_decision(run: Runner) -> Decision:
    found = [r for r in run.adapter.journal.read() if r["kind"] == "decided"][-1]
    told = found["decision"]
    return Decision(tuple(told["exits"]), told["entry"])  # type: ignore[index]
