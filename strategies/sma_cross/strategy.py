"""SMA cross: long while the 10-bar average is above the 30-bar average, short while it is below."""

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

FAST, SLOW = 10, 30


class Strategy:
    """Stop and reverse: the cross that closes one side opens the other, on the same open."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        fast, slow = df["Close"].rolling(FAST).mean(), df["Close"].rolling(SLOW).mean()
        return {"gap": fast - slow}

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        gap = indicators["gap"]
        if idx < SLOW:
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
        now = indicators["gap"].iloc[idx]
        if (now < 0.0) if position["action"] == "BUY" else (now > 0.0):
            return {"position_id": position["position_id"], "reason": "opposite cross"}
        return None

    def _order(self, action: str, comment: str) -> OrderRequest:
        return {
            "action": "BUY" if action == "BUY" else "SELL",
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "comment": comment,
        }


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
