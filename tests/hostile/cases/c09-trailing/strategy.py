"""A chandelier exit: three ATR below the highest since the entry."""

import math

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

LENGTH, WIDTH = 22, 3.0


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        before = df["Close"].shift(1)
        parts = {
            "a": df["High"] - df["Low"],
            "b": (df["High"] - before).abs(),
            "c": (df["Low"] - before).abs(),
        }
        atr = pd.DataFrame(parts).max(axis=1).ewm(alpha=1.0 / LENGTH, adjust=False).mean()
        return {"atr": atr, "sma": df["Close"].rolling(20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < LENGTH or math.isnan(indicators["sma"].iloc[idx]):
            return None
        if not df["Close"].iloc[idx - 1] <= indicators["sma"].iloc[idx] < df["Close"].iloc[idx]:
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
        since = df["High"].iloc[position["entry_idx"] : idx + 1]
        mark = float(since.max()) - WIDTH * float(indicators["atr"].iloc[idx])
        if df["Close"].iloc[idx] < mark:
            return {"position_id": position["position_id"], "reason": "chandelier"}
        return None
