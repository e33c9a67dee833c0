"""The engines, each timed from ready bars and ready indicators to the last fill.

Not timed: imports, making the bars, indicators, compiling, statistics. So it is the loop over bars
that is compared: asking the strategy, filling orders, keeping positions and equity. The clock is
the processor time of the process: neighbours on the machine do not count.
"""

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.arrays import Signals, columns, run_signals
from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.kernel import compiled
from simbroker.terms import FREE, Terms
from tests.bench import obvious, peers
from tests.bench.workloads import CASH, STRATEGIES, indicator, make_bars, signals

TERMS = Terms(symbol="X", initial_balance=CASH, costs=FREE)
Timed = tuple[float, int]


class Silent(SimBrokerAdapter):
    """Ours without the statistics at the end, as for all the others."""

    def generate_report(self) -> dict[str, object]:
        return {}


class Prepared:
    """A strategy whose indicators were computed before."""

    def __init__(self, workload: str, df: pd.DataFrame) -> None:
        inner: Any = STRATEGIES[workload]({"symbol": "X", "volume": 1.0})
        self._indicators = inner.prepare_indicators(df)
        self.find_entries, self.find_exits = inner.find_entries, inner.find_exits

    def prepare_indicators(self, df: pd.DataFrame) -> Any:
        return self._indicators


def callback(workload: str, df: pd.DataFrame) -> Timed:
    strategy, adapter = Prepared(workload, df), Silent(SimBroker(TERMS))
    start = time.process_time()
    drive(strategy, adapter, df, tuples(df), {})
    return time.process_time() - start, len(adapter.run().trades)


def arrays(workload: str, df: pd.DataFrame) -> Timed:
    ready, given = columns(df), signals(workload, df)
    orders = Signals(volume=np.ones(1), **given)
    kernel = compiled()
    few = make_bars(200)
    run_signals(columns(few), Signals(volume=np.ones(1), **signals(workload, few)), TERMS, kernel)
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        run = run_signals(ready, orders, TERMS, kernel)
        best = min(best, time.process_time() - start)
    return best, len(run.trades)


def the_obvious_way(workload: str, df: pd.DataFrame) -> Timed:
    strategy: Any = STRATEGIES[workload]({"symbol": "X", "volume": 1.0})
    indicators = strategy.prepare_indicators(df)
    start = time.process_time()
    trades = obvious.run(strategy, df, indicators)
    return time.process_time() - start, trades


def peer(run: Callable[..., Timed]) -> Callable[[str, pd.DataFrame], Timed]:
    def timed(workload: str, df: pd.DataFrame) -> Timed:
        warnings.simplefilter("ignore")
        return run(workload, df, indicator(workload, df), signals(workload, df))

    return timed


ENGINES: dict[str, Callable[[str, pd.DataFrame], Timed]] = {
    "obvious": the_obvious_way,
    "backtrader": peer(peers.with_backtrader),
    "backtesting.py": peer(peers.with_backtesting),
    "stratbot callback": callback,
    "vectorbt": peer(peers.with_vectorbt),
    "stratbot arrays": arrays,
}
SLOW = {"obvious", "backtrader", "stratbot arrays"}  # the last one compiles for seconds each time
NEEDS = {"backtrader": "backtrader", "backtesting.py": "backtesting", "vectorbt": "vectorbt"}
