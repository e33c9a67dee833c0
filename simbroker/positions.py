"""What is held, and what became of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import NamedTuple

import pandas as pd

from simbroker.clock import stamp
from simbroker.fills import to_money

Charges = tuple[float, float, float]
"""Commission, spread, slippage of one fill."""

SPELLINGS = {
    name: field
    for field, names in {
        "position_id": ("position_id", "id", "ticket"),
        "symbol": ("symbol",),
        "action": ("action", "side", "direction", "type"),
        "volume": ("volume",),
        "entry_price": ("entry_price", "price", "open_price", "price_open"),
        "entry_idx": ("entry_idx", "entry_index", "entry_bar", "open_idx"),
        "entry_time": ("entry_time", "open_time", "time"),
        "sl": ("sl",),
        "tp": ("tp",),
        "comment": ("comment",),
    }.items()
    for name in names
}


@dataclass(frozen=True, slots=True, eq=False)
class Position(Mapping[str, object]):
    """An open position as a strategy sees it: facts of the fill, which never change.

    It answers `position["sl"]` like a dictionary and `position.sl`, in the usual spellings, and is
    made once per trade instead of once per bar.
    """

    position_id: str
    symbol: str
    action: str
    volume: float
    entry_price: float
    entry_idx: int
    entry_micros: int
    zone: tzinfo | None
    sl: float | None
    tp: float | None
    comment: str

    @property
    def entry_time(self) -> pd.Timestamp:
        return stamp(self.entry_micros, self.zone)

    def __getitem__(self, key: str) -> object:
        return getattr(self, SPELLINGS[key])

    def __getattr__(self, name: str) -> object:
        if name in SPELLINGS:
            return getattr(self, SPELLINGS[name])
        raise AttributeError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(SPELLINGS)

    def __len__(self) -> int:
        return len(SPELLINGS)


class Trade(NamedTuple):
    """A position from its fill to its end. `side` is 1 or -1; `kind` sl, tp, signal or open.

    `open` means that the data ended before the trade did. `high` and `low` are the prices between
    which the position was open.
    """

    position_id: str
    side: int
    volume: float
    signal_idx: int
    entry_idx: int
    entry_micros: int
    entry_price: float
    exit_idx: int
    exit_micros: int
    exit_price: float
    kind: str
    reason: str
    sl: float | None
    tp: float | None
    comment: str
    units: float
    gross: float
    paid_in: Charges
    paid_out: Charges
    pnl: float
    high: float
    low: float

    @property
    def action(self) -> str:
        return "BUY" if self.side > 0 else "SELL"

    @property
    def commission(self) -> float:
        return to_money(self.paid_in[0] + self.paid_out[0])

    @property
    def spread(self) -> float:
        return to_money(self.paid_in[1] + self.paid_out[1])

    @property
    def slippage(self) -> float:
        return to_money(self.paid_in[2] + self.paid_out[2])

    @property
    def costs(self) -> float:
        return sum(self.paid_in) + sum(self.paid_out)

    @property
    def mae(self) -> float:
        """The worst that the open position stood at, in money and before costs."""
        worst = self.low if self.side > 0 else self.high
        return to_money(self.side * (worst - self.entry_price) * self.units)

    @property
    def mfe(self) -> float:
        """The best that the open position stood at, in money and before costs."""
        best = self.high if self.side > 0 else self.low
        return to_money(self.side * (best - self.entry_price) * self.units)
