"""RSI mean reversion: buys when RSI(14) falls below 30, leaves when it rises above 70."""

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

LENGTH = 14
LOW, HIGH = 30.0, 70.0
STOP, TARGET = 0.05, 0.10


class Strategy:
    """Long only, one position, stop 5% below and target 10% above the close decided on."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        change = df["Close"].diff()
        gain = change.clip(lower=0.0).ewm(alpha=1.0 / LENGTH, adjust=False).mean()
        loss = (-change.clip(upper=0.0)).ewm(alpha=1.0 / LENGTH, adjust=False).mean()
        return {"rsi": 100.0 * gain / (gain + loss)}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        rsi = indicators["rsi"]
        if idx <= LENGTH or not rsi.iloc[idx] < LOW <= rsi.iloc[idx - 1]:
            return None
        close = float(df["Close"].iloc[idx])
        return {
            "action": "BUY",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": close * (1.0 - STOP),
            "tp": close * (1.0 + TARGET),
            "comment": "rsi below 30",
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        rsi = indicators["rsi"]
        if rsi.iloc[idx] > HIGH >= rsi.iloc[idx - 1]:
            return {"position_id": position["position_id"], "reason": "rsi above 70"}
        return None


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
