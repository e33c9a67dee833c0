"""Long and short by two averages, with an ATR stop for each side."""

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


class Strategy:
    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        previous = df["Close"].shift(1)
        ranges = pd.concat(
            [df["High"] - df["Low"], (df["High"] - previous).abs(), (df["Low"] - previous).abs()],
            axis=1,
        )
        return {
            "fast": df["Close"].rolling(10).mean(),
            "slow": df["Close"].rolling(30).mean(),
            "atr": ranges.max(axis=1).ewm(alpha=1 / 14, adjust=False).mean(),
        }

    def _direction(self, indicators: Indicators, idx: int) -> int:
        fast, slow = indicators["fast"], indicators["slow"]
        if idx < 31 or pd.isna(slow.iloc[idx - 1]):
            return 0
        now = fast.iloc[idx] > slow.iloc[idx]
        before = fast.iloc[idx - 1] > slow.iloc[idx - 1]
        return 0 if now == before else (1 if now else -1)

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        way = self._direction(indicators, idx)
        if not way:
            return None
        action: Action = "BUY" if way > 0 else "SELL"
        close, atr = df["Close"].iloc[idx], indicators["atr"].iloc[idx]
        return {
            "action": action,
            "symbol": self.cfg["symbol"],
            "volume": self.cfg.get("volume", 1.0),
            "type": "MARKET",
            "sl": close - way * 3.0 * atr,
        }

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        way = self._direction(indicators, idx)
        against = (position["action"] == "BUY" and way < 0) or (
            position["action"] == "SELL" and way > 0
        )
        return {"position_id": position["position_id"], "reason": "cross"} if against else None


def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    refuse_live()


if __name__ == "__main__":
    raise SystemExit(main(run_backtest, run_live))
