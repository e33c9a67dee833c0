"""The strategy, on bars made here."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from strategy import Strategy

CFG = {"symbol": "AAPL", "volume": 1.0, "timeframe": "D1"}


def make_bars(closes: list[float]) -> pd.DataFrame:
    close = np.asarray(closes, dtype=float)
    opened = np.r_[close[0], close[:-1]]
    index = pd.bdate_range("2024-01-01", periods=len(close), name="Date")
    return pd.DataFrame(
        {
            "Open": opened,
            "High": np.maximum(opened, close) + 0.25,
            "Low": np.minimum(opened, close) - 0.25,
            "Close": close,
            "Volume": 1_000.0,
        },
        index=index,
    )


@pytest.fixture(name="wave")
def wave_bars() -> pd.DataFrame:
    return make_bars([100 + 10 * float(np.sin(i / 9)) for i in range(200)])


@pytest.fixture
def strategy() -> Iterator[Strategy]:
    made = Strategy(dict(CFG))
    yield made
    assert made.cfg["symbol"] == "AAPL"


class TestEntries:
    def orders(self, strategy: Strategy, df: pd.DataFrame) -> list[tuple[int, str]]:
        indicators = strategy.prepare_indicators(df)
        found = []
        for idx in range(len(df)):
            order = strategy.find_entries(df, indicators, idx)
            if order is not None:
                found.append((idx, order["action"]))
        return found

    def test_both_sides(self, strategy: Strategy, wave: pd.DataFrame) -> None:
        actions = [action for _, action in self.orders(strategy, wave)]
        assert set(actions) == {"BUY", "SELL"}

    def test_sides_alternate(self, strategy: Strategy, wave: pd.DataFrame) -> None:
        actions = [action for _, action in self.orders(strategy, wave)]
        assert all(a != b for a, b in zip(actions, actions[1:]))

    @pytest.mark.parametrize(
        ("slope", "expected"), [(1.0, "BUY"), (-0.3, "SELL")], ids=["up", "down"]
    )
    def test_turns(self, strategy: Strategy, slope: float, expected: str) -> None:
        closes = [100.0 - slope * i for i in range(60)] + [
            100.0 - slope * 60 + 2 * slope * i for i in range(60)
        ]
        found = self.orders(strategy, make_bars(closes))
        assert [action for _, action in found][-1] == expected


def test_stop_is_three_atr_away(strategy: Strategy, wave: pd.DataFrame) -> None:
    indicators = strategy.prepare_indicators(wave)
    for idx in range(len(wave)):
        order = strategy.find_entries(wave, indicators, idx)
        if order and order["action"] == "BUY":
            gap = wave["Close"].iloc[idx] - order["sl"]
            assert gap == pytest.approx(3 * indicators["atr"].iloc[idx], rel=1e-9)


@pytest.mark.parametrize("n", [0, 1, 5, 30])
def test_too_few_bars_no_order(strategy: Strategy, n: int) -> None:
    df = make_bars([100.0 + i for i in range(n + 1)])
    indicators = strategy.prepare_indicators(df)
    assert strategy.find_entries(df, indicators, n) is None


def test_missing_column_is_an_error(strategy: Strategy, wave: pd.DataFrame) -> None:
    with pytest.raises(KeyError, match="High"):
        strategy.prepare_indicators(wave.drop(columns=["High"]))


def test_exit_on_the_opposite_cross(strategy: Strategy, wave: pd.DataFrame) -> None:
    indicators = strategy.prepare_indicators(wave)
    held = {"position_id": "p1", "action": "BUY", "entry_idx": 3, "entry_price": 100.0}
    exits = [strategy.find_exits(held, wave, indicators, i) for i in range(len(wave))]
    assert any(exits), "never leaves"
    first = next(e for e in exits if e)
    assert first["position_id"] == "p1"
    assert "cross" in first["reason"]
