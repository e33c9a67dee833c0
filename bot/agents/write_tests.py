"""Writes the tests of a strategy: bars from a formula, answers worked out apart from it. Pure."""

from __future__ import annotations

import re

from bot.agents import bar_risk, pieces, tests_text
from bot.agents.bar_rules import Plain
from bot.agents.faults import refuse_faults
from bot.agents.forced_tests import beside, forced_entries, forced_exits, pace, traded
from bot.agents.layout import call
from bot.agents.sheet import PIECES, Sheet
from bot.agents.spelling import module_name, number, whole
from bot.agents.steps import reaches, so_far
from bot.agents.tree import SMOOTHINGS, WHOLE, keys_from_fill, parameters, sides
from bot.agents.write_entries import ACTION, tickets, write_entries
from bot.agents.write_exits import write_exits
from schemas import contract as c
from schemas.base import TaskId
from schemas.indicators import KINDS

STEP = {"M1": 1, "M5": 5, "M15": 15, "M30": 30, "H1": 60, "H4": 240}
READS = {"open": "OPEN", "high": "HIGH", "low": "LOW", "close": "CLOSE", "volume": "VOLUME",
         "day": "TIMES"}  # fmt: skip
FEWEST, MOST = 260, 700
"""Bars that are made: enough for the longest indicator, few enough for a quick test."""


def write_tests(contract: c.Contract, until: TaskId = TaskId.EXIT) -> str:
    """The whole file, about what this step builds. Raises `Unwritable` with what to change."""
    refuse_faults(contract)
    sheet = Sheet(so_far(contract, until))
    sheet.indicators()
    found = tickets(sheet)
    write_entries(sheet, found)
    write_exits(sheet, found)
    plain = Plain(sheet.contract, {key: name.upper() for key, name in sheet.outputs.items()})
    if not found:
        return _file(sheet, plain, [], _quiet(sheet))
    answers = [bar_risk.wanted(plain), bar_risk.size(plain)]
    tests = [
        *_series_tests(sheet),
        tests_text.entries(keys_from_fill(sheet.contract)),
        *forced_entries(found),
    ]
    if reaches(until, TaskId.EXIT):
        answers += [bar_risk.by_rule(plain), bar_risk.by_risk(plain)]
        tests.append(tests_text.EXITS.format(actions=_actions(contract)))
        tests += forced_exits(sheet)
    pacing = pace(sheet.contract)
    if tests_text.STRICT in pacing:
        answers.append(bar_risk.first_order(plain))
    tests += [*beside(sheet.contract), *pacing]
    tests += [tests_text.FULL.format(told=traded(sheet.contract)), tests_text.DETERMINISM]
    return _file(sheet, plain, answers, tests)


def _quiet(sheet: Sheet) -> list[str]:
    """Before there is a rule to enter: the series, and that nothing is ordered."""
    return [*_series_tests(sheet), tests_text.QUIET, tests_text.DETERMINISM]


def _series_tests(sheet: Sheet) -> list[str]:
    if not sheet.returns:
        return [tests_text.TAKEN]
    return [tests_text.DATA, *([tests_text.INDICATORS] if sheet.contract.indicators else [])]


# ------------------------------------------------------------------------------- parts
def _file(sheet: Sheet, plain: Plain, answers: list[str], tests: list[str]) -> str:
    contract = sheet.contract
    series = _series(sheet)
    helpers = [text for name, text in tests_text.HELPERS.items() if name in plain.used]
    body = [tests_text.BARS.format(index=_index(contract))]
    body += [tests_text.CALENDAR] if "calendar" in plain.used else []
    library = pieces.text_of(_plain_names(contract), pieces.PLAIN)
    named = [f'    "{name}": {name.upper()},' for name in sheet.outputs.values()]
    kept = "\n".join(["INDICATORS = {", *named, "}"]) if named else ""
    used = [*plain.functions, *answers, *tests]
    shared = tests_text.SHARED.format(symbol=contract.symbol, most=contract.risk.max_positions)
    rest = [*_called(shared.split("\n\n\n"), used), *used]
    functions = "\n\n\n".join([*body, *helpers, *([library] if library else [])])
    made = "\n".join(x for x in (series, kept, *_lists(sheet, rest)) if x)
    code = "\n\n\n".join(x for x in (functions, made, *rest) if x) + "\n"
    return _head(contract, code) + code


def _called(parts: list[str], used: list[str]) -> list[str]:
    """Those that are used, or that those use."""
    kept: list[str] = []
    for part in reversed(parts):
        name = part.removeprefix("def ").partition("(")[0]
        if any(re.search(rf"\b{name}\(", text) for text in (*kept, *used)):
            kept.insert(0, part)
    return kept


def _lists(sheet: Sheet, rest: list[str]) -> list[str]:
    """The names that the tests look up, and where positions are made up."""
    rules = [n for n, text in sheet.returns.items() if text.endswith(".astype(float)")]
    entering = [n for n in rules if n.startswith("enter_")]
    named = {
        "RULES": _tuple("RULES", rules),
        "ENTERING": _tuple("ENTERING", entering),
        "FILLS": [tests_text.FILLS],
    }
    text = "\n".join(rest)
    return [
        line for name, lines in named.items() if re.search(rf"\b{name}\b", text) for line in lines
    ]


def _head(contract: c.Contract, code: str) -> str:
    own = ["import math"]
    own += ["from collections.abc import Callable"] if "Callable[" in code else []
    own += ["from functools import cache"] if "@cache" in code else []
    own += ["from typing import cast"] if "cast(" in code else []
    types = ("Config", "Event", "Indicators", "OrderRequest", "Position")
    names = [n for n in types if re.search(rf"\b{n}\b", code)]
    tested = ["Journal"] if re.search(r"\bJournal\(", code) else []
    module = f"strategies.{module_name(contract.name)}.strategy"
    return "\n".join(
        [
            f'"""What {contract.name} decides on made bars, worked out apart."""',
            "",
            "from __future__ import annotations",
            "",
            *own,
            "",
            "import pandas as pd",
            *(["import pytest"] if "pytest." in code else []),
            "",
            f"from adapters.base_adapter import {', '.join(names)}",
            "from adapters.simbroker_adapter import SimBrokerAdapter",
            "from simbroker.broker import SimBroker",
            "from simbroker.terms import FREE, Terms",
            f"from {module} import {', '.join([*tested, 'Strategy', 'run_backtest'])}",
            "",
            *(["NAN = math.nan", ""] if re.search(r"\bNAN\b", code) else []),
            "", "",
        ]
    )  # fmt: skip


def _index(contract: c.Contract) -> str:
    longest = [v for i in contract.indicators for n, v in parameters(i).items()
               if n in WHOLE and n not in ("start", "minutes")]  # fmt: skip
    count = int(min(MOST, FEWEST + 2 * max(longest, default=0.0)))
    if contract.timeframe == "D1":
        return tests_text.DAYS.format(count=count)
    if contract.timeframe == "W1":
        return tests_text.WEEKS.format(count=count)
    step = STEP[contract.timeframe]
    start, end = (570, 960) if step < 60 else (0, 1440)
    every = int(count * 7 / 5 * 1440 / (end - start)) + 4 * 1440 // step
    return tests_text.SESSION.format(count=count, every=every, step=step, start=start, end=end)


def _plain_name(kind: str) -> str:
    return f"plain_{PIECES.get(kind, kind)}"


def _plain_names(contract: c.Contract) -> list[str]:
    smoothed = [SMOOTHINGS.get(i.smoothing.lower(), "rma") for i in contract.indicators]
    return [*(_plain_name(i.kind) for i in contract.indicators), *(f"plain_{s}" for s in smoothed)]


def _series(sheet: Sheet) -> str:
    """Every indicator in plain loops, after the one that it is made of."""
    lines: list[str] = []
    made: set[str] = set()
    waiting = list(sheet.contract.indicators)
    while waiting:
        found = waiting.pop(0)
        if found.of is not None and found.of.indicator not in made:
            waiting.append(found)
            continue
        made.add(found.id)
        targets = [sheet.outputs[found.id, o].upper() for o in KINDS[found.kind].outputs]
        start = f"{', '.join(targets)} = {_plain_name(found.kind)}"
        if len(start) < 96:
            lines += call(start, _arguments(sheet, found), "")
            continue
        every = f"ALL_{targets[0]}"
        lines += call(f"{every} = {_plain_name(found.kind)}", _arguments(sheet, found), "")
        lines += [f"{target} = {every}[{n}]" for n, target in enumerate(targets)]
    return "\n".join(lines)


def _arguments(sheet: Sheet, found: c.Indicator) -> list[str]:
    kind = KINDS[found.kind]
    if kind.reads != "source":
        given = [READS[x.strip()] for x in kind.reads.split(",")]
    elif found.of is not None:
        name = sheet.series(found.of).upper()
        late = found.of.shift
        given = [f"([NAN] * {late} + {name})[: LAST + 1]" if late else name]
    else:
        given = [READS[found.source]]
    for name, value in parameters(found).items():
        given.append(whole(value) if name in WHOLE else number(value))
    average = SMOOTHINGS.get(found.smoothing.lower(), "rma")
    return [*given, f"plain_{average}"] if kind.smoothing and average != "rma" else given


def _tuple(name: str, items: list[str]) -> list[str]:
    quoted = [f'"{item}"' for item in items]
    one = f"{name} = ({', '.join(quoted)}{',' if len(quoted) == 1 else ''})"
    if len(one) <= 100:
        return [one]
    return [f"{name} = (", *(f"    {item}," for item in quoted), ")"]


def _actions(contract: c.Contract) -> str:
    return "[" + ", ".join(f'"{ACTION[side]}"' for side in sides(contract)) + "]"
