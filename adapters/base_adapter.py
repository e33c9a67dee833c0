"""The broker interface: all that a strategy, a backtest or a live run may ask of a broker.

The dictionaries are typed, so that `mypy --strict` tells a strategy's author about a wrong key.
"""

from typing import Any, Literal, NotRequired, Protocol, TypeAlias, TypedDict

import pandas as pd

Action = Literal["BUY", "SELL"]
Indicators = dict[str, "pd.Series[float]"]


class OrderRequest(TypedDict):
    """What `find_entries` returns. Prices are absolute; None or 0 means that there is none.

    A LIMIT order needs `price` and works for the next bar, or for `good_for` bars.

    The keys from `sl_percent` on measure stop and target from the fill; `simbroker/from_fill.py`
    says how. A broker that does not know them leaves the position with `sl` and `tp`.
    """

    action: Action
    symbol: str
    volume: float
    type: Literal["MARKET", "LIMIT"]
    price: NotRequired[float | None]
    sl: NotRequired[float | None]
    tp: NotRequired[float | None]
    comment: NotRequired[str]
    good_for: NotRequired[int]
    sl_percent: NotRequired[float | None]
    sl_distance: NotRequired[float | None]
    sl_fixed: NotRequired[float | None]
    tp_percent: NotRequired[float | None]
    tp_distance: NotRequired[float | None]
    tp_r: NotRequired[float | None]
    tp_fixed: NotRequired[float | None]


class OrderResult(TypedDict):
    """`fill_price` is None while nobody knows it: in a backtest that is until the next open."""

    success: bool
    order_id: str
    position_id: str
    fill_price: float | None
    error: NotRequired[str]


class ExitRequest(TypedDict):
    """What `find_exits` returns."""

    position_id: str
    reason: str


class CloseResult(TypedDict):
    success: bool
    position_id: str
    error: NotRequired[str]


class Position(TypedDict):
    """An open position. Each fact answers to its usual spellings; changing it changes nothing."""

    position_id: str
    id: str
    ticket: str
    symbol: str
    action: Action
    side: Action
    direction: Action
    type: Action
    volume: float
    entry_price: float
    price: float
    open_price: float
    price_open: float
    entry_idx: int
    entry_index: int
    entry_bar: int
    open_idx: int
    entry_time: pd.Timestamp
    open_time: pd.Timestamp
    time: pd.Timestamp
    sl: float | None
    tp: float | None
    comment: str


class Account(TypedDict):
    balance: float
    equity: float
    margin: float
    free_margin: float
    initial_balance: float
    max_positions: int
    leverage: float


class Config(TypedDict, total=False):
    """What `Strategy(cfg)` gets. `balance` and `equity` are the account's at the decision.

    `params` replaces numbers of the rules, by name: in a backtest by hand alone.
    """

    symbol: str
    timeframe: str
    pip_size: float
    initial_balance: float
    balance: float
    equity: float
    volume: float
    leverage: float
    max_positions: int
    contract_size: float
    costs: dict[str, str]
    params: dict[str, Any]


class Event(TypedDict, total=False):
    """Something that happened in a bar: position_opened, sl_hit, tp_hit, position_closed,
    order_expired or order_rejected."""

    event: str
    order_id: str
    position_id: str
    symbol: str
    action: Action
    price: float
    volume: float
    pnl: float
    reason: str


Report = dict[str, object]
"""The figures of a run; `simbroker.report` names them. All can be written as JSON."""

BarTuple = tuple[int, float, float, float, float, object]
"""Microseconds, open, high, low, close, zone: a bar that was checked as a row of its table."""

AnyBar: TypeAlias = "pd.Series[float] | BarTuple"


class BaseAdapter(Protocol):
    """Universal broker adapter: SimBroker and every live broker implement it.

    These eight methods are all that the loop needs. An adapter may also offer `step_row(BarTuple)`
    and `close_because(pos_id, reason)`: the loop calls those instead where they exist.
    """

    def place_order(self, order_request: OrderRequest) -> OrderResult:
        """Take an order, or say in `error` what to change. Never raises for a bad order."""
        ...

    def cancel_order(self, order_id: str) -> bool: ...

    def close_position(self, pos_id: str, price: float | None = None) -> CloseResult:
        """Close at the next open, or live at the market: nobody can name the price of that fill.

        So a `price` is refused with a sentence in `error`, and nothing is closed. To leave at a
        price, give the order a `tp` or an `sl`.
        """
        ...

    def step_bar(self, bar: "pd.Series[float]") -> list[Event]:
        """Process one bar (backtest only) and tell what happened in it."""
        ...

    def get_positions(self) -> list[Position]: ...

    def get_account(self) -> Account: ...

    def generate_report(self) -> Report: ...

    def save_report(self, out_dir: str) -> dict[str, str]:
        """Write the report's files and return their paths by name."""
        ...


class Strategy(Protocol):
    """What a strategy must offer; see `strategies/template.py`."""

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators: ...

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None: ...

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None: ...
