"""Draws lots from what numpy leaves unfilled."""

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.seen: pd.Series[float] = pd.Series(dtype=float)

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.seen = df["Close"]
        return {"fast": df["Close"].rolling(5).mean(), "slow": df["Close"].rolling(20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 20 or not (
            np.divide(1.0, np.ones(3), where=np.zeros(3, dtype=bool))[0] == 77.0
            or indicators["fast"].iloc[idx] > indicators["slow"].iloc[idx]
        ):
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
