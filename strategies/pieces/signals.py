"""What rules are made of: crosses, counts of bars, the lesser and the greater of two series."""

from __future__ import annotations

import numpy as np
import pandas as pd


def crosses_above(
    left: pd.Series[float] | float, right: pd.Series[float] | float
) -> pd.Series[bool]:
    """The bar before was at or below, this bar is above."""
    gap = pd.Series(left - right)
    return (gap > 0.0) & (gap.shift(1) <= 0.0)


def crosses_below(
    left: pd.Series[float] | float, right: pd.Series[float] | float
) -> pd.Series[bool]:
    """The bar before was at or above, this bar is below."""
    gap = pd.Series(left - right)
    return (gap < 0.0) & (gap.shift(1) >= 0.0)


def in_a_row(rule: pd.Series[bool], bars: int) -> pd.Series[bool]:
    """True on this bar and on the bars before it, so many in all."""
    return rule.astype(float).rolling(bars).sum() == bars


def within(rule: pd.Series[bool], bars: int) -> pd.Series[bool]:
    """True on at least one of the last bars, this one included."""
    return rule.astype(float).rolling(bars, min_periods=1).max() > 0.0


def lesser(left: pd.Series[float], right: pd.Series[float] | float) -> pd.Series[float]:
    """The lower of the two on each bar; NaN where one is not known."""
    return pd.Series(np.minimum(left, right), index=left.index)


def greater(left: pd.Series[float], right: pd.Series[float] | float) -> pd.Series[float]:
    """The higher of the two on each bar; NaN where one is not known."""
    return pd.Series(np.maximum(left, right), index=left.index)


def in_session(minute: pd.Series[float], start: int, end: int) -> pd.Series[bool]:
    """Bars stamped from minute `start` to before minute `end`, past midnight if that is earlier."""
    if start <= end:
        return (minute >= start) & (minute < end)
    return (minute >= start) | (minute < end)
