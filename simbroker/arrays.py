"""The array path: signals for all bars at once, the same fills, no call per bar."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

import numpy as np
import pandas as pd

from simbroker.bars import PRICES, check
from simbroker.from_fill import FromFill
from simbroker.kernel import ROW, Flags, Simulate, Table, simulate
from simbroker.run import Floats, Integers, Run
from simbroker.terms import Terms
from simbroker.trade_rows import TradeRows

NO_PRICE = np.array([np.nan])
NEVER = np.array([False])
NOT_MOVED = np.full((1, len(FromFill._fields)), np.nan)
FromFills = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Columns:
    """Checked bars as arrays."""

    prices: tuple[Floats, Floats, Floats, Floats]
    times: Integers
    zone: tzinfo | None


@dataclass(frozen=True, slots=True)
class Signals:
    """What is decided on the close of each bar.

    `entry` is 1 (buy), -1 (sell) or 0. In a price column NaN means that there is none. A limit
    order works for `good_for` bars. Nothing is decided before bar `start`. `from_fill` has the
    order keys of that name, each with a number for every bar.
    """

    entry: Integers
    volume: Floats
    limit: Floats | None = None
    sl: Floats | None = None
    tp: Floats | None = None
    exit_long: Flags | None = None
    exit_short: Flags | None = None
    good_for: int = 1
    start: int = 0
    from_fill: FromFills | None = None


def columns(df: pd.DataFrame) -> Columns:
    check(df)
    o, h, low, c = (np.ascontiguousarray(df[n].to_numpy(dtype="float64")) for n in PRICES)
    index = pd.DatetimeIndex(df.index)
    return Columns((o, h, low, c), index.as_unit("us").asi8, index.tz)


def run_signals(bars: Columns, signals: Signals, terms: Terms, kernel: Simulate = simulate) -> Run:
    """The run that the callback path gives for the same decisions. `kernel.compiled()` is quick."""
    asked = np.flatnonzero(signals.entry)
    equity, out = np.empty(len(bars.times)), np.empty((len(asked), ROW))
    costs = terms.costs
    trades, refused = kernel(
        *bars.prices,
        asked,
        np.sign(signals.entry[asked]).astype("float64"),
        _prices("limit", signals.limit, asked),
        _prices("sl", signals.sl, asked),
        _prices("tp", signals.tp, asked),
        signals.volume[asked] if len(signals.volume) > 1 else signals.volume,
        _from_fill(signals.from_fill, asked),
        signals.good_for,
        NEVER if signals.exit_long is None else signals.exit_long,
        NEVER if signals.exit_short is None else signals.exit_short,
        signals.start,
        terms.initial_balance,
        terms.leverage,
        terms.contract_size,
        terms.max_positions,
        np.array(
            [
                costs.commission_per_trade,
                costs.commission_per_unit,
                costs.commission_percent,
                costs.spread,
                costs.slippage,
                costs.slippage_percent_of_range,
            ]
        ),
        equity,
        out,
    )
    close = bars.prices[3]
    return Run(
        terms=terms,
        symbol=terms.symbol,
        times=bars.times,
        zone=bars.zone,
        equity=equity,
        trades=TradeRows(out[:trades], bars.times, terms.symbol),
        first_close=float(close[0]),
        last_close=float(close[-1]),
        refused=refused,
        closes=close,
    )


def _prices(name: str, given: Floats | None, asked: Integers) -> Floats:
    if given is None:
        return NO_PRICE
    prices = given[asked] if len(given) > 1 else given
    if (prices <= 0.0).any() or np.isinf(prices).any():
        raise ValueError(
            f"{name} holds a price that is not above zero: use NaN where there is none"
        )
    return prices


def _from_fill(given: FromFills | None, asked: Integers) -> Table:
    """A row for each signal."""
    if not given:
        return NOT_MOVED
    if strange := sorted(set(given) - set(FromFill._fields)):
        raise ValueError(f"from_fill has no {strange[0]!r}: use {', '.join(FromFill._fields)}")
    rows = np.full((len(asked), len(FromFill._fields)), np.nan)
    for n, name in enumerate(FromFill._fields):
        if name in given:
            rows[:, n] = _prices(name, given[name], asked)
    return rows
