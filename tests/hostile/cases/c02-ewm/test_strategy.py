"""The side follows the histogram, and the stop is on the losing side."""

import numpy as np
import pandas as pd
from strategy import Strategy


def bars() -> pd.DataFrame:
    close = 100.0 + 10.0 * np.sin(np.arange(240) / 8.0)
    return pd.DataFrame(
        {"Open": close, "High": close + 1.0, "Low": close - 1.0, "Close": close, "Volume": 1.0},
        index=pd.date_range("2024-01-01", periods=240, freq="D"),
    )


def test_the_side_follows_the_histogram() -> None:
    df = bars()
    strategy = Strategy({"symbol": "X", "volume": 1.0})
    indicators = strategy.prepare_indicators(df)
    sides = []
    for idx in range(60, len(df)):
        order = strategy.find_entries(df, indicators, idx)
        if order is not None:
            rising = indicators["histogram"].iloc[idx] > 0.0
            assert order["action"] == ("BUY" if rising else "SELL")
            assert (order["sl"] < order["tp"]) == rising
            sides.append(order["action"])
    assert "BUY" in sides and "SELL" in sides
