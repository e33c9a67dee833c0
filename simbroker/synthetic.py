"""Makes bars that look real, from a seed: the same seed gives the same bars on every machine.

python -m simbroker.synthetic fixtures      writes the fixtures again
"""

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class Market:
    """How a market moves. `pull` drags the price back to where it began, `drift` pushes it on."""

    drift: float
    volatility: float
    pull: float
    gap_chance: float
    gap_size: float


MARKETS = {
    "trending": Market(0.0012, 0.011, 0.0, 0.02, 0.005),
    "ranging": Market(0.0, 0.011, 0.03, 0.02, 0.005),
    "gappy": Market(0.0002, 0.012, 0.005, 0.25, 0.025),
}
SAMPLES = {  # file -> market, timeframe, bars, seed
    "trending_D1": ("trending", "D1", 600, 11),
    "ranging_D1": ("ranging", "D1", 600, 12),
    "gappy_D1": ("gappy", "D1", 600, 13),
    "trending_M15": ("trending", "M15", 600, 21),
    "ranging_H1": ("ranging", "H1", 600, 22),
    "gappy_M15": ("gappy", "M15", 600, 23),
    "sample_aapl": ("ranging", "D1", 500, 31),
}


def times(timeframe: str, count: int) -> pd.DatetimeIndex:
    """Days without weekends, hours around the clock on weekdays, quarter hours of a session."""
    if timeframe == "D1":
        return pd.bdate_range("2020-01-02", periods=count)
    step = {"H1": "1h", "M15": "15min", "M1": "1min"}[timeframe]
    days = pd.bdate_range("2023-01-02", periods=count // (6 if timeframe == "H1" else 20) + 2)
    every = pd.date_range(days[0], days[-1] + pd.Timedelta(days=1), freq=step)
    every = every[every.day_of_week < 5]
    if timeframe == "M15":
        minute = every.hour * 60 + every.minute
        every = every[(minute >= 570) & (minute < 960)]
    return every[:count]


def bars(market: Market, index: pd.DatetimeIndex, seed: int, first: float = 100.0) -> pd.DataFrame:
    """A random walk in logarithms with gaps between bars and a range around each body."""
    rng, n = np.random.default_rng(seed), len(index)
    moves = rng.normal(market.drift, market.volatility, n)
    gaps = rng.normal(0.0, market.gap_size, n) * (rng.random(n) < market.gap_chance)
    reach = np.abs(rng.normal(0.0, market.volatility / 2, (2, n)))
    closes, opens, level = np.empty(n), np.empty(n), 0.0
    for i in range(n):
        opens[i] = level + (gaps[i] if i else 0.0)
        level = opens[i] + moves[i] - market.pull * opens[i]
        closes[i] = level
    price = first * np.exp(np.vstack([opens, closes]))
    high = price.max(axis=0) * np.exp(reach[0])
    low = price.min(axis=0) * np.exp(-reach[1])
    volume = np.round(1e6 * np.exp(rng.normal(0.0, 0.5, n)))
    table = np.column_stack([price[0], high, low, price[1]]).round(4)
    out = pd.DataFrame(table, columns=["Open", "High", "Low", "Close"], index=index)
    out.index.name = "Date"
    return out.assign(Volume=volume)


def sample(name: str) -> pd.DataFrame:
    market, timeframe, count, seed = SAMPLES[name]
    return bars(MARKETS[market], times(timeframe, count), seed)


def place(name: str) -> str:
    """Where a sample lies in fixtures/. The owner's documents name the path of `sample_aapl`."""
    return "sample_aapl.csv" if name == "sample_aapl" else f"bars/{name}.csv"


def write(folder: str) -> None:
    for name in SAMPLES:
        sample(name).to_csv(f"{folder}/{place(name)}", lineterminator="\n")


if __name__ == "__main__":
    write(sys.argv[1])
