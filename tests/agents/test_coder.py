"""Generated strategies: clean, alone, and the same decisions as the reference on every bar."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.agents.coder import VERSION, write_strategy
from bot.agents.spelling import module_name
from sandbox.intake import check
from sandbox.static_tools import TOOLS
from schemas import codec
from schemas import contract as c
from schemas.base import TaskId
from schemas.indicators import KINDS
from simbroker.causality import find_leaks
from tests.agents.running import differences, known, load, played, settings, source_of
from tests.agents.table import CONTRACTS
from tests.agents.table_fills import SPOILT_FILLS

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
    ("rsi", "enter_long_rsi: float = 30.0", "enter_long_rsi: float = 33.0"),
    ("rsi", "rsi_length: int = 14", "rsi_length: int = 13"),
    ("rsi", "crosses_below(rsi_14", "crosses_above(rsi_14"),
    ("bollinger", "bb_width: float = 2.5", "bb_width: float = 2.4"),
    ("chandelier", "trail_atr: float = 3.0", "trail_atr: float = 2.9"),
    ("chandelier", 'held.best("High", "Low")', 'held.best("Close", "Close")'),
    ("trail_percent", "trail_starts_percent: float = 2.0", "trail_starts_percent: float = 6.0"),
    ("trail_percent", "trail_2_price: float = 3.0", "trail_2_price: float = 2.5"),
    ("trail_r", "trail_r: float = 1.0", "trail_r: float = 1.1"),
    ("break_even", "break_even_atr: float = 1.0", "break_even_atr: float = 2.0"),
    ("break_even_r", "target_r_2: float = 2.0", "target_r_2: float = 2.1"),
    ("held_exits", "held.highest_high", "held.highest_close"),
    ("held_exits", "exit_long_bars: float = 10.0", "exit_long_bars: float = 9.0"),
    ("held_exits", "held.lowest_low", "held.lowest_close"),
    ("held_short", "exit_both_bars: int = 2", "exit_both_bars: int = 3"),
    ("profit_shares", "held.entry_price, held.bars)", "held.entry_price, held.bars + 1.0)"),
    ("stdev_calm", "exit_after_bars: int = 3", "exit_after_bars: int = 4"),
    ("vwap", "exit_at: int = 15 * 60 + 30", "exit_at: int = 15 * 60 + 15"),
    ("vwap", "enter_long_until: int = 15 * 60", "enter_long_until: int = 14 * 60"),
    ("overnight", "enter_long_until: int = 2 * 60 + 1", "enter_long_until: int = 2 * 60"),
    ("limit_entry", "limit_long_times: float = 0.99", "limit_long_times: float = 0.991"),
    ("limit_entry", '"MARKET" if limit is None else "LIMIT"', '"MARKET"'),
    ("nearest_of_two", "greater(stop_long_of", "lesser(stop_long_of"),
    ("pips", "stop_pips: float = 150.0", "stop_pips: float = 151.0"),
    ("risk_sized", "risk_percent: float = 1.0", "risk_percent: float = 1.1"),
    ("equity_sized", "equity_percent: float = 95.5", "equity_percent: float = 95.0"),
    ("cash_sized", "cash: float = 2500.0", "cash: float = 2501.0"),
    ("cooldown", "cooldown_bars: int = 4", "cooldown_bars: int = 3"),
    ("cooldown_stop", 'bars_since_exit(df, idx, "stop")', 'bars_since_exit(df, idx, "exit")'),
    ("cooldown_stop", 'reason in ("trailing stop", "break-even stop")', "False"),
    ("cooldown_loss", 'bars_since_exit(df, idx, "loss")', 'bars_since_exit(df, idx, "exit")'),
    ("pyramid", "MAX_POSITIONS = 3", "MAX_POSITIONS = 2"),
    ("adds", "times: float = 1.02", "times: float = 1.03"),
    ("tight_stop", "max_entries_per_day: int = 3", "max_entries_per_day: int = 2"),
    ("tight_stop", "            self.entries.append(order.decided)\n", ""),
    ("tight_stop", "            self.endings.append(ending)\n", ""),
    ("tight_stop", "Ending(at, first, deal, True)", "Ending(at, first, deal, False)"),
    ("tight_limit", "            self.endings.append(ending)\n", ""),
    ("noon", "enter_long_time: int = 11 * 60 + 30", "enter_long_time: int = 12 * 60"),
    ("supertrend", 'position["action"] == "BUY" and indicators["enter_short"]',
     'position["action"] == "BUY" and indicators["enter_long"]'),
    ("turn_of_month", ".shift(1)", ".shift(2)"),
    ("two_of_many", "~in_a_row", "in_a_row"),
    *SPOILT_FILLS,
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new"), SPOILT)
def test_the_reference_notices_another_strategy(name: str, old: str, new: str) -> None:
    contract, source = CONTRACTS[name], source_of(CONTRACTS[name])
    assert old in source
    assert differences(contract, source.replace(old, new, 1), known(contract.timeframe))[1]


REMEMBERS = ["cooldown", "cooldown_stop", "cooldown_loss", "pyramid", "adds", "limit_at_band",
             "held_exits", "trail_r", "prior_day", "opening_range", "tight_stop",
             "tight_limit", "fill_paced"]  # fmt: skip


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


def undocumented(source: str) -> list[str]:
    named = (
        n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef | ast.ClassDef)
    )
    return [n.name for n in named if not ast.get_docstring(n)]


@EACH
def test_whatever_has_a_name_says_what_it_does(name: str) -> None:
    for until in TaskId:
        assert undocumented(write_strategy(CONTRACTS[name], until)) == []


@pytest.mark.parametrize("name", ["sma_cross", "donchian_breakout", "rsi_mean_reversion"])
def test_so_do_the_examples(name: str) -> None:
    assert undocumented((ROOT / "strategies" / name / "strategy.py").read_text()) == []


def test_the_methods_that_decide_say_so_in_the_words_of_the_rules() -> None:
    made = load(source_of(CONTRACTS["rsi"])).Strategy
    enters = "Enter long at the next open when RSI(14, Wilder) crosses above 30."
    assert made.find_entries.__doc__ == enters
    assert made.find_exits.__doc__ == enters.replace("Enter", "Leave the").replace(
        "above 30", "below 70"
    )
    late = load(source_of(CONTRACTS["vwap"])).Strategy
    assert "Leave on bars stamped 15:30 or later." in late.find_exits.__doc__


WORTH_A_NAME: dict[str, dict[str, float]] = {
    "rsi": {"rsi_length": 14, "enter_long_rsi": 30.0, "exit_long_rsi": 70.0},
    "adds": {"enter_long_2_times": 1.02},
    "limit_entry": {"limit_long_times": 0.99},
    "vwap": {"exit_at": 15 * 60 + 30},
    "risk_sized": {"risk_percent": 1.0},
    "tight_stop": {"cooldown_bars": 2, "max_entries_per_day": 3},
}


@pytest.mark.parametrize("name", WORTH_A_NAME)
def test_lengths_thresholds_and_levels_are_params(name: str) -> None:
    known = load(source_of(CONTRACTS[name])).Params._field_defaults
    assert WORTH_A_NAME[name].items() <= known.items(), known


def test_a_backtest_by_hand_may_replace_them() -> None:
    """As a contract with the other number would be written; nothing is read again on each bar."""
    contract = CONTRACTS["rsi"]
    other = source_of(contract).replace(
        "enter_long_rsi: float = 30.0", "enter_long_rsi: float = 33.0"
    )
    df, cfg = known("D1"), settings(contract)
    one = load(source_of(contract)).Strategy({**cfg, "params": {"enter_long_rsi": 33.0}})
    two, usual = load(other).Strategy(cfg), load(source_of(contract)).Strategy(cfg)
    wanted = two.prepare_indicators(df)["enter_long"]
    assert one.prepare_indicators(df)["enter_long"].equals(wanted)
    assert not usual.prepare_indicators(df)["enter_long"].equals(wanted)


PINNED = ROOT / "fixtures" / "generator"


def test_a_version_of_the_generator_writes_the_same_bytes_for_ever() -> None:
    """Delivered strategies are compared with it. `python -m tests.agents.pinned` writes it down."""
    file = PINNED / f"{VERSION}.json"
    assert file.exists(), "a new VERSION: write its file"
    written = {name: codec.digest_of(source_of(c)) for name, c in CONTRACTS.items()}
    kept = json.loads(file.read_text())
    changed = [name for name in kept if name in written and kept[name] != written[name]]
    assert not changed, "raise VERSION in bot/agents/coder.py, and write its file"
