"""The formulas about luck against what their authors published, and against no skill at all."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from simbroker import luck
from simbroker import statistics as ours
from simbroker.luck import SURE, Shape
from simbroker.run import Floats
from simbroker.terms import FREE, Terms
from tests.simbroker.scripted import Ask, Scripted, play, table

Columns = NDArray[np.float64]
DAILY = math.sqrt(250)
# The example of "The Deflated Sharpe Ratio": 5 years of days, 2.5 a year, trials that vary by 1/2.
FOUND = Shape(1250, 2.5 / DAILY, -3.0, 10.0)
BETWEEN = math.sqrt(0.5) / DAILY


def test_the_published_example_of_the_deflated_ratio() -> None:
    least = luck.best_of(100, BETWEEN)
    assert least == pytest.approx(0.1132, abs=5e-5)
    assert luck.probabilistic(FOUND, least) == pytest.approx(0.9004, abs=5e-5)
    assert luck.luck(100, 1250, BETWEEN) == least
    assert luck.deflated(FOUND, 100, BETWEEN) == pytest.approx(0.9004, abs=5e-5)


def test_trials_that_resemble_each_other_do_not_lower_what_luck_gives() -> None:
    chance = 1 / math.sqrt(1249)
    assert luck.luck(100, 1250, chance / 2) == luck.luck(100, 1250) == luck.best_of(100, chance)


@pytest.mark.parametrize(
    ("trials", "shape"), [(46, FOUND), (88, Shape(1250, 2.5 / DAILY))], ids=["fat tails", "normal"]
)
def test_so_many_trials_may_be_made_before_the_find_is_luck(trials: int, shape: Shape) -> None:
    """The same paper: 46 trials, or 88 had the returns been normal, leave 0.9505."""
    left = luck.deflated(shape, trials, BETWEEN)
    assert left == pytest.approx(0.9505, abs=5e-5)
    more = luck.deflated(shape, trials + 1, BETWEEN)
    assert left is not None and more is not None and more < SURE < left


@pytest.mark.parametrize(
    ("shape", "told"), [(Shape(24, 0.458), 0.982), (Shape(24, 0.458, -2.448, 10.164), 0.913)]
)
def test_the_published_example_of_the_probabilistic_ratio(shape: Shape, told: float) -> None:
    """ "The Sharpe Ratio Efficient Frontier": two years of months."""
    assert luck.probabilistic(shape) == pytest.approx(told, abs=5e-4)


@pytest.mark.parametrize(
    ("periods", "skewness", "kurtosis", "years"),
    [(250, 0.0, 3.0, 2.73), (52, 0.0, 3.0, 2.83), (12, 0.0, 3.0, 3.24), (12, -0.72, 5.78, 4.99)],
)
def test_the_published_track_records(
    periods: int, skewness: float, kurtosis: float, years: float
) -> None:
    """The same paper: how long until 2 a year is above 1 a year."""
    root = math.sqrt(periods)
    count = luck.least_count(Shape(2, 2 / root, skewness, kurtosis), 1 / root)
    assert count is not None and count / periods == pytest.approx(years, abs=5e-3)
    enough = Shape(math.ceil(count), 2 / root, skewness, kurtosis)
    short = Shape(math.floor(count) - 1, 2 / root, skewness, kurtosis)
    assert (
        (luck.probabilistic(short, 1 / root) or 1)
        < SURE
        <= (luck.probabilistic(enough, 1 / root) or 0)
    )


@pytest.mark.parametrize("trials", [1, 2, 60])
@pytest.mark.parametrize("between", [0.0, 0.01])
@pytest.mark.parametrize("shape", [FOUND, Shape(250, 0.03), Shape(40, 0.2, 1.5, 9.0)])
def test_with_enough_returns_the_deflated_ratio_is_reached(
    shape: Shape, between: float, trials: int
) -> None:
    count = luck.enough(shape, trials, between)
    assert count is not None
    short, long = (
        luck.deflated(replace(shape, count=n), trials, between)
        for n in (math.floor(count), math.ceil(count))
    )
    assert short is not None and long is not None and short < SURE <= long


def test_the_published_maxima_of_luck() -> None:
    """ "Pseudo-Mathematics": 1.57 of 10 trials in a year; 1 of 45 in five years, of 7 in two."""
    assert luck.best_of(10) == pytest.approx(1.57, abs=5e-3)
    assert luck.best_of(45) / math.sqrt(5) <= 1.0 < luck.best_of(46) / math.sqrt(5)
    assert luck.best_of(7) / math.sqrt(2) <= 1.0 < luck.best_of(8) / math.sqrt(2)


def test_where_there_is_nothing_to_say_nothing_is_said() -> None:
    assert luck.probabilistic(Shape(1, 0.1)) is None
    assert luck.least_count(Shape(100, 0.1), least=0.1) is None
    assert luck.enough(Shape(100, 0.0), 1) is None and luck.enough(Shape(100, -0.1), 9) is None
    assert luck.enough(Shape(100, 0.1), 9, between=0.1) is None, "luck gives more than 0.1"
    assert luck.luck(1, 250) == 0.0 and luck.luck(9, 1) == 0.0
    assert luck.deflated(FOUND, 1) == luck.probabilistic(FOUND)


def best_of(returns: Columns) -> Floats:
    """The column with the highest ratio."""
    found: Floats = returns[:, np.argmax(returns.mean(axis=0) / returns.std(axis=0, ddof=1))]
    return found


def passes(returns: Columns, trials: int) -> bool:
    """The best of the columns, put to the test."""
    best = best_of(returns)
    ratio, skew, kurt = ours.sharpe(best, 1), ours.skewness(best), ours.kurtosis(best)
    assert ratio is not None and skew is not None and kurt is not None
    return (luck.deflated(Shape(len(best), ratio, skew, kurt), trials) or 0.0) >= SURE


@pytest.mark.parametrize("trials", [2, 4, 16, 64])
@pytest.mark.parametrize("tails", ["normal", "fat"])
def test_without_skill_at_most_one_in_twenty_passes(trials: int, tails: str) -> None:
    rng, worlds = np.random.default_rng(trials), 400
    passed = tricked = 0
    for _ in range(worlds):
        size = (250, trials)
        made = rng.normal(0, 0.01, size) if tails == "normal" else rng.standard_t(4, size) / 100
        passed += passes(made, trials)
        tricked += passes(made, 1)
    assert passed / worlds <= 0.05
    assert tricked / worlds > 0.05, "without counting trials, luck would have been taken for skill"


SPARSE = [(10, 0.8), (20, 0.9), (33, 0.9), (60, 0.95)]
"""Trades in 1500 days, and the part of them that wins a little; the others lose all of it."""
DENSER = [(30, 0.5), (40, 0.8), (100, 0.5), (100, 0.9), (300, 0.95)]
"""With these one look passes in one of twenty worlds by design, so two are the least here."""
ROWS = [(*row, n) for row in SPARSE for n in (1, 5)] + [(*row, n) for row in DENSER for n in (2, 5)]


def rarely(rng: np.random.Generator, trades: int, wins: float, looks: int) -> Columns:
    """Columns of days, most of them without a trade. Nobody has an edge: the mean is 0."""
    made = np.zeros((1500, looks))
    size = (trades, looks)
    lost = np.where(rng.random(size) < wins, 1.0 - wins, -wins)
    made[:: 1500 // trades][:trades] = lost * rng.lognormal(0, 0.5, size) / 100
    return made


@pytest.mark.parametrize(("trades", "wins", "looks"), ROWS)
def test_nor_does_it_where_trades_or_losses_are_few(trades: int, wins: float, looks: int) -> None:
    rng, worlds = np.random.default_rng(trades + looks), 600
    passed = tricked = 0
    for _ in range(worlds):
        made = rarely(rng, trades, wins, looks)
        best = best_of(made)
        unproved = luck.lacks(len(best), trades, trades - int((best > 0).sum()))
        found = passes(made, looks)
        passed += found and not unproved
        tricked += found
    assert passed / worlds <= 0.05
    if (trades, wins) in SPARSE:
        assert tricked / worlds > 0.05, "without asking for losses, luck would have been skill"


@pytest.mark.parametrize(
    ("returns", "trades", "losses", "told"),
    [
        (30, 30, 5, []),
        (None, 30, 5, []),
        (29, 30, 5, ["Only 29 daily returns"]),
        (30, 29, 9, ["Only 29 trades"]),
        (30, 60, 4, ["Only 4 of 60 trades did not win"]),
        (4, 2, 0, ["Only 4 daily returns", "Only 2 trades"]),
    ],
)
def test_what_is_missing_is_said(
    returns: int | None, trades: int, losses: int, told: list[str]
) -> None:
    found = luck.lacks(returns, trades, losses)
    assert [row.split(":")[0] for row in found] == told
    assert all("too few to tell skill from luck. It takes " in row for row in found)


def test_with_skill_it_passes() -> None:
    rng = np.random.default_rng(1)
    made = rng.normal(0, 0.01, (1000, 4)) + np.array([0.0, 0.0, 0.002, 0.0])
    assert passes(made, 4)


def coin(rng: np.random.Generator, bars: int) -> Scripted:
    """Buys or sells on a coin, and leaves a few bars later."""
    starts = range(1, bars - 8, 8)
    sides = {n: int(rng.choice((-1, 1))) for n in starts}
    return Scripted(
        {n: Ask(side) for n, side in sides.items()},
        exit_long={n + 5: "coin" for n, side in sides.items() if side > 0},
        exit_short={n + 5: "coin" for n, side in sides.items() if side < 0},
    )


def test_strategies_that_toss_a_coin_do_not_pass() -> None:
    """Through the broker: 60 requests, each the best of 5 looks at the same bars."""
    rng, bars, looks, requests = np.random.default_rng(5), 250, 5, 60
    terms = Terms(symbol="X", initial_balance=1000.0, costs=FREE, leverage=10.0)
    passed = 0
    for _ in range(requests):
        closes = 100 * np.exp(np.cumsum(rng.normal(0, 0.01, bars)))
        rows = [(a, max(a, b), min(a, b), b) for a, b in zip(closes, closes[1:], strict=False)]
        runs = [play(coin(rng, bars), table(rows), terms) for _ in range(looks)]
        passed += passes(np.column_stack([ours.daily_returns(r) for r in runs]), looks)
    assert passed / requests <= 0.05
