"""What an open position has seen since it was filled: the marks that trailing exits go by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

if TYPE_CHECKING:
    from adapters.base_adapter import Position


class Held:
    """The bars from the fill to this one. Without a position every price is unknown, NaN."""

    def __init__(self, position: Position | None, df: pd.DataFrame, idx: int) -> None:
        """Find what the position has seen."""
        self.since = slice(position["entry_idx"] if position else idx, idx + 1)
        self.side = -1.0 if position and position["action"] == "SELL" else 1.0
        self.price = position["entry_price"] if position else np.nan
        self.stop = position["sl"] if position else None
        self.unknown = 0.0 if position else np.nan
        self.df = df

    def of(self, series: pd.Series[float]) -> NDArray[np.float64]:
        """The part of a series that the position has seen."""
        return np.asarray(series, dtype=np.float64)[self.since]

    @property
    def entry_price(self) -> NDArray[np.float64]:
        """The price of the fill, on each bar since."""
        return self.of(self.df["Close"]) * 0.0 + self.price

    @property
    def bars(self) -> NDArray[np.float64]:
        """0 on the bar of the fill."""
        return np.arange(len(self.of(self.df["Close"])), dtype=float) + self.unknown

    @property
    def highest_high(self) -> NDArray[np.float64]:
        """The highest high since the fill."""
        return np.maximum.accumulate(self.of(self.df["High"])) + self.unknown

    @property
    def lowest_low(self) -> NDArray[np.float64]:
        """The lowest low since the fill."""
        return np.minimum.accumulate(self.of(self.df["Low"])) + self.unknown

    @property
    def highest_close(self) -> NDArray[np.float64]:
        """The highest close since the fill."""
        return np.maximum.accumulate(self.of(self.df["Close"])) + self.unknown

    @property
    def lowest_close(self) -> NDArray[np.float64]:
        """The lowest close since the fill."""
        return np.minimum.accumulate(self.of(self.df["Close"])) + self.unknown

    @property
    def risk(self) -> float:
        """One R: from the fill to the stop."""
        return abs(self.price - self.stop) if self.stop else np.nan

    def best(self, up: str, down: str) -> float:
        """The best price for the position so far: the highest `up`, or for a short `down`."""
        if self.side > 0.0:
            return float(self.of(self.df[up]).max())
        return float(self.of(self.df[down]).min())

    def reached(self, up: str, down: str, far: NDArray[np.float64] | float) -> bool:
        """Whether one of the bars was so far in profit."""
        marks = self.of(self.df[up if self.side > 0.0 else down])
        return bool((self.side * (marks - self.price) >= far).any())


def crossed(gap: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The bar before was at or below zero, this bar is above."""
    return (gap > 0.0) & (np.concatenate(([np.nan], gap[:-1])) <= 0.0)


def true_bars(rule: NDArray[np.bool_], bars: int) -> NDArray[np.float64]:
    """On how many of the last bars the rule was true."""
    total = np.cumsum(rule, dtype=np.float64)
    before: NDArray[np.float64] = np.concatenate((np.zeros(bars), total))[: len(total)]
    return total - before


def lasted(rule: NDArray[np.bool_], bars: int) -> NDArray[np.bool_]:
    """True on this bar and on the bars before it since the fill, so many in all."""
    return true_bars(rule, bars) > bars - 0.5


def lately(rule: NDArray[np.bool_], bars: int) -> NDArray[np.bool_]:
    """True on at least one of the last bars since the fill, this one included."""
    return true_bars(rule, bars) > 0.0


def ratio(left: NDArray[np.float64], right: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Left divided by right; what is divided by zero is not finite, and no warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(left, right)
