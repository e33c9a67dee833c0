"""RSI mean reversion: buys when RSI(14) falls below 30, leaves when it rises above 70."""

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

    length: int = 14
    low: float = 30.0
    high: float = 70.0
    stop: float = 0.05
    target: float = 0.10


class Strategy:
    """Long only, one position, stop 5% below and target 10% above the close decided on."""

    def __init__(self, cfg: Config) -> None:
        """Take the settings. A backtest by hand may replace numbers: cfg["params"]."""
        self.cfg = cfg
        self.params = Params(**cfg.get("params", {}))

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        """RSI with Wilder's smoothing."""
        alpha = 1.0 / self.params.length
        change = df["Close"].diff()
        gain = change.clip(lower=0.0).ewm(alpha=alpha, adjust=False).mean()
        loss = (-change.clip(upper=0.0)).ewm(alpha=alpha, adjust=False).mean()
        return {"rsi": 100.0 * gain / (gain + loss)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        """Buy at the next open when RSI falls below 30, with a stop and a target."""
        rsi, low = indicators["rsi"], self.params.low
        if idx <= self.params.length or not rsi.iloc[idx] < low <= rsi.iloc[idx - 1]:
            return None
        close = float(df["Close"].iloc[idx])
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": close * (1.0 - self.params.stop),
            "tp": close * (1.0 + self.params.target),
            "comment": "rsi below 30",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        """Sell at the next open when RSI rises above 70."""
        rsi = indicators["rsi"]
        if rsi.iloc[idx] > self.params.high >= rsi.iloc[idx - 1]:
            return {"position_id": position["position_id"], "reason": "rsi above 70"}
        return None


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    """Run a backtest through the adapter."""
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    """Refuse: only an approved deployment runs live."""
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
