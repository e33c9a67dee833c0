"""Bars as arrays, with the calendar of their opening times."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
PIP = 0.0001


@dataclass(frozen=True)
class Bars:
    """`date` counts days and `week` counts weeks from Monday on; `minute` is of the day."""

    frame: pd.DataFrame
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats
    date: Ints
    week: Ints
    minute: Ints
    weekday: Ints
    month: Ints
    day: Ints

    @property
    def typical(self) -> Floats:
        return (self.high + self.low + self.close) / 3.0

    @property
    def body(self) -> Floats:
        return np.abs(self.close - self.open)

    @property
    def upper_wick(self) -> Floats:
        return self.high - np.maximum(self.open, self.close)

    @property
    def lower_wick(self) -> Floats:
        return np.minimum(self.open, self.close) - self.low

    @property
    def green(self) -> Mask:
        return self.close > self.open

    @property
    def red(self) -> Mask:
        return self.close < self.open


def bars_of(frame: pd.DataFrame) -> Bars:
    at = pd.DatetimeIndex(frame.index)
    date = (at.normalize() - pd.Timestamp(0)).days.to_numpy(np.int64)
    return Bars(
        frame,
        *_prices(frame),
        date=date,
        week=(date + 3) // 7,
        minute=(at.hour * 60 + at.minute).to_numpy(np.int64),
        weekday=at.day_of_week.to_numpy(np.int64),
        month=at.month.to_numpy(np.int64),
        day=at.day.to_numpy(np.int64),
    )


def _prices(frame: pd.DataFrame) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    opened, high, low, close, volume = (
        frame[name].to_numpy(np.float64) for name in ("Open", "High", "Low", "Close", "Volume")
    )
    return opened, high, low, close, volume


def first_decision(bars: Bars, warm_up: int = 300) -> int:
    """Bar 300, or with several bars a day the first one of the next day."""
    if len(np.unique(bars.date)) == len(bars.date):
        return warm_up
    return int(np.argmax(bars.date > bars.date[warm_up - 1]))


def clock(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)
