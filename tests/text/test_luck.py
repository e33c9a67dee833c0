"""Skill or luck, as the comment on a pull request tells it."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from bot.text import luck
from bot.text.luck import skill
from bot.text.report import report_comment
from sandbox.figures import stretches
from schemas.base import TaskId
from schemas.report import Summary
from schemas.workflow import Opened, Workflow
from simbroker import folds
from simbroker import luck as theirs
from simbroker import statistics as ours
from tests.text import reported

DAYS = 1500


def _returns(seed: int, yearly: float) -> list[float]:
    """Daily, with this Sharpe ratio a year, exactly."""
    made = np.random.default_rng(seed).normal(0, 0.01, DAYS)
    made = (made - made.mean()) / made.std(ddof=1) * 0.01
    return [float(r) for r in made + yearly / math.sqrt(252) * 0.01]


def figures(seed: int, yearly: float) -> Summary:
    made = np.array(_returns(seed, yearly))
    return replace(
        reported.FIGURES,
        sharpe=ours.sharpe(made, 252),
        returns=DAYS,
        periods=252,
        skewness=ours.skewness(made),
        kurtosis=ours.kurtosis(made),
        folds=stretches(10_000.0, made.tolist()),
    )


def told(yearly: float, trials: int, *others: Summary) -> str:
    mine = figures(1, yearly)
    runs = tuple(reported.run(None, reported.OLD, True, s) for s in (*others, mine))
    return skill(replace(reported.delivery(), trials=trials, runs=runs), mine)


def test_a_high_ratio_after_few_looks_is_unlikely_to_be_luck() -> None:
    rows = told(2.0, 4)
    assert "Trials: 4." in rows
    assert "best of 4 strategies without any skill would show a Sharpe ratio of about 0.43" in rows
    assert "this one shows 2.00" in rows
    assert (
        "Deflated Sharpe ratio: more than 99.9% (95% are asked for): luck is an unlikely reason."
        in rows
    )


def test_the_same_ratio_after_many_looks_is_luck() -> None:
    few, many = told(1.2, 1), told(1.2, 60)
    assert "Deflated Sharpe ratio: 99.8%" in few and "unlikely" in few and "best of" not in few
    assert "about 0.96 here; this one shows 1.20" in many and "luck may be all there is" in many
    assert "like this, 2,791 returns are enough to tell; there are 1,500." in many
    assert "returns are enough" in told(0.9, 60), "what luck gives falls with the returns"
    assert "are enough" not in told(-0.1, 60), "with a ratio below 0 no length is enough"


def test_with_few_returns_nothing_is_claimed() -> None:
    short = replace(figures(1, 2.0), returns=29)
    rows = skill(reported.delivery(), short)
    assert "Only 29 daily returns: too few to tell skill from luck." in rows
    assert "Deflated" not in rows and "best of" not in rows


def test_with_few_trades_or_losses_nothing_is_claimed() -> None:
    """60 trades, of which 55 or 56 won; then 29 trades."""
    made = figures(1, 2.0)
    enough = skill(reported.delivery(), replace(made, total_trades=60, win_rate=55 / 60))
    assert "Deflated" in enough and "too few" not in enough
    for trades, wins, told in ((60, 56, "Only 4 of 60 trades did not win"), (29, 9, "Only 29 t")):
        few = replace(made, total_trades=trades, win_rate=wins / trades)
        rows = skill(reported.delivery(), few)
        assert f"{told}" in rows and "Deflated" not in rows and "best of" not in rows


def test_without_returns_nothing_is_claimed() -> None:
    """As in figures of an older version: how many there were is not known, so not said."""
    rows = skill(reported.delivery(), reported.FIGURES)
    assert "this run kept no daily returns" in rows and "Only" not in rows


def test_stretches_are_told_one_after_the_other() -> None:
    mine = figures(1, 2.0)
    rows = told(2.0, 4)
    assert len(mine.folds) == folds.FOLDS
    made = 10_000 * (1 + np.array(_returns(1, 2.0))).prod()
    assert float(10_000 + sum(f.net for f in mine.folds)) == pytest.approx(made, abs=0.05)
    fitted = "(walk-forward; nothing is fitted again in between)"
    opening = f"In 8 equal stretches of time, one after the other {fitted}: "
    assert f"{opening}{mine.folds[0].net:+,.2f}, " in rows and "Walking" not in rows
    assert f"{sum(f.net > 0 for f in mine.folds)} of 8 earned something" in rows


NOT_KNOWN = "overfitting: not known here."


def test_that_nothing_was_chosen_is_said_only_where_all_looks_are_known() -> None:
    assert NOT_KNOWN in told(2.0, 2), "one look of two is known"
    rows = "\n".join(luck.rows(9, (), figures(1, 2.0)))
    assert "Trials: 9." in rows and NOT_KNOWN in rows and "stratbot audit" in rows
    assert "none was chosen" not in rows
    entry = (reported.run(TaskId.ENTRY, reported.OLD, True, figures(1, 2.0)),)
    step = "\n".join(luck.rows(1, entry, figures(1, 2.0)))
    assert "overfitting: none to tell yet. The strategy is not whole" in step


def test_overfitting_needs_something_to_choose_from() -> None:
    alone = "overfitting: none to tell. One variant"
    assert alone in told(2.0, 1)
    assert alone in told(2.0, 2, figures(1, 2.0)), "the same twice is no choice"
    better = told(2.0, 4, figures(2, 0.0), figures(3, 0.0))
    assert "Probability of backtest overfitting: 0%, of 3 variants." in better
    assert "So few say little." in better
    many = told(2.0, 40, *(figures(n, 0.0) for n in range(2, 11)))
    assert ", of 10 variants." in many and "So few" not in many
    short = replace(figures(2, 0.0), folds=stretches(1.0, [0.01, -0.01] * 50))
    assert NOT_KNOWN in told(2.0, 2, short), "other bars cannot be set beside these"
    assert "of 2 variants" in told(2.0, 4, short, figures(2, 0.0)), "nor do they hide the rest"


def test_a_step_that_is_not_whole_is_no_variant() -> None:
    """Nobody would choose a strategy that cannot leave its positions yet."""
    mine = figures(1, 2.0)
    steps = (TaskId.INDICATORS, TaskId.ENTRY)
    runs = [reported.run(s, reported.OLD, True, figures(n, 0.0)) for n, s in enumerate(steps, 2)]
    runs += [reported.run(where, reported.OLD, True, mine) for where in (TaskId.EXIT, None)]
    rows = skill(replace(reported.delivery(), trials=4, runs=tuple(runs)), mine)
    assert "overfitting: none to tell. One variant" in rows


def with_look() -> Workflow:
    sealed = replace(reported.FIGURES, net_pnl=Decimal("-3.21"), total_trades=9, sharpe=None)
    opened = Opened(sha=reported.WHOLE, at=reported.AT, summary=sealed)
    return replace(reported.delivery(), opened=opened)


def test_the_sealed_bars_stand_beside_the_known_ones() -> None:
    body = report_comment(with_look(), None)
    assert "| net result | +96.71 | -3.21 |" in body
    assert "| trades | 61 | 9 |" in body and "| Sharpe | 0.38 | – |" in body
    assert f"drawn by chance when `{reported.WHOLE[:12]}` was tested" in body
    columns = f"| | known bars, `{reported.WHOLE[:12]}` | sealed bars, `{reported.WHOLE[:12]}` |"
    assert columns in body and "compare them only" not in body
    assert "sealed" not in report_comment(reported.delivery(), None)
    assert "sealed" not in report_comment(reported.repaired(), TaskId.EXIT)


def test_sealed_figures_of_another_commit_are_said_to_be() -> None:
    state = with_look()
    assert state.opened is not None
    body = report_comment(replace(state, opened=replace(state.opened, sha=reported.OLD)), None)
    new, old = reported.WHOLE[:12], reported.OLD[:12]
    assert f"| | known bars, `{new}` | sealed bars, `{old}` |" in body
    assert f"The known figures are of commit {new}, the sealed ones of commit {old}: " in body
    assert "compare them only if the rules stayed the same" in body


def test_looks_that_vary_by_more_than_chance_raise_what_luck_gives() -> None:
    """Sharpe ratios of -2, 0 and 2 a year deviate by 2, chance alone by 0.41."""
    wide, near = (told(2.0, 3, figures(2, 2.0 - by), figures(3, 2.0 - 2 * by)) for by in (2, 0.01))
    best = 2.0 * theirs.best_of(3)
    assert f"would show a Sharpe ratio of about {best:.2f} here; this one shows 2.00" in wide
    assert f"about {theirs.best_of(3) * math.sqrt(252 / (DAYS - 1)):.2f} here" in near
    assert "luck is an unlikely reason" in near and "luck is an unlikely reason" not in wide
