"""The one place where `cfg` is built: for the sandbox, the command line, paper and live alike.

What a strategy is told must not say where it runs, so the keys and their order are the same
everywhere; only the money differs, and a live run writes that of the real account over it.
So `params` is never among them: the gate and a live run know the contract's own numbers only. The
command line of a strategy adds it, for a backtest by hand.
"""

import json
import math
from collections.abc import Mapping

from adapters.base_adapter import Config

BALANCE = 10_000.0
"""What the account of a test starts with, for each unit where the contract orders many."""
LEVERAGE = 100.0
"""The contract says how much is bought: whether that can be paid for is not the test."""


def config(contract: str = "") -> Config:
    """From a contract as it is stored, in JSON. Without one the strategy chooses its own size."""
    if not contract:
        return _account("AAPL", "D1", 0.0001, BALANCE, 1.0, 1)
    told = json.loads(contract)
    risk = told["risk"]
    kind, amount = str(risk["sizing"]["kind"]), float(risk["sizing"]["amount"])
    # An account that grows with the size: how often it trades must not depend on the money.
    balance = BALANCE * max(1.0, amount) if kind == "fixed_units" else BALANCE
    cfg = _account(
        str(told["symbol"]), str(told["timeframe"]), float(told.get("pip_size", 0.0001)),
        balance, LEVERAGE, int(risk.get("max_positions", 1)),
    )  # fmt: skip
    cfg["costs"] = {str(name): str(value) for name, value in told["costs"].items()}
    if kind == "fixed_units":
        cfg["volume"] = amount
    return cfg


def replaced(defaults: Mapping[str, float], wanted: object) -> dict[str, float]:
    """The numbers of `cfg["params"]`, each of the kind that it replaces. Raises `ValueError`."""
    if not isinstance(wanted, dict):
        raise ValueError("params is no object of names and numbers")
    unknown = [name for name in wanted if name not in defaults]
    if unknown:
        known = ", ".join(defaults) or "none"
        raise ValueError(f"params has no {unknown[0]!r}; this strategy's are: {known}")
    return {name: _like(name, defaults[name], value) for name, value in wanted.items()}


def _like(name: str, default: float, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"params {name} is {value!r}, which is no number")
    if isinstance(default, float):
        return float(value)
    least = min(1, default)
    if value != int(value) or value < least:
        raise ValueError(f"params {name} is {value!r}; it takes whole numbers from {least} on")
    return int(value)


def _account(
    symbol: str, timeframe: str, pip_size: float, balance: float, leverage: float, most: int
) -> Config:
    return {
        "symbol": symbol, "timeframe": timeframe, "pip_size": pip_size,
        "initial_balance": balance, "balance": balance, "equity": balance,
        "leverage": leverage, "max_positions": most,
    }  # fmt: skip
