"""Bars: the shape they must have, and the reason why a row is refused. Nothing is repaired."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from itertools import repeat
from typing import Any, Literal

import numpy as np
import pandas as pd

from simbroker.clock import micros

BarTuple = tuple[int, float, float, float, float, tzinfo | None]
"""Time, open, high, low, close, zone: a bar that has been checked."""

PRICES = ("Open", "High", "Low", "Close")
COLUMNS = (*PRICES, "Volume")
TIMES = ("date", "datetime", "timestamp", "time", "date_time", "open_time", "gmt time")
SPELLINGS = {"o": "Open", "h": "High", "l": "Low", "c": "Close", "v": "Volume", "vol": "Volume"}


class BadBars(ValueError):
    """Bars that must not be traded on. `row` counts data rows from 0; None: the whole table."""

    def __init__(self, reason: str, row: int | None = None) -> None:
        self.row, self.reason = row, reason
        super().__init__(reason if row is None else f"row {row}: {reason}")


def tidy(df: pd.DataFrame) -> pd.DataFrame:
    """The same bars with columns Open, High, Low, Close, Volume and a time index, all checked."""
    if isinstance(df.index, pd.DatetimeIndex):
        index, body = df.index, df
    else:
        name = time_column(df)
        index, body = read_times(df[name]), df.drop(columns=[name])
    out = body.rename(columns=spellings(body))
    out.index = index
    check(out)
    return out


def time_column(df: pd.DataFrame) -> str:
    named = [c for c in df.columns if str(c).strip().lower() in TIMES]
    if not named:
        found = ", ".join(map(str, df.columns))
        raise BadBars(f"no time: name a column Date, Datetime or timestamp (found: {found})")
    return str(named[0])


def read_times(column: "pd.Series[Any]") -> pd.DatetimeIndex:
    """Text, dates or epoch seconds/milliseconds. The first row that is no time is named."""
    if pd.api.types.is_numeric_dtype(column):
        seconds = column.astype("float64")
        missing = np.flatnonzero(~np.isfinite(seconds.to_numpy()))
        if len(missing):
            raise BadBars("the time is missing", int(missing[0]))
        unit: Literal["ms", "s"] = (
            "ms" if len(seconds) and float(seconds.abs().max()) > 1e11 else "s"
        )
        return pd.DatetimeIndex(pd.to_datetime(column.astype("int64"), unit=unit))
    text = column.astype(str).str.strip()
    mixed = text.str.contains(r"(?:Z|[+-]\d\d:?\d\d)$", regex=True)
    zoned = bool(mixed.all()) and len(text) > 0
    if mixed.any() and not zoned:
        row = int(np.flatnonzero((mixed != mixed.iloc[0]).to_numpy())[0])
        raise BadBars("some times have a zone and some have none; write all of them alike", row)
    times = pd.to_datetime(text, errors="coerce", utc=True, format="mixed" if zoned else None)
    bad = np.flatnonzero(times.isna().to_numpy())
    if len(bad):
        row = int(bad[0])
        raise BadBars(f"{column.iloc[row]!r} is not a time; write 2024-01-31 15:30", row)
    index = pd.DatetimeIndex(times)
    return index if zoned else index.tz_localize(None)


def spellings(df: pd.DataFrame) -> dict[str, str]:
    """Each column as we spell it. Two columns for the same price are refused, not chosen from."""
    names: dict[str, str] = {}
    for column in map(str, df.columns):
        plain = column.strip().lower()
        ours = SPELLINGS.get(plain, plain.capitalize())
        if ours not in COLUMNS:
            continue
        if ours in names.values():
            raise BadBars(f"two columns for {ours}: keep one")
        names[column] = ours
    missing = [c for c in PRICES if c not in names.values()]
    if missing:
        found = ", ".join(map(str, df.columns))
        raise BadBars(f"missing column {missing[0]} (found: {found})")
    return names


def check(df: pd.DataFrame) -> None:
    """Refuse the first bad row, with the reason."""
    if not len(df):
        raise BadBars("there are no bars")
    volume = ["Volume"] if "Volume" in df.columns else []
    for name in (*PRICES, *volume):
        _refuse(~np.isfinite(_numbers(df, name)), f"{name} is missing or not a finite number")
    o, h, low, c = (_numbers(df, name) for name in PRICES)
    _refuse(np.minimum.reduce([o, h, low, c]) <= 0.0, "a price is not above zero")
    _refuse(h < low, "High is below Low")
    _refuse((o > h) | (o < low), "Open is outside Low to High")
    _refuse((c > h) | (c < low), "Close is outside Low to High")
    if volume:
        _refuse(_numbers(df, "Volume") < 0.0, "Volume is negative")
    _check_times(df.index)


def _check_times(index: pd.Index) -> None:
    if not isinstance(index, pd.DatetimeIndex):
        raise BadBars("the index is no time; use simbroker.load.read_csv or simbroker.bars.tidy")
    _refuse(np.asarray(index.isna()), "the time is missing")
    steps = np.diff(index.asi8)
    _refuse(np.concatenate([[False], steps == 0]), "the time is the same as in the row before")
    _refuse(np.concatenate([[False], steps < 0]), "the time goes back")


def _numbers(df: pd.DataFrame, name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    column = df[name]
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        numbers = pd.to_numeric(column, errors="coerce")
        bad = np.flatnonzero(numbers.isna().to_numpy())
        row = int(bad[0]) if len(bad) else 0
        raise BadBars(f"{name} is {column.iloc[row]!r}, not a number", row)
    return column.to_numpy(dtype="float64")


def _refuse(bad: "np.ndarray[tuple[int], np.dtype[np.bool_]]", reason: str) -> None:
    rows = np.flatnonzero(bad)
    if len(rows):
        raise BadBars(reason, int(rows[0]))


def tuples(df: pd.DataFrame) -> Iterator[BarTuple]:
    """The bars of a checked table, one tuple each, made when it is asked for."""
    index = pd.DatetimeIndex(df.index)
    columns = [index.as_unit("us").asi8, *(df[name].to_numpy(dtype="float64") for name in PRICES)]
    numbers = (np.ascontiguousarray(column).data for column in columns)
    return zip(*numbers, repeat(index.tz), strict=False)


def one_bar(bar: "Mapping[str, object] | pd.Series[float]", before: BarTuple | None) -> BarTuple:
    """A bar that came alone, as `df.iloc[i]` gives it, checked like the rows of a table."""
    time = getattr(bar, "name", None)
    if not isinstance(time, pd.Timestamp):
        named = [k for k in bar.keys() if str(k).strip().lower() in TIMES]  # noqa: SIM118
        if not named:
            raise BadBars("the bar has no time; give it a name or a Date")
        time = pd.Timestamp(str(bar[str(named[0])]))
    numbers = [float(str(bar[name])) for name in PRICES if name in bar]
    if len(numbers) < len(PRICES):
        raise BadBars(f"the bar has no {', '.join(n for n in PRICES if n not in bar)}")
    check(pd.DataFrame([numbers], columns=list(PRICES), index=pd.DatetimeIndex([time])))
    at = micros(time)
    if before is not None and at <= before[0]:
        raise BadBars("the time goes back or is the same as in the bar before")
    return (at, numbers[0], numbers[1], numbers[2], numbers[3], time.tz)
