"""The test builder without a model: from a contract and a plan to a diff that adds tests. Pure."""

from __future__ import annotations

import re

from bot.agents import pieces, test_texts
from bot.agents.faults import refuse_faults
from bot.agents.layout import WIDTH
from bot.agents.plain_rules import Plain
from bot.agents.plain_series import longest, looks_at_days, write_series
from bot.agents.plain_trades import WAY, write_entries, write_exits, write_prices, write_size
from bot.agents.spelling import module_name, number
from bot.agents.test_planner import CASES
from bot.agents.tree import keys_from_fill
from bot.tasks import home
from schemas import contract as c
from schemas.report import TestSpec

BODIES: dict[str, str] = {
    "test_added_early_bars": test_texts.EARLY,
    "test_added_entries": test_texts.ENTRIES,
    "test_added_prices": test_texts.PRICES,
    "test_added_sizes": test_texts.SIZES,
    "test_added_exits": test_texts.EXITS,
    "test_added_rest": test_texts.REST,
    "test_added_backtest": test_texts.BACKTEST,
    "test_added_live": test_texts.LIVE,
}
FILE = "test_added.py"
BROKER = """from adapters.simbroker_adapter import SimBrokerAdapter
from simbroker.broker import SimBroker
from simbroker.terms import Terms
"""
SERIES = re.compile(r'\bat\("([^"]+)"')
ENOUGH, WITH_DAYS = (300, 400), (96, 250)
"""Bars before which smoothing may still remember how it was started, and bars to look at."""


MADE = "MADE = made_bars()\nSERIES = worked_out(MADE)"


PRICED = 'for name in ("price", "sl", "tp"):'


class Unplannable(ValueError):
    """There is no case in the plan that can be written without a model."""


def build(contract: c.Contract, spec: TestSpec, file: str = FILE) -> str:
    """A unified diff that adds one file under the strategy's tests."""
    lines = write(contract, spec).splitlines()
    path = f"{home(contract.name)}/tests/{file}"
    head = ["--- /dev/null", f"+++ b/{path}", f"@@ -0,0 +1,{len(lines)} @@"]
    return "\n".join([*head, *(f"+{line}" for line in lines)]) + "\n"


def write(contract: c.Contract, spec: TestSpec) -> str:
    """The whole file, with the cases of the plan that are known here."""
    refuse_faults(contract)
    names = [case.name for case in spec.cases if case.name in BODIES]
    if not names:
        raise Unplannable("no case of this plan can be written without a model")
    tests = "\n\n\n".join(f'def {n}() -> None:\n    """{_about(n)}"""\n{BODIES[n]}' for n in names)
    if keys := keys_from_fill(contract):
        tests = tests.replace(PRICED, f"for name in {_tuple(['price', 'sl', 'tp', *keys])}:")
    parts = _needed(_parts(contract), tests)
    library = pieces.text_of(_pieces(parts), pieces.PLAIN)
    code = "\n\n\n".join(x for x in (library, *parts, MADE, tests) if x)
    return f"{_head(contract, code)}\n\n\n{code}\n"


def _tuple(names: list[str]) -> str:
    """In the loop of a test; one name on each line where they are many."""
    quoted = [f'"{name}"' for name in names]
    one = f"({', '.join(quoted)})"
    if len(one) <= WIDTH - 21:
        return one
    return "\n".join(["(", *(f"            {name}," for name in quoted), "        )"])


def _about(name: str) -> str:
    said = CASES[name]
    return f"{said[0].upper()}{said[1:]}."


def _parts(contract: c.Contract) -> list[str]:
    """Everything that a test may call, each part after what it calls."""
    plain = Plain()
    series, _ = write_series(contract)
    entries, prices = write_entries(contract, plain), write_prices(contract, plain)
    exits = write_exits(contract, plain)
    stamps = test_texts.STAMPS.get(contract.timeframe) or test_texts.INTRADAY.format(
        step=test_texts.STEPS[contract.timeframe]
    )
    used = sorted(set(SERIES.findall("\n".join(plain.functions))))
    known = "def known(i: int) -> list[float]:\n    return [at(name, i) for name in USED]"
    return [
        f"def stamps() -> pd.DatetimeIndex:\n    {stamps}",
        test_texts.BARS,
        series,
        *test_texts.LOOKUPS.split("\n\n\n"),
        f"{_listed('USED', used)}\n\n\n{known}",
        *plain.functions,
        entries,
        prices,
        *test_texts.LEVELS.split("\n\n\n"),
        write_size(contract),
        exits,
        *test_texts.ASKING.split("\n\n\n"),
    ]


def _needed(parts: list[str], tests: str) -> list[str]:
    """Those that the tests call, or that those call."""
    wanted = set(re.findall(r"\w+", tests)) | {"made_bars", "worked_out"}
    kept: list[str] = []
    for part in reversed(parts):
        name = re.search(r"def (\w+)", part)
        if name and name[1] in wanted:
            wanted |= set(re.findall(r"\w+", part))
            kept.insert(0, part)
    return kept


def _pieces(parts: list[str]) -> list[str]:
    called = set(re.findall(r"\bplain_\w+", "\n".join(parts)))
    return [name for name in pieces.library(pieces.PLAIN) if name in called]


def _listed(name: str, words: list[str]) -> str:
    """On one line, or one word on each."""
    quoted = [f'"{word}"' for word in words]
    one = f"{name}: list[str] = [{', '.join(quoted)}]"
    if len(one) <= WIDTH:
        return one
    return "\n".join([f"{name}: list[str] = [", *(f"    {word}," for word in quoted), "]"])


def _head(contract: c.Contract, code: str) -> str:
    least, more = WITH_DAYS if looks_at_days(contract) else ENOUGH
    warm = max(least, 8 * longest(contract))
    span = min(max(30, (contract.risk.exit_after_bars or 0) + 5), 200)
    risk = contract.risk
    rows = {
        "NAN": "math.nan",
        "COLUMNS": '("open", "high", "low", "close", "volume")',
        "WARM": str(warm),
        "COUNT": str(warm + more),
        "SPAN": str(span),
        "EQUITY": "20_000.0",
        "REST": str(risk.cooldown_bars),
        "PER_DAY": str(risk.max_entries_per_day or 1_000_000),
        "WAYS": f"[{', '.join(WAY[e.side] for e in contract.entries)}]",
    }
    used = [f"{n} = {v}" for n, v in rows.items() if re.search(rf"\b{n}\b", code)]
    return "\n".join([*_imports(contract, code), "", *used, *_config(contract)])


def _imports(contract: c.Contract, code: str) -> list[str]:
    names = [n for n in ("Strategy", "run_backtest", "run_live") if re.search(rf"\b{n}\b", code)]
    own = [
        ("import math", "math."),
        ("from collections.abc import Callable", "Callable["),
        ("from functools import cache", "@cache"),
        ("from typing import Any", "Any"),
    ]
    others = [("import pandas as pd", "pd."), ("import pytest", "pytest.")]
    broker = BROKER.splitlines() if "SimBroker(" in code else []
    strategy = _imported(f"strategies.{module_name(contract.name)}.strategy", names)
    return [
        f'"""Added tests of {contract.name}."""',
        "", "from __future__ import annotations", "",
        *(line for line, word in own if word in code or line == "import math"
          or line == "from typing import Any"), "",
        *(line for line, word in others if word in code), "",
        *broker, *strategy,
    ]  # fmt: skip


def _imported(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {module} import (", *(f"    {name}," for name in names), ")"]


def _balance(contract: c.Contract) -> float:
    """As the sandbox has it: an account that grows with the size."""
    sizing = contract.risk.sizing
    return 10_000.0 * (max(1.0, float(sizing.amount)) if sizing.kind == "fixed_units" else 1.0)


def _config(contract: c.Contract) -> list[str]:
    return [
        "CFG: Any = {",
        f'    "symbol": "{contract.symbol}",',
        f'    "timeframe": "{contract.timeframe}",',
        f'    "pip_size": {number(contract.pip_size)},',
        f'    "initial_balance": {number(_balance(contract))},',
        '    "leverage": 100.0,',
        f'    "max_positions": {contract.risk.max_positions},',
        "}",
    ]
