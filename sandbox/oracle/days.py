"""What the clock says of a bar, and indicators of a day or a week. A bar's time is its opening."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from sandbox.oracle.windows import Floats, unknown

Times = pd.DatetimeIndex


def stamps(df: pd.DataFrame) -> Times:
    """As the data has them, whether it keeps them as its index or in a column."""
    if isinstance(df.index, pd.DatetimeIndex):
        return df.index
    return pd.DatetimeIndex(df["Date"])


def day_number(times: Times) -> Floats:
    """The same for all bars of one date, later dates higher."""
    return np.array([at.toordinal() for at in times.date], dtype=np.float64)


def week_number(times: Times) -> Floats:
    """Weeks begin on Monday. Day 1 of this count was a Monday."""
    return np.asarray(np.floor((day_number(times) - 1.0) / 7.0))


def minute(times: Times) -> Floats:
    return np.asarray(times.hour * 60 + times.minute, dtype=np.float64)


def weekday(times: Times) -> Floats:
    return np.asarray(times.day_of_week, dtype=np.float64)


def day(times: Times) -> Floats:
    return np.asarray(times.day, dtype=np.float64)


def month(times: Times) -> Floats:
    return np.asarray(times.month, dtype=np.float64)


def bar_of_day(times: Times) -> Floats:
    """1 on the first bar of a date."""
    return _counted(day_number(times), np.ones(len(times), dtype=bool))


def trading_day(times: Times) -> Floats:
    """1 on every bar of the first date of a month that has bars."""
    dates = day_number(times)
    months = np.asarray(times.year * 12 + times.month, dtype=np.float64)
    return _counted(months, np.diff(dates, prepend=-1.0) != 0.0)


def _counted(groups: Floats, counts: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    found, so_far = unknown(len(groups)), 0
    for bar, group in enumerate(groups):
        so_far = (so_far if bar and group == groups[bar - 1] else 0) + int(counts[bar])
        found[bar] = so_far
    return found


CALENDAR: dict[str, Callable[[Times], Floats]] = {
    "minute": minute, "weekday": weekday, "day": day, "month": month,
    "bar_of_day": bar_of_day, "trading_day": trading_day,
}  # fmt: skip


def spans(groups: Floats) -> Iterator[slice]:
    """The bars of each day or week, in order."""
    edges = [0, *(np.flatnonzero(np.diff(groups)) + 1), len(groups)]
    for first, end in zip(edges[:-1], edges[1:], strict=True):
        yield slice(int(first), int(end))


def _last_one(groups: Floats, prices: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """Open, high, low and close of the day or week before; unknown in the first one."""
    found = tuple(unknown(len(groups)) for _ in range(4))
    told: tuple[float, ...] = (np.nan,) * 4
    for span in spans(groups) if len(groups) else ():
        for series, value in zip(found, told, strict=True):
            series[span] = value
        first, high, low, last = (column[span] for column in prices)
        told = (float(first[0]), float(high.max()), float(low.min()), float(last[-1]))
    return found


def prior_day(
    open_: Floats, high: Floats, low: Floats, close: Floats, times: Times
) -> tuple[Floats, ...]:
    return _last_one(day_number(times), (open_, high, low, close))


def prior_week(
    open_: Floats, high: Floats, low: Floats, close: Floats, times: Times
) -> tuple[Floats, ...]:
    return _last_one(week_number(times), (open_, high, low, close))


def pivots(high: Floats, low: Floats, close: Floats, times: Times) -> tuple[Floats, ...]:
    """The floor traders' points."""
    _, top, bottom, last = prior_day(close, high, low, close, times)
    pivot, reach = (top + bottom + last) / 3.0, top - bottom
    return (
        pivot,
        2.0 * pivot - bottom, pivot + reach, top + 2.0 * (pivot - bottom),
        2.0 * pivot - top, pivot - reach, bottom - 2.0 * (top - pivot),
    )  # fmt: skip
