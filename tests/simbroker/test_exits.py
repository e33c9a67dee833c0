"""How trades ended, and the figures of holding, against tables that were worked by hand."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from simbroker import statistics as ours
from simbroker.arrays import columns, run_signals
from simbroker.exits import LONGEST, MOST_REASONS, Ending, endings
from simbroker.kernel import compiled
from simbroker.part import since
from simbroker.positions import Trade
from simbroker.report import report
from simbroker.terms import FREE, Terms
from tests.simbroker.scripted import RICH, Ask, Scripted, play, table
from tests.simbroker.worlds import World, worlds

NOTHING = (0.0, 0.0, 0.0)


def trade(kind: str, pnl: float, reason: str = "") -> Trade:
    return Trade(
        "pos_1", 1, 1.0, 0, 1, 0, 100.0, 2, 0, 100.0 + pnl, kind, reason, None, None, "", 1.0,
        pnl, NOTHING, NOTHING, pnl, 101.0, 99.0,
    )  # fmt: skip


BY_HAND = [
    Ending("sl", "", 3, 1 / 3, -7.0, -7.0 / 3),
    Ending("tp", "", 1, 1.0, 9.0, 9.0),
    Ending("signal", "rsi above 70", 2, 0.5, 3.0, 1.5),
    Ending("signal", "time is up", 1, 0.0, 0.0, 0.0),
    Ending("signal", "trailing stop", 1, 1.0, 2.0, 2.0),
    Ending("open", "", 1, 0.0, -1.5, -1.5),
]


def test_endings_by_hand() -> None:
    """A stop may win, a trade that made nothing is no win, and the end of the data has no reason"""
    closed = [
        trade("open", -1.5, "end of data"), trade("signal", 2.0, "trailing stop"),
        trade("sl", -5.0), trade("signal", 5.0, "rsi above 70"), trade("tp", 9.0),
        trade("sl", -4.0), trade("signal", 0.0, "time is up"), trade("sl", 2.0),
        trade("signal", -2.0, "rsi above 70"),
    ]  # fmt: skip
    assert endings(closed) == BY_HAND
    assert endings([]) == []


def test_reasons_that_never_repeat_do_not_fill_the_report() -> None:
    closed = [trade("signal", 1.0, f"close is {n} and so on {'x' * 200}") for n in range(100, 130)]
    found = endings([*closed, trade("signal", -3.0, "rule"), trade("signal", -3.0, "rule")])
    assert len(found) == MOST_REASONS + 1
    assert found[0] == Ending("signal", "rule", 2, 0.0, -6.0, -3.0)
    assert found[-1][:3] == ("signal", "", 30 - (MOST_REASONS - 1))
    assert all(len(each.reason) <= LONGEST for each in found)


@settings(max_examples=100, deadline=None)
@given(worlds)
def test_every_trade_ended_in_one_way(world: World) -> None:
    run = play(world.strategy(), world.df, world.terms)
    told: Any = report(run)
    found = told["exits"]
    pnls = [t.pnl for t in run.trades]
    assert sum(each["trades"] for each in found) == len(pnls)
    assert sum(each["total_pnl"] for each in found) == pytest.approx(sum(pnls), abs=1e-6)
    won = sum(each["win_rate"] * each["trades"] for each in found)
    assert won == pytest.approx(sum(p > 0 for p in pnls))
    assert told["best_trade"] == max(pnls, default=None)
    assert told["worst_trade"] == min(pnls, default=None)


def test_a_run_tells_how_its_trades_ended() -> None:
    """Stopped at 98 on bar 2; out at the open of bar 5 by rule; open at the close of bar 7."""
    bars = [(100, 101, 99, 100), (100, 102, 99, 101), (101, 101, 97, 100), (100, 101, 99, 100),
            (100, 106, 99, 105), (105, 107, 104, 106), (106, 107, 105, 106),
            (106, 108, 105, 107)]  # fmt: skip
    orders = {0: Ask(1, sl=98.0), 2: Ask(1), 5: Ask(1)}
    told: Any = report(play(Scripted(orders, {4: "rsi above 70"}), table(bars), RICH))
    rows = [(e["kind"], e["reason"], e["trades"], e["total_pnl"]) for e in told["exits"]]
    assert rows == [("sl", "", 1, -2.0), ("signal", "rsi above 70", 1, 5.0), ("open", "", 1, 1.0)]
    assert (told["best_trade"], told["worst_trade"]) == (5.0, -2.0)


HELD = [100.0, 110.0, 88.0, 99.0, 121.0]
"""Returns 0, +10%, -20%, +12.5%, +22.22%; from 110 to 88 the account loses a fifth of the peak."""


def test_holding_by_hand() -> None:
    terms = Terms(symbol="X", initial_balance=1_000.0, costs=FREE)
    run = play(Scripted({}), table([(c, c, c, c) for c in HELD]), terms)
    held = ours.bought_and_held(run)
    assert held is not None
    assert held.equity.tolist() == pytest.approx([1000.0, 1100.0, 880.0, 990.0, 1210.0])
    assert held.final_balance - 1_000.0 == pytest.approx(ours.buy_and_hold(run)) == 210.0
    told = report(run)
    assert told["buy_and_hold_max_drawdown_pct"] == pytest.approx(20.0)
    returns = [0.0, 0.1, -0.2, 0.125, 2 / 9]
    mean = sum(returns) / 5
    deviation = math.sqrt(sum((r - mean) ** 2 for r in returns) / 4)
    periods: Any = told["periods_per_year"]
    expected = mean / deviation * math.sqrt(periods)
    assert told["buy_and_hold_sharpe"] == pytest.approx(expected)
    assert told["max_drawdown_pct"] == 0.0, "the strategy itself did nothing"


def test_holding_since_a_bar_starts_at_the_close_before_it() -> None:
    """From bar 2 on: bought at 110, so the fall to 88 counts. Later closes are not looked at."""
    run = play(Scripted({}), table([(c, c, c, c) for c in HELD]), RICH)
    held = ours.bought_and_held(since(run, 2, 110.0))
    assert held is not None
    start = RICH.initial_balance
    assert held.equity.tolist() == pytest.approx([start * 0.8, start * 0.9, start * 1.1])
    assert ours.drawdown(held).percent == pytest.approx(20.0)


@settings(max_examples=50, deadline=None)
@given(worlds)
def test_both_paths_hold_alike(world: World) -> None:
    called = report(play(world.strategy(), world.df, world.terms))
    arrays = report(run_signals(columns(world.df), world.signals(), world.terms, compiled()))
    for name in ("buy_and_hold_sharpe", "buy_and_hold_max_drawdown_pct"):
        assert called[name] == arrays[name]
        assert called[name] is not None or name == "buy_and_hold_sharpe"


def test_where_the_closes_are_not_known_nothing_is_claimed() -> None:
    run = replace(play(Scripted({}), table([(1, 1, 1, 1)]), RICH), closes=None)
    told = report(run)
    assert told["buy_and_hold_sharpe"] is told["buy_and_hold_max_drawdown_pct"] is None
