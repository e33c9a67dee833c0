"""How a live run ends: halted, taken back or stopped; what happens to entries and positions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NoReturn

from adapters.live import unguarded
from adapters.live.sim import Over
from bot.live import machine
from bot.live.gate import way_back
from bot.live.refused import Code, Refused
from schemas.live import OnRollback

if TYPE_CHECKING:
    from adapters.live.runner import Runner

TRIES = 5


def look_for_halt(run: Runner) -> None:
    """The file on this machine, then what the repository says."""
    if machine.there(run.halt_file()):
        run.halting = True
        call_off(run)
        raise Refused(Code.HALTED, str(run.halt_file()))
    said = run.listen().halted
    how = way_back(said)
    if how is not None:
        run.stopping = None  # else each exit that goes out would look for it again, without end
        halt(run, Refused(Code.TAKEN_BACK, f"{said}; {stop(run, how)}"))
    if said:
        halt(run, Refused(Code.HALTED_THERE, said))


def halt(run: Runner, why: Refused) -> NoReturn:
    """No more trading, also after a restart, until a person takes the file away."""
    run.halting = True
    try:
        if not machine.there(run.halt_file()):
            machine.replace(run.halt_file(), f"{why}\n")
    except OSError as error:  # a full disk is no reason to leave entries at the broker
        run.note("no_halt_file", why=str(error))
    call_off(run)
    run.note("halted", code=why.code, why=why.detail)
    raise why


def call_off(run: Runner) -> None:
    """Entries that wait are cancelled, positions stay with their stops. Never fails."""
    held = [str(p["position_id"]) for p in run.adapter.get_positions()]
    run.note("calling_off", positions_stay=held)
    unguarded.tell(run)
    for placed in run.adapter.book.working():
        name = placed.ticket.client_id
        try:
            done = run.adapter.cancel_order(name)
        except Exception as error:  # the halt counts more than the reason
            run.note("not_cancelled", id=name, why=f"{type(error).__name__}: {error}")
        else:
            run.note("cancelled" if done else "not_cancelled", id=name)


def stop(run: Runner, how: OnRollback) -> str:
    """End cleanly. Entries that still work are cancelled; positions as was asked for."""
    _entries_gone(run)
    if how == OnRollback.FLATTEN:
        _flatten(run)
    else:
        unguarded.tell(run)
    if how == OnRollback.HANDOVER:
        run.adapter.note("handed_over")
    run.stop_file().unlink(missing_ok=True)
    left = len(run.adapter.book.held)
    still = f", positions still open: {left}" if left and how == OnRollback.FLATTEN else ""
    return f"stopped: {how}{still}"


def _entries_gone(run: Runner) -> None:
    """Cancel entries that wait. One that cannot be cancelled was filled: wait until it is told."""
    for _ in range(TRIES):
        for placed in run.adapter.book.working():
            run.adapter.cancel_order(placed.ticket.client_id)
        run.take_in()
        if not run.adapter.book.working():
            return
        time.sleep(run.pause())


def _flatten(run: Runner) -> None:
    """Close everything and wait until the broker says so. A refused exit goes again next bar.

    A signal ends the waiting: a market that is closed for days must not hold up anybody."""
    tried, book = -1, run.adapter.book
    while book.held and not run.ended_by_signal:
        if tried != len(book.bars):
            tried = len(book.bars)
            _close_all(run)
        if machine.there(run.halt_file()):
            look_for_halt(run)
        try:
            for bar in run.adapter.broker.bars(run.newest()):
                run.keep(bar)
        except Over:
            return
        run.take_in()
        unguarded.watch(run)
        time.sleep(run.pause())
    run.agree()
    unguarded.drop_left_over(run)


def _close_all(run: Runner) -> None:
    """An exit for every position that has none on its way."""
    for held in run.adapter.get_positions():
        name = str(held["position_id"])
        if not run.adapter.book.held[name].leaving:
            closed = run.adapter.close_position(name, reason="flatten")
            run.told("flatten", name, str(closed.get("error", "")))
    run.stop_if_told()
