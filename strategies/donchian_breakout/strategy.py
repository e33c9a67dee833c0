"""Donchian breakout: in beyond the previous 20 bars, out beyond 10, stop 2 ATR(14) away."""

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

ENTRY, EXIT, ATR, STOP = 20, 10, 14, 2.0


class Strategy:
    """Both sides. The channels leave the current bar out: a bar cannot break its own high."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        high, low, before = df["High"], df["Low"], df["Close"].shift(1)
        highs, lows = np.maximum(high, before), np.minimum(low, before)
        true_range = pd.Series(highs - lows, index=df.index)
        return {
            "upper": high.rolling(ENTRY).max().shift(1),
            "lower": low.rolling(ENTRY).min().shift(1),
            "exit_upper": high.rolling(EXIT).max().shift(1),
            "exit_lower": low.rolling(EXIT).min().shift(1),
            "atr": true_range.ewm(alpha=1.0 / ATR, adjust=False).mean(),
        }

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        if idx < ENTRY:
            return None
        close = float(df["Close"].iloc[idx])
        stop = STOP * float(indicators["atr"].iloc[idx])
        if close > indicators["upper"].iloc[idx]:
            return self._order("BUY", close - stop, "above the 20-bar high")
        if close < indicators["lower"].iloc[idx]:
            return self._order("SELL", close + stop, "below the 20-bar low")
        return None

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        close = float(df["Close"].iloc[idx])
        if position["action"] == "BUY" and close < indicators["exit_lower"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "below the 10-bar low"}
        if position["action"] == "SELL" and close > indicators["exit_upper"].iloc[idx]:
            return {"position_id": position["position_id"], "reason": "above the 10-bar high"}
        return None

    def _order(self, action: Action, stop: float, comment: str) -> OrderRequest:
        return {
            "action": action,
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": stop,
            "comment": comment,
        }


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
