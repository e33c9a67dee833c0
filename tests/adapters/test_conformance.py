"""The interface, method by method, on every adapter that there is."""

import contextlib
import csv
import json
from pathlib import Path
from typing import Any, get_type_hints

import pandas as pd
import pytest

from adapters.base_adapter import Account, BaseAdapter, OrderRequest, Position
from tests.adapters.conformance import ADAPTERS, BARS, BUY, holding, step


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> BaseAdapter:
    return ADAPTERS[request.param]()


def test_an_order_is_taken_and_filled_later(adapter: BaseAdapter) -> None:
    step(adapter, 0)
    result = adapter.place_order(BUY)
    assert result["success"] and result["order_id"] and result["position_id"]
    assert result["fill_price"] is None and "error" not in result
    assert adapter.get_positions() == []
    assert step(adapter, 1) == ["position_opened"]
    (position,) = adapter.get_positions()
    assert position["position_id"] == result["position_id"]
    assert position["entry_price"] == 101.0


def test_a_position_answers_to_every_spelling(adapter: BaseAdapter) -> None:
    holding(adapter, sl=99.5, comment="why")
    (position,) = adapter.get_positions()
    assert set(get_type_hints(Position)) == set(position)
    for names, value in (
        (("position_id", "id", "ticket"), position["position_id"]),
        (("action", "side", "direction", "type"), "BUY"),
        (("entry_price", "price", "open_price", "price_open"), 101.0),
        (("entry_idx", "entry_index", "entry_bar", "open_idx"), 1),
        (("entry_time", "open_time", "time"), BARS.index[1]),
        (("symbol",), "X"), (("volume",), 2.0), (("sl",), 99.5), (("tp",), None),
        (("comment",), "why"),
    ):  # fmt: skip
        for name in names:
            assert position[name] == value  # type: ignore[literal-required]
            assert getattr(position, name) == value
    assert position.get("sl") == 99.5 and position.get("nothing", 7) == 7
    assert "sl" in position and "nothing" not in position
    assert isinstance(position["entry_time"], pd.Timestamp)


def test_changing_a_position_changes_nothing(adapter: BaseAdapter) -> None:
    holding(adapter, sl=99.5)
    (position,) = adapter.get_positions()
    with pytest.raises((TypeError, AttributeError)):
        position["sl"] = 1.0
    with pytest.raises((TypeError, AttributeError)):
        position.sl = 1.0  # type: ignore[attr-defined]
    assert step(adapter, 2) == ["sl_hit", "position_closed"]


def test_changing_the_events_of_a_bar_changes_nothing(adapter: BaseAdapter) -> None:
    for bar in (0, 1):
        told = adapter.step_bar(BARS.iloc[bar])
        assert isinstance(told, list) and told == []
        with contextlib.suppress(TypeError):
            told.append({"event": "order_rejected"})
    assert step(adapter, 2) == []


def test_a_position_is_closed_at_the_next_open(adapter: BaseAdapter) -> None:
    name = holding(adapter)
    assert adapter.close_position(name)["success"]
    assert len(adapter.get_positions()) == 1
    assert step(adapter, 2) == ["position_closed"]
    assert adapter.get_positions() == []
    assert adapter.get_account()["balance"] == 10_000.0 + 2.0 * (102.0 - 101.0)


@pytest.mark.parametrize("kind", ["sl", "tp"])
def test_stop_and_target_are_told(adapter: BaseAdapter, kind: str) -> None:
    holding(adapter, **{kind: 99.5 if kind == "sl" else 103.5})
    assert step(adapter, 2) == [f"{kind}_hit", "position_closed"]


def test_an_order_can_be_cancelled_once(adapter: BaseAdapter) -> None:
    step(adapter, 0)
    result = adapter.place_order({**BUY, "type": "LIMIT", "price": 99.0, "good_for": 5})
    assert adapter.cancel_order(result["order_id"])
    assert not adapter.cancel_order(result["order_id"]) and not adapter.cancel_order("ord_99")


@pytest.mark.parametrize(
    "bad",
    [{"action": "HOLD"}, {"volume": -1.0}, {"sl": 150.0}, {"sl": float("nan")}, {"symbol": "Y"},
     {"volume": 1e6}, {"type": "LIMIT", "price": float("nan")}],
)  # fmt: skip
def test_a_bad_order_never_raises_and_says_why(
    adapter: BaseAdapter, bad: dict[str, object]
) -> None:
    step(adapter, 0)
    order: OrderRequest = {**BUY, **bad}  # type: ignore[typeddict-item]
    result = adapter.place_order(order)
    assert result["success"] is False and len(result["error"]) > 20
    assert adapter.place_order(BUY)["success"]


def test_closing_the_unknown_never_raises(adapter: BaseAdapter) -> None:
    assert adapter.close_position("pos_77")["success"] is False


def test_the_account_says_what_it_is_worth(adapter: BaseAdapter) -> None:
    holding(adapter)
    account = adapter.get_account()
    assert set(get_type_hints(Account)) == set(account)
    assert account["balance"] == 10_000.0 and account["equity"] == 10_000.0 + 2.0 * (102 - 101)
    assert account["margin"] == 202.0 and account["free_margin"] == account["equity"] - 202.0


def test_the_report_has_the_promised_figures(adapter: BaseAdapter) -> None:
    adapter.close_position(holding(adapter))
    step(adapter, 2)
    report = adapter.generate_report()
    assert report["total_trades"] == 1 and report["total_pnl"] == 2.0
    assert report["win_rate"] == 1.0 and report["max_drawdown"] == 0.0
    assert adapter.generate_report() == report  # asking changes nothing
    json.dumps(report, allow_nan=False)


def test_a_report_in_mid_run_closes_on_paper_only(adapter: BaseAdapter) -> None:
    holding(adapter)
    assert adapter.generate_report()["open_at_end"] == 1
    assert len(adapter.get_positions()) == 1


def test_the_files_are_complete_and_add_up(adapter: BaseAdapter, tmp_path: Path) -> None:
    close: Any = adapter.close_position  # our own adapters take a reason besides
    close(holding(adapter, comment='a "quoted", word'), reason="enough")
    step(adapter, 2)
    adapter.place_order({**BUY, "volume": -1.0})
    adapter.place_order({**BUY, "action": "SELL", "sl": 101.0})
    step(adapter, 3)
    paths = adapter.save_report(str(tmp_path / "new" / "folder"))
    assert {k: Path(v).name for k, v in paths.items()} == {
        "trades": "trades.csv", "equity_curve": "equity_curve.csv", "events": "events.log",
        "summary": "summary.json",
    }  # fmt: skip
    with open(paths["trades"], newline="") as file:
        trades = list(csv.DictReader(file))
    assert [(t["exit_kind"], t["exit_reason"]) for t in trades] == [
        ("signal", "enough"), ("open", "end of data")]  # fmt: skip
    assert trades[0]["comment"] == 'a "quoted", word'
    assert trades[0]["entry_time"] == "2024-01-02T00:00:00"
    summary = json.loads(Path(paths["summary"]).read_text())
    assert summary == adapter.generate_report()
    assert float(trades[-1]["balance"]) == summary["final_balance"]
    curve = pd.read_csv(paths["equity_curve"])
    assert list(curve.columns) == ["timestamp", "balance", "equity"] and len(curve) == 4
    assert curve["timestamp"].is_monotonic_increasing
    assert curve["equity"].iloc[-1] == curve["balance"].iloc[-1] == summary["final_balance"]
    events = [json.loads(line) for line in Path(paths["events"]).read_text().splitlines()]
    assert [e["event"] for e in events if e["event"] != "order_placed"] == [
        "position_opened", "position_closed", "order_rejected", "position_opened",
        "position_closed"]  # fmt: skip
    assert {e["correlation_id"] for e in events} == {"corr_test"}
    assert [e["timestamp"] for e in events] == sorted(e["timestamp"] for e in events)


def test_the_same_run_writes_the_same_bytes(adapter: BaseAdapter, tmp_path: Path) -> None:
    holding(adapter)
    first, second = (adapter.save_report(str(tmp_path / name)) for name in ("a", "b"))
    for name in first:
        assert Path(first[name]).read_bytes() == Path(second[name]).read_bytes()
