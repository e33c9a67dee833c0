"""The calendar of the bars, and indicators that start anew every day. Times are opening times."""

from __future__ import annotations

import numpy as np
import pandas as pd


def stamps(df: pd.DataFrame) -> pd.DatetimeIndex:
    """The opening time of each bar: the index, or else the column Date or Time."""
    if isinstance(df.index, pd.DatetimeIndex):
        return df.index
    names = [name for name in ("Date", "Datetime", "Time", "date", "time") if name in df.columns]
    return pd.DatetimeIndex(pd.to_datetime(df[names[0]]))


def day_number(times: pd.DatetimeIndex) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """0 for the bars of the first day in the data, 1 for those of the next one, and so on."""
    days = times.normalize()
    return np.concatenate(([0], np.cumsum(days[1:] != days[:-1]))).astype(np.int64)[: len(times)]


def week_number(times: pd.DatetimeIndex) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The same by week, from Monday on."""
    return day_number(times - pd.to_timedelta(times.day_of_week, unit="D"))


def minute_of_day(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """Minutes since midnight."""
    return pd.Series(times.hour * 60.0 + times.minute, index=index)


def weekday(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """Monday is 0."""
    return pd.Series(times.day_of_week.to_numpy(dtype=float), index=index)


def day_of_month(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """1 to 31."""
    return pd.Series(times.day.to_numpy(dtype=float), index=index)


def month_of_year(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """1 to 12."""
    return pd.Series(times.month.to_numpy(dtype=float), index=index)


def bar_of_day(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """Counted from 1."""
    day = day_number(times)
    first = np.searchsorted(day, day)
    return pd.Series(np.arange(len(day)) - first + 1.0, index=index)


def trading_day(times: pd.DatetimeIndex, index: pd.Index) -> pd.Series[float]:
    """The days of this month that are in the data so far, counted from 1."""
    day = day_number(times)
    month = (times.year * 12 + times.month).to_numpy()
    first = np.searchsorted(month, month)
    return pd.Series(day - day[first] + 1.0, index=index)


def finished(
    prices: pd.Series[float], period: np.ndarray[tuple[int], np.dtype[np.int64]], how: str
) -> pd.Series[float]:
    """The open, high, low or close of the period before, on every bar of this one."""
    values = prices.to_numpy(dtype=float)
    if not len(values):
        return prices.astype(float)
    starts = np.searchsorted(period, np.arange(period[-1] + 1))
    ends = np.append(starts[1:], len(values)) - 1
    if how == "open":
        each = values[starts]
    elif how == "close":
        each = values[ends]
    elif how == "high":
        each = np.maximum.reduceat(values, starts)
    else:
        each = np.minimum.reduceat(values, starts)
    return pd.Series(np.append(np.nan, each[:-1])[period], index=prices.index)


def prior_day(
    first: pd.Series[float],
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    times: pd.DatetimeIndex,
) -> tuple[pd.Series[float], ...]:
    """Open, high, low, close of the day before that is in the data."""
    day = day_number(times)
    return (
        finished(first, day, "open"),
        finished(high, day, "high"),
        finished(low, day, "low"),
        finished(close, day, "close"),
    )


def prior_week(
    first: pd.Series[float],
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    times: pd.DatetimeIndex,
) -> tuple[pd.Series[float], ...]:
    """Open, high, low, close of the week before that is in the data."""
    week = week_number(times)
    return (
        finished(first, week, "open"),
        finished(high, week, "high"),
        finished(low, week, "low"),
        finished(close, week, "close"),
    )


def this_day(
    first: pd.Series[float],
    high: pd.Series[float],
    low: pd.Series[float],
    times: pd.DatetimeIndex,
) -> tuple[pd.Series[float], pd.Series[float], pd.Series[float]]:
    """Open, high and low of this day so far."""
    day = day_number(times)
    opens = first.to_numpy(dtype=float)[np.searchsorted(day, day)]
    return (
        pd.Series(opens, index=first.index),
        high.groupby(day).cummax(),
        low.groupby(day).cummin(),
    )


def vwap(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    volume: pd.Series[float],
    times: pd.DatetimeIndex,
) -> pd.Series[float]:
    """Volume-weighted average of the typical price since the day began."""
    day = day_number(times)
    traded = volume.groupby(day).cumsum()
    spent = ((high + low + close) / 3.0 * volume).groupby(day).cumsum()
    return spent / traded.where(traded > 0.0)


def pivots(
    high: pd.Series[float],
    low: pd.Series[float],
    close: pd.Series[float],
    times: pd.DatetimeIndex,
) -> tuple[pd.Series[float], ...]:
    """Classic pivot points from the day before: pivot, R1, R2, R3, S1, S2, S3."""
    day = day_number(times)
    top, bottom = finished(high, day, "high"), finished(low, day, "low")
    pivot = (top + bottom + finished(close, day, "close")) / 3.0
    r1, s1 = 2.0 * pivot - bottom, 2.0 * pivot - top
    r2, s2 = pivot + (top - bottom), pivot - (top - bottom)
    r3, s3 = top + 2.0 * (pivot - bottom), bottom - 2.0 * (top - pivot)
    return pivot, r1, r2, r3, s1, s2, s3


def opening_range(
    high: pd.Series[float],
    low: pd.Series[float],
    times: pd.DatetimeIndex,
    start: int,
    minutes: int,
) -> tuple[pd.Series[float], pd.Series[float]]:
    """High and low of the day's bars from minute `start` on (-1: its first bar), once complete."""
    day = day_number(times)
    minute = (times.hour * 60 + times.minute).to_numpy()
    begins = minute[np.searchsorted(day, day)] if start < 0 else np.full(len(minute), start)
    inside = (minute >= begins) & (minute < begins + minutes)
    over = minute >= begins + minutes
    top = high.where(inside).groupby(day).cummax().groupby(day).ffill()
    bottom = low.where(inside).groupby(day).cummin().groupby(day).ffill()
    return top.where(over), bottom.where(over)
