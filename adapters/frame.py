"""Bars and indicators as pandas objects whose single values are quick to read.

`series.iloc[i]` costs microseconds in pandas and is what a strategy does on every bar. A `Column`
is a real Series, but `.iloc[i]`, `.iat[i]` and `[i]` read straight from the memory under it, which
costs no copy. Everything else is pandas. Two things differ from plain pandas and are meant: a value
is a Python float, so that x / 0 raises instead of giving inf, and nothing can be written.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd


class Values:
    """Stands for `.iloc` and `.iat`: a whole number is looked up, anything else goes to pandas."""

    __slots__ = ("_pandas", "_single")

    def __init__(self, single: "Sequence[Any] | memoryview", indexer: Any) -> None:
        self._single, self._pandas = single, indexer

    def __getitem__(self, at: Any) -> Any:
        if at.__class__ is int:
            return self._single[at]
        return self._pandas[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        raise TypeError("a strategy cannot change bars or indicators")


class Column(pd.Series):
    """A Series with quick single values. What pandas derives from it is a plain Series."""

    iloc: Any = None  # shadows the pandas property, so that each column's own `Values` is found
    iat: Any = None

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is int:
            return self.iloc[key]
        return super().__getitem__(key)


def column(series: "pd.Series[Any]") -> Column:
    """Floats become Python floats; other kinds keep the type that pandas would give."""
    values: Sequence[Any] | memoryview
    if series.dtype == np.float64:
        values = series.to_numpy().data
    else:
        values = series.tolist() if series.dtype.kind == "f" else list(series.to_numpy())
    quick = Column(series, copy=False)
    plain = pd.Series(series, copy=False)
    object.__setattr__(quick, "iloc", Values(values, plain.iloc))
    object.__setattr__(quick, "iat", Values(values, plain.iat))
    return quick


class Frame(pd.DataFrame):
    """The bars as a strategy sees them. A column is made quick when it is first asked for."""

    def __getitem__(self, key: Any) -> Any:
        try:
            return self.__dict__["quick"][key]
        except (KeyError, TypeError):
            found = super().__getitem__(key)
        if key.__class__ is str:
            found = column(found)
            self.__dict__["quick"][key] = found
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("a strategy cannot change bars or indicators")


def frame(df: pd.DataFrame) -> Frame:
    quick = Frame(df, copy=False)
    quick.__dict__["quick"] = {}
    return quick
