"""What holds for a strategy that only buys: it buys, it leaves what it holds, twice alike."""

import numpy as np
import pandas as pd
from strategy import Strategy


def bars() -> pd.DataFrame:
    step = np.arange(240)
    close = 100.0 + 10.0 * np.sin(step / 8.0) + 0.05 * step
    before = np.concatenate([[100.0], close[:-1]])
    return pd.DataFrame(
        {
            "Open": before,
            "High": np.maximum(before, close) + 0.5,
            "Low": np.minimum(before, close) - 0.5,
            "Close": close,
            "Volume": np.full(240, 1000.0),
        },
        index=pd.date_range("2024-01-01", periods=240, freq="D"),
    )


def entries() -> list[str]:
    df = bars()
    strategy = Strategy({"symbol": "X", "volume": 1.0})
    indicators = strategy.prepare_indicators(df)
    orders = [strategy.find_entries(df, indicators, idx) for idx in range(30, len(df))]
    return [order["action"] for order in orders if order is not None]


def exits() -> list[str]:
    df = bars()
    strategy = Strategy({"symbol": "X", "volume": 1.0})
    indicators = strategy.prepare_indicators(df)
    position = {
        "position_id": "pos_1",
        "action": "BUY",
        "volume": 1.0,
        "entry_price": 100.0,
        "entry_idx": 30,
        "entry_time": df.index[30],
    }
    answers = [strategy.find_exits(position, df, indicators, idx) for idx in range(31, len(df))]
    return [answer["position_id"] for answer in answers if answer is not None]


def test_it_buys_and_never_sells() -> None:
    actions = entries()
    assert "BUY" in actions
    assert "SELL" not in actions


def test_it_leaves_what_it_holds() -> None:
    left = exits()
    assert left.count("pos_1") == len(left)
    assert len(left) > 0


def test_it_decides_the_same_twice() -> None:
    assert entries() == entries()
    assert exits() == exits()
