"""The paper run: what trades as its backtest matches, what remembers or looks ahead does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.live.port import Ticket
from sandbox import lifecycle, paper
from sandbox.engine import ProcessEngine
from sandbox.submission import Taken, of_folder, read
from schemas.contract import Contract

ROOT = Path(__file__).parent.parent.parent
BARS = 120
REMEMBERS = """
class Strategy:
    seen = 0

    def __init__(self, cfg):
        self.cfg = cfg

    def prepare_indicators(self, df):
        return {}

    def find_entries(self, df, indicators, idx):
        self.seen += 1
        if self.seen % 20:
            return None
        return {"action": "BUY", "symbol": self.cfg["symbol"], "volume": 1.0, "type": "MARKET"}

    def find_exits(self, position, df, indicators, idx):
        if idx - position["entry_idx"] < 3:
            return None
        return {"position_id": position["position_id"], "reason": "old"}
"""
AHEAD = REMEMBERS.replace("self.seen % 20", "idx + 1 >= len(df) or df[\"Close\"].iloc[idx + 1] < "
                          "df[\"Close\"].iloc[idx]")  # fmt: skip
HONEST = REMEMBERS.replace("self.seen % 20", "idx % 20")


def ran(tmp_path: Path, taken: Taken, contract: Contract) -> paper.Ran:
    with lifecycle.run(tmp_path / "run") as ledger:
        found = paper.compare(ProcessEngine(ledger), taken, contract, BARS)
        ledger.finish("passed")
    return found


@pytest.fixture
def example() -> tuple[Taken, Contract]:
    taken = read(of_folder(ROOT / "strategies" / "sma_cross"))
    assert taken.contract is not None
    return taken, taken.contract


def test_an_example_trades_as_its_backtest(tmp_path: Path, example: tuple[Taken, Contract]) -> None:
    found = ran(tmp_path, *example)
    assert (found.bars, found.differences, found.trouble) == (BARS, 0, "")
    assert found.trades > 0, "where nothing is traded nothing is shown"


@pytest.mark.parametrize(("source", "matches"), [(HONEST, True), (REMEMBERS, False)])
def test_what_lives_in_memory_does_not_match(
    tmp_path: Path, example: tuple[Taken, Contract], source: str, matches: bool
) -> None:
    found = ran(tmp_path, replace(example[0], strategy=source.encode()), example[1])
    assert not found.trouble and (found.differences == 0) is matches, found
    assert bool(found.shown) is not matches


def test_what_looks_ahead_is_stopped(tmp_path: Path, example: tuple[Taken, Contract]) -> None:
    found = ran(tmp_path, replace(example[0], strategy=AHEAD.encode()), example[1])
    assert found.trouble.startswith("halted: parity_difference"), found


def test_no_order_leaves_it() -> None:
    broker = paper.Recorded([], 60)
    with pytest.raises(paper.OrderSent):
        broker.submit(Ticket("sb1", "SPY", "BUY", 1.0))
    with pytest.raises(paper.OrderSent):
        broker.cancel("sb1")
