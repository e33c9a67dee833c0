"""SimBroker against the reference corpus: the same decisions give the same trades, everywhere.

The corpus lies beside the repository (`../shared/requests`) where the project is checked. It has
its own engine, written by other people; `test_two_paths.py` compares with a third one.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from adapters.base_adapter import Config, ExitRequest, Indicators, OrderRequest, Position
from adapters.loop import drive
from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.load import read_csv
from simbroker.terms import FREE, Terms

CORPUS = Path(__file__).parents[3] / "shared" / "requests"
EXPECTED = {p.stem: p for p in sorted((CORPUS / "expected").glob("V*.json"))}

pytestmark = pytest.mark.skipif(not EXPECTED, reason="the reference corpus is not beside the clone")


@contextmanager
def reference(name: str) -> Iterator[Any]:
    """A module of the corpus. Its folder is on the path only while it is imported."""
    sys.path.insert(0, str(CORPUS / "reference"))
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(CORPUS / "reference"))


class Planned:
    """A strategy that decides what a reference plan says."""

    def __init__(self, plan: Any, broker: SimBroker) -> None:
        self._plan, self._broker = plan, broker
        self._sides = np.asarray(plan.long, int) - np.asarray(plan.short, int)

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return {}

    def _book(self) -> Any:
        """Past and open trades as the plan's own functions expect them."""
        closed = [{"signal_idx": t.signal_idx, "exit_idx": t.exit_idx, "side": t.side,
                   "exit_kind": t.kind, "entry_price": t.entry_price, "exit_price": t.exit_price}
                  for t in self._broker.trades]  # fmt: skip
        held = [self._held(p) for p in self._broker.positions]
        return SimpleNamespace(closed=closed, open=held)

    def _held(self, position: Any) -> Any:
        side = 1 if position["action"] == "BUY" else -1
        return SimpleNamespace(
            side=side,
            signal_idx=position["entry_idx"] - 1,
            entry_idx=position["entry_idx"],
            entry_price=position["entry_price"],
            sl=position["sl"],
            tp=position["tp"],
        )

    def find_entries(self, df: pd.DataFrame, indicators: Indicators, idx: int) -> Any:
        plan, book = self._plan, self._book()
        side = plan.entry_fn(idx, book) if plan.entry_fn else int(self._sides[idx])
        if not side or (plan.allow and not plan.allow(idx, side, book)):
            return None
        way = "long" if side > 0 else "short"
        order: OrderRequest = {
            "action": "BUY" if side > 0 else "SELL",
            "symbol": "X",
            "volume": at(plan.volume, idx) or 1.0,
            "type": "MARKET",
            "sl": at(getattr(plan, f"sl_{way}"), idx),
            "tp": at(getattr(plan, f"tp_{way}"), idx),
        }
        limit = at(getattr(plan, f"limit_{way}"), idx)
        if limit is not None:
            order["type"], order["price"] = "LIMIT", limit
        return order

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        plan = self._plan
        rules = plan.exit_long if position["action"] == "BUY" else plan.exit_short
        reason = next((why for why, mask in rules.items() if np.asarray(mask, bool)[idx]), None)
        if not reason and plan.exit_fn:
            reason = plan.exit_fn(self._held(position), idx)
        return {"position_id": position["position_id"], "reason": reason} if reason else None


def at(series: Any, idx: int) -> float | None:
    value = None if series is None else float(np.asarray(series, float)[idx])
    return None if value is None or np.isnan(value) else value


def ours(plan: Any, df: pd.DataFrame, start: int) -> list[list[Any]]:
    terms = Terms(
        symbol="X",
        initial_balance=1e9,
        costs=FREE,
        leverage=1000.0,
        max_positions=plan.max_positions,
    )
    adapter = SimBrokerAdapter(SimBroker(terms))
    cfg: Config = {}
    drive(Planned(plan, adapter.broker), adapter, df, tuples(df), cfg, start)
    run = adapter.run()
    assert run.refused == 0, run.refusals[:3]
    trades = sorted(run.trades, key=lambda t: (t.signal_idx, t.exit_idx))
    return [[t.signal_idx, t.side, t.entry_idx, t.entry_price, t.exit_idx, t.exit_price, t.kind]
            for t in trades]  # fmt: skip


def theirs(trades: list[dict[str, Any]]) -> list[list[Any]]:
    keys = ("signal_idx", "side", "entry_idx", "entry_price", "exit_idx", "exit_price", "exit_kind")
    return [[t[k] for k in keys] for t in trades]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_same_trades_as_the_reference_engine(name: str) -> None:
    """Every reading of the request on its three data sets: engine, file and SimBroker agree."""
    expected = json.loads(EXPECTED[name].read_text())
    with reference(name.lower()) as module, reference("engine") as engine:
        found = 0
        for options in [*module.ACCEPT, *module.LENIENT]:
            trades = {}
            for data, start in expected["start"].items():
                df = read_csv(str(CORPUS / "data" / f"{data}.csv"))
                trades[data] = ours(module.plan(df, **options), df, start)
                assert trades[data] == theirs(engine.simulate(df, module.plan(df, **options)))
            rounded = {d: [[*t[:3], round(t[3], 8), t[4], round(t[5], 8), t[6]] for t in rows]
                       for d, rows in trades.items()}  # fmt: skip
            listed = [{d: [t[:7] for t in rows] for d, rows in v["trades"].items()}
                      for v in expected["variants"]]  # fmt: skip
            assert rounded in listed, f"{name} {options}: not among the expected trades"
            found += sum(map(len, trades.values()))
        assert found > 0


def test_all_twelve_data_sets_are_driven() -> None:
    driven = {d for p in EXPECTED.values() for d in json.loads(p.read_text())["start"]}
    assert driven == {p.stem for p in (CORPUS / "data").glob("*.csv")} and len(driven) == 12
