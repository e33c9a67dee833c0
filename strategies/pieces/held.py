"""What an open position has seen since it was filled: the marks that trailing exits go by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from adapters.base_adapter import Position


class Held:
    """The bars from the fill to this one. Without a position every price is unknown, NaN."""

    def __init__(self, position: Position | None, df: pd.DataFrame, idx: int) -> None:
        self.since = slice(position["entry_idx"] if position else idx, idx + 1)
        self.side = -1.0 if position and position["action"] == "SELL" else 1.0
        self.price = position["entry_price"] if position else np.nan
        self.stop = position["sl"] if position else None
        self.is_open = position is not None
        self.df = df

    def of(self, series: pd.Series[float]) -> pd.Series[float]:
        """The part of a series that the position has seen."""
        return series.iloc[self.since]

    def known(self, series: pd.Series[float]) -> pd.Series[float]:
        return series if self.is_open else series * np.nan

    @property
    def entry_price(self) -> pd.Series[float]:
        return self.of(self.df["Close"]) * 0.0 + self.price

    @property
    def bars(self) -> pd.Series[float]:
        """0 on the bar of the fill."""
        closes = self.of(self.df["Close"])
        return self.known(pd.Series(np.arange(len(closes), dtype=float), index=closes.index))

    @property
    def highest_high(self) -> pd.Series[float]:
        return self.known(self.of(self.df["High"]).cummax())

    @property
    def lowest_low(self) -> pd.Series[float]:
        return self.known(self.of(self.df["Low"]).cummin())

    @property
    def highest_close(self) -> pd.Series[float]:
        return self.known(self.of(self.df["Close"]).cummax())

    @property
    def lowest_close(self) -> pd.Series[float]:
        return self.known(self.of(self.df["Close"]).cummin())

    @property
    def risk(self) -> float:
        """One R: from the fill to the stop."""
        return abs(self.price - self.stop) if self.stop else np.nan

    def best(self, up: str, down: str) -> float:
        """The best price for the position so far: the highest `up`, or for a short `down`."""
        if self.side > 0.0:
            return float(self.of(self.df[up]).max())
        return float(self.of(self.df[down]).min())

    def gain(self, up: str, down: str) -> pd.Series[float]:
        """How far each bar was in profit."""
        return self.side * (self.of(self.df[up if self.side > 0.0 else down]) - self.price)
