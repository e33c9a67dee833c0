"""What the Donchian breakout decides on bars that are made for the question."""

from typing import cast

import pandas as pd

from adapters.base_adapter import Position
from strategies.donchian_breakout.strategy import Strategy


def bars(closes: list[float]) -> pd.DataFrame:
    index = pd.bdate_range("2024-01-01", periods=len(closes))
    close = pd.Series(closes, index=index)
    return pd.DataFrame(
        {"Open": close, "High": close + 1.0, "Low": close - 1.0, "Close": close, "Volume": 1000.0}
    )


CALM = [100.0 + 0.5 * (i % 2) for i in range(40)]
ABOVE, BELOW = bars([*CALM, 105.0]), bars([*CALM, 95.0])
LAST = len(CALM)


def test_it_buys_a_close_above_the_high_of_the_bars_before() -> None:
    strategy = Strategy({"symbol": "AAPL"})
    order = strategy.find_entries(ABOVE, strategy.prepare_indicators(ABOVE), LAST)
    assert order is not None and order["action"] == "BUY"
    stop = order.get("sl")
    assert stop is not None and 95.0 < stop < 105.0


def test_it_sells_a_close_below_the_low_of_the_bars_before() -> None:
    strategy = Strategy({"symbol": "AAPL"})
    order = strategy.find_entries(BELOW, strategy.prepare_indicators(BELOW), LAST)
    assert order is not None and order["action"] == "SELL"
    stop = order.get("sl")
    assert stop is not None and stop > 95.0


def test_a_bar_does_not_break_its_own_high() -> None:
    strategy, calm = Strategy({"symbol": "AAPL"}), bars(CALM)
    indicators = strategy.prepare_indicators(calm)
    assert all(strategy.find_entries(calm, indicators, i) is None for i in range(LAST))


def test_a_long_leaves_below_the_short_channel_and_a_short_stays() -> None:
    strategy = Strategy({"symbol": "AAPL"})
    indicators = strategy.prepare_indicators(BELOW)
    long = cast(Position, {"position_id": "p1", "action": "BUY"})
    short = cast(Position, {"position_id": "p2", "action": "SELL"})
    leave = strategy.find_exits(long, BELOW, indicators, LAST)
    assert leave is not None and leave["position_id"] == "p1"
    assert strategy.find_exits(short, BELOW, indicators, LAST) is None
    assert strategy.find_exits(long, BELOW, indicators, LAST - 1) is None
