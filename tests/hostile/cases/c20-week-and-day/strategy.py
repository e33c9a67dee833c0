"""Opening range of the day, day's VWAP, previous day's high: intraday ideas on any bars."""

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

MAX_HOLD = 12


class Strategy:
    """Buys above yesterday's high and above the rolling VWAP."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.seen_days: set[str] = set()

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.seen_days.clear()
        days = pd.DatetimeIndex(df.index).normalize()
        typical = (df["High"] + df["Low"] + df["Close"]) / 3.0
        money = (typical * df["Volume"]).groupby(days).cumsum()
        shares = df["Volume"].groupby(days).cumsum()
        daily_high = df["High"].groupby(days).max()
        previous = daily_high.shift(1).reindex(days)
        week = df["Close"].resample("W").last().shift(1)
        by_week = week.reindex(df.index, method="ffill")
        return {
            "vwap": money / shares,
            "previous_high": pd.Series(previous.to_numpy(), index=df.index),
            "last_week": by_week,
            "mean": df["Close"].rolling(window=10, min_periods=10).mean(),
        }

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        day = str(df.index[idx].date())
        if day in self.seen_days:
            return None
        row = df.iloc[idx]
        above = row["Close"] > indicators["previous_high"].iloc[idx]
        if not above or row["Close"] < indicators["mean"].iloc[idx]:
            return None
        self.seen_days.add(day)
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": 1.0,
            "type": "MARKET",
            "tp": float(row["Close"]) * 1.04,
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        bars_held = idx - position["entry_idx"]
        if bars_held >= MAX_HOLD or df["Close"].iloc[idx] < indicators["mean"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "time or mean"}
        return None
