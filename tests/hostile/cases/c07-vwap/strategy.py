"""The day's volume weighted price by groupby."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        day = pd.DatetimeIndex(df.index).normalize()
        typical = (df["High"] + df["Low"] + df["Close"]) / 3.0
        traded = (typical * df["Volume"]).groupby(day).cumsum()
        volume = df["Volume"].groupby(day).cumsum()
        vwap = (traded / volume.where(volume > 0.0)).fillna(typical)
        highest = df["High"].groupby(day).cummax()
        return {"vwap": vwap.rolling(5).mean(), "highest": highest}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 5 or df["Close"].iloc[idx] <= indicators["vwap"].iloc[idx]:
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
        if df["Close"].iloc[idx] < indicators["vwap"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "below the vwap"}
        return None
