"""A finished run: the facts that statistics and reports are made from, whichever path made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import NamedTuple

import numpy as np

from simbroker.positions import Trade
from simbroker.terms import Terms

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
Integers = np.ndarray[tuple[int], np.dtype[np.int64]]


class Refusal(NamedTuple):
    """An order that was not taken: the bar, and what to change. Its id if it had been placed."""

    idx: int
    reason: str
    order_id: str = ""


class Ordered(NamedTuple):
    """An order that was placed, expired or cancelled, on the close of that bar or during it.

    `price` is the limit, or of a market order the close that it was decided on.
    """

    idx: int
    event: str
    order_id: str
    position_id: str
    action: str
    volume: float
    price: float


@dataclass(frozen=True, slots=True)
class Run:
    """`equity` is the worth of the account at each bar's close; `times` are microseconds. `closes`
    are for comparison alone, and None where nobody told them: a broker needs no memory of them.
    """

    terms: Terms
    symbol: str
    times: Integers
    zone: tzinfo | None
    equity: Floats
    trades: Sequence[Trade]
    first_close: float
    last_close: float
    refused: int = 0
    refusals: Sequence[Refusal] = ()
    orders: Sequence[Ordered] = ()
    closes: Floats | None = None

    @property
    def final_balance(self) -> float:
        """The last equity: what the data left open has been closed at the last close."""
        return float(self.equity[-1]) if len(self.equity) else self.terms.initial_balance
