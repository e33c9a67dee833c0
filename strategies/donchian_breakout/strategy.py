"""Donchian breakout: in beyond the previous 20 bars, out beyond 10, stop 2 ATR(14) away."""

from typing import NamedTuple

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


class Params(NamedTuple):
    """The numbers of the rules, as the contract has them."""

    entry: int = 20
    exit: int = 10
    atr: int = 14
    stop: float = 2.0


class Strategy:
    """Both sides. The channels leave the current bar out: a bar cannot break its own high."""

    def __init__(self, cfg: Config) -> None:
        """Take the settings. A backtest by hand may replace numbers: cfg["params"]."""
        self.cfg = cfg
        self.params = Params(**cfg.get("params", {}))

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        """Both channels, and the average true range with Wilder's smoothing."""
        entry, leave = self.params.entry, self.params.exit
        high, low, before = df["High"], df["Low"], df["Close"].shift(1)
        highs, lows = np.maximum(high, before), np.minimum(low, before)
        true_range = pd.Series(highs - lows, index=df.index)
        return {
            "upper": high.rolling(entry).max().shift(1),
            "lower": low.rolling(entry).min().shift(1),
            "exit_upper": high.rolling(leave).max().shift(1),
            "exit_lower": low.rolling(leave).min().shift(1),
            "atr": true_range.ewm(alpha=1.0 / self.params.atr, adjust=False).mean(),
        }

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        """Enter at the next open when a close is beyond the channel of the 20 bars before."""
        if idx < self.params.entry:
            return None
        close = float(df["Close"].iloc[idx])
        stop = self.params.stop * float(indicators["atr"].iloc[idx])
        if close > indicators["upper"].iloc[idx]:
            return self._order("BUY", close - stop, "above the 20-bar high")
        if close < indicators["lower"].iloc[idx]:
            return self._order("SELL", close + stop, "below the 20-bar low")
        return None

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        """Leave at the next open when a close is beyond the channel of the 10 bars before."""
        close = float(df["Close"].iloc[idx])
        if position["action"] == "BUY" and close < indicators["exit_lower"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "below the 10-bar low"}
        if position["action"] == "SELL" and close > indicators["exit_upper"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "above the 10-bar high"}
        return None

    def _order(self, action: Action, stop: float, comment: str) -> OrderRequest:
        """An order at the next open, with its stop."""
        return {
            "action": action,
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": stop,
            "comment": comment,
        }


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    """Run a backtest through the adapter."""
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    """Refuse: only an approved deployment runs live."""
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
