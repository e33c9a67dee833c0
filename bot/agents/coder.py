"""Writes a strategy file from a contract: one readable file that stands on its own. Pure."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace

from bot.agents import pieces
from bot.agents.faults import refuse_faults
from bot.agents.layout import documented
from bot.agents.sheet import COLUMNS, Sheet
from bot.agents.spelling import prose
from bot.agents.steps import SO_FAR, so_far
from bot.agents.tree import measures_from_fill, remembers, sides
from bot.agents.words import entering, explain, leaving, managing, sizing
from bot.agents.write_entries import tickets, write_entries
from bot.agents.write_exits import NO_RULE, write_exits
from bot.agents.write_orders import write_orders
from bot.agents.write_tests import write_tests
from schemas import contract as c
from schemas.base import TaskId

__all__ = ["VERSION", "write_strategy", "write_tests"]

VERSION = "offline-2"
"""Another one whenever a contract gets other bytes: delivered strategies are compared with them."""

TYPES = (
    "Action", "BaseAdapter", "Config", "ExitRequest", "Indicators", "OrderRequest", "Position",
    "Report",
)  # fmt: skip
TAIL = '''

def run_backtest(adapter: BaseAdapter, df: pd.DataFrame, cfg: Config) -> Report:
    """Run a backtest through the adapter."""
    from strategies.template import backtest

    return backtest(Strategy, adapter, df, cfg)


def run_live(adapter: BaseAdapter, cfg: Config) -> None:
    """Refuse: only an approved deployment runs live."""
    from strategies.template import refuse_live

    refuse_live()


if __name__ == "__main__":
    from strategies.template import main

    raise SystemExit(main(run_backtest, run_live))
'''
"""Ours is imported only where it is used: the file also loads where only pandas is installed."""
TAKES_PARAMS = 'Take the settings. A backtest by hand may replace numbers: cfg["params"].'
ABOUT = {
    "__init__": ["Take the settings of the run."],
    "_order": ["The order of a rule that holds."],
}
"""What methods do, whatever the rules are."""


def write_strategy(contract: c.Contract, until: TaskId = TaskId.EXIT) -> str:
    """The whole file, as far as this step builds it. Raises `Unwritable` with what to change."""
    refuse_faults(contract)
    sheet = Sheet(so_far(contract, until))
    sheet.indicators()
    found = tickets(sheet)
    entries, exits = write_entries(sheet, found), write_exits(sheet, found)
    orders = write_orders(sheet, found) if found else []
    # The series and the numbers last: the methods ask for some while they are written.
    prepare = _prepare(sheet)
    methods = [_start(sheet), prepare, *entries, *exits, *orders]
    told = _told(sheet.contract)
    methods = [documented(m, told.get(_name(m), [])) for m in methods]
    about = f"Trades {' and '.join(sides(contract))}."
    head = f'class Strategy:\n    """{about} What a close decides fills from the next open on."""'
    return _file(sheet, _docstring(contract, until), "\n\n".join([head, *methods]))


def _start(sheet: Sheet) -> str:
    lines = ["    def __init__(self, cfg: Config) -> None:"]
    if sheet.params:
        lines.append(f'        """{TAKES_PARAMS}"""')
    lines.append("        self.cfg = cfg")
    if sheet.params:
        lines.append('        self.params = Params(**cfg.get("params", {}))')
    if remembers(sheet.contract):
        kind = "JournalFromFill" if measures_from_fill(sheet.contract) else "Journal"
        lines.append(f"        self.journal = {sheet.piece(kind)}()")
    return "\n".join(lines)


def _told(contract: c.Contract) -> dict[str, list[str]]:
    """What methods do, in the words of the rules."""
    leaves = [*leaving(contract), *managing(contract)] or [NO_RULE]
    told = {"find_entries": entering(contract), "find_exits": leaves}
    told["_volume"] = [sizing(contract.risk.sizing)]
    return {**ABOUT, **{name: [prose(x) for x in lines] for name, lines in told.items()}}


def _name(method: str) -> str:
    return method.lstrip().removeprefix("def ").partition("(")[0]


def _prepare(sheet: Sheet) -> str:
    head = "    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:"
    if not sheet.returns:
        why = "The rules need no series" if sheet.contract.entries else "There is no series yet"
        none = f'        """{why}: the bars are taken as they are."""'
        return "\n".join([head, none, "        return {}"])
    used = [name for name in COLUMNS if name in sheet.columns]
    columns = [f"        {COLUMNS[name]} = {_column(name)}" for name in used]
    together = ", ".join(COLUMNS[name] for name in used)
    one = f"        {together} = {', '.join(_column(name) for name in used)}"
    if used and len(one) <= 100:
        columns = [one]
    if sheet.timed:
        columns.append(f"        times = {sheet.piece('stamps')}(df)")
    returned = [f'            "{name}": {text},' for name, text in sheet.returns.items()]
    return "\n".join(
        [
            head,
            '        """Every series that the rules need. Value `i` uses bars 0 to `i` only."""',
            *columns, *sheet.lines, "        return {", *returned, "        }",
        ]
    )  # fmt: skip


def _column(name: str) -> str:
    return f'df["{name.capitalize()}"]'


def _file(sheet: Sheet, about: str, strategy: str) -> str:
    library = pieces.text_of(sheet.pieces)
    parts = (_params(sheet), library, strategy)
    code = "\n\n\n".join(x for x in parts if x) + "\n" + TAIL
    constants = "\n".join(f"{name} = {value}" for name, value in sheet.constants.items())
    head = [f'"""{about}"""', "from __future__ import annotations", _imports(code), _types(code)]
    return "\n\n".join([*head, *([constants] if constants else [])]) + "\n\n\n" + code


def _params(sheet: Sheet) -> str:
    """The numbers of the rules, where they can be read and replaced."""
    if not sheet.params:
        return ""
    fields = [
        f"    {name}: {'float' if '.' in literal or 'e' in literal else 'int'} = {literal}"
        for name, literal in sheet.params.items()
    ]
    about = "The numbers of the rules, as the contract has them."
    return "\n".join(["class Params(NamedTuple):", f'    """{about}"""', "", *fields])


def _types(code: str) -> str:
    used = [f"        {name}," for name in TYPES if re.search(rf"\b{name}\b", code)]
    lines = ["if TYPE_CHECKING:", "    from adapters.base_adapter import (", *used, "    )"]
    return "\n".join(lines)


def _imports(code: str) -> str:
    """Sorted as the formatter sorts them: the library's first, plain imports before others."""
    used = {name for name in pieces.IMPORTS if re.search(rf"\b{name}\b[.\[(:)]", code)}
    typing = "TYPE_CHECKING, NamedTuple" if "NamedTuple" in used else "TYPE_CHECKING"
    own = [pieces.IMPORTS[n] for n in ("math", "Callable") if n in used]
    own.append(f"from typing import {typing}")
    others = [
        pieces.IMPORTS[n] for n in ("np", "pd", "sliding_window_view", "NDArray") if n in used
    ]
    return "\n".join(own) + "\n\n" + "\n".join(others)


def _docstring(contract: c.Contract, until: TaskId) -> str:
    """What it does in words, so that a reviewer need not read code to know what it should do.

    Only what follows from the rules: the summary and the assumptions are prose that a model may
    have written, and nobody checks them against the code.
    """
    first, *lines = explain(replace(contract, assumptions=(), open_questions=())).splitlines()
    title = textwrap.shorten(prose(first), 95, placeholder="")
    told = [x for line in lines for x in textwrap.wrap(prose(line), 98, subsequent_indent="  ")]
    step = [SO_FAR[until], ""] if until in SO_FAR else []
    return "\n".join([title, "", *step, *told, ""])
