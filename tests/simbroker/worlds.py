"""Random bars, decisions and costs, for properties."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from simbroker.arrays import Signals
from simbroker.from_fill import FromFill
from simbroker.terms import Costs, Terms
from tests.simbroker.scripted import Ask, Candle, Scripted, table


class World(NamedTuple):
    candles: list[Candle]
    orders: dict[int, Ask]
    exit_long: dict[int, str]
    exit_short: dict[int, str]
    terms: Terms
    good_for: int

    @property
    def df(self) -> pd.DataFrame:
        return table(self.candles)

    def strategy(self) -> Scripted:
        return Scripted(self.orders, self.exit_long, self.exit_short)

    def signals(self) -> Signals:
        """The same decisions as arrays."""
        n = len(self.candles)
        nan, entry = np.full((4, n), np.nan), np.zeros(n, dtype="int64")
        limit, sl, tp, volume = nan
        for bar, ask in self.orders.items():
            entry[bar], volume[bar] = ask.side, ask.volume
            for column, price in ((limit, ask.limit), (sl, ask.sl), (tp, ask.tp)):
                if price is not None:
                    column[bar] = price
        moved = {name: np.full(n, np.nan) for name in FromFill._fields}
        for bar, ask in self.orders.items():
            for name, amount in (ask.from_fill or {}).items():
                moved[name][bar] = amount
        leave = [np.isin(np.arange(n), list(x)) for x in (self.exit_long, self.exit_short)]
        return Signals(entry, volume, limit, sl, tp, leave[0], leave[1], self.good_for,
                       from_fill=moved)  # fmt: skip


def random_world(seed: int, free: bool = False) -> World:
    """Coarse prices, so that stops, limits and opens often meet exactly."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    jump = int(rng.integers(1, 6))
    candles, level = [], 100.0
    for _ in range(n):
        first = max(5.0, level + float(rng.integers(-jump, jump + 1)))
        close = max(5.0, first + float(rng.integers(-4, 5)))
        high = max(first, close) + float(rng.integers(0, 4))
        low = max(1.0, min(first, close) - float(rng.integers(0, 4)))
        candles.append((first, high, low, close))
        level = close
    good_for = int(rng.choice([1, 1, 3]))
    orders = {}
    for bar in np.flatnonzero(rng.random(n) < rng.choice([0.1, 0.5, 1.0])):
        orders[int(bar)] = _ask(rng, candles[bar], good_for)
    exits = [
        {int(b): "x" for b in np.flatnonzero(rng.random(n) < rng.choice([0.0, 0.1, 0.4]))}
        for _ in range(2)
    ]
    return World(candles, orders, exits[0], exits[1], _terms(rng, free), good_for)


def _ask(rng: np.random.Generator, candle: Candle, good_for: int) -> Ask:
    side = int(rng.choice([-1, 1]))
    limit = candle[3] - side * float(rng.integers(-1, 5)) if rng.random() < 0.3 else None
    base = limit if limit is not None else candle[3]
    sl = base - side * float(rng.integers(-1, 7)) if rng.random() < 0.6 else None
    tp = base + side * float(rng.integers(-1, 9)) if rng.random() < 0.6 else None
    volume = float(rng.choice([1.0, 0.3, 7.77]))
    sl, tp = _positive(sl), _positive(tp)
    moved = _from_fill(rng, sl, tp) if rng.random() < 0.5 else {}
    return Ask(side, sl, tp, _positive(limit), volume, good_for, moved)


def _from_fill(rng: np.random.Generator, sl: float | None, tp: float | None) -> dict[str, float]:
    """Any of the keys that go with these levels. The percentages are whole in binary."""
    found: dict[str, float] = {}
    for level, price in (("sl", sl), ("tp", tp)):
        if price is not None:
            if rng.random() < 0.6:
                found[f"{level}_percent"] = float(rng.choice([3.125, 6.25, 12.5]))
            if rng.random() < 0.4:
                found[f"{level}_distance"] = float(rng.integers(1, 8))
            if level == "tp" and sl is not None and rng.random() < 0.4:
                found["tp_r"] = float(rng.choice([0.5, 1.0, 2.0]))
            if any(name.startswith(level) for name in found) and rng.random() < 0.3:
                found[f"{level}_fixed"] = price
    return found


def _positive(price: float | None) -> float | None:
    return None if price is None else max(0.5, price)


def _terms(rng: np.random.Generator, free: bool) -> Terms:
    costs = Costs(*(float(rng.choice([0.0, x])) for x in (1.5, 0.013, 0.07, 0.4, 0.25, 3.0)))
    return Terms(
        symbol="X",
        initial_balance=1e9 if free else float(rng.choice([150.0, 1_000.0, 100_000.0])),
        costs=costs,
        leverage=float(rng.choice([1.0, 5.0])),
        max_positions=int(rng.choice([1, 1, 2, 3])),
        contract_size=float(rng.choice([1.0, 10.0])),
    )


worlds = st.integers(0, 2**32 - 1).map(random_world)
rich_worlds = st.integers(0, 2**32 - 1).map(lambda seed: random_world(seed, free=True))
