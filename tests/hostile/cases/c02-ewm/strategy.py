"""MACD from exponential averages, stop and target from the ATR."""

from __future__ import annotations

import numpy as np
import pandas as pd

from adapters.base_adapter import (
    Action,
    BaseAdapter,
    Config,
    ExitRequest,
    Indicators,
    OrderRequest,
    Position,
    Report,
)
from strategies.template import backtest, main, refuse_live

FAST, SLOW, SIGNAL = 12, 26, 9
WARM_UP = SLOW + SIGNAL


def ema(series: pd.Series[float], span: int) -> pd.Series[float]:
    return series.ewm(span=span, adjust=False, min_periods=span).mean()


def true_range(df: pd.DataFrame) -> pd.Series[float]:
    before = df["Close"].shift(1)
    ranges = pd.concat(
        [df["High"] - df["Low"], (df["High"] - before).abs(), (df["Low"] - before).abs()], axis=1
    )
    return ranges.max(axis=1)


class Strategy:
    """Trades the sign of the histogram; an opposite sign does not close."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        macd = ema(df["Close"], FAST) - ema(df["Close"], SLOW)
        return {"histogram": macd - ema(macd, SIGNAL), "atr": ema(true_range(df), 14)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx <= WARM_UP:
            return None
        before, now = indicators["histogram"].iloc[idx - 1 : idx + 1]
        atr = float(indicators["atr"].iloc[idx])
        if np.isnan(before) or not np.isfinite(atr):
            return None
        if before <= 0.0 < now:
            return self._order("BUY", float(df["Close"].iloc[idx]), atr)
        if before >= 0.0 > now:
            return self._order("SELL", float(df["Close"].iloc[idx]), atr)
        return None

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        return None

    def _order(self, action: Action, close: float, atr: float) -> OrderRequest:
        sign = 1.0 if action == "BUY" else -1.0
        return {
            "action": action,
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": close - sign * 2.0 * atr,
            "tp": close + sign * 3.0 * atr,
            "comment": "histogram turned",
        }


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
