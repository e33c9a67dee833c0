"""Buys every fall and sells every rise: honest, and it loses."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"change": df["Close"].diff().fillna(0.0)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 2 or indicators["change"].iloc[idx] >= 0.0:
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
        if indicators["change"].iloc[idx] > 0.0:
            return {"position_id": position["position_id"], "reason": "rises"}
        return None
