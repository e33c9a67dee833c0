"""What is held, and what became of it."""

from typing import Any, NamedTuple, NoReturn

import pandas as pd
from pandas.api.typing import NaTType

from simbroker.fills import to_money

Charges = tuple[float, float, float]
"""Commission, spread, slippage of one fill."""


def total(paid: Charges) -> float:
    """Not `sum`: since Python 3.12 it adds floats otherwise than compiled code does."""
    return paid[0] + paid[1] + paid[2]


class Position(dict[str, Any]):
    """An open position as a strategy sees it: a dictionary in all the usual spellings.

    It holds the facts of the fill, which never change, so it is made once per trade and not once
    per bar, and it cannot be written to. `position.sl` works like `position["sl"]`.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a position cannot be changed: return an exit or an order instead")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse

    def __reduce__(self) -> tuple[type["Position"], tuple[dict[str, Any]]]:
        return Position, (dict(self),)


def position(
    position_id: str,
    symbol: str,
    side: int,
    volume: float,
    price: float,
    idx: int,
    time: "pd.Timestamp | NaTType",
    sl: float | None = None,
    tp: float | None = None,
    comment: str = "",
) -> Position:
    action = "BUY" if side > 0 else "SELL"
    return Position(
        position_id=position_id, id=position_id, ticket=position_id, symbol=symbol,
        action=action, side=action, direction=action, type=action, volume=volume,
        entry_price=price, price=price, open_price=price, price_open=price,
        entry_idx=idx, entry_index=idx, entry_bar=idx, open_idx=idx,
        entry_time=time, open_time=time, time=time, sl=sl, tp=tp, comment=comment,
    )  # fmt: skip


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
        return total(self.paid_in) + total(self.paid_out)

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
