"""Stretches of a run, and how often the best choice on some was a mistake on the others."""

import math

import numpy as np
import pytest

from simbroker import folds
from simbroker.folds import Fold, overfitting, split


def matrix(returns: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> list[tuple[Fold, ...]]:
    return [split(column.tolist()) for column in returns.T]


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
