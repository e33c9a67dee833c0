"""A limit order below the close, sized by the balance."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

RISK = 0.01


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        spread = (df["High"] - df["Low"]).rolling(14).mean()
        return {"range": spread, "mean": df["Close"].expanding(20).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        spread = float(indicators["range"].iloc[idx])
        if idx < 20 or not spread > 0.0 or df["Close"].iloc[idx] < indicators["mean"].iloc[idx]:
            return None
        close = float(df["Close"].iloc[idx])
        try:
            volume = round(self.cfg.get("balance", 10_000.0) * RISK / spread, 2)
        except ZeroDivisionError:
            return None
        if volume >= 0.01:
            return {
                "action": "BUY",
                "symbol": self.cfg["symbol"],
                "volume": min(volume, 1.0),
                "type": "LIMIT",
                "price": close - 0.1 * spread,
                "sl": close - 2.0 * spread,
                "tp": close + 3.0 * spread,
                "comment": "limit below the close",
            }
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if idx - position["entry_idx"] >= 10:
            return {"position_id": position["position_id"], "reason": "ten bars"}
        return None
