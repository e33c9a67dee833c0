"""events.log has all that happened to orders and positions, one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.save import save
from simbroker.terms import FREE, Terms
from tests.simbroker.scripted import Candle, table

BARS: list[Candle] = [(100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99),
                      (99, 100, 98, 99), (180, 190, 170, 185), (185, 186, 184, 185)]  # fmt: skip
BUY: dict[str, Any] = {"action": "BUY", "symbol": "X", "volume": 1.0, "type": "MARKET"}
LOW = {**BUY, "type": "LIMIT", "price": 50.0, "good_for": 1}


def told(folder: Path) -> list[dict[str, Any]]:
    """A market order that is stopped, one that is cancelled, one that expires, one that is bad and
    one that the next open is too dear for."""
    broker = SimBroker(Terms(symbol="X", initial_balance=150.0, costs=FREE))
    first, second, third, fourth, *rest = tuples(table(BARS))
    broker.step_bar(first)
    broker.place_order({**BUY, "sl": 98.5})
    broker.step_bar(second)
    broker.step_bar(third)
    assert broker.cancel_order(str(broker.place_order(BUY)["order_id"]))
    broker.place_order(LOW)
    broker.step_bar(fourth)
    broker.place_order({**BUY, "volume": -1.0})
    broker.place_order(BUY)
    for bar in rest:
        broker.step_bar(bar)
    text = Path(save(broker.run(), str(folder), "corr_7")["events"]).read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_every_order_and_position_is_in_the_log(tmp_path: Path) -> None:
    rows = told(tmp_path)
    assert [(r["event"], r.get("order_id", ""), r.get("position_id", "")) for r in rows] == [
        ("order_placed", "ord_1", "pos_1"),
        ("position_opened", "", "pos_1"),
        ("sl_hit", "", "pos_1"),
        ("position_closed", "", "pos_1"),
        ("order_placed", "ord_2", "pos_2"),
        ("order_cancelled", "ord_2", "pos_2"),
        ("order_placed", "ord_3", "pos_3"),
        ("order_expired", "ord_3", "pos_3"),
        ("order_rejected", "", ""),
        ("order_placed", "ord_4", "pos_4"),
        ("order_rejected", "ord_4", "pos_4"),
    ]
    for row in rows:
        assert row["timestamp"] and row["correlation_id"] == "corr_7" and row["symbol"] == "X"
        assert "order_id" not in row or (row["action"], row["volume"]) == ("BUY", 1.0)
    assert [r["price"] for r in rows if r["event"] == "order_placed"] == [100.0, 99.0, 50.0, 99.0]
    assert [r["timestamp"] for r in rows] == sorted(r["timestamp"] for r in rows)
    assert "volume" in rows[8]["reason"] and "margin" in rows[10]["reason"]


def test_no_refusal_is_left_out(tmp_path: Path) -> None:
    broker = SimBroker(Terms(symbol="X", costs=FREE))
    broker.step_bar(next(tuples(table(BARS))))
    for _ in range(150):
        broker.place_order({**BUY, "volume": -1.0})
    text = Path(save(broker.run(), str(tmp_path), "corr_7")["events"]).read_text()
    assert text.count("order_rejected") == 150
