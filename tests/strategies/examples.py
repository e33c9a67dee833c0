"""The example strategies, their fixtures and how to ask them."""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from simbroker.load import read_csv

ROOT = Path(__file__).parents[2]
NAMES = ("donchian_breakout", "rsi_mean_reversion", "sma_cross")
"""The examples that come with the project, by name. A delivered strategy in the same folder is
somebody else's code: it runs in a container only, never in the process of our tests."""
CFG = {"symbol": "AAPL", "volume": 1.0}


def module(name: str) -> Any:
    return import_module(f"strategies.{name}.strategy")


def scenario(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / f"fixtures/scenarios/{name}.json").read_text())
    return found


def bars(name: str) -> pd.DataFrame:
    return read_csv(str(ROOT / f"fixtures/bars/{name}.csv"))


def position(action: str) -> dict[str, Any]:
    return {"position_id": "pos_123", "action": action, "entry_price": 100.0, "entry_idx": 300}
