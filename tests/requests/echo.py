"""Strategy files that do what a plan says, knowing no more than a strategy is told."""

from pathlib import Path

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position
from tests.requests.bars import Bars, bars_of
from tests.requests.corpus import requests
from tests.requests.engine import Book, Held, Order, Trade
from tests.requests.expected import meaning
from tests.requests.plan import Plan
from tests.requests.readings import Options

FILE = '''"""An echo of a plan."""

from functools import partial

from tests.requests.echo import Echo

Strategy = partial(Echo, {request!r}, {options!r})
'''


def echo(request: str, options: Options, folder: Path) -> Path:
    path = folder / "strategy.py"
    path.write_text(FILE.format(request=request, options=dict(options)))
    return path


class Echo:
    """A position that is no longer asked about was closed in the bar after the last question."""

    bars: Bars
    plan: Plan

    def __init__(self, request: str, options: Options, cfg: Config) -> None:
        self.request, self.options, self.cfg = request, options, cfg
        self.book = Book()
        self.asked: dict[int, int] = {}
        self.leaving: set[int] = set()
        self.sent: tuple[int, Order] | None = None

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        self.bars = bars_of(df)
        self.plan = meaning(requests()[self.request]).plan(self.bars, **self.options)
        return {}

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        bar, number = position["entry_idx"], int(position["position_id"])
        side = 1 if position["action"] == "BUY" else -1
        order = Order(side, stop=position["sl"], target=position["tp"])
        held = Held(number, order, bar - 1, bar, position["entry_price"], True)
        if number not in self.asked:
            self.book.held.append(held)
        self.asked[number] = idx
        if not self.plan.leaves(held, idx):
            return None
        self.leaving.add(number)
        return {"position_id": position["position_id"], "reason": "asked for"}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        self.notice(idx)
        order = self.plan.orders(idx, self.book)
        self.sent = None if order is None else (idx, order)
        if order is None:
            return None
        return {
            "action": "BUY" if order.side > 0 else "SELL",
            "symbol": self.cfg["symbol"],
            "volume": order.volume or self.cfg["volume"],
            "type": "MARKET" if order.limit is None else "LIMIT",
            "price": order.limit,
            "sl": order.stop,
            "tp": order.target,
        }

    def notice(self, idx: int) -> None:
        """Trades that ended since the last time; one that ended in its first bar was never seen."""
        for held in [h for h in self.book.held if self.asked[h.number] < idx]:
            self.book.held.remove(held)
            self.book.trades.append(self.ended(held, self.asked[held.number] + 1))
        sent, self.sent = self.sent, None
        if sent and sent[1].limit is None and idx == sent[0] + 1 and not self.seen(idx):
            price = float(self.bars.open[idx])
            self.book.trades.append(self.ended(Held(0, sent[1], idx - 1, idx, price, True), idx))

    def seen(self, bar: int) -> bool:
        return any(held.entry == bar for held in self.book.held)

    def ended(self, held: Held, bar: int) -> Trade:
        worst = self.bars.low[bar] if held.side > 0 else self.bars.high[bar]
        stop = held.order.stop
        kind = "sl" if stop is not None and held.side * (worst - stop) <= 0 else "tp"
        if held.number in self.leaving:
            kind = "signal"
        return Trade(held.signal, held.side, held.entry, held.price, bar, 0.0, kind, None)
