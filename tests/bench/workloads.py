"""The two workloads: what is traded, as rules that every engine can follow."""

from typing import Any

import numpy as np
import pandas as pd

from simbroker.synthetic import Market, bars
from strategies.rsi_mean_reversion.strategy import Params
from strategies.rsi_mean_reversion.strategy import Strategy as Rsi
from strategies.sma_cross.strategy import Strategy as SmaCross

_, LOW, HIGH, STOP, TARGET = Params()
CASH = 1e6
MARKET = Market(0.0, 0.002, 0.0005, 0.02, 0.002)
STRATEGIES: dict[str, type[Rsi] | type[SmaCross]] = {"rsi": Rsi, "sma": SmaCross}
TITLES = {
    "rsi": "RSI(14) 30/70 with stop and target",
    "sma": "SMA(10/30), always in the market",
}


def make_bars(count: int) -> pd.DataFrame:
    return bars(MARKET, pd.date_range("2000-01-01", periods=count, freq="1min"), seed=5)


def indicator(workload: str, df: pd.DataFrame) -> "pd.Series[float]":
    """The one series that the workload decides by, computed before any clock starts."""
    prepared = STRATEGIES[workload]({}).prepare_indicators(df)
    return prepared["rsi" if workload == "rsi" else "gap"]


def signals(workload: str, df: pd.DataFrame) -> dict[str, Any]:
    """The same rules as arrays: entry +1/-1, exits, stop and target."""
    now = indicator(workload, df).to_numpy()
    before = np.concatenate([[np.nan], now[:-1]])
    close = df["Close"].to_numpy()
    first = 15 if workload == "rsi" else 30
    late = np.arange(len(df)) >= first
    if workload == "rsi":
        entry = ((now < LOW) & (before >= LOW) & late).astype("int64")
        leave = (now > HIGH) & (before <= HIGH)
        return {"entry": entry, "exit_long": leave, "exit_short": leave & False,
                "sl": close * (1.0 - STOP), "tp": close * (1.0 + TARGET)}  # fmt: skip
    up, down = (before <= 0.0) & (now > 0.0) & late, (before >= 0.0) & (now < 0.0) & late
    return {"entry": up.astype("int64") - down, "exit_long": now < 0.0, "exit_short": now > 0.0,
            "sl": None, "tp": None}  # fmt: skip
