"""What a message of TWS says about an order, and how the order stands after it. Pure.

`ib_async` sets an order to Cancelled on every code that is not among its few warnings, and to
ValidationError on those. Neither is TWS's word: only the codes below decide anything. Sources:
IB's message codes, `ib_async.wrapper.error`, ib_async issues #191 and #217 (10349).
"""

from dataclasses import dataclass

from adapters.live.book import TINY
from adapters.live.port import Standing

CANCELLED = 202
NOT_FOUND = 10147
READ_ONLY = "read-only"
"""How the text of a 321 tells that TWS takes no orders from the API at all."""
CANCEL_ANSWERS = frozenset({CANCELLED, NOT_FOUND, 161, 10148})
"""Cancelled, not found, not in a state to be cancelled, cannot be cancelled."""
REFUSED = frozenset({110, 200, 201, 203, 321, 387, 388, 434, 10243})
"""A new order was not taken: price off the grid, no such contract, rejected, not allowed in this
account, not valid (or the API is read-only), wrong type, too small, no size, fractional size."""
INFORMATION = frozenset({165, 399, 404, 10167, 10349})
"""The order may well live: a note on it, waiting for shares to sell short, a preset was applied.
Not 10311 and its like: what TWS holds back by a precaution it may also discard."""


def informs(code: int) -> bool:
    return code in INFORMATION or 2100 <= code < 2200


@dataclass(frozen=True, slots=True)
class Seen:
    """An order as `ib_async` shows it, with what TWS said about it."""

    status: str
    error: int = 0
    """The error from which `ib_async` concluded the status; 0 if TWS told the status itself."""
    refused: bool = False
    """TWS refused it with a code that is final, or we had to cancel it to be sure."""
    acknowledged: bool = False
    """TWS has given it a number of its own."""
    traded: float = 0.0
    volume: float = 0.0


def verdict(seen: Seen) -> Standing | None:
    """How it stands, or None: only an error says so, and the broker must be asked."""
    if seen.status == "Filled" or 0.0 < seen.volume <= seen.traded + TINY:
        return Standing.FILLED
    match seen.status:
        case "Inactive":
            return Standing.REJECTED
        case "Cancelled" | "ApiCancelled":
            if seen.error and seen.error != CANCELLED and seen.error not in REFUSED:
                return None
            return Standing.REJECTED if seen.refused and not seen.traded else Standing.CANCELLED
        case "ValidationError":
            new = seen.error in REFUSED and not seen.acknowledged
            return Standing.REJECTED if new and not seen.traded else None
    return Standing.WORKING
