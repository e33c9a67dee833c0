"""The figures of a finished run as a document: what it earned, and what tells skill from luck."""

from __future__ import annotations

import math
from dataclasses import replace

from schemas.figures import money, real, summary_of
from schemas.report import Fold, Summary
from simbroker import folds
from simbroker.report import report
from simbroker.run import Run
from simbroker.statistics import daily_returns, kurtosis, periods_per_year, skewness


def summary(run: Run) -> Summary:
    returns = daily_returns(run) if bool((run.equity > 0.0).all()) else daily_returns(run)[:0]
    return replace(
        summary_of(report(run)),
        returns=len(returns),
        periods=periods_per_year(run),
        skewness=real(skewness(returns)),
        kurtosis=real(kurtosis(returns)),
        folds=stretches(run.terms.initial_balance, returns.tolist()),
    )


def stretches(start: float, returns: list[float]) -> tuple[Fold, ...]:
    """Equal in days. What one earned is in money of the account as it stood then."""
    parts, made, worth, n = folds.split(returns), [], start, 0
    for part in parts:
        grown = worth * math.prod(1.0 + r for r in returns[n : n + part.count])
        mean = part.total / part.count
        spread = max(part.squares / part.count - mean * mean, 0.0)
        made.append(
            Fold(
                net=money(grown - worth),
                returns=part.count,
                mean=round(mean, 12),
                deviation=round(math.sqrt(spread), 12),
            )
        )
        worth, n = grown, n + part.count
    return tuple(made)
