"""How well two lists of trades agree, pooled over the data sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose

from tests.requests.engine import Trade

ENOUGH, PRICE, SIZE = 0.97, 1e-4, 0.011
Runs = Mapping[str, Sequence[Trade]]


@dataclass(frozen=True)
class Agreement:
    """F1 of (bar, side); of the same entries the same exit bar and kind; F1 of whole trades."""

    entries: float
    exits: float
    trades: float
    got: int
    want: int

    @property
    def passed(self) -> bool:
        return min(self.entries, self.exits, self.trades) >= ENOUGH


def compare(got: Runs, want: Runs, check_volume: bool = False) -> Agreement:
    mine = {(name, t.signal, t.side): t for name, run in got.items() for t in run}
    theirs = {(name, t.signal, t.side): t for name, run in want.items() for t in run}
    pairs = [(mine[key], theirs[key]) for key in mine.keys() & theirs.keys()]
    exits = sum(a.exit == b.exit and a.kind == b.kind for a, b in pairs)
    whole = sum(_same(a, b, check_volume) for a, b in pairs)
    both = sum(map(len, got.values())) + sum(map(len, want.values()))
    return Agreement(
        2 * len(pairs) / both if both else 1.0,
        exits / len(pairs) if pairs else 0.0,
        2 * whole / both if both else 1.0,
        sum(map(len, got.values())),
        sum(map(len, want.values())),
    )


def _same(a: Trade, b: Trade, check_volume: bool) -> bool:
    return (
        (a.exit, a.kind) == (b.exit, b.kind)
        and isclose(a.entry_price, b.entry_price, rel_tol=PRICE)
        and isclose(a.exit_price, b.exit_price, rel_tol=PRICE)
        and (not check_volume or _same_size(a.volume, b.volume))
    )


def _same_size(a: float | None, b: float | None) -> bool:
    return a is not None and b is not None and isclose(a, b, rel_tol=SIZE)
