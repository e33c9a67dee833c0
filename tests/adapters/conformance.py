"""What every adapter must do. A new adapter adds one row to ADAPTERS and passes all of it."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pandas as pd

from adapters.base_adapter import AnyBar, BaseAdapter, Event, OrderRequest
from adapters.live.adapter import LiveAdapter
from adapters.live.book import Book
from adapters.live.dry_run import DryRun
from adapters.live.ibkr import Ibkr
from adapters.live.journal import Journal
from adapters.live.mt5 import Login, Mt5
from adapters.live.port import Bar, Broker, Market
from adapters.live.steady import Steady
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.bars import one_bar
from simbroker.broker import SimBroker
from simbroker.terms import FREE, Terms
from tests.adapters.terminal import Terminal
from tests.adapters.tws import ACCOUNT, Tws
from tests.adapters.venue import Venue

BUY: OrderRequest = {"action": "BUY", "symbol": "X", "volume": 2.0, "type": "MARKET"}
BARS = pd.DataFrame(
    [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99), (95, 97, 94, 96)],
    columns=["Open", "High", "Low", "Close"],
    index=pd.date_range("2024-01-01", periods=4, name="Date"),
).astype(float)
DAY = Market("X", "D1", 86_400)
LOGIN = Login("815", "canary-mt5-password", "Demo")
TERMS = Terms(symbol="X", costs=FREE)


class OnTheMarket:
    """A live adapter whose stand-in broker sees each bar before the adapter does."""

    def __init__(self, adapter: LiveAdapter, market: Any) -> None:
        self.adapter, self.market = adapter, market

    def __getattr__(self, name: str) -> Any:
        return getattr(self.adapter, name)

    def step_bar(self, bar: AnyBar) -> list[Event]:
        assert isinstance(bar, pd.Series)
        at, first, high, low, close, _ = one_bar(bar, None)
        self.market.move(Bar(at, first, high, low, close))
        return self.adapter.step_bar(bar)


class Tape:
    """Bars and a clock, and no way to send an order: what a dry run may ask of a broker."""

    def __init__(self) -> None:
        self.bar: list[Bar] = []
        self.dry: DryRun | None = None

    def connect(self) -> None:
        return

    def bars(self, after: int) -> list[Bar]:
        return [bar for bar in self.bar if bar.at > after]

    def move(self, bar: Bar) -> None:
        self.bar.append(bar)
        if self.dry is not None:
            self.dry.bars(self.bar[-2].at if len(self.bar) > 1 else 0)


def live(broker: Broker) -> LiveAdapter:
    """Connected, with a journal on the disk and nobody who objects."""
    steady = Steady(broker, lambda why: None, 0.01)
    steady.connect()
    journal = Journal(Path(tempfile.mkdtemp()) / "journal.jsonl")
    book = Book(TERMS, 86_400_000_000)
    return LiveAdapter(steady, book, journal, "test", lambda ticket: "", "corr_test")


def simbroker() -> BaseAdapter:
    return SimBrokerAdapter(SimBroker(TERMS), "corr_test")


def ibkr() -> BaseAdapter:
    tws = Tws(Venue())
    return cast(BaseAdapter, OnTheMarket(live(Ibkr("127.0.0.1", tws.port, ACCOUNT, DAY)), tws))


def mt5() -> BaseAdapter:
    terminal = Terminal(Venue())
    return cast(BaseAdapter, OnTheMarket(live(Mt5(terminal, LOGIN, DAY)), terminal))


def dry_run() -> BaseAdapter:
    tape = Tape()
    tape.dry = DryRun(cast(Broker, tape), TERMS)
    return cast(BaseAdapter, OnTheMarket(live(tape.dry), tape))


ADAPTERS: dict[str, Callable[[], BaseAdapter]] = {
    "simbroker": simbroker,
    "ibkr": ibkr,
    "mt5": mt5,
    "dry_run": dry_run,
}
LIVE = {name: make for name, make in ADAPTERS.items() if name in ("ibkr", "mt5")}


def step(adapter: BaseAdapter, bar: int) -> list[str]:
    """One bar as the owner's loop gives it: a row of the table. The names of what happened."""
    return [event["event"] for event in adapter.step_bar(BARS.iloc[bar])]


def holding(adapter: BaseAdapter, **more: object) -> str:
    """Open a position on the second bar and return its id."""
    step(adapter, 0)
    order: OrderRequest = {**BUY, **more}  # type: ignore[typeddict-item]
    assert adapter.place_order(order)["success"]
    assert step(adapter, 1) == ["position_opened"]
    return adapter.get_positions()[0]["position_id"]
