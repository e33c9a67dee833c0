"""Rules that depend on the position or on past trades: trails, time, cool-downs, once a day."""

from collections.abc import Callable

import numpy as np

from tests.requests.bars import Bars, Floats, Ints, Mask
from tests.requests.engine import Book, Held, Trade
from tests.requests.plan import Allow, Leave


def after(bars: int, count: str = "fill") -> Leave:
    """Counted from the bar of the fill, or from the bar that was decided on."""

    def leave(held: Held, idx: int) -> bool:
        return idx - (held.entry if count == "fill" else held.signal) >= bars

    return leave


def either(*rules: Leave) -> Leave:
    return lambda held, idx: any(rule(held, idx) for rule in rules)


def best_close(bars: Bars, held: Held, idx: int, since: str) -> float:
    """The mark of a trail: it starts with the fill bar's close, the decided close or the price."""
    start = held.signal if since == "signal" else held.entry
    marks = bars.close[start : idx + 1]
    best = float(marks.max() if held.side > 0 else marks.min())
    if since != "price":
        return best
    return max(best, held.price) if held.side > 0 else min(best, held.price)


def trail(bars: Bars, distance: Callable[[float, int], float], since: str) -> Leave:
    """Leave when a close is this far from the best close; the distance may read mark and bar."""

    def leave(held: Held, idx: int) -> bool:
        best = best_close(bars, held, idx, since)
        return bool(held.side * (best - bars.close[idx]) >= distance(best, idx))

    return leave


def trail_percent(bars: Bars, percent: float, since: str) -> Leave:
    return trail(bars, lambda best, _: best * percent / 100.0, since)


def trail_by(bars: Bars, distance: Floats, since: str) -> Leave:
    return trail(bars, lambda _, idx: float(distance[idx]), since)


def gained(bars: Bars, held: Held, idx: int) -> Floats:
    """What each close since the fill bar, up to `idx`, was ahead of the entry price."""
    gains: Floats = held.side * (bars.close[held.entry : idx + 1] - held.price)
    return gains


def at_most(period: Ints, most: int = 1, by: str = "signal") -> Allow:
    """So many trades in one period, by the decision bar or by the bar of the fill."""

    def allow(idx: int, side: int, book: Book) -> bool:
        now = idx if by == "signal" else idx + 1
        taken: list[Trade | Held] = [*book.trades, *book.held]
        periods = [period[t.signal if by == "signal" else t.entry] for t in taken]
        return periods.count(period[now]) < most

    return allow


def per_day(bars: Bars, most: int = 1, by: str = "signal") -> Allow:
    return at_most(bars.date, most, by)


def first_in(period: Ints, mask: Mask) -> Mask:
    """Only the first true bar of each period."""
    out, seen = np.zeros(len(mask), np.bool_), -1
    for i in np.flatnonzero(mask):
        out[i], seen = period[i] != seen, int(period[i])
    return out


def cool_down(bars: int, kinds: tuple[str, ...] = ("sl", "tp", "signal")) -> Allow:
    """No entry is decided before this many bars after the bar of such an exit."""

    def allow(idx: int, side: int, book: Book) -> bool:
        return all(idx - t.exit >= bars for t in book.trades if t.kind in kinds)

    return allow


def flat_first(idx: int, side: int, book: Book) -> bool:
    """A misreading of a reversal: waits for the next signal after an exit."""
    return not book.held
