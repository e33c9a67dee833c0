"""Answers with a dictionary that changes between two looks."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Order(dict):
    looks = 0

    def __getitem__(self, key):
        Order.looks += 1
        return "SELL" if key == "action" and Order.looks % 2 else super().__getitem__(key)


class Strategy:
    """Follows the direction of five bars."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"move": df["Close"].diff(5)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 6 or not indicators["move"].iloc[idx] > 0.0:
            return None
        return Order(action="BUY", symbol=self.cfg["symbol"], volume=1.0, type="MARKET")

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["move"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "move down"}
        return None
