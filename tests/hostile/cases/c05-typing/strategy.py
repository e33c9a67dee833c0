"""A typed dictionary, an enum and a named tuple."""

from enum import Enum
from typing import Final, NamedTuple

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

LENGTH: Final = 10


class Trend(Enum):
    UP = "up"
    DOWN = "down"
    FLAT = "flat"


class Reading(NamedTuple):
    trend: Trend
    strength: float


def read(indicators: Indicators, idx: int) -> Reading:
    slope = float(indicators["slope"].iloc[idx])
    match (slope > 0.0, slope < 0.0):
        case (True, False):
            return Reading(Trend.UP, slope)
        case (False, True):
            return Reading(Trend.DOWN, -slope)
        case _:
            return Reading(Trend.FLAT, 0.0)


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        mean = df["Close"].rolling(LENGTH).mean()
        return {"slope": mean.diff(3).fillna(0.0)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        reading = read(indicators, idx)
        if reading.trend is not Trend.UP or reading.strength <= 0.0:
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
        if read(indicators, idx).trend is Trend.DOWN:
            return {"position_id": position["position_id"], "reason": "trend down"}
        return None
