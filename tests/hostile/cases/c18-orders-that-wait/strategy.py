"""RSI by a loop, Bollinger by numpy, a cooldown after a loss."""

import math
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

Array = npt.NDArray[np.float64]
PERIOD = 14


def wilder(values: Sequence[float], period: int) -> list[float]:
    """Wilder's average; NaN until there are enough values."""
    out: list[float] = []
    average = math.nan
    for i, value in enumerate(values):
        if i < period:
            out.append(math.nan)
            if i == period - 1:
                average = sum(values[: i + 1]) / period
            continue
        average = (average * (period - 1) + value) / period
        out.append(average)
    return out


def rsi(close: Array, period: int = PERIOD) -> Array:
    change = np.diff(close, prepend=close[0])
    gains = np.where(change > 0.0, change, 0.0)
    losses = np.where(change < 0.0, -change, 0.0)
    up, down = np.array(wilder(gains.tolist(), period)), np.array(wilder(losses.tolist(), period))
    ratio = np.divide(up, down, out=np.full_like(up, np.inf), where=down > 0.0)
    found: Array = 100.0 - 100.0 / (1.0 + ratio)
    return found


def bands(close: Array, n: int, k: float) -> tuple[Array, Array]:
    upper, lower = np.full(len(close), np.nan), np.full(len(close), np.nan)
    if len(close) >= n:
        windows = sliding_window_view(close, n)
        middle, width = windows.mean(axis=1), windows.std(axis=1)
        upper[n - 1 :], lower[n - 1 :] = middle + k * width, middle - k * width
    return upper, lower


class Strategy:
    cooldown = 3

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.wait_until = -1
        self.log: list[str] = []

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        close = df["Close"].to_numpy(dtype=float)
        upper, lower = bands(close, 20, 2.0)
        highs = list(accumulate(close.tolist(), max))
        found: dict[str, Any] = {"rsi": rsi(close), "upper": upper, "lower": lower, "peak": highs}
        return {name: pd.Series(values, index=df.index) for name, values in found.items()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx <= self.wait_until:
            return None
        values = {name: float(series.iloc[idx]) for name, series in indicators.items()}
        if any(math.isnan(v) for v in values.values()):
            return None
        if values["rsi"] >= 40.0:
            return None
        price = float(df["Close"].iloc[idx])
        depth = reduce(min, [price, values["peak"]])
        self.log.append("bar {}: rsi {:.1f}, depth {:.2f}".format(idx, values["rsi"], depth))
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": 1.0,
            "type": "LIMIT",
            "price": round(price * 0.998, 4),
            "sl": price * 0.95,
            "tp": price * 1.05,
            "good_for": 2,
            "comment": "rsi %.1f" % values["rsi"],
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        close = float(df["Close"].iloc[idx])
        if indicators["rsi"].iloc[idx] > 60.0:
            if close < position["entry_price"]:
                self.wait_until = idx + self.cooldown
            return {"position_id": position["position_id"], "reason": "rsi high"}
        return None
