"""Bars from a table, and a strategy that only does what a table tells it to."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position
from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.bars import tidy, tuples
from simbroker.broker import SimBroker
from simbroker.run import Run
from simbroker.terms import FREE, Terms

Candle = tuple[float, float, float, float]
RICH = Terms(symbol="X", initial_balance=1e9, costs=FREE, leverage=1000.0)


class Ask(NamedTuple):
    """An order: 1 buys, -1 sells."""

    side: int
    sl: float | None = None
    tp: float | None = None
    limit: float | None = None
    volume: float = 1.0
    good_for: int | None = None
    from_fill: Mapping[str, float] | None = None

    def request(self) -> OrderRequest:
        order: OrderRequest = {
            "action": "BUY" if self.side > 0 else "SELL",
            "symbol": "X",
            "volume": self.volume,
            "type": "MARKET" if self.limit is None else "LIMIT",
            "price": self.limit,
            "sl": self.sl,
            "tp": self.tp,
        }
        if self.good_for is not None:
            order["good_for"] = self.good_for
        order.update(self.from_fill or {})  # type: ignore[typeddict-item]
        return order


class Scripted:
    """Asks for these orders and exits on these bars, whatever the bars are."""

    def __init__(
        self,
        orders: Mapping[int, Ask],
        exit_long: Mapping[int, str] | None = None,
        exit_short: Mapping[int, str] | None = None,
    ) -> None:
        self._orders = orders
        self._exits = {"BUY": exit_long or {}, "SELL": exit_short or {}}

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        ask = self._orders.get(idx)
        return ask.request() if ask else None

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        reason = self._exits[position["action"]].get(idx)
        return {"position_id": position["position_id"], "reason": reason} if reason else None


def table(candles: Sequence[Candle]) -> pd.DataFrame:
    index = pd.date_range("2024-01-01", periods=len(candles), freq="D")
    return pd.DataFrame(candles, columns=["Open", "High", "Low", "Close"], index=index).astype(
        float
    )


def play(strategy: Any, df: pd.DataFrame, terms: Terms = RICH, start: int = 0) -> Run:
    """The callback path, from bars to run."""
    cfg: Config = {"symbol": "X"}
    bars = tidy(df)
    closes = bars["Close"].to_numpy(dtype="float64")
    adapter = SimBrokerAdapter(SimBroker(terms), closes=closes)
    drive(strategy, adapter, bars, tuples(bars), cfg, start)
    return adapter.run()


def facts(run: Run) -> list[tuple[object, ...]]:
    """Signal bar, side, entry bar and price, exit bar and price, kind; oldest signal first."""
    rows = [(t.signal_idx, t.side, t.entry_idx, t.entry_price, t.exit_idx, t.exit_price, t.kind)
            for t in run.trades]  # fmt: skip
    return sorted(rows, key=lambda row: (row[0], row[4]))
