"""Closes above and below two rolling averages."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.log: list[str] = []

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        close = df["Close"]
        return {"fast": close.rolling(window=5).mean(), "slow": close.rolling(window=20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 21:
            return None
        fast, slow = indicators["fast"], indicators["slow"]
        crossed = fast.iloc[idx - 1] <= slow.iloc[idx - 1] and fast.iloc[idx] > slow.iloc[idx]
        if not crossed:
            return None
        self.log.append(f"bar {idx}: {fast.iloc[idx]:+.2f}")
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "comment": f"cross up at {df['Close'].iloc[idx]:.2f}",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["fast"].iloc[idx] < indicators["slow"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "fast < slow"}
        return None
