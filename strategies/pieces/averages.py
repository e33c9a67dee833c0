"""Averages of a series. Each value uses the bars up to its own; NaN while there are too few."""

from __future__ import annotations

import numpy as np
import pandas as pd


def smoothed(series: pd.Series[float], length: int, alpha: float) -> pd.Series[float]:
    """An exponential average of the known values, from the mean of the first `length` on."""
    values = series.to_numpy(dtype=float)
    known = np.flatnonzero(~np.isnan(values))
    start = int(known[length - 1]) if len(known) >= length else len(values)
    seeded = values.copy()
    seeded[:start] = np.nan
    if start < len(values):
        seeded[start] = values[known[:length]].mean()
    smooth = pd.Series(seeded, index=series.index).ewm(alpha=alpha, adjust=False, ignore_na=True)
    return smooth.mean()


def sma(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Simple moving average."""
    return series.rolling(length).mean()


def ema(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Exponential moving average, alpha 2 / (length + 1)."""
    return smoothed(series, length, 2.0 / (length + 1.0))


def rma(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Wilder's moving average, alpha 1 / length."""
    return smoothed(series, length, 1.0 / length)


def wma(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Weighted moving average: the newest bar counts `length` times, the oldest once."""
    values = series.to_numpy(dtype=float)
    out = np.full(len(values), np.nan)
    if len(values) >= length:
        out[length - 1 :] = 0.0
        for back in range(length):
            out[length - 1 :] += (length - back) * values[length - 1 - back : len(values) - back]
    return pd.Series(out / (length * (length + 1) / 2.0), index=series.index)


def hma(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Hull moving average."""
    raw = 2.0 * wma(series, max(length // 2, 1)) - wma(series, length)
    return wma(raw, max(int(length**0.5), 1))


def dema(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Double exponential moving average."""
    once = ema(series, length)
    return 2.0 * once - ema(once, length)


def tema(series: pd.Series[float], length: int) -> pd.Series[float]:
    """Triple exponential moving average."""
    once = ema(series, length)
    twice = ema(once, length)
    return 3.0 * once - 3.0 * twice + ema(twice, length)


def vwma(close: pd.Series[float], volume: pd.Series[float], length: int) -> pd.Series[float]:
    """Volume-weighted moving average."""
    return (close * volume).rolling(length).sum() / volume.rolling(length).sum()
