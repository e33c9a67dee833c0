"""Runs Python through a query of pandas."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    """Follows the direction of five bars."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        df.query("@pd.io.common.os.getcwd() != ''", engine="python")
        return {"move": df["Close"].diff(5)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 6 or not indicators["move"].iloc[idx] > 0.0:
            return None
        return {"action": "BUY", "symbol": self.cfg["symbol"], "volume": 1.0, "type": "MARKET"}

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["move"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "move down"}
        return None
