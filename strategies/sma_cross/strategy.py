"""SMA cross: long while the 10-bar average is above the 30-bar average, short while it is below."""

from typing import NamedTuple

import pandas as pd

from adapters.base_adapter import (
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

    fast: int = 10
    slow: int = 30


class Strategy:
    """Stop and reverse: the cross that closes one side opens the other, on the same open."""

    def __init__(self, cfg: Config) -> None:
        """Take the settings. A backtest by hand may replace numbers: cfg["params"]."""
        self.cfg = cfg
        self.params = Params(**cfg.get("params", {}))

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        """How far the fast average is above the slow one."""
        close, params = df["Close"], self.params
        return {"gap": close.rolling(params.fast).mean() - close.rolling(params.slow).mean()}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        """Buy at the next open when the averages cross upwards, sell when they cross downwards."""
        gap = indicators["gap"]
        if idx < self.params.slow:
            return None
        before, now = gap.iloc[idx - 1], gap.iloc[idx]
        if before <= 0.0 < now:
            return self._order("BUY", "cross up")
        if before >= 0.0 > now:
            return self._order("SELL", "cross down")
        return None

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        """Leave at the next open when the averages stand the other way round."""
        now = indicators["gap"].iloc[idx]
        if (now < 0.0) if position["action"] == "BUY" else (now > 0.0):
            return {"position_id": position["position_id"], "reason": "opposite cross"}
        return None

    def _order(self, action: str, comment: str) -> OrderRequest:
        """An order at the next open."""
        return {
            "action": "BUY" if action == "BUY" else "SELL",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
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
