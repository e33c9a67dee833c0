"""Each example passes what a generated strategy must pass: data, indicators, entries, exits."""

import json
from typing import Any

import pandas as pd
import pytest

from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.broker import SimBroker
from simbroker.causality import find_leaks
from simbroker.determinism import find_differences
from tests.simbroker.scripted import play
from tests.strategies.examples import CFG, NAMES, ROOT, bars, module, position, scenario

AAPL = str(ROOT / "fixtures/sample_aapl.csv")


def prepared(name: str) -> tuple[Any, pd.DataFrame, Any]:
    strategy, df = module(name).Strategy(dict(CFG)), bars(scenario(name)["bars"])
    return strategy, df, strategy.prepare_indicators(df)


def test_data_load() -> None:
    df = pd.read_csv(AAPL)
    assert "Close" in df.columns
    assert not df["Close"].isna().any()


@pytest.mark.parametrize("name", NAMES)
def test_the_raw_table_flows_through_the_adapter(name: str) -> None:
    """As the owner wrote it: a table straight from read_csv, and an adapter with its defaults."""
    adapter = SimBrokerAdapter(SimBroker())
    report = module(name).run_backtest(adapter, pd.read_csv(AAPL), dict(CFG))
    assert report["bars"] == 500 and report["total_trades"] > 0
    assert "win_rate" in report and "max_drawdown" in report
    assert report["orders_refused"] == 0


EXPECTED = json.loads((ROOT / "fixtures/indicators/expected.json").read_text())["values"]
INDICATORS = [
    ("rsi_mean_reversion", "rsi", "rsi_14", 0),
    ("donchian_breakout", "atr", "atr_14", 0),
    ("donchian_breakout", "upper", "highest_20", 1),
    ("donchian_breakout", "lower", "lowest_20", 1),
    ("donchian_breakout", "exit_upper", "highest_10", 1),
    ("donchian_breakout", "exit_lower", "lowest_10", 1),
]


@pytest.mark.parametrize(("name", "ours", "theirs", "lag"), INDICATORS)
def test_indicators(name: str, ours: str, theirs: str, lag: int) -> None:
    """Against values of TA-Lib; a channel that leaves the current bar out is one bar later."""
    indicators = module(name).Strategy(CFG).prepare_indicators(pd.read_csv(AAPL))
    for bar, value in EXPECTED[theirs].items():
        if int(bar) + lag < 500:
            assert indicators[ours].iloc[int(bar) + lag] == pytest.approx(value, rel=1e-6)


def test_the_gap_of_two_averages() -> None:
    indicators = module("sma_cross").Strategy(CFG).prepare_indicators(pd.read_csv(AAPL))
    for bar, fast in EXPECTED["sma_10"].items():
        gap = fast - EXPECTED["sma_30"][bar]
        assert indicators["gap"].iloc[int(bar)] == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_find_entries(name: str) -> None:
    strategy, df, indicators = prepared(name)
    told = scenario(name)
    for kind, action in (("long", "BUY"), ("short", "SELL")):
        for idx in told.get(kind, []):
            order = strategy.find_entries(df, indicators, idx)
            assert order is not None and order["action"] == action, idx
            assert order["symbol"] == "AAPL" and order["volume"] == 1.0
            if "sl" in order and "tp" in order:
                assert order["sl"] < order["tp"]
            if "stop" in told:
                assert order["sl"] == pytest.approx(told["stop"][str(idx)], rel=1e-6)
    assert told["long"]
    for idx in told["nothing"]:
        assert strategy.find_entries(df, indicators, idx) is None


@pytest.mark.parametrize("name", NAMES)
def test_find_exits(name: str) -> None:
    strategy, df, indicators = prepared(name)
    told = scenario(name)
    for kind, action in (("exit_long", "BUY"), ("exit_short", "SELL")):
        for idx in told.get(kind, []):
            leave = strategy.find_exits(position(action), df, indicators, idx)
            assert leave is not None and leave["position_id"] == "pos_123" and leave["reason"]
    quiet = told["nothing"][0]
    assert strategy.find_exits(position("BUY"), df, indicators, quiet) is None


@pytest.mark.parametrize("name", NAMES)
def test_determinism(name: str) -> None:
    one, two = (
        module(name).run_backtest(SimBrokerAdapter(SimBroker()), pd.read_csv(AAPL), dict(CFG))
        for _ in range(2)
    )
    assert one == two
    df = bars("gappy_D1").iloc[:200]
    make = module(name).Strategy
    assert (
        find_differences(lambda: make({"symbol": "X"}), df, play(make({"symbol": "X"}), df)) == []
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sample", ["trending_M15", "gappy_D1"])
def test_no_look_ahead(name: str, sample: str) -> None:
    make, df = module(name).Strategy, bars(sample).iloc[:200]
    assert find_leaks(lambda: make({"symbol": "X"}), df, play(make({"symbol": "X"}), df)) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_view_changes_no_decision(name: str) -> None:
    """With quick columns and with plain pandas, the same answers on every bar."""
    from adapters.frame import column, frame

    strategy, df, indicators = prepared(name)
    quick = {k: column(v) for k, v in indicators.items()}
    seen = frame(df)
    for idx in range(len(df)):
        assert strategy.find_entries(seen, quick, idx) == strategy.find_entries(df, indicators, idx)
