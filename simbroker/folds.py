"""A run in equal stretches of time: how each went, and how often choosing was a mistake."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

FOLDS = 8
LEAST = 2 * FOLDS
"""With fewer returns a stretch has no deviation."""


@dataclass(frozen=True, slots=True)
class Fold:
    """The returns of one stretch: how many, their sum, the sum of their squares."""

    count: int
    total: float
    squares: float

    def __add__(self, other: "Fold") -> "Fold":
        return Fold(
            self.count + other.count, self.total + other.total, self.squares + other.squares
        )

    @property
    def sharpe(self) -> float:
        """mean / std, per return. Without deviation there is nothing to earn it with: 0."""
        if self.count < 2:
            return 0.0
        mean = self.total / self.count
        spread = (self.squares - self.count * mean * mean) / (self.count - 1)
        return mean / math.sqrt(spread) if spread > 1e-24 else 0.0


def edges(count: int, folds: int = FOLDS) -> list[int]:
    """Where stretches begin and end: as equal as can be, the longer ones first."""
    size, more = divmod(count, folds)
    return [n * size + min(n, more) for n in range(folds + 1)]


def split(returns: Sequence[float], folds: int = FOLDS) -> tuple[Fold, ...]:
    """One after the other, nothing fitted in between. None of them where there are too few."""
    if len(returns) < 2 * folds:
        return ()
    ends = edges(len(returns), folds)
    parts = [returns[a:b] for a, b in zip(ends, ends[1:], strict=False)]
    return tuple(Fold(len(part), math.fsum(part), math.fsum(r * r for r in part)) for part in parts)


def overfitting(trials: Sequence[Sequence[Fold]]) -> float | None:
    """Probability of backtest overfitting, by combinatorially symmetric cross-validation: of all
    ways to take half of the stretches, how often is the trial that is best there (by Sharpe ratio)
    no better than the median trial on the other half?

    D. H. Bailey, J. Borwein, M. Lopez de Prado, Q. J. Zhu: The Probability of Backtest Overfitting.
    Journal of Computational Finance 20(4), 2017. 0.5 is what choosing among equals gives.
    `tests/simbroker/cscv.py` does it again by the letter of the paper, and finds the same.
    None with fewer than two different trials, or trials of different lengths.
    """
    different = list(dict.fromkeys(tuple(t) for t in trials))
    shapes = {tuple(fold.count for fold in trial) for trial in different}
    if len(different) < 2 or len(shapes) != 1 or len(different[0]) < 2:
        return None
    count = len(different[0])
    chosen = list(combinations(range(count), count // 2))
    bad = sum(_fails(different, set(half)) for half in chosen)
    return bad / len(chosen)


def _fails(trials: Sequence[Sequence[Fold]], half: set[int]) -> bool:
    inside = [_sharpe(t, lambda n: n in half) for t in trials]
    outside = [_sharpe(t, lambda n: n not in half) for t in trials]
    best = outside[inside.index(max(inside))]
    below, same = sum(o < best for o in outside), outside.count(best)
    rank = below + (same + 1) / 2
    return rank / (len(trials) + 1) <= 0.5


def _sharpe(trial: Sequence[Fold], takes: Callable[[int], bool]) -> float:
    return sum((f for n, f in enumerate(trial) if takes(n)), Fold(0, 0.0, 0.0)).sharpe
