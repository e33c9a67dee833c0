"""Drives a strategy over bars through the broker interface.

The owner's sketch asked for an entry, stepped the bar and then asked for exits, all on one index:
an order decided on a bar's close would fill inside that same bar. Here a bar is stepped first, and
what is decided on its close can only be filled from the next open on. Exits are asked before
entries, so that a reversal happens on one open, and no entry is asked while a position stays.

Any adapter with the eight methods of `BaseAdapter` will do. It gets each bar as `df.iloc[idx]`, and
its positions are read after every bar, because nobody promises that it reports every fill as an
event. Our own brokers offer two quicker methods besides.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import pandas as pd

from adapters.base_adapter import (
    BarTuple,
    BaseAdapter,
    CloseResult,
    Config,
    Indicators,
    Report,
    Strategy,
)
from adapters.frame import column, frame


def drive(
    strategy: Strategy,
    adapter: BaseAdapter,
    df: pd.DataFrame,
    bars: Iterable[BarTuple],
    cfg: Config,
    start: int = 0,
) -> Report:
    """Run over all bars and report. `bars` are the rows of `df`, checked; nothing is decided before
    bar `start`, or on the last bar, whose decisions could not be filled any more.
    """
    own = df.copy(deep=False)  # pandas copies what is written to, when it is written to
    indicators: Indicators = {
        name: column(series) if isinstance(series, pd.Series) else series
        for name, series in strategy.prepare_indicators(own).items()
    }
    seen, (step, rows), close = frame(df), _stepping(adapter, df, bars), _closing(adapter)
    find_entries, find_exits = strategy.find_entries, strategy.find_exits
    most = adapter.get_account().get("max_positions", cfg.get("max_positions", 1))
    for bar in islice(rows, start):
        step(bar)
    held = adapter.get_positions()
    free = most - len(held)
    for idx, bar in zip(range(start, len(df) - 1), rows, strict=False):
        if step(bar):  # something happened
            held = adapter.get_positions()
            free = most - len(held)
            tell_account(adapter, cfg)
        if held:  # written out here, not called: this is every bar of a position's life
            room = free
            for position in held:
                leave = find_exits(position, seen, indicators, idx)
                if leave and close(leave["position_id"], leave.get("reason", ""))["success"]:
                    room += 1
            if room <= 0:
                continue
            tell_account(adapter, cfg)
        order = find_entries(seen, indicators, idx)
        if order:
            adapter.place_order(order)
    for bar in rows:
        step(bar)
    return adapter.generate_report()


Step = Callable[[Any], Any]
"""Takes one of the rows that come with it; true where positions or account may have changed."""


def _stepping(
    adapter: BaseAdapter, df: pd.DataFrame, bars: Iterable[BarTuple]
) -> tuple[Step, Iterator[Any]]:
    quick: Step | None = getattr(adapter, "step_row", None)
    if quick is not None:
        return quick, iter(bars)

    def step(bar: "pd.Series[float]") -> bool:
        adapter.step_bar(bar)
        return True

    return step, (df.iloc[idx] for idx in range(len(df)))


def _closing(adapter: BaseAdapter) -> Callable[[str, str], CloseResult]:
    quick: Callable[[str, str], CloseResult] | None = getattr(adapter, "close_because", None)
    if quick is not None:
        return quick

    def close(pos_id: str, reason: str) -> CloseResult:  # which keys it answers is left open
        return {"success": True, "position_id": pos_id, **adapter.close_position(pos_id)}

    return close


def tell_account(adapter: BaseAdapter, cfg: Config) -> None:
    """The strategy reads balance and equity from its cfg."""
    account = adapter.get_account()
    cfg["balance"], cfg["equity"] = account["balance"], account["equity"]
