"""Positions whose stop is not at the broker: refused, called off, or taken away by somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.text.live import no_stop

if TYPE_CHECKING:
    from adapters.live.runner import Runner


def find(run: Runner) -> list[str]:
    """Those that were opened with a stop, have none now, and have no exit on its way."""
    book = run.adapter.book
    meant = [n for n, h in book.held.items() if book.placed[n].ticket.sl is not None]
    bare = [name for name in meant if not book.held[name].leaving]
    stops = run.adapter.broker.stops() if bare else frozenset()
    return [name for name in bare if name not in stops]


def close(run: Runner) -> None:
    """Out at the market: without its stop it is not the position that was approved."""
    for name in find(run):
        run.audit.write("unguarded", id=name)
        run.say(no_stop(name, "It is closed at the market."))
        done = run.adapter.close_position(name, reason="its stop is gone")
        run.told("unguarded", name, str(done.get("error", "")))
    run.stop_if_told()


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
