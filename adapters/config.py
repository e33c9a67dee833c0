"""The one place where `cfg` is built: for the sandbox, the command line, paper and live alike.

What a strategy is told must not say where it runs, so the keys and their order are the same
everywhere; only the money differs, and a live run writes that of the real account over it.
"""

import json

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


def _account(
    symbol: str, timeframe: str, pip_size: float, balance: float, leverage: float, most: int
) -> Config:
    return {
        "symbol": symbol, "timeframe": timeframe, "pip_size": pip_size,
        "initial_balance": balance, "balance": balance, "equity": balance,
        "leverage": leverage, "max_positions": most,
    }  # fmt: skip
