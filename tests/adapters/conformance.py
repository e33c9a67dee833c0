"""What every adapter must do. A new adapter adds one row to ADAPTERS and passes all of it."""

from collections.abc import Callable

import pandas as pd

from adapters.base_adapter import BaseAdapter, OrderRequest
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.broker import SimBroker
from simbroker.terms import FREE, Terms

BUY: OrderRequest = {"action": "BUY", "symbol": "X", "volume": 2.0, "type": "MARKET"}
BARS = pd.DataFrame(
    [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99), (95, 97, 94, 96)],
    columns=["Open", "High", "Low", "Close"],
    index=pd.date_range("2024-01-01", periods=4, name="Date"),
).astype(float)


def simbroker() -> BaseAdapter:
    return SimBrokerAdapter(SimBroker(Terms(symbol="X", costs=FREE)), "corr_test")


ADAPTERS: dict[str, Callable[[], BaseAdapter]] = {"simbroker": simbroker}


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
