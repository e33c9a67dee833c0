"""Wilder's RSI in a plain numpy loop."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

LENGTH = 14


def wilder(values: npt.NDArray[np.float64], length: int) -> npt.NDArray[np.float64]:
    out = np.full(len(values), np.nan)
    if len(values) <= length:
        return out
    out[length] = values[1 : length + 1].mean()
    for i in range(length + 1, len(values)):
        out[i] = out[i - 1] + (values[i] - out[i - 1]) / length
    return out


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        close = df["Close"].to_numpy(dtype=np.float64)
        change = np.diff(close, prepend=close[0])
        gain = wilder(np.maximum(change, 0.0), LENGTH)
        loss = wilder(np.maximum(-change, 0.0), LENGTH)
        with np.errstate(divide="ignore", invalid="ignore"):
            rsi = 100.0 - 100.0 / (1.0 + gain / loss)
        return {"rsi": pd.Series(rsi, index=df.index)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        rsi = indicators["rsi"]
        if idx < LENGTH + 2 or not (rsi.iloc[idx - 1] >= 45.0 > rsi.iloc[idx]):
            return None
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["rsi"].iloc[idx] > 55.0:
            return {"position_id": position["position_id"], "reason": "rsi > 55"}
        return None
