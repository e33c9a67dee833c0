"""The figures that traders expect, each with its formula. Pure functions of a finished run."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from simbroker.fills import to_money
from simbroker.positions import Trade
from simbroker.run import Floats, Run

DAY = 86_400_000_000
YEAR_IN_DAYS = 365.25


class Drawdown(NamedTuple):
    """`money` = max(peak - equity); `percent` = 100 * max((peak - equity) / peak); the peak starts
    at the initial balance. `bars` and `days` are the longest time below a peak: from the bar of the
    peak to the bar that reaches it again, or to the end.
    """

    money: float
    percent: float
    bars: int
    days: float


def drawdown(run: Run) -> Drawdown:
    equity = np.concatenate([[run.terms.initial_balance], run.equity])
    times = np.concatenate([run.times[:1], run.times])
    peak = np.maximum.accumulate(equity)
    below = peak - equity
    at_peak = np.flatnonzero(below == 0.0)
    ends = np.append(at_peak[1:], len(equity) - 1)
    under = np.flatnonzero(ends - at_peak > 1) if below[-1] == 0 else np.arange(len(at_peak))
    if not below.any():
        return Drawdown(0.0, 0.0, 0, 0.0)
    bars = (ends - at_peak)[under]
    days = (times[ends] - times[at_peak])[under] / DAY
    return Drawdown(
        money=to_money(float(below.max())),
        percent=100.0 * float((below / peak).max()),
        bars=int(bars.max()),
        days=float(days.max()),
    )


def daily_returns(run: Run) -> Floats:
    """r = E(d) / E(d-1) - 1, where E(d) is the equity at the last bar of calendar day d (in the
    bars' zone) and E before the first day is the initial balance.
    """
    ends = _day_ends(run)
    equity = np.concatenate([[run.terms.initial_balance], run.equity[ends]])
    returns: Floats = equity[1:] / equity[:-1] - 1.0
    return returns


def periods_per_year(run: Run) -> int:
    """365 where Saturdays are traded, else 252; 52 or 12 where the bars are weeks or months."""
    ends = run.times[_day_ends(run)]
    gap = float(np.median(np.diff(ends))) / DAY if len(ends) > 1 else 1.0
    if gap >= 5.0:
        return 52 if gap < 25.0 else 12
    return 365 if bool((_index(run).day_of_week == 5).any()) else 252


def sharpe(returns: Floats, periods: int) -> float | None:
    """mean(r) / std(r, n - 1) * sqrt(periods). No risk-free rate. None if r never varies."""
    if len(returns) < 2 or float(np.ptp(returns)) == 0.0:
        return None
    return float(returns.mean() / returns.std(ddof=1) * math.sqrt(periods))


def skewness(returns: Floats) -> float | None:
    """mean((r - m)^3) / mean((r - m)^2)^1.5; 0 for both sides alike. None if r never varies."""
    return _moment(returns, 3)


def kurtosis(returns: Floats) -> float | None:
    """mean((r - m)^4) / mean((r - m)^2)^2; 3 for a normal distribution. None if r never varies."""
    return _moment(returns, 4)


def _moment(returns: Floats, power: int) -> float | None:
    if len(returns) < 2 or float(np.ptp(returns)) == 0.0:
        return None
    away = returns - returns.mean()
    return float(np.mean(away**power) / np.mean(away**2) ** (power / 2))


def sortino(returns: Floats, periods: int) -> float | None:
    """mean(r) / sqrt(mean(min(r, 0)^2)) * sqrt(periods). None if no return is negative."""
    downside = math.sqrt(float(np.mean(np.minimum(returns, 0.0) ** 2))) if len(returns) else 0.0
    return float(returns.mean()) / downside * math.sqrt(periods) if downside else None


def cagr(run: Run) -> float | None:
    """(final / initial) ^ (1 / years) - 1, years of 365.25 days between the first and last bar."""
    days = float(run.times[-1] - run.times[0]) / DAY if len(run.times) else 0.0
    growth = run.final_balance / run.terms.initial_balance
    if days < 1.0 or growth <= 0.0:
        return None
    exponent = math.log(growth) * YEAR_IN_DAYS / days
    return math.exp(exponent) - 1.0 if exponent < 700.0 else None


def calmar(growth: float | None, percent_down: float) -> float | None:
    """CAGR / (max drawdown percent / 100). None without a drawdown."""
    return None if growth is None or percent_down == 0.0 else growth / (percent_down / 100.0)


def profit_factor(pnls: Sequence[float]) -> float | None:
    """Sum of wins / -sum of losses. None without a loss: infinity is no number for a report."""
    lost = -math.fsum(p for p in pnls if p < 0)
    return math.fsum(p for p in pnls if p > 0) / lost if lost else None


def win_rate(pnls: Sequence[float]) -> float:
    """Trades with pnl > 0 / all trades, 0 to 1. A trade that made exactly nothing is no win."""
    return sum(p > 0 for p in pnls) / len(pnls) if pnls else 0.0


def mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


def expectancy(pnls: Sequence[float]) -> float:
    """P(win) * average win + P(loss) * average loss: what one more trade is worth on average."""
    wins, losses = [p for p in pnls if p > 0], [p for p in pnls if p < 0]
    if not pnls:
        return 0.0
    return len(wins) / len(pnls) * mean(wins) + len(losses) / len(pnls) * mean(losses)


def longest_losing_streak(pnls: Sequence[float]) -> int:
    """The most losses (pnl < 0) in a row, in the order in which trades were closed."""
    longest = current = 0
    for pnl in pnls:
        current = current + 1 if pnl < 0 else 0
        longest = max(longest, current)
    return longest


def exposure_percent(run: Run) -> float:
    """100 * bars with a position open between open and close / all bars.

    The bar at whose open a position leaves by signal is not one of them.
    """
    if not len(run.times):
        return 0.0
    held = np.zeros(len(run.times) + 1, dtype="int64")
    for t in run.trades:
        held[t.entry_idx] += 1
        held[t.exit_idx if t.kind == "signal" else t.exit_idx + 1] -= 1
    return 100.0 * float((np.cumsum(held)[:-1] > 0).mean())


def buy_and_hold(run: Run) -> float:
    """initial balance * (last close / first close - 1): what doing nothing would have earned."""
    if not len(run.times):
        return 0.0
    return to_money(run.terms.initial_balance * (run.last_close / run.first_close - 1.0))


def bought_and_held(run: Run) -> Run | None:
    """The same account had it bought once and held, without costs: a run of its own, so that each
    figure of it has the formula of the strategy's. Equity = initial balance * close / first close.
    None where the closes are not known.
    """
    if run.closes is None or not len(run.times):
        return None
    worth = run.terms.initial_balance * run.closes / run.first_close
    return replace(run, equity=worth, trades=(), refused=0, refusals=(), orders=())


def pnls_at(trades: Sequence[Trade], factor: float) -> list[float]:
    """Each trade's pnl had every cost been `factor` times as high: the decisions stay the same."""
    return [to_money(t.gross - factor * t.costs) for t in trades]


def _index(run: Run) -> pd.DatetimeIndex:
    index = pd.DatetimeIndex(run.times.astype("datetime64[us]"))
    return index if run.zone is None else index.tz_localize("UTC").tz_convert(run.zone)


def _day_ends(run: Run) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Positions of the last bar of each calendar day."""
    days = _index(run).tz_localize(None).normalize().asi8
    return (
        np.flatnonzero(np.append(days[1:] != days[:-1], True)) if len(days) else np.array([], int)
    )
