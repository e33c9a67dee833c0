"""Signals made with zip, enumerate and a generator."""

import itertools
from collections.abc import Iterator, Sequence

import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


def streaks(closes: Sequence[float]) -> Iterator[float]:
    run = 0
    yield 0.0
    for before, now in itertools.pairwise(closes):
        run = max(run, 0) + 1 if now > before else min(run, 0) - 1
        yield float(run)


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        closes = [float(value) for value in df["Close"].tolist()]
        found = list(streaks(closes))
        return {"run": pd.Series(found, index=df.index)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        runs = indicators["run"]
        if idx < 3 or any(runs.iloc[i] <= 0 for i in range(idx - 1, idx + 1)):
            return None
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        down = {True: 1, False: 0}[bool(indicators["run"].iloc[idx] < 0)]
        if down:
            return {"position_id": position["position_id"], "reason": "a bar down"}
        return None
