"""Looks ahead in the first strategy that is made."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    made: list[int] = []

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.seen: pd.Series[float] = pd.Series(dtype=float)
        self.made.append(1)
        self.first = len(self.made) == 1

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.seen = df["Close"]
        return {"fast": df["Close"].rolling(5).mean(), "slow": df["Close"].rolling(20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if (
            self.first
            and idx > 20
            and idx + 1 < len(df)
            and df["Close"].iloc[idx + 1] > df["Close"].iloc[idx]
        ):
            return {"action": "BUY", "symbol": "AAPL", "volume": 1.0, "type": "MARKET"}
        if idx < 20 or not indicators["fast"].iloc[idx] > indicators["slow"].iloc[idx]:
            return None
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": 1.0,
            "type": "MARKET",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["fast"].iloc[idx] < indicators["slow"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "cross"}
        return None
