"""A channel breakout — with “typographic” quotes, an em dash, ≥ and µ in its docstring."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position


@dataclass(frozen=True)
class Params:
    """What can be tuned."""

    entry: int = 20
    leave: int = 10
    risk: float = 0.02
    names: list[str] = field(default_factory=lambda: ["upper", "lower"])


@dataclass
class Trail:
    """The best price since the entry."""

    best: float = 0.0
    bars: int = 0

    def update(self, price: float) -> float:
        self.best = max(self.best, price)
        self.bars += 1
        return self.best


class Strategy:
    """Buys breakouts, leaves by a trailing stop."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.params = Params()
        self.trails: dict[str, Trail] = {}

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        p = self.params
        upper = df["High"].rolling(p.entry).max().shift(1)
        lower = df["Low"].rolling(p.leave).min().shift(1)
        span = (df["High"] - df["Low"]).clip(lower=(df["High"] - df["Close"].shift(1)).abs())
        return {"upper": upper, "lower": lower, "atr": span.rolling(14).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < self.params.entry:
            return None
        close = float(df["Close"].iloc[idx])
        upper = float(indicators["upper"].iloc[idx])
        atr = float(indicators["atr"].iloc[idx])
        if np.isnan(upper) or np.isnan(atr) or close <= upper:
            return None
        equity = float(self.cfg.get("equity", self.cfg.get("initial_balance", 10_000.0)))
        units = max(round(equity * self.params.risk / (2.0 * atr), 2), 0.01)
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": min(units, 0.5 * equity / close),
            "type": "MARKET",
            "sl": close - 2.0 * atr,
            "comment": f"breakout {close:.2f} > {upper:.2f} ({idx=})",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        trail = self.trails.setdefault(position["position_id"], Trail())
        best = trail.update(float(df["High"].iloc[idx]))
        close = float(df["Close"].iloc[idx])
        if close < best - 3.0 * float(indicators["atr"].iloc[idx]):
            return {"position_id": position["position_id"], "reason": f"trail after {trail.bars}"}
        if close < float(indicators["lower"].iloc[idx]):
            return {"position_id": position["position_id"], "reason": "channel"}
        return None
