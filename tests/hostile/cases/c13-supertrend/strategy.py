"""A supertrend with a band that is carried from bar to bar."""

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

LENGTH, WIDTH = 10, 2.0


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        high, low, close = (df[name].to_numpy() for name in ("High", "Low", "Close"))
        before = np.concatenate([[close[0]], close[:-1]])
        ranges = np.maximum.reduce([high - low, np.abs(high - before), np.abs(low - before)])
        atr = pd.Series(ranges).ewm(alpha=1.0 / LENGTH, adjust=False).mean().to_numpy()
        upper, lower = (high + low) / 2.0 + WIDTH * atr, (high + low) / 2.0 - WIDTH * atr
        trend = np.ones(len(close))
        for i in range(1, len(close)):
            lower[i] = max(lower[i], lower[i - 1]) if close[i - 1] > lower[i - 1] else lower[i]
            upper[i] = min(upper[i], upper[i - 1]) if close[i - 1] < upper[i - 1] else upper[i]
            if close[i] > upper[i - 1]:
                trend[i] = 1.0
            elif close[i] < lower[i - 1]:
                trend[i] = -1.0
            else:
                trend[i] = trend[i - 1]
        return {"trend": pd.Series(trend, index=df.index)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        trend = indicators["trend"]
        if idx < LENGTH or not trend.iloc[idx - 1] < 0.0 < trend.iloc[idx]:
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
        if indicators["trend"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "trend turned"}
        return None
