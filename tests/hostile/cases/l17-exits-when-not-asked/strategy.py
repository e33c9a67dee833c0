"""Leaves by the future in a backtest only."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.seen: pd.Series[float] = pd.Series(dtype=float)
        self.asked = False

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.seen = df["Close"]
        return {"fast": df["Close"].rolling(5).mean(), "slow": df["Close"].rolling(20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
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
        if idx == 0:
            self.asked = True
        if (
            not self.asked
            and idx + 1 < len(df)
            and df["Close"].iloc[idx + 1] < df["Close"].iloc[idx]
        ):
            return {"position_id": position["position_id"], "reason": "ahead"}
        if indicators["fast"].iloc[idx] < indicators["slow"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "cross"}
        return None
