"""Drives a strategy over bars through the broker interface.

The owner's sketch asked for an entry, stepped the bar and then asked for exits, all on one index:
an order decided on a bar's close would fill inside that same bar. Here a bar is stepped first, and
what is decided on its close can only be filled from the next open on. Exits are asked before
entries, so that a reversal happens on one open, and no entry is asked while a position stays.
"""

from collections.abc import Iterable

import pandas as pd

from adapters.base_adapter import BarTuple, BaseAdapter, Config, Indicators, Report, Strategy
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
    indicators: Indicators = {
        name: column(series) if isinstance(series, pd.Series) else series
        for name, series in strategy.prepare_indicators(df.copy()).items()
    }
    seen, last = frame(df), len(df) - 1
    most = adapter.get_account()["max_positions"]
    step, positions = adapter.step_bar, adapter.get_positions
    find_entries, find_exits = strategy.find_entries, strategy.find_exits
    for idx, bar in enumerate(bars):
        happened = step(bar)
        if idx < start or idx == last:
            continue
        staying = 0
        for position in positions():
            leave = find_exits(position, seen, indicators, idx)
            if not leave or not adapter.close_position(
                leave["position_id"], reason=leave.get("reason", "")
            )["success"]:  # fmt: skip
                staying += 1
        if staying < most:
            if happened or staying:
                account = adapter.get_account()
                cfg["balance"], cfg["equity"] = account["balance"], account["equity"]
            order = find_entries(seen, indicators, idx)
            if order:
                adapter.place_order(order)
    return adapter.generate_report()
