"""The owner's interface: an adapter with the eight specified methods and no other is enough."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from adapters.base_adapter import BaseAdapter
from adapters.simbroker_adapter import SimBrokerAdapter
from bot.agents.tree import measures_from_fill
from schemas.contract import Contract
from simbroker.broker import SimBroker
from simbroker.load import read_csv
from simbroker.terms import Terms
from tests.adapters.owners import ORDER_KEYS, OwnersAdapter
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
DAILY = [made for made in CONTRACTS.values() if made.timeframe == "D1"]
GENERATED = [made for made in DAILY if not measures_from_fill(made)]
FROM_FILL = [made for made in DAILY if measures_from_fill(made)]


def done_by(adapter: Any) -> list[tuple[int, int, str, float, float]]:
    """Entry and exit of each trade that ended before the data did."""
    if isinstance(adapter, OwnersAdapter):
        return [(t["entry_idx"], t["exit_idx"], t["action"], round(t["entry_price"], 6),
                 round(t["exit_price"], 6)) for t in adapter.trades]  # fmt: skip
    return [(t.entry_idx, t.exit_idx, t.action, round(t.entry_price, 6), round(t.exit_price, 6))
            for t in adapter.run().trades if t.kind != "open"]  # fmt: skip


def both(
    run_backtest: Any,
    df: pd.DataFrame,
    events: bool = True,
    most: int = 1,
    adapter: type[OwnersAdapter] = OwnersAdapter,
) -> tuple[list[Any], list[Any]]:
    """The trades on the owner's adapter and on SimBroker, through the file's own loop."""
    cfg: Any = {"symbol": "AAPL", "costs": {}, "leverage": 1e6, "max_positions": most}
    owners, ours = adapter(events), SimBrokerAdapter(SimBroker(Terms.read(cfg)))
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


class Ignoring(OwnersAdapter):
    """It takes what it knows of an order."""

    def place_order(self, order_request: dict[str, Any]) -> dict[str, Any]:
        return super().place_order({k: order_request[k] for k in ORDER_KEYS & set(order_request)})


@pytest.mark.parametrize("contract", FROM_FILL, ids=lambda c: c.name)
def test_without_the_keys_of_the_fill_levels_stay_where_the_signal_puts_them(
    contract: Contract,
) -> None:
    risk, df = contract.risk, known("D1")
    levels = (tuple(replace(x, base="signal") for x in some) for some in (risk.stops, risk.targets))
    stops, targets = levels
    closed = replace(contract, risk=replace(risk, stops=stops, targets=targets))
    theirs, moved = both(load(source_of(contract)).run_backtest, df, adapter=Ignoring)
    _, ours = both(load(source_of(closed)).run_backtest, df)
    assert theirs == ours != moved and len(theirs) > 0


def test_its_report_is_saved_through_the_same_interface(tmp_path: Path) -> None:
    adapter: Any = OwnersAdapter()
    module(NAMES[0]).run_backtest(adapter, read_csv(str(ROOT / "fixtures/sample_aapl.csv")), {})
    assert Path(adapter.save_report(str(tmp_path))["summary"]).is_file()
