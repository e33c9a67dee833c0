"""The close of the last finished day, known one day later."""

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

COLUMNS = {"Open": "first", "High": "max", "Low": "min", "Close": "last"}


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        daily = df.resample("D").agg(COLUMNS).dropna()
        finished = daily["Close"].shift(1).reindex(df.index, method="ffill")
        open, close = df["Open"], df["Close"]
        body = np.sign(close - open)
        return {"day": finished, "body": pd.Series(body, index=df.index)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        day = indicators["day"].iloc[idx]
        if pd.isna(day) or df["Close"].iloc[idx] <= day or indicators["body"].iloc[idx] <= 0:
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
        if df["Close"].iloc[idx] < indicators["day"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "below the last day"}
        return None
