"""Works on a copy of the table with columns of its own."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        table = df.copy()
        table["typical"] = table[["High", "Low", "Close"]].mean(axis=1)
        table["fast"] = table["typical"].rolling(3).mean()
        table["slow"] = table["typical"].rolling(12).mean()
        table = table.assign(gap=table["fast"] - table["slow"]).fillna({"gap": 0.0})
        ups = [1.0 if gap > 0.0 else -1.0 for gap in table["gap"]]
        return {"gap": table["gap"], "side": pd.Series(ups, index=df.index)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 12 or indicators["side"].iloc[idx] < 0.0:
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
        if indicators["side"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "gap closed"}
        return None
