"""Trades by regime, session and month; keeps counters per day."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from datetime import date, time
from enum import Enum
from typing import Final, NamedTuple, Optional

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

FAST: Final = 8
SLOW: Final = 24
QUIET_MONTHS = {8, 12}
OPEN, CLOSE = time(9, 30), time(16, 0)


class Regime(Enum):
    """What the market does."""

    UP = "up"
    DOWN = "down"
    FLAT = "flat"


class Day(NamedTuple):
    """A day and its year."""

    year: int
    month: int
    day: int


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.per_day: defaultdict[str, int] = defaultdict(int)
        self.regimes: Counter[str] = Counter()
        self.recent: deque[float] = deque(maxlen=5)
        self.last_day: Optional[date] = None
        self.last_year = -1

    @property
    def symbol(self) -> str:
        return self.cfg["symbol"]

    @staticmethod
    def regime(fast: float, slow: float) -> Regime:
        if fast > slow * 1.002:
            return Regime.UP
        return Regime.DOWN if fast < slow * 0.998 else Regime.FLAT

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        close = df["Close"]
        at = pd.DatetimeIndex(df.index)
        monthly = close.groupby([at.year, at.month]).cumcount()
        return {
            "fast": close.ewm(span=FAST, adjust=False).mean(),
            "slow": close.ewm(span=SLOW, adjust=False).mean(),
            "in_month": monthly.astype(float),
        }

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < SLOW:
            return None
        now = df.index[idx]
        if now.month in QUIET_MONTHS or now.dayofweek == 4:
            return None
        if now.year != self.last_year:
            self.last_year = now.year
            self.per_day.clear()
        key = now.strftime("%Y-%m-%d")
        if self.per_day[key] >= 1:
            return None
        found = self.regime(indicators["fast"].iloc[idx], indicators["slow"].iloc[idx])
        self.regimes[found.value] += 1
        if found is not Regime.UP or indicators["in_month"].iloc[idx] < 2:
            return None
        self.per_day[key] += 1
        return {
            "action": "BUY",
            "symbol": self.symbol,
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "comment": f"{found.name} {now:%Y-%m-%d}",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        found = self.regime(indicators["fast"].iloc[idx], indicators["slow"].iloc[idx])
        held = idx - position["entry_idx"]
        days = (df.index[idx] - position["entry_time"]).days
        match found:
            case Regime.DOWN:
                return {"position_id": position["position_id"], "reason": str(found.value)}
            case _ if held > 40 or days > 60:
                return {"position_id": position["position_id"], "reason": f"time {held}"}
        return None
