"""Settings and levels in frozen dataclasses."""

from dataclasses import dataclass, field

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


@dataclass(frozen=True)
class Settings:
    length: int = 20
    width: float = 1.0
    days: tuple[int, ...] = field(default=(0, 1, 2, 3, 4, 5, 6))


@dataclass(frozen=True, slots=True)
class Band:
    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2.0

    @staticmethod
    def at(indicators: Indicators, idx: int) -> "Band":
        low, high = indicators["low"].iloc[idx], indicators["high"].iloc[idx]
        return Band(low=float(low), high=float(high))


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.settings = Settings()

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        rolling = df["Close"].rolling(self.settings.length)
        mean, deviation = rolling.mean(), rolling.std(ddof=0)
        return {
            "low": mean - self.settings.width * deviation,
            "high": mean + self.settings.width * deviation,
        }

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if pd.Timestamp(df.index[idx]).dayofweek not in self.settings.days:
            return None
        if idx < self.settings.length:
            return None
        if df["Close"].iloc[idx] >= Band.at(indicators, idx).low:
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
        if df["Close"].iloc[idx] >= Band.at(indicators, idx).middle:
            return {"position_id": position["position_id"], "reason": "back in the middle"}
        return None
