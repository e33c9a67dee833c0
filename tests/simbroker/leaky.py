"""Strategies that look ahead, one way each, and clean ones that look suspicious but are not."""

from typing import Any

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, Indicators, OrderRequest


class Threshold:
    """Buys where its signal rises above zero, leaves where it falls below."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        raise NotImplementedError

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"signal": self.signal(df)}

    def order(self) -> OrderRequest:
        return {"action": "BUY", "symbol": "X", "volume": 1.0, "type": "MARKET"}

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        return self.order() if indicators["signal"].iloc[idx] > 0.0 else None

    def find_exits(self, position: Any, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        if indicators["signal"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "signal"}
        return None


def momentum(df: pd.DataFrame) -> "pd.Series[float]":
    return df["Close"].diff(5)


class ShiftBack(Threshold):
    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return df["Close"].shift(-1) - df["Close"]


class CentredWindow(Threshold):
    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return df["Close"] - df["Close"].rolling(9, center=True).mean()


class BackFill(Threshold):
    """Sees the level of the next Friday from Monday on."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        days = pd.DatetimeIndex(df.index).day_of_week
        fridays = df["Close"].where(days == 4).bfill()
        return fridays - df["Close"]


class WholeSeriesNormalisation(Threshold):
    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        move = momentum(df)
        return (move - move.mean()) / move.std()


class FitOnAllData(Threshold):
    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        x = np.arange(len(df), dtype=float)
        if len(df) < 3:
            return df["Close"] * 0.0
        slope, base = np.polyfit(x, df["Close"].to_numpy(), 1)
        line = pd.Series(base + slope * x, index=df.index)
        return df["Close"] - line


class ResampleLabelledLeft(Threshold):
    """The week's close under the label of its first day: known on Monday."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        weekly = df["Close"].resample("W-MON", label="left", closed="left").last()
        return weekly.reindex(df.index, method="ffill") - df["Close"]


class LastRow(Threshold):
    """Compares with the newest row, which in a backtest is the end of the data."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return momentum(df)

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        return self.order() if df["Close"].iloc[-1] > df["Close"].iloc[idx] else None


class NextRowIfThere(Threshold):
    """Peeks at the next bar where there is one."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return momentum(df)

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        if idx + 1 < len(df) and df["Close"].iloc[idx + 1] > df["Close"].iloc[idx]:
            return self.order()
        return None


class FutureKeptInMemory(Threshold):
    """Learns the future while it prepares, outside of the indicators that it returns."""

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        self.future = df["Close"].shift(-3)
        return momentum(df)

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        return self.order() if self.future.iloc[idx] > df["Close"].iloc[idx] else None


class OnlyInExits(Threshold):
    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return momentum(df)

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"signal": momentum(df), "next": df["Close"].shift(-1)}

    def find_exits(self, position: Any, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        if indicators["next"].iloc[idx] < df["Close"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "falls tomorrow"}
        return None


class StopFromTheFuture(Threshold):
    """Decides the right side at the right time, with a stop that only the future knows."""

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        lowest = df["Low"].iloc[::-1].rolling(5, min_periods=1).min().iloc[::-1]
        return {"signal": momentum(df), "lowest": lowest}

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        if not indicators["signal"].iloc[idx] > 0.0:
            return None
        return {**self.order(), "sl": float(indicators["lowest"].iloc[idx]) * 0.999}


LEAKY: list[type[Threshold]] = [
    ShiftBack, CentredWindow, BackFill, WholeSeriesNormalisation, FitOnAllData,
    ResampleLabelledLeft, LastRow, NextRowIfThere, FutureKeptInMemory, OnlyInExits,
    StopFromTheFuture,
]  # fmt: skip


class Remembers(Threshold):
    """Clean: waits ten bars after each order, which it remembers by itself."""

    def __init__(self, cfg: Config) -> None:
        super().__init__(cfg)
        self.last = -10

    def signal(self, df: pd.DataFrame) -> "pd.Series[float]":
        return momentum(df)

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        order = super().find_entries(df, indicators, idx)
        if not order or idx - self.last < 10:
            return None
        self.last = idx
        return order


class DrawsAheadButDoesNotUseIt(Threshold):
    """Clean: an Ichimoku chart has a line of future closes; no decision looks at it."""

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        high, low = df["High"].rolling(26).max(), df["Low"].rolling(26).min()
        cloud = ((high + low) / 2).shift(26)
        return {"signal": df["Close"] - cloud, "chikou": df["Close"].shift(-26)}
