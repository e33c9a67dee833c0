"""What RSI mean reversion decides on bars that are made for the question."""

from typing import cast

import pandas as pd

from adapters.base_adapter import Position
from strategies.rsi_mean_reversion.strategy import Strategy


def bars(closes: list[float]) -> pd.DataFrame:
    index = pd.bdate_range("2024-01-01", periods=len(closes))
    close = pd.Series(closes, index=index)
    return pd.DataFrame(
        {"Open": close, "High": close + 1.0, "Low": close - 1.0, "Close": close, "Volume": 1000.0}
    )


CALM = [100.0 + 0.5 * (i % 2) for i in range(40)]
FALL = bars([*CALM, 97.0, 94.0, 91.0])
RISE = bars([*CALM, 103.0, 106.0, 109.0])


def test_rsi_is_between_0_and_100_and_falls_with_the_price() -> None:
    rsi = Strategy({"symbol": "AAPL"}).prepare_indicators(FALL)["rsi"]
    assert rsi.iloc[-1] < 30.0 < rsi.iloc[20]
    assert rsi.dropna().between(0.0, 100.0).all()


def test_it_buys_once_when_rsi_falls_below_30() -> None:
    strategy = Strategy({"symbol": "AAPL", "volume": 2.0})
    indicators = strategy.prepare_indicators(FALL)
    orders = [strategy.find_entries(FALL, indicators, i) for i in range(len(FALL))]
    placed = [order for order in orders if order is not None]
    assert len(placed) == 1
    assert placed[0]["action"] == "BUY" and placed[0]["volume"] == 2.0
    close = float(FALL["Close"].iloc[orders.index(placed[0])])
    assert placed[0]["sl"] == close * 0.95


def test_it_leaves_when_rsi_rises_above_70() -> None:
    strategy = Strategy({"symbol": "AAPL"})
    indicators = strategy.prepare_indicators(RISE)
    position = cast(Position, {"position_id": "p1", "action": "BUY"})
    exits = [strategy.find_exits(position, RISE, indicators, i) for i in range(20, len(RISE))]
    assert [e for e in exits if e is not None] == [{"position_id": "p1", "reason": "rsi above 70"}]


def test_it_decides_nothing_on_calm_bars() -> None:
    strategy, calm = Strategy({"symbol": "AAPL"}), bars(CALM)
    indicators = strategy.prepare_indicators(calm)
    assert all(strategy.find_entries(calm, indicators, i) is None for i in range(len(calm)))
