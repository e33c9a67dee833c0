"""Bars drawn by hand, and the trades that a sheet makes on them through generated code."""

from __future__ import annotations

import re
from decimal import Decimal

import pandas as pd

from adapters.config import config
from adapters.simbroker_adapter import SimBrokerAdapter
from bot.agents.coder import write_strategy
from schemas import codec
from schemas.contract import Contract, Entry
from schemas.sheet import put_into, read_sheet
from simbroker.broker import SimBroker
from simbroker.positions import Trade
from simbroker.terms import Terms
from tests.agents.making import FREE, UNIT, contract
from tests.agents.running import load

STEP = {"M15": "15min", "H1": "1h", "H4": "4h", "D1": "1D", "W1": "7D"}
ENDS = {"sl": "stop", "tp": "target", "open": "open"}
FIRST_DAY = pd.Timestamp("2024-01-01")
"""A Monday."""


def bars(drawn: str, timeframe: str = "D1") -> pd.DataFrame:
    """Bars between bars of `|`: `10` or `open high low close`; `v1` is the volume, `fri 15:30` the
    stamp where it is not one step after the one before."""
    rows, at = [], FIRST_DAY
    for cell in drawn.split("|"):
        stamp = re.search(r"(mon|tue|wed|thu|fri|sat|sun)? ?(\d\d:\d\d)", cell)
        volume = re.search(r"v(\d+)", cell)
        if stamp:
            at = _stamp(at, *stamp.groups())
        left = re.sub(r"[a-z]{3}|\d\d:\d\d|v\d+", "", cell)
        prices = [float(x) for x in left.split()]
        first, high, low, close = prices * 4 if len(prices) == 1 else prices
        rows.append((at, first, high, low, close, float(volume[1]) if volume else 0.0))
        at += pd.Timedelta(STEP[timeframe])
    columns = ["Date", "Open", "High", "Low", "Close", "Volume"]
    return pd.DataFrame(rows, columns=columns).set_index("Date")


def _stamp(at: pd.Timestamp, day: str | None, clock: str) -> pd.Timestamp:
    """That time on the day at hand, or on the next day of that name."""
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    ahead = (days.index(day) - at.weekday()) % 7 if day else 0
    hours, minutes = clock.split(":")
    return at.normalize() + pd.Timedelta(days=ahead, hours=int(hours), minutes=int(minutes))


def contract_of(sheet: str) -> Contract:
    """AAPL on daily bars, and free trading, where the sheet does not say otherwise."""
    for word, line in (("symbol", "symbol AAPL"), ("timeframe", "timeframe D1")):
        sheet = sheet if re.search(rf"(?m)^{word} ", sheet) else f"{line}\n{sheet}"
    if not re.search(r"(?m)^(costs|commission|spread|slippage) ", sheet):
        sheet += "\ncosts none"
    reading = read_sheet(sheet)
    assert reading.rules is not None, [str(p) for p in reading.problems]
    rules = reading.rules
    entries: tuple[Entry, ...] = rules.entries
    blank = contract("drawn", entries=entries, sizing=UNIT, costs=FREE)
    return put_into(blank, rules)


def traded(sheet: str, df: pd.DataFrame, cash: float = 10_000.0) -> list[Trade]:
    made = contract_of(sheet)
    cfg = {**config(codec.dump(made)), "initial_balance": cash}
    adapter = SimBrokerAdapter(SimBroker(Terms.read(cfg)))
    load(write_strategy(made)).run_backtest(adapter, df, cfg)
    return list(adapter.run().trades)


def fills(sheet: str, drawn: str) -> list[str]:
    """Each trade as `long 2 @ 10 to 5 @ 11 by stop`."""
    named = re.search(r"(?m)^timeframe (\w+)", sheet)
    return [_said(t) for t in traded(sheet, bars(drawn, named[1] if named else "D1"))]


def _said(trade: Trade) -> str:
    side = "long" if trade.side > 0 else "short"
    why = ENDS.get(trade.kind) or (trade.reason if trade.reason in OWN else "rule")
    enter, leave = _price(trade.entry_price), _price(trade.exit_price)
    return f"{side} {trade.entry_idx} @ {enter} to {trade.exit_idx} @ {leave} by {why}"


OWN = ("trailing stop", "break-even stop", "time is up", "end of the day")


def _price(price: float) -> str:
    return f"{Decimal(repr(round(price, 6))).normalize():f}"
