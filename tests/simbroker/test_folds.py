"""Stretches of a run, and how often the best choice on some was a mistake on the others."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simbroker import folds
from simbroker.folds import Fold, overfitting, split
from tests.simbroker import cscv


def matrix(returns: cscv.Matrix, parts: int = folds.FOLDS) -> list[tuple[Fold, ...]]:
    return [split(column.tolist(), parts) for column in returns.T]


def test_stretches_are_equal_and_lose_nothing() -> None:
    assert folds.edges(19, 8) == [0, 3, 6, 9, 11, 13, 15, 17, 19]
    returns = [0.01 * n for n in range(19)]
    parts = split(returns)
    assert sum(p.count for p in parts) == 19
    assert math.fsum(p.total for p in parts) == pytest.approx(sum(returns))
    whole = sum(parts, Fold(0, 0.0, 0.0))
    assert whole.sharpe == pytest.approx(np.mean(returns) / np.std(returns, ddof=1))


def test_too_few_returns_have_no_stretches() -> None:
    assert split([0.01] * 15) == ()
    assert len(split([0.01] * 16)) == 8


def test_the_published_case_in_which_every_choice_is_wrong() -> None:
    """The paper's first case: noise whose mean is taken out. What was won in one half must then be
    lost in the other, so the best of one half is always below the median."""
    made = np.random.default_rng(1).normal(0, 1, (1000, 100))
    assert overfitting(matrix((made - made.mean(axis=0)) / made.std(axis=0))) == 1.0


@given(st.integers(0, 2**32), st.integers(2, 9), st.sampled_from((2, 4, 6, 8)), st.integers(2, 9))
def test_it_is_what_the_paper_says_step_by_step(
    seed: int, trials: int, parts: int, size: int
) -> None:
    """Odd and even numbers of trials: with an odd one the median itself is a logit of 0."""
    rng = np.random.default_rng(seed)
    made = rng.normal(rng.normal(0, 0.3, trials), 1, (parts * size, trials))
    assert overfitting(matrix(made, parts)) == pytest.approx(cscv.overfitting(made, parts))


def test_a_case_for_paper_and_pencil() -> None:
    """Two trials, four stretches of two returns, m - 1 and m + 1. For two stretches with the means
    a and b the ratio is then (a + b) / 2 / sqrt((4 + (a - b)^2) / 3).

    The means are 2 2 -1 -1 and 0 0 1 1. Chosen on stretches 1 and 2, the first (1.73 against 0) is
    the worse on 3 and 4 (-0.87 against 0.87): a mistake, and so is the second, chosen on 3 and 4.
    One of each leaves the second ahead on both sides (0.39 against 0.24), four times: 2 of 6.
    """
    means = zip((2, 2, -1, -1), (0, 0, 1, 1), strict=True)
    made = np.array([[a + d, b + d] for a, b in means for d in (-1.0, 1.0)])
    assert overfitting(matrix(made, 4)) == pytest.approx(1 / 3)
    assert cscv.overfitting(made, 4) == pytest.approx(1 / 3)


def test_equals_share_their_rank() -> None:
    """Means 2 2 1 1 and 1 1 2 2: one of each makes them equal on both sides, and that is the
    median, so no choice is better than it."""
    means = zip((2, 2, 1, 1), (1, 1, 2, 2), strict=True)
    made = np.array([[a + d, b + d] for a, b in means for d in (-1.0, 1.0)])
    assert overfitting(matrix(made, 4)) == 1.0 == cscv.overfitting(made, 4)


def test_the_more_skill_one_has_the_less_the_choice_is_a_mistake() -> None:
    """One strategy with skill among such noise: 3 a year is never chosen by mistake, 2 seldom, and
    1 more often than not."""
    found = {}
    for yearly in (1, 2, 3):
        rates = []
        for seed in range(6):
            made = np.random.default_rng(seed).normal(0, 1, (1000, 100))
            made = (made - made.mean(axis=0)) / made.std(axis=0, ddof=1)
            made[:, 0] += yearly / math.sqrt(250)
            rates.append(overfitting(matrix(made)) or 0.0)
        found[yearly] = float(np.mean(rates))
    assert found[3] < 0.05 < found[2] < 0.5 < found[1]


def test_among_equals_the_choice_is_a_coin() -> None:
    rates = []
    for seed in range(30):
        made = np.random.default_rng(seed).normal(0, 0.01, (480, 12))
        rates.append(overfitting(matrix(made)))
    assert np.mean([r for r in rates if r is not None]) == pytest.approx(0.5, abs=0.08)


def test_one_trial_or_trials_of_other_bars_say_nothing() -> None:
    one = split([0.01, -0.02] * 20)
    assert overfitting([one]) is None
    assert overfitting([one, one]) is None, "the same strategy looked at twice is no choice"
    assert overfitting([one, split([0.01, -0.02] * 30)]) is None
    assert overfitting([(), ()]) is None


def test_a_flat_stretch_earns_nothing() -> None:
    assert Fold(10, 0.1, 0.001).sharpe == 0.0
    assert Fold(1, 0.1, 0.01).sharpe == 0.0
