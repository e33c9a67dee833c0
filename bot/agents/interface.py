"""What every strategy offers and is given, as a contract says it: methods, data, exceptions."""

from __future__ import annotations

from schemas.contract import DataModel, Method, Raised

INTERFACE = (
    Method(
        name="prepare_indicators",
        signature="(self, df: pd.DataFrame) -> Indicators",
        returns="every series that the rules need, computed once, value i from bars 0 to i",
    ),
    Method(
        name="find_entries",
        signature="(self, df: pd.DataFrame, indicators: Indicators, idx: int) "
        "-> OrderRequest | None",
        returns="the order to place on the close of bar idx, or None",
    ),
    Method(
        name="find_exits",
        signature="(self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int) "
        "-> ExitRequest | None",
        returns="the position to close at the next open, or None",
    ),
)
"""As in `strategies/template.py`."""
FROM_FILL = (
    "sl_percent",
    "sl_distance",
    "sl_fixed",
    "tp_percent",
    "tp_distance",
    "tp_r",
    "tp_fixed",
)
"""Keys that measure stop and target from the fill."""
DATA_MODELS = (
    DataModel(
        name="OrderRequest",
        fields=(
            "action: 'BUY' | 'SELL'", "symbol: str", "volume: float", "type: 'MARKET' | 'LIMIT'",
            "price: float | None, optional", "sl: float | None, optional",
            "tp: float | None, optional", "comment: str, optional", "good_for: int, optional",
            *(f"{name}: float | None, optional" for name in FROM_FILL),
        ),
    ),
    DataModel(name="ExitRequest", fields=("position_id: str", "reason: str")),
    DataModel(
        name="Position",
        fields=(
            "position_id: str", "symbol: str", "action: 'BUY' | 'SELL'", "volume: float",
            "entry_price: float", "entry_idx: int", "entry_time: Timestamp", "sl: float | None",
            "tp: float | None", "comment: str",
        ),
    ),
    DataModel(
        name="Config",
        fields=(
            "symbol: str", "timeframe: str", "pip_size: float", "initial_balance: float",
            "balance: float", "equity: float", "volume: float, optional", "leverage: float",
            "max_positions: int", "costs: dict[str, str]", "params: dict, optional",
        ),
    ),
)  # fmt: skip
"""As in `adapters/base_adapter.py`; of several spellings of one fact the usual one."""
EXCEPTIONS = (
    Raised(method="run_backtest", exception="BadBars", when="a bar cannot be: the row is named"),
    Raised(method="run_live", exception="PermissionError",
           when="always: only an approved deployment runs live"),
)  # fmt: skip
"""The methods of a strategy raise nothing: what one of them raises fails the run."""
