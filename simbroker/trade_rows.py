"""The kernel's rows read as trades, one at a time, when somebody looks."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from simbroker.fills import STOP, TARGET
from simbroker.holding import Holding, settled
from simbroker.kernel import (
    AT_END,
    BY_SIGNAL,
    ENTRY,
    EXIT,
    EXIT_IDX,
    EXIT_PAID,
    HIGH,
    IDX,
    KIND,
    LOW,
    NUMBER,
    PAID,
    SIDE,
    SIGNAL,
    SL,
    TP,
    UNITS,
    VOLUME,
    Table,
)
from simbroker.positions import Charges, Trade, position
from simbroker.run import Floats, Integers

KINDS = {STOP: ("sl", ""), TARGET: ("tp", ""), BY_SIGNAL: ("signal", "exit"),
         AT_END: ("open", "end of data")}  # fmt: skip


class TradeRows(Sequence[Trade]):
    """A sequence of trades that costs nothing until it is read: a run may have a million."""

    def __init__(self, rows: Table, times: Integers, symbol: str) -> None:
        self.rows, self._times, self._symbol = rows, times, symbol

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._trade(row) for row in self.rows[at]]
        return self._trade(self.rows[at])

    def _trade(self, row: Floats) -> Trade:
        entry_idx, exit_idx = int(row[IDX]), int(row[EXIT_IDX])
        kind, reason = KINDS[int(row[KIND])]
        side = 1 if row[SIDE] > 0 else -1
        view = position(
            f"pos_{int(row[NUMBER])}",
            self._symbol,
            side,
            float(row[VOLUME]),
            float(row[ENTRY]),
            entry_idx,
            pd.NaT,  # nobody looks: a trade keeps its time as a number
            _price(row[SL]),
            _price(row[TP]),
        )
        held = Holding(
            side=side,
            entry=view["entry_price"],
            units=float(row[UNITS]),
            sl=float(row[SL]),
            tp=float(row[TP]),
            signal_idx=int(row[SIGNAL]),
            micros=int(self._times[entry_idx]),
            paid=_charges(row, PAID),
            high=float(row[HIGH]),
            low=float(row[LOW]),
            inside=False,
            view=view,
            floor=-math.inf,
            ceiling=math.inf,
            signed=side * float(row[UNITS]),
        )
        paid, at = _charges(row, EXIT_PAID), int(self._times[exit_idx])
        return settled(held, exit_idx, at, float(row[EXIT]), kind, reason, paid)


def _price(number: float) -> float | None:
    return float(number) if number == number else None


def _charges(row: Floats, at: int) -> Charges:
    return float(row[at]), float(row[at + 1]), float(row[at + 2])
