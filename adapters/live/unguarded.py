"""Positions whose stop is not at the broker: refused, called off, or taken away by somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.text.live import no_stop

if TYPE_CHECKING:
    from adapters.live.runner import Runner


POLLS = 2
"""An exit that is on its way for longer than so many polls guards nobody."""


def find(run: Runner) -> list[str]:
    """Those that were opened with a stop, have none now, and no exit that was sent just now."""
    book = run.adapter.book
    meant = [n for n, h in book.held.items() if book.placed[n].ticket.sl is not None]
    bare = [name for name in meant if run.polls.get(book.held[name].leaving, 0) > POLLS
            or not book.held[name].leaving]  # fmt: skip
    stops = run.adapter.broker.stops() if bare else frozenset()
    return [name for name in bare if name not in stops]


def watch(run: Runner) -> None:
    """Once a poll: when an exit takes too long, ask the broker about it."""
    exits = [held.leaving for held in run.adapter.book.held.values() if held.leaving]
    run.polls = {name: run.polls.get(name, 0) + 1 for name in exits}
    late = {name for name, count in run.polls.items() if count > POLLS}
    if not late:
        return
    run.take_in()
    if not late <= set(run.adapter.broker.orders()):
        run.agree()  # which gives up an exit that the broker does not know
    close(run)


def close(run: Runner) -> None:
    """Out at the market: without its stop it is not the position that was approved."""
    drop_left_over(run)
    _leave_passed(run)
    for name in find(run):
        leaving = run.adapter.book.held[name].leaving
        if leaving:
            _alarm(run, name, leaving)
            continue
        run.audit.write("unguarded", id=name)
        run.say(no_stop(name, "It is closed at the market."))
        done = run.adapter.close_position(name, reason="its stop is gone")
        run.told("unguarded", name, str(done.get("error", "")))
    run.stop_if_told()


def _leave_passed(run: Runner) -> None:
    """The broker has not moved a stop to its level from the fill, and a close lies beyond that."""
    book = run.adapter.book
    for name, (stop, _) in book.unmoved().items():
        side = book.held[name].holding.side
        if stop is None or not book.bars or side * (book.bars[-1].close - stop) > 0:
            continue
        run.audit.write("stop_passed", id=name, stop=stop)
        done = run.adapter.close_position(name, reason="its stop was passed")
        run.told("stop_passed", name, str(done.get("error", "")))


def _alarm(run: Runner, name: str, exit_: str) -> None:
    """Once for each exit. Another one would sell the position twice."""
    if exit_ not in run.alarmed:
        run.alarmed.add(exit_)
        run.audit.write("unguarded", id=name, exit=exit_)
        run.say(no_stop(name, "Its exit was sent and is not done: close it there if need be."))


def drop_left_over(run: Runner) -> None:
    """A stop or a target without its position would open a new one."""
    book = run.adapter.book
    over = [n for n, p in book.placed.items() if p.state not in ("intended", "sent") and p.filled]
    closed = frozenset(n for n in over if n not in book.held and n not in book.handed)
    for name in run.adapter.broker.drop_protection(closed) if closed else ():
        run.audit.write("protection_dropped", id=name)


def tell(run: Runner) -> list[str]:
    """For a run that ends and may send nothing more: whoever looks must know. Never fails."""
    try:
        bare = find(run)
    except Exception as error:  # the end of a run counts more
        run.note("stops_not_seen", why=f"{type(error).__name__}: {error}")
        return []
    for name in bare:
        run.note("unguarded", id=name)
        run.say(no_stop(name, "The position stays: close it, or set a stop by hand."))
    return bare
