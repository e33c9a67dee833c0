"""The owner's interface: an adapter with the eight specified methods and no other is enough."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from adapters.base_adapter import BaseAdapter
from adapters.simbroker_adapter import SimBrokerAdapter
from schemas.contract import Contract
from simbroker.broker import SimBroker
from simbroker.load import read_csv
from simbroker.terms import Terms
from tests.adapters.owners import OwnersAdapter
from tests.agents.running import known, load, source_of
from tests.agents.table import CONTRACTS
from tests.strategies.examples import NAMES, ROOT, module

EIGHT = {
    "place_order": ["order_request"],
    "cancel_order": ["order_id"],
    "close_position": ["pos_id", "price"],
    "step_bar": ["bar"],
    "get_positions": [],
    "get_account": [],
    "generate_report": [],
    "save_report": ["out_dir"],
}
GENERATED = [made for made in CONTRACTS.values() if made.timeframe == "D1"]


def done_by(adapter: Any) -> list[tuple[int, int, str, float, float]]:
    """Entry and exit of each trade that ended before the data did."""
    if isinstance(adapter, OwnersAdapter):
        return [(t["entry_idx"], t["exit_idx"], t["action"], round(t["entry_price"], 6),
                 round(t["exit_price"], 6)) for t in adapter.trades]  # fmt: skip
    return [(t.entry_idx, t.exit_idx, t.action, round(t.entry_price, 6), round(t.exit_price, 6))
            for t in adapter.run().trades if t.kind != "open"]  # fmt: skip


def both(
    run_backtest: Any, df: pd.DataFrame, events: bool = True, most: int = 1
) -> tuple[list[Any], list[Any]]:
    """The trades on the owner's adapter and on SimBroker, through the file's own loop."""
    cfg: Any = {"symbol": "AAPL", "costs": {}, "leverage": 1e6, "max_positions": most}
    owners, ours = OwnersAdapter(events), SimBrokerAdapter(SimBroker(Terms.read(cfg)))
    report = run_backtest(owners, df, dict(cfg))
    run_backtest(ours, df, dict(cfg))
    assert report["total_trades"] == len(owners.trades)
    return done_by(owners), done_by(ours)


@pytest.mark.parametrize("broker", [BaseAdapter, OwnersAdapter])
def test_the_interface_is_the_eight_methods_of_the_specification(broker: type) -> None:
    methods = {n: m for n, m in vars(broker).items() if inspect.isfunction(m) and n[0] != "_"}
    assert {n: list(inspect.signature(m).parameters)[1:] for n, m in methods.items()} == EIGHT


@pytest.mark.parametrize("events", [True, False], ids=["tells events", "tells none"])
@pytest.mark.parametrize("name", NAMES)
def test_every_example_runs_on_it_and_trades_as_on_simbroker(name: str, events: bool) -> None:
    bars = read_csv(str(ROOT / "fixtures/sample_aapl.csv"))
    theirs, ours = both(module(name).run_backtest, bars, events)
    assert theirs == ours and len(theirs) > 0


@pytest.mark.parametrize("contract", GENERATED, ids=lambda c: c.name)
def test_generated_strategies_run_on_it_and_trade_as_on_simbroker(contract: Contract) -> None:
    run_backtest = load(source_of(contract)).run_backtest
    theirs, ours = both(run_backtest, known("D1"), most=contract.risk.max_positions)
    assert theirs == ours and len(theirs) > 0


def test_its_report_is_saved_through_the_same_interface(tmp_path: Path) -> None:
    adapter: Any = OwnersAdapter()
    module(NAMES[0]).run_backtest(adapter, read_csv(str(ROOT / "fixtures/sample_aapl.csv")), {})
    assert Path(adapter.save_report(str(tmp_path))["summary"]).is_file()
