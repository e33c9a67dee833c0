"""A bad order comes back with an error that says what to change, and the run goes on."""

from typing import Any

import pytest

from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.terms import FREE, Terms
from tests.simbroker.scripted import Candle, table

BARS: list[Candle] = [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99)]
GOOD: dict[str, Any] = {"action": "BUY", "symbol": "X", "volume": 1.0, "type": "MARKET"}
NAN, INF = float("nan"), float("inf")

BAD: dict[str, tuple[dict[str, Any], list[str]]] = {
    "unknown action": ({"action": "HOLD"}, ["HOLD", "'BUY' or 'SELL'"]),
    "lower case action": ({"action": "buy"}, ["'buy'", "'BUY' or 'SELL'"]),
    "no action": ({"action": None}, ["None", "'BUY' or 'SELL'"]),
    "unknown type": ({"type": "STOP"}, ["STOP", "'MARKET' or 'LIMIT'"]),
    "negative volume": ({"volume": -1.0}, ["volume is -1", "positive"]),
    "no volume": ({"volume": 0}, ["volume is 0", "positive"]),
    "NaN volume": ({"volume": NAN}, ["volume is nan", "positive"]),
    "infinite volume": ({"volume": INF}, ["volume is inf", "positive"]),
    "volume as text": ({"volume": "1"}, ["volume is '1'", "number"]),
    "volume beyond counting": ({"volume": 1e14}, ["too large", "less"]),
    "unknown symbol": ({"symbol": "Y"}, ["'Y'", "'X'"]),
    "no symbol": ({"symbol": ""}, ["cfg['symbol']"]),
    "stop on the wrong side": ({"sl": 105.0}, ["sl 105", "wrong side", "below"]),
    "short stop on the wrong side": ({"action": "SELL", "sl": 95.0}, ["sl 95", "above"]),
    "target on the wrong side": ({"tp": 95.0}, ["tp 95", "wrong side", "above"]),
    "short target on the wrong side": ({"action": "SELL", "tp": 105.0}, ["tp 105", "below"]),
    "stop and target swapped": ({"sl": 100.5, "tp": 99.5}, ["sl below its tp"]),
    "NaN stop": ({"sl": NAN}, ["sl is nan", "warming up"]),
    "infinite target": ({"tp": INF}, ["tp is inf", "warming up"]),
    "negative stop": ({"sl": -1.0}, ["sl is -1", "above zero"]),
    "stop as text": ({"sl": "99"}, ["sl is '99'", "number"]),
    "NaN price": ({"type": "LIMIT", "price": NAN}, ["price is nan", "warming up"]),
    "limit without a price": ({"type": "LIMIT"}, ["needs a 'price'"]),
    "limit stop above the limit": ({"type": "LIMIT", "price": 99, "sl": 99.5}, ["at 99", "below"]),
    "good for no time": ({"type": "LIMIT", "price": 99, "good_for": 0}, ["good_for", "1 or more"]),
    "good for ever": ({"type": "LIMIT", "price": 99, "good_for": INF}, ["good_for", "whole"]),
    "no margin": ({"volume": 101.0}, ["no margin", "10100.00", "10000.00", "lower the volume"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_order_is_refused_with_advice(name: str) -> None:
    change, words = BAD[name]
    broker, bars = SimBroker(Terms(symbol="X", costs=FREE)), list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    result = broker.place_order({**GOOD, **change})
    assert result["success"] is False and result["order_id"] == ""
    for word in words:
        assert word in str(result["error"])
    broker.step_bar(bars[1])
    assert broker.positions == [] and broker.balance == 10_000.0
    assert broker.place_order(GOOD)["success"] is True  # the run goes on
    broker.step_bar(bars[2])
    assert len(broker.positions) == 1
    assert broker.run().refused == 1 and broker.run().refusals[0].idx == 0


@pytest.mark.parametrize("request_", [None, "BUY", 7, [GOOD]])
def test_something_that_is_no_order_is_refused(request_: Any) -> None:
    broker = SimBroker()
    broker.step_bar(next(tuples(table(BARS))))
    assert "dictionary" in str(broker.place_order(request_)["error"])


def test_an_order_before_the_first_bar_is_refused() -> None:
    assert "step one bar" in str(SimBroker().place_order(GOOD)["error"])


def test_none_and_zero_mean_that_there_is_no_stop() -> None:
    for nothing in (None, 0, 0.0):
        broker, bars = SimBroker(Terms(costs=FREE)), list(tuples(table(BARS)))
        broker.step_bar(bars[0])
        assert broker.place_order({**GOOD, "sl": nothing, "tp": nothing})["success"]
        broker.step_bar(bars[1])
        assert broker.positions[0]["sl"] is None and broker.positions[0]["tp"] is None


def test_an_account_without_a_symbol_takes_the_first_and_keeps_it() -> None:
    broker, bars = SimBroker(Terms(costs=FREE)), list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    assert broker.place_order({**GOOD, "symbol": "AAPL"})["success"]
    broker.step_bar(bars[1])
    assert "'AAPL'" in str(broker.place_order({**GOOD, "symbol": "MSFT"})["error"])


def test_a_gap_that_costs_more_than_there_is_rejects_the_fill() -> None:
    broker = SimBroker(Terms(symbol="X", initial_balance=100.5, costs=FREE))
    bars = list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    assert broker.place_order(GOOD)["success"]
    events = broker.step_bar(bars[1])
    assert [e["event"] for e in events] == ["order_rejected"]
    assert "no margin" in str(events[0]["reason"]) and broker.positions == []


def test_one_order_at_a_time() -> None:
    broker = SimBroker(Terms(symbol="X", costs=FREE, max_positions=5))
    bars = list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    limit = {**GOOD, "type": "LIMIT", "price": 90.0, "good_for": 5}
    first = broker.place_order(limit)
    assert first["success"]
    assert "ord_1 is still working" in str(broker.place_order(GOOD)["error"])


def test_closing_what_is_not_there_or_at_a_price_is_refused() -> None:
    broker, bars = SimBroker(Terms(symbol="X", costs=FREE)), list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    broker.place_order(GOOD)
    broker.step_bar(bars[1])
    assert "no open position 'pos_9'" in str(broker.close_position("pos_9")["error"])
    assert "leave the price out" in str(broker.close_position("pos_1", 104.0)["error"])
    assert broker.close_position("pos_1")["success"]
    assert len(broker.positions) == 1  # until the next open
    broker.step_bar(bars[2])
    assert broker.positions == [] and broker.trades[0].exit_price == 102.0
