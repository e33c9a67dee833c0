"""Generated strategies: clean, alone, and the same decisions as the reference on every bar."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.agents.coder import write_strategy
from bot.agents.spelling import module_name
from sandbox.intake import check
from sandbox.static_tools import TOOLS
from schemas import contract as c
from schemas.indicators import KINDS
from simbroker.causality import find_leaks
from tests.agents.running import differences, known, load, played, settings, source_of
from tests.agents.table import CONTRACTS

ROOT = Path(__file__).parents[2]
EACH = pytest.mark.parametrize("name", CONTRACTS)
NODES = (c.Constant, c.Price, c.Series, c.Held, c.Calendar, c.Arithmetic, c.Compare, c.Cross,
         c.Every, c.Either, c.Never, c.InARow, c.Within, c.Session, c.OnDays, c.Trailing, c.Level,
         c.Distance, c.Exit)  # fmt: skip
OPTIONS = {
    ("Held", "field"): 6, ("Calendar", "field"): 6, ("Arithmetic", "op"): 6, ("Compare", "op"): 5,
    ("Cross", "direction"): 2, ("Distance", "unit"): 5, ("Sizing", "kind"): 5,
    ("Trailing", "mark"): 2, ("Risk", "cooldown_after"): 3, ("Price", "field"): 5,
    ("Session", "includes_end"): 2, ("Entry", "side"): 2, ("Exit", "side"): 3,
    ("Contract", "reverse"): 2,
}  # fmt: skip


def values(node: Any) -> Iterator[Any]:
    yield node
    if is_dataclass(node):
        for field in fields(node):
            yield from values(getattr(node, field.name))
    elif isinstance(node, tuple):
        for inner in node:
            yield from values(inner)


def test_the_table_has_every_indicator_node_and_option() -> None:
    found = [v for made in CONTRACTS.values() for v in values(made)]
    assert {v.kind for v in found if isinstance(v, c.Indicator)} == set(KINDS)
    assert {type(v) for v in found} >= set(NODES)
    for (kind, field), count in OPTIONS.items():
        seen = {getattr(v, field) for v in found if type(v).__name__ == kind}
        assert len(seen) == count, (kind, field, seen)
    usual = c.Risk(sizing=CONTRACTS["rsi"].risk.sizing)
    risks = [v for v in found if isinstance(v, c.Risk)]
    for about in fields(c.Risk):
        assert {getattr(r, about.name) for r in risks} - {getattr(usual, about.name)}, about.name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("generated")
    for name, contract in CONTRACTS.items():
        (place / f"{module_name(name)}.py").write_text(source_of(contract))
    return place


@pytest.mark.parametrize("tool", ["ruff format", "ruff check", *TOOLS])
def test_no_tool_has_anything_to_say(tool: str, folder: Path) -> None:
    ours = ["--config", str(ROOT / "pyproject.toml")]
    line = {
        "ruff format": ["ruff", "format", "--check", *ours],
        "ruff check": ["ruff", "check", *ours],
        **TOOLS,
    }[tool]
    files = [str(p) for p in sorted(folder.glob("*.py"))]
    done = subprocess.run([sys.executable, "-m", *line, *files], capture_output=True, text=True,
                          cwd=folder, env={"MYPYPATH": str(ROOT)}, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


@EACH
def test_the_intake_accepts_it(name: str) -> None:
    assert check(source_of(CONTRACTS[name]).encode(), None) == ()


ALONE = """
import json, sys, types, warnings
import pandas as pd
for ours in ("adapters", "strategies", "simbroker", "sandbox", "schemas", "bot"):
    sys.modules[ours] = None
warnings.simplefilter("error")
told = {}
for path in sys.argv[2:]:
    module = types.ModuleType("alone")
    exec(compile(open(path).read(), path, "exec"), module.__dict__)
    df = pd.read_csv(sys.argv[1], parse_dates=["Date"])
    counts = []
    for table in (df, df.set_index("Date")):
        strategy = module.Strategy({"symbol": "X", "equity": 1e4})
        indicators = strategy.prepare_indicators(table)
        orders = [strategy.find_entries(table, indicators, i) for i in range(len(table))]
        counts.append(sum(order is not None for order in orders))
        held = {"position_id": "1", "action": "BUY", "entry_idx": 5, "entry_price": 100.0,
                "sl": None, "tp": None}
        exits = [strategy.find_exits(held, table, indicators, i) for i in range(5, len(table))]
        counts.append(sum(leave is not None for leave in exits))
    told[path.split("/")[-1]] = counts
print(json.dumps(told))
"""


def test_each_file_works_where_only_numpy_and_pandas_are(folder: Path, tmp_path: Path) -> None:
    """And with a Date column it decides the same as with a time index."""
    df = known("M15").iloc[:400]
    df.to_csv(tmp_path / "bars.csv")
    files = [str(p) for p in sorted(folder.glob("*.py"))]
    line = [sys.executable, "-c", ALONE, str(tmp_path / "bars.csv"), *files]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, env={}, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert len(told) == len(CONTRACTS) and sum(entries for entries, *_ in told.values()) > 1000
    assert all(x[:2] == x[2:] for x in told.values()), told


THIRD = [pytest.param(name, marks=[pytest.mark.soak] if n % 3 else [])
         for n, name in enumerate(CONTRACTS)]  # fmt: skip
"""Every third here, all of them in the soak: each takes seconds."""


@pytest.mark.parametrize("name", THIRD)
def test_it_decides_on_every_bar_as_the_reference_does(name: str) -> None:
    contract = CONTRACTS[name]
    run, found = differences(contract, source_of(contract), known(contract.timeframe))
    assert found == []
    assert run.refused == 0 and len(run.trades) >= 6


SPOILT = [
    ("rsi", "ENTER_LONG_RSI = 30.0", "ENTER_LONG_RSI = 33.0"),
    ("rsi", "RSI_LENGTH = 14", "RSI_LENGTH = 13"),
    ("rsi", "crosses_below(rsi_14", "crosses_above(rsi_14"),
    ("bollinger", "BB_WIDTH = 2.5", "BB_WIDTH = 2.4"),
    ("chandelier", "TRAIL_ATR = 3.0", "TRAIL_ATR = 2.9"),
    ("chandelier", 'held.best("High", "Low")', 'held.best("Close", "Close")'),
    ("trail_percent", "TRAIL_STARTS_PERCENT = 2.0", "TRAIL_STARTS_PERCENT = 6.0"),
    ("trail_percent", "TRAIL_2_PRICE = 3.0", "TRAIL_2_PRICE = 2.5"),
    ("trail_r", "TRAIL_R = 1.0", "TRAIL_R = 1.1"),
    ("break_even", "BREAK_EVEN_ATR = 1.0", "BREAK_EVEN_ATR = 2.0"),
    ("break_even_r", "TARGET_R_2 = 2.0", "TARGET_R_2 = 2.1"),
    ("held_exits", "held.highest_high", "held.highest_close"),
    ("held_exits", "EXIT_LONG_BARS = 10.0", "EXIT_LONG_BARS = 9.0"),
    ("held_exits", "held.lowest_low", "held.lowest_close"),
    ("held_short", "EXIT_BOTH_BARS = 2", "EXIT_BOTH_BARS = 3"),
    ("profit_shares", "held.entry_price, held.bars)", "held.entry_price, held.bars + 1.0)"),
    ("stdev_calm", "EXIT_AFTER_BARS = 3", "EXIT_AFTER_BARS = 4"),
    ("vwap", "EXIT_AT = 15 * 60 + 30", "EXIT_AT = 15 * 60 + 15"),
    ("vwap", "ENTER_LONG_UNTIL = 15 * 60", "ENTER_LONG_UNTIL = 14 * 60"),
    ("overnight", "ENTER_LONG_UNTIL = 2 * 60 + 1", "ENTER_LONG_UNTIL = 2 * 60"),
    ("limit_entry", "close * 0.99", "close * 0.991"),
    ("limit_entry", '"MARKET" if limit is None else "LIMIT"', '"MARKET"'),
    ("nearest_of_two", "greater(stop_long_of", "lesser(stop_long_of"),
    ("pips", "STOP_PIPS = 150.0", "STOP_PIPS = 151.0"),
    ("risk_sized", "RISK_PERCENT = 1.0", "RISK_PERCENT = 1.1"),
    ("equity_sized", "EQUITY_PERCENT = 95.5", "EQUITY_PERCENT = 95.0"),
    ("cash_sized", "CASH = 2500.0", "CASH = 2501.0"),
    ("cooldown", "COOLDOWN_BARS = 4", "COOLDOWN_BARS = 3"),
    ("cooldown_stop", 'bars_since_exit(df, idx, "stop")', 'bars_since_exit(df, idx, "exit")'),
    ("cooldown_stop", 'reason in ("trailing stop", "break-even stop")', "False"),
    ("cooldown_loss", 'bars_since_exit(df, idx, "loss")', 'bars_since_exit(df, idx, "exit")'),
    ("pyramid", "MAX_POSITIONS = 3", "MAX_POSITIONS = 2"),
    ("adds", "held.entry_price * 1.02", "held.entry_price * 1.03"),
    ("tight_stop", "MAX_ENTRIES_PER_DAY = 3", "MAX_ENTRIES_PER_DAY = 2"),
    ("tight_stop", "            self.entries.append(order.decided)\n", ""),
    ("tight_stop", "            self.endings.append(ending)\n", ""),
    ("tight_stop", "Ending(at, first, deal, True)", "Ending(at, first, deal, False)"),
    ("tight_limit", "            self.endings.append(ending)\n", ""),
    ("noon", "ENTER_LONG_TIME = 11 * 60 + 30", "ENTER_LONG_TIME = 12 * 60"),
    ("supertrend", 'position["action"] == "BUY" and indicators["enter_short"]',
     'position["action"] == "BUY" and indicators["enter_long"]'),
    ("turn_of_month", ".shift(1)", ".shift(2)"),
    ("two_of_many", "~in_a_row", "in_a_row"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new"), SPOILT)
def test_the_reference_notices_another_strategy(name: str, old: str, new: str) -> None:
    contract, source = CONTRACTS[name], source_of(CONTRACTS[name])
    assert old in source
    assert differences(contract, source.replace(old, new, 1), known(contract.timeframe))[1]


REMEMBERS = ["cooldown", "cooldown_stop", "cooldown_loss", "pyramid", "adds", "limit_at_band",
             "held_exits", "trail_r", "prior_day", "opening_range", "tight_stop",
             "tight_limit"]  # fmt: skip


@pytest.mark.parametrize("name", REMEMBERS)
def test_what_remembers_does_not_look_ahead(name: str) -> None:
    contract = CONTRACTS[name]
    source, df = source_of(contract), known(contract.timeframe).iloc[:230]
    run = played(contract, source, df)
    make = load(source).Strategy
    assert run.trades and find_leaks(lambda: make(settings(contract)), df, run) == []


def test_the_same_contract_gives_the_same_text() -> None:
    for contract in CONTRACTS.values():
        assert write_strategy(contract) == source_of(contract)
