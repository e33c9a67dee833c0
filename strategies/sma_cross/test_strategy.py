"""What the SMA cross decides on bars that are made for the question."""

from typing import cast

import pandas as pd

from adapters.base_adapter import Position
from strategies.sma_cross.strategy import Strategy


def bars(closes: list[float]) -> pd.DataFrame:
    index = pd.bdate_range("2024-01-01", periods=len(closes))
    close = pd.Series(closes, index=index)
    return pd.DataFrame(
        {"Open": close, "High": close + 1.0, "Low": close - 1.0, "Close": close, "Volume": 1000.0}
    )


DOWN = [200.0 - i for i in range(60)]
UP = [DOWN[-1] + 2.0 * i for i in range(40)]
VALLEY = bars([*DOWN, *UP])
HILL = bars([400.0 - close for close in [*DOWN, *UP]])


def orders(df: pd.DataFrame) -> list[tuple[int, str]]:
    strategy = Strategy({"symbol": "AAPL"})
    indicators = strategy.prepare_indicators(df)
    asked = [(i, strategy.find_entries(df, indicators, i)) for i in range(len(df))]
    return [(i, order["action"]) for i, order in asked if order is not None]


def test_it_buys_once_when_the_fast_average_crosses_up() -> None:
    assert [action for _, action in orders(VALLEY)] == ["BUY"]


def test_it_sells_once_when_the_fast_average_crosses_down() -> None:
    assert [action for _, action in orders(HILL)] == ["SELL"]


def test_the_cross_is_where_the_averages_cross() -> None:
    bar = orders(VALLEY)[0][0]
    close = VALLEY["Close"]
    fast, slow = close.rolling(10).mean(), close.rolling(30).mean()
    assert fast.iloc[bar] > slow.iloc[bar] and fast.iloc[bar - 1] <= slow.iloc[bar - 1]


def test_a_long_leaves_when_the_averages_turn_and_not_before() -> None:
    strategy = Strategy({"symbol": "AAPL"})
    position = cast(Position, {"position_id": "p1", "action": "BUY"})
    indicators = strategy.prepare_indicators(HILL)
    bar = orders(HILL)[0][0]
    assert strategy.find_exits(position, HILL, indicators, bar - 1) is None
    leave = strategy.find_exits(position, HILL, indicators, bar)
    assert leave is not None and leave["position_id"] == "p1"
