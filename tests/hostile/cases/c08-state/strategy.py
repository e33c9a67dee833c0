"""Adds to a winner at most twice, with its state on self."""

from collections import deque

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

MOST, STEP = 3, 0.01


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.entries: deque[float] = deque(maxlen=MOST)
        self.open_positions: dict[str, float] = {}

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.entries.clear()
        self.open_positions.clear()
        return {"high": df["High"].rolling(10).max().shift(1)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        close = float(df["Close"].iloc[idx])
        if idx < 11 or close <= indicators["high"].iloc[idx]:
            return None
        if self.entries and close < self.entries[-1] * (1.0 + STEP):
            return None
        self.entries.append(close)
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        close = float(df["Close"].iloc[idx])
        best = max(self.open_positions.get(position["position_id"], 0.0), close)
        self.open_positions[position["position_id"]] = best
        if close < best * 0.98:
            self.entries.clear()
            return {"position_id": position["position_id"], "reason": "two percent off its best"}
        return None
