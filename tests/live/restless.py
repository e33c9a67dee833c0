"""A strategy that trades on nearly every bar: reversals, stops, targets and limit orders."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"mean": df["Close"].rolling(3).mean(), "range": df["High"] - df["Low"]}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        close, mean = df["Close"].iloc[idx], indicators["mean"].iloc[idx]
        room = 3 * indicators["range"].iloc[idx]
        order: OrderRequest = {
            "action": "BUY" if close > mean else "SELL",
            "symbol": self.cfg["symbol"],
            "volume": 1.0 + idx % 2,
            "type": "MARKET",
        }
        if idx % 5 == 0:
            order["type"], order["price"], order["good_for"] = "LIMIT", close, 2
        elif idx % 3 == 0:
            up = 1 if close > mean else -1
            order["sl"], order["tp"] = close - up * room, close + up * room
        return order

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if idx - position["entry_idx"] < idx % 3:
            return None
        return {"position_id": position["position_id"], "reason": "long enough"}
