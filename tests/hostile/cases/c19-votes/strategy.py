"""Several small signal classes that vote, behind a protocol."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


class Signal(Protocol):
    """Something that has an opinion."""

    name: str

    def compute(self, df: pd.DataFrame) -> pd.Series[float]: ...


class Momentum:
    """Twelve bars ago against now."""

    name = "momentum"

    def __init__(self, n: int = 12) -> None:
        self.n = n

    def compute(self, df: pd.DataFrame) -> pd.Series[float]:
        change = df["Close"].pct_change(self.n).fillna(0.0)
        return pd.Series(np.sign(change.to_numpy()), index=df.index)


class Volume:
    """More volume than usual."""

    name = "volume"

    def compute(self, df: pd.DataFrame) -> pd.Series[float]:
        usual = df["Volume"].rolling(20, min_periods=5).median()
        return (df["Volume"] > usual).astype(float)


SIGNALS: tuple[Signal, ...] = (Momentum(), Momentum(30), Volume())


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.threshold = 2

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        votes = pd.concat([s.compute(df) for s in SIGNALS], axis=1)
        votes.columns = [f"{s.name}_{i}" for i, s in enumerate(SIGNALS)]
        z = (df["Close"] - df["Close"].rolling(50).mean()) / df["Close"].rolling(50).std()
        return {"votes": votes.sum(axis=1), "z": z.clip(-3.0, 3.0)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        z = indicators["z"].iloc[idx]
        if pd.isna(z) or abs(z) > 2.5:
            return None
        if indicators["votes"].iloc[idx] < self.threshold:
            return None
        return OrderRequest(
            action="BUY",
            symbol=self.cfg["symbol"],
            volume=float(self.cfg.get("volume", 1.0)),
            type="MARKET",
            comment=f"z={z:+.2f}",
        )

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        if indicators["votes"].iloc[idx] <= -1 or indicators["z"].iloc[idx] > 2.0:
            return ExitRequest(position_id=position["position_id"], reason="votes turned")
        return None
