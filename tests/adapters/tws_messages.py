"""What TWS says about a new order, and what becomes of that order. Each answer names its source.

Sources:
 codes   https://interactivebrokers.github.io/tws-api/message_codes.html, IBKR Campus TWS API docs
 states  order_submission.html in the same documents, and Campus: "possible order states"
 auto    https://interactivebrokers.github.io/tws-api/automated_considerations.html
 ibx     deepentropy/ibx, tests that replay recorded sessions of IB Gateway (September 2026)
 ib_async 2.1.0, wrapper.py `error`. Its `warningCodes` leave an order alone and call it
          `ValidationError`, which counts as active; with any other code it calls an order that is
          not done `Cancelled`. Both are guesses. 10349 is not in that set though the order lives
          (and is told so by the next orderStatus); 321 and 434 are in it though a new order with
          them never exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class After(Enum):
    """What becomes of the order, and which statuses are sent around the message."""

    LIVES = auto()
    """Message, then openOrder and orderStatus, as recorded for 399 and 2109 (ibx)."""
    SILENT = auto()
    """It works, but nothing more is sent until somebody asks, or until it is filled."""
    HELD = auto()
    """Message, then status Inactive. It stays at TWS, and can be released or cancelled there."""
    CANCELLED = auto()
    """Status Cancelled, then the message (ibx: "Cancelled, then 202")."""
    DISCARDED = auto()
    """Message, status Cancelled, then 201 "Order was discarded." (ibx: 10329)."""
    REJECTED = auto()
    """Status Inactive, message, Inactive again (ibx: "a server reject"). ib_async counts Inactive
    as done, and does not write the message that follows into the log of the trade."""
    NEVER = auto()
    """The message and nothing else: TWS has no such order."""
    GONE = auto()
    """The message alone. The order did exist and was cancelled: only completed orders tell."""


@dataclass(frozen=True)
class Message:
    code: int
    text: str
    after: After


# ---------------------------------------------------------------- the order lives
# ib_async #191, #217; pysystemtrade #1580: 15 orders "cancelled", all 15 filled. Undocumented.
# The status that puts ib_async right comes late: reported "Cancelled" 18 ms after it was sent and
# "Filled" next, and once 0.7 s later.
TIF_PRESET = Message(10349, "Order TIF was set to DAY based on order preset.", After.SILENT)
# codes: "Order message error". ibx: three lines, then openOrder. rust-ibapi #759 treats a 399 as
# information only if one of its lines starts with "Warning:"; of others the order may be refused.
WAITS_FOR_OPEN = Message(
    399,
    "Order Message:\nBUY 2 X NMS\nWarning: your order will not be placed at the exchange until "
    "2024-01-02 09:30:00 US/Eastern",
    After.LIVES,
)
# codes; QuantConnect/Lean #1026 (it stays Submitted); ib_insync #328 ("still open in TWS").
LOCATING = Message(404, "Order held while securities are located.", After.LIVES)
# codes; ibx. The whole range 2100-2199 is "Warning message codes" there.
OUTSIDE_HOURS = Message(
    2109,
    "Order Event Warning:Attribute 'Outside Regular Trading Hours' is ignored based on the order "
    "type and destination. PlaceOrder is now being processed.",
    After.LIVES,
)
INFORMATIONAL = (TIF_PRESET, WAITS_FOR_OPEN, LOCATING, OUTSIDE_HOURS)

# ---------------------------------------------------------------- the order is refused
# IBC #10, #341; ib-controller #65: the id of the order, 321, and nothing is at TWS.
READ_ONLY = Message(
    321,
    "Error validating request.-'bh' : cause - The API interface is currently in Read-Only mode.",
    After.NEVER,
)
INVALID_ACCOUNT = Message(
    321, "Error validating request.-'bh' : cause - Invalid account code 'X'.", After.NEVER
)
NO_SIZE = Message(434, "The order size cannot be zero.", After.NEVER)  # codes
PRICE_STEP = Message(  # codes; ib_async: "invalid price for a new order must cancel it"
    110,
    "The price does not conform to the minimum price variation for this contract.",
    After.NEVER,
)
REJECTED = Message(201, "Order rejected - reason:precaution", After.REJECTED)  # codes, ibx
CANCELLED = Message(  # auto: "status (cancelled) + error (202)"
    202,
    "Order Canceled - reason:we cannot accept your order at the limit price you selected because "
    "it is too far through the market.",
    After.CANCELLED,
)
FRACTIONAL = Message(  # Campus codes; repeated reports from paper accounts, 2026
    10243,
    "Fractional-sized order cannot be placed via API. Please use desktop version to place this "
    "order.",
    After.NEVER,
)
REFUSED = (READ_ONLY, INVALID_ACCOUNT, NO_SIZE, PRICE_STEP, REJECTED, CANCELLED, FRACTIONAL)

# ---------------------------------------------------------------- the code does not tell
# 10311 (and 10329) are precautions, not information. Reported with both ends: Gateway discards
# the order (ibx; "10311 followed by 201 Order was discarded"), TWS keeps it untransmitted, with a
# Transmit button, and a person can still send it (states: "blocked by TWS due to a precautionary
# setting and appears there in an untransmitted state").
ROUTED = (
    "This order will be directly routed to NASDAQ. Direct routed orders may result in higher trade "
    "fees. Restriction is specified in Precautionary Settings of Global Configuration/API."
)
DISCARDED = Message(10311, ROUTED, After.DISCARDED)
UNTRANSMITTED = Message(10311, ROUTED, After.HELD)
# states: Inactive also while shares are located; then it goes on by itself.
HELD_FOR_SHARES = Message(404, "Order held while securities are located.", After.HELD)
# Invented codes: as 10349 was in November 2025, unknown to every client on the first day.
UNKNOWN_LIVES = Message(10997, "A message that is new in this version of TWS.", After.SILENT)
UNKNOWN_NEVER = Message(10998, "A message that is new in this version of TWS.", After.NEVER)
UNKNOWN_GONE = Message(10999, "A message that is new in this version of TWS.", After.GONE)
AMBIGUOUS = (
    DISCARDED,
    UNTRANSMITTED,
    HELD_FOR_SHARES,
    UNKNOWN_LIVES,
    UNKNOWN_NEVER,
    UNKNOWN_GONE,
)
