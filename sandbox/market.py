"""The bars that strategies are tested on: fixed ones, sealed ones, and some nobody has seen."""

from __future__ import annotations

import numpy as np
import pandas as pd

from simbroker.synthetic import MARKETS, bars

MINUTES = {"M1": 1, "M5": 5, "M15": 15, "M30": 30, "H1": 60, "H4": 240}
COUNT, SEALED, UNSEEN, STRANGE = 1500, 375, 500, 260
"""Sealed are the last 20 % of the history: the known bars are what came before them."""
SEED = 20260101


def known(timeframe: str) -> pd.DataFrame:
    """The same on every machine: a trend, a range and gaps, one after the other."""
    return market(timeframe, COUNT, SEED, "2019-01-01")


def history(timeframe: str, seed: int) -> pd.DataFrame:
    """The known bars and the sealed ones after them. Opened once, when all else has passed.

    The sealed ones come from a seed that is drawn for this run only: a seed in the repository would
    let everybody who reads it know them. The report keeps the seed, so they can be made again. The
    unseen bars of the same run come from the numbers before these.
    """
    before = known(timeframe)
    index = times(timeframe, COUNT + SEALED, "2019-01-01")[COUNT:]
    first, parts = float(before["Close"].iloc[-1]), [before]
    rows = np.array_split(np.arange(SEALED), len(MARKETS))
    for n, (part, name) in enumerate(zip(rows, MARKETS, strict=True), len(MARKETS)):
        parts.append(bars(MARKETS[name], index[part], seed + n, first))
        first = float(parts[-1]["Close"].iloc[-1])
    return pd.concat(parts)


def closes(timeframe: str) -> str:
    """Of the known bars, as a table: for those who draw the price."""
    bars = known(timeframe)
    rows = zip(bars.index, bars["Close"], strict=True)
    return "".join(["timestamp,close\n", *(f"{at.isoformat()},{price}\n" for at, price in rows)])


def unseen(timeframe: str, seed: int) -> pd.DataFrame:
    """Other prices on other dates, past or future, from a seed that is drawn for this run only."""
    year = 1990 + seed % 60
    return market(timeframe, UNSEEN, seed, f"{year}-01-01")


def strange(timeframe: str, seed: int) -> tuple[pd.DataFrame, ...]:
    """Two tables far from all others, one high and late, one low and early: a strategy may wait
    for a price, a volume or a date to become another one. Both go further twice on their way."""
    at = np.random.default_rng(seed)
    further = np.arange(STRANGE) * 3 // STRANGE
    found = []
    for way, first_year, years in ((1.0, 2051, 150), (-1.0, 1971, 18)):
        year = first_year + int(at.integers(years))
        table = market(timeframe, STRANGE, seed + 7, f"{year}-01-01")
        levels = 10.0 ** (way * (at.uniform(1.0, 1.5) + further))
        volume = table["Volume"] * 10.0 ** (way * (at.uniform(2.0, 3.0) + 1.5 * further))
        prices = table[["Open", "High", "Low", "Close"]].mul(levels, axis=0)
        found.append(prices.assign(Volume=volume))
    return tuple(found)


def market(timeframe: str, count: int, seed: int, start: str) -> pd.DataFrame:
    index, parts, first = times(timeframe, count, start), [], 100.0
    for n, (rows, name) in enumerate(
        zip(np.array_split(np.arange(count), 3), MARKETS, strict=True)
    ):
        part = bars(MARKETS[name], index[rows], seed + n, first)
        first = float(part["Close"].iloc[-1])
        parts.append(part)
    return pd.concat(parts)


def times(timeframe: str, count: int, start: str) -> pd.DatetimeIndex:
    """Days without weekends; hours around the clock on weekdays; minutes of a session."""
    if timeframe == "W1":
        return pd.date_range(start, periods=count, freq="W-MON")
    if timeframe == "D1":
        return pd.bdate_range(start, periods=count)
    step = MINUTES[timeframe]
    session = step < 60
    of_day = np.arange(570, 960, step) if session else np.arange(0, 1440, step)
    days = pd.bdate_range(start, periods=count // len(of_day) + 1)
    every = days.repeat(len(of_day)) + pd.to_timedelta(np.tile(of_day, len(days)), unit="min")
    return pd.DatetimeIndex(every[:count])
