"""Time of day and weekday from the index."""

from datetime import time

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

OPEN_AT, CLOSE_AT = time(0, 0), time(23, 0)
QUIET_DAYS = frozenset({6})


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        stamps = pd.DatetimeIndex(df.index)
        minute = pd.Series(stamps.hour * 60 + stamps.minute, index=df.index).astype(float)
        return {"minute": minute, "move": df["Close"].pct_change(3).fillna(0.0)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        stamp = pd.Timestamp(df.index[idx])
        if stamp.weekday() in QUIET_DAYS or not OPEN_AT <= stamp.time() < CLOSE_AT:
            return None
        if indicators["move"].iloc[idx] <= 0.0:
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
        stamp = pd.Timestamp(df.index[idx])
        late = stamp.normalize() > pd.Timestamp(position["entry_time"]).normalize()
        if late or indicators["move"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "end of the session"}
        return None
