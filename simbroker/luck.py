"""How much of a Sharpe ratio luck alone explains. Pure; ratios are per period, not per year.

Sources, by the letters used below:
[F] D. H. Bailey, M. Lopez de Prado: The Sharpe Ratio Efficient Frontier.
    Journal of Risk 15(2), 2012, p. 3-44.
[D] D. H. Bailey, M. Lopez de Prado: The Deflated Sharpe Ratio. Journal of Portfolio
    Management 40(5), 2014, p. 94-107.
[P] D. H. Bailey, J. Borwein, M. Lopez de Prado, Q. J. Zhu: Pseudo-Mathematics and Financial
    Charlatanism. Notices of the AMS 61(5), 2014, p. 458-471.
"""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

NORMAL = NormalDist()
EULER = 0.5772156649015329
SURE = 0.95
"""A test passes from here on: one skill-less strategy in twenty does."""
FEW_RETURNS, FEW_TRADES, FEW_LOSSES = 30, 30, 5
"""With fewer, a lucky streak looks like skill: most of the returns are 0, or the losses that would
come some day are not there yet, and the formulas cannot see what is missing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Returns as far as these formulas ask: how many, Sharpe per period, skewness, kurtosis.

    The kurtosis of a normal distribution is 3.
    """

    count: int
    sharpe: float
    skewness: float = 0.0
    kurtosis: float = 3.0


def lacks(returns: int | None, trades: int, losses: int) -> tuple[str, ...]:
    """What is missing to tell skill from luck; nobody gives a verdict while anything is.

    `returns` is None where nobody knows how many; `losses` are the trades that did not win.
    """
    found = []
    if returns is not None and returns < FEW_RETURNS:
        told = _only(returns, "daily return")
        found.append(f"{told}: {_few(FEW_RETURNS)} Try it on more days.")
    if trades < FEW_TRADES:
        found.append(f"{_only(trades, 'trade')}: {_few(FEW_TRADES)} Try it on more bars.")
    elif losses < FEW_LOSSES:
        lost = f"Only {losses} of {trades} trades did not win"
        found.append(f"{lost}: {_few(FEW_LOSSES)} Try it on more bars.")
    return tuple(found)


def _only(count: int, what: str) -> str:
    return f"Only {count} {what}{'s' * (count != 1)}"


def _few(least: int) -> str:
    return f"too few to tell skill from luck. It takes {least}."


def best_of(trials: int, deviation: float = 1.0) -> float:
    """The largest Sharpe ratio to expect of so many independent trials without skill.

    E[max] = s * ((1 - g) * Z(1 - 1/N) + g * Z(1 - 1/(N e))), where Z is the inverse of the normal
    distribution, g Euler's constant, s the deviation of the trials' ratios. [P], [D]. One trial is
    no choice: 0.
    """
    if trials < 2:
        return 0.0
    first, second = 1.0 - 1.0 / trials, 1.0 - 1.0 / (trials * math.e)
    return deviation * ((1.0 - EULER) * NORMAL.inv_cdf(first) + EULER * NORMAL.inv_cdf(second))


def luck(trials: int, count: int, between: float = 0.0) -> float:
    """`best_of` with the deviation `between` the ratios of the trials, as [D] has it, but never
    less than 1 / sqrt(count - 1): so far a ratio of `count` returns deviates from 0 by chance alone
    (`error_of` a ratio of 0). Of fewer than two trials `between` is not known: 0.

    Trials that differ by more than chance raise it; trials that resemble each other do not lower
    it.
    """
    return best_of(trials, max(between, 1.0 / math.sqrt(count - 1))) if count > 1 else 0.0


def error_of(shape: Shape) -> float:
    """Standard error: sqrt((1 - skew * SR + (kurtosis - 1) / 4 * SR^2) / (T - 1)). [F]."""
    spread = 1.0 - shape.skewness * shape.sharpe + (shape.kurtosis - 1.0) / 4.0 * shape.sharpe**2
    return math.sqrt(max(spread, 0.0) / (shape.count - 1))


def probabilistic(shape: Shape, least: float = 0.0) -> float | None:
    """The probability that the true ratio is above `least`: Phi((SR - least) / error). [F].

    None where the returns are too few, or such that the formula has no meaning.
    """
    error = error_of(shape) if shape.count > 1 else 0.0
    return NORMAL.cdf((shape.sharpe - least) / error) if error > 0.0 else None


def deflated(shape: Shape, trials: int, between: float = 0.0) -> float | None:
    """The probability that the true ratio is above what luck gives for so many trials. [D],
    with the deviation between trials that `luck` takes."""
    return probabilistic(shape, luck(trials, shape.count, between))


def least_count(shape: Shape, least: float = 0.0, sure: float = SURE) -> float | None:
    """Minimum track record length: how many returns until `probabilistic` reaches `sure`.

    1 + (1 - skew * SR + (kurtosis - 1) / 4 * SR^2) * (Z(sure) / (SR - least))^2. [F].
    None where the ratio is not above `least`: then no length is enough.
    """
    if shape.sharpe <= least:
        return None
    spread = error_of(replace(shape, count=2))
    return 1.0 + (spread * NORMAL.inv_cdf(sure) / (shape.sharpe - least)) ** 2


def enough(shape: Shape, trials: int, between: float = 0.0, sure: float = SURE) -> float | None:
    """How many returns until `deflated` reaches `sure`, if they go on like these.

    What luck gives falls with T as well: so `least_count` with the luck of today asks for too many.
    (SR - best / sqrt(T - 1)) * sqrt(T - 1) = Z(sure) * spread, where spread is `error_of` times
    sqrt(T - 1), gives T = 1 + ((Z(sure) * spread + best_of(N)) / SR)^2. From [D] and [F].
    A deviation `between` trials that exceeds chance stays as it is: then `least_count` above its
    best may be more, and the larger of both is enough.
    None where the ratio is not above 0, nor above that best: then no length is enough.
    """
    fixed = least_count(shape, best_of(trials, between), sure)
    if shape.sharpe <= 0.0 or fixed is None:
        return None
    spread = error_of(replace(shape, count=2))
    falls = 1.0 + ((NORMAL.inv_cdf(sure) * spread + best_of(trials)) / shape.sharpe) ** 2
    return max(falls, fixed)
