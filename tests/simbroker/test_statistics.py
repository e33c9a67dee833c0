"""Each figure against an independent computation: hand-worked tables, plain loops, quantstats."""

import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from simbroker import statistics as ours
from simbroker.load import read_csv
from simbroker.report import report
from simbroker.run import Run
from simbroker.terms import FREE, Costs, Terms
from tests.simbroker.scripted import Ask, Scripted, play, table
from tests.simbroker.worlds import World, worlds

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bars"
DAY = 86_400_000_000


def run_of(equity: list[float], start: float = 100.0, step: int = DAY, **changes: Any) -> Run:
    first = int(datetime(2024, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
    given: dict[str, Any] = {
        "terms": Terms(initial_balance=start),
        "symbol": "X",
        "times": np.arange(len(equity), dtype="int64") * step + first,
        "zone": None,
        "equity": np.array(equity),
        "trades": [],
        "first_close": 50.0,
        "last_close": 60.0,
    }
    return Run(**{**given, **changes})


# equity -> money, percent, bars and days of the worst drawdown, by hand
DRAWDOWNS = [
    ([100.0, 110.0, 120.0], (0.0, 0.0, 0, 0.0)),
    ([100.0, 110.0, 99.0, 105.0, 111.0], (11.0, 10.0, 3, 3.0)),
    ([90.0, 80.0, 95.0], (20.0, 20.0, 3, 2.0)),  # below the start from the first bar on
    ([200.0, 150.0, 200.0, 1000.0, 900.0], (100.0, 25.0, 2, 2.0)),  # money and percent apart
    ([100.0, 120.0, 110.0, 110.0, 110.0, 119.0], (10.0, 100.0 / 12.0, 4, 4.0)),  # never regained
]


@pytest.mark.parametrize(("equity", "expected"), DRAWDOWNS)
def test_drawdown_by_hand(equity: list[float], expected: tuple[float, ...]) -> None:
    assert tuple(ours.drawdown(run_of(equity))) == pytest.approx(expected)


@settings(max_examples=100, deadline=None)
@given(worlds)
def test_drawdown_by_a_plain_loop(world: World) -> None:
    run = play(world.strategy(), world.df, world.terms)
    peak, money, percent, longest, since = run.terms.initial_balance, 0.0, 0.0, 0, 0
    for i, equity in enumerate([run.terms.initial_balance, *run.equity]):
        if equity >= peak:
            longest = max(longest, i - since if i - since > 1 else 0)
            peak, since = equity, i
        money, percent = max(money, peak - equity), max(percent, (peak - equity) / peak)
    longest = max(longest, len(run.equity) - since)
    down = ours.drawdown(run)
    assert (down.money, down.percent) == pytest.approx((money, 100 * percent), abs=1e-6)
    assert down.bars == longest


def test_figures_of_quantstats() -> None:
    """Sharpe, Sortino, drawdown and streak of quantstats 0.0.86 on the closes of gappy_D1."""
    closes = read_csv(str(FIXTURES / "gappy_D1.csv"))["Close"]
    run = run_of(
        closes.tolist()[1:],
        float(closes.iloc[0]),
        times=pd.DatetimeIndex(closes.index[1:]).as_unit("us").asi8,
    )
    returns = ours.daily_returns(run)
    assert ours.periods_per_year(run) == 252
    assert ours.sharpe(returns, 252) == pytest.approx(0.2754617303627455, rel=1e-12)
    assert ours.sortino(returns, 252) == pytest.approx(0.37941881079489564, rel=1e-12)
    assert ours.drawdown(run).percent == pytest.approx(47.88480090214038, rel=1e-12)
    assert ours.profit_factor(returns.tolist()) == pytest.approx(1.0491716167850478, rel=1e-12)
    assert ours.longest_losing_streak(returns.tolist()) == 7


def test_sharpe_and_sortino_by_hand() -> None:
    """Returns 10%, -10%, 10%: mean 1/30, deviation sqrt(0.04/3), downside sqrt(0.01/3)."""
    returns = ours.daily_returns(run_of([110.0, 99.0, 108.9]))
    assert returns.tolist() == pytest.approx([0.1, -0.1, 0.1])
    assert ours.sharpe(returns, 252) == pytest.approx((1 / 30) / math.sqrt(0.04 / 3) * 252**0.5)
    assert ours.sortino(returns, 252) == pytest.approx((1 / 30) / math.sqrt(0.01 / 3) * 252**0.5)


def test_what_does_not_vary_has_no_ratio() -> None:
    flat = ours.daily_returns(run_of([100.0, 100.0, 100.0]))
    assert ours.sharpe(flat, 252) is None and ours.sortino(flat, 252) is None
    assert ours.calmar(0.1, 0.0) is None and ours.profit_factor([1.0, 2.0]) is None


def test_intraday_bars_count_by_the_day() -> None:
    """Two days of four six-hour bars: the returns are those between the last bars of each day."""
    run = run_of([101.0, 90.0, 120.0, 110.0, 1.0, 1.0, 1.0, 121.0], step=DAY // 4)
    assert ours.daily_returns(run).tolist() == pytest.approx([0.1, 0.1])


def test_a_day_ends_where_the_bars_live() -> None:
    """Stamped in New York, midnight in London is still the evening before."""
    new_york = pd.Timestamp("2024-01-02", tz="America/New_York").tz
    run = run_of([110.0, 121.0], step=DAY // 4, zone=new_york)  # 00:00 and 06:00 UTC
    assert ours.daily_returns(run).tolist() == pytest.approx([0.1, 0.1])


@pytest.mark.parametrize(
    ("step", "count", "expected"),
    [(DAY, 30, 365), (DAY * 7, 30, 52), (DAY * 30, 12, 12), (DAY // 24, 50, 252), (DAY, 1, 252)],
)
def test_periods_per_year(step: int, count: int, expected: int) -> None:
    assert ours.periods_per_year(run_of([100.0] * count, step=step)) == expected


def test_cagr_and_calmar_by_hand() -> None:
    """100 to 121 in two years of 365.25 days is 10% a year; half of it lost on the way."""
    times = np.array([0, 100, int(2 * 365.25 * DAY)], dtype="int64")
    run = run_of([100.0, 50.0, 121.0], times=times)
    growth = ours.cagr(run)
    assert growth == pytest.approx(0.10)
    assert ours.calmar(growth, ours.drawdown(run).percent) == pytest.approx(0.20)
    assert ours.cagr(run_of([100.0, -5.0])) is None
    assert ours.buy_and_hold(run) == 20.0


PNLS = [10.0, -4.0, -6.0, 0.0, 20.0, -1.0, -1.0, -1.0]


def test_trade_figures_by_hand() -> None:
    assert ours.win_rate(PNLS) == 2 / 8
    assert ours.profit_factor(PNLS) == pytest.approx(30.0 / 13.0)
    assert ours.expectancy(PNLS) == pytest.approx(17.0 / 8.0)
    assert ours.mean(PNLS) == pytest.approx(17.0 / 8.0)
    assert ours.longest_losing_streak(PNLS) == 3
    assert ours.win_rate([]) == ours.expectancy([]) == ours.mean([]) == 0.0


COSTLY = Terms(
    symbol="X",
    initial_balance=10_000.0,
    costs=Costs(
        commission_per_trade=1.0,
        commission_per_unit=0.01,
        commission_percent=0.1,
        spread=0.2,
        slippage=0.05,
        slippage_percent_of_range=1.0,
    ),
)


def test_costs_by_hand() -> None:
    """Buy 10 at 101 (range 3), leave by signal at 95 (range 3)."""
    bars = [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99), (95, 97, 94, 96)]
    run = play(Scripted({0: Ask(1, volume=10.0)}, {2: "x"}), table(bars), COSTLY)
    (t,) = run.trades
    assert t.gross == -60.0
    assert t.commission == pytest.approx(1.0 + 2 * 0.1 + 0.001 * (1010.0 + 950.0))
    assert t.spread == pytest.approx(2 * 0.1 * 10)
    assert t.slippage == pytest.approx(2 * (0.05 + 0.03) * 10)
    assert t.pnl == pytest.approx(-60.0 - 3.16 - 2.0 - 1.6)
    assert (t.mae, t.mfe) == (-60.0, 30.0)
    assert run.final_balance == pytest.approx(10_000.0 - 66.76)
    assert report(run)["exposure_pct"] == 50.0


def test_a_target_and_a_limit_do_not_slip() -> None:
    bars = [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99)]
    run = play(Scripted({0: Ask(1, tp=103.5, limit=100.5)}), table(bars), COSTLY)
    assert [(t.kind, t.slippage) for t in run.trades] == [("tp", 0.0)]


@settings(max_examples=100, deadline=None)
@given(worlds)
def test_the_stress_row_is_a_run_at_twice_the_costs(world: World) -> None:
    """Not only a formula: the same orders are traded again on an account with doubled costs."""
    costs = world.terms.costs
    names = list(Costs.__dataclass_fields__)
    doubled = Costs(**{name: 2 * getattr(costs, name) for name in names})
    rich = replace(world.terms, initial_balance=1e7)
    once = play(world.strategy(), world.df, rich)
    twice = play(world.strategy(), world.df, replace(rich, costs=doubled))
    stress: Any = report(once)["cost_stress"]
    assert stress["total_pnl"] == pytest.approx(report(twice)["total_pnl"], abs=1e-6)
    assert stress["factor"] == 2.0


@settings(max_examples=100, deadline=None)
@given(worlds)
def test_the_report_agrees_with_a_plain_recount(world: World) -> None:
    run = play(world.strategy(), world.df, world.terms)
    told = report(run)
    pnls = [t.pnl for t in run.trades]
    assert told["total_trades"] == len(pnls)
    assert told["total_pnl"] == pytest.approx(sum(pnls), abs=1e-6)
    assert told["expectancy"] == pytest.approx(told["average_trade"], abs=1e-9)
    held = {b for t in run.trades
            for b in range(t.entry_idx, t.exit_idx + (t.kind != "signal"))}  # fmt: skip
    assert told["exposure_pct"] == pytest.approx(100 * len(held) / len(run.times))
    assert told["average_mae"] == pytest.approx(sum(t.mae for t in run.trades) / (len(pnls) or 1))


def test_what_flatters_is_said() -> None:
    free = run_of([100.0], terms=Terms(initial_balance=100.0, costs=FREE))
    assert any("costs are zero" in w for w in ours_warnings(free))
    assert not any("zero" in w for w in ours_warnings(run_of([100.0])))
    fee = Costs(commission_percent=0.1, slippage_percent_of_range=0.0)
    only_fee = run_of([100.0], terms=Terms(costs=fee))
    assert any("Spread and slippage are zero" in w for w in ours_warnings(only_fee))
    assert any("fell to zero" in w for w in ours_warnings(run_of([100.0, -1.0])))
    assert any("too few" in w for w in ours_warnings(run_of([100.0])))


def ours_warnings(run: Run) -> list[str]:
    told = report(run)["warnings"]
    assert isinstance(told, list)
    return told


def test_an_empty_run_can_be_reported() -> None:
    none = np.array([], dtype="int64")
    told = report(run_of([], times=none))
    assert told["total_trades"] == 0 and told["sharpe"] is None
