"""Whether a sheet and a contract say the same, and what differs if they do not."""

from __future__ import annotations

import difflib

from schemas.contract import Contract
from schemas.sheet.printer import print_sheet
from schemas.sheet.reader import read_sheet
from schemas.sheet.rules import rules_of

MOST = 40


def sheet_of(contract: Contract) -> str:
    """As it was typed, where that says what the contract does; else the canonical print."""
    if contract.sheet and not disagreement(contract.sheet, contract):
        return contract.sheet
    return print_sheet(rules_of(contract))


def disagreement(sheet: str, contract: Contract) -> str:
    """The difference between the two as lines of sheets; nothing where they say the same."""
    reading = read_sheet(sheet)
    if reading.rules is None:
        problems = [str(p) for p in reading.problems]
        problems += [f"line {h.line}: a hole is not filled in: {h.typed}" for h in reading.holes]
        return "\n".join(problems[:5])
    wanted = rules_of(contract)
    if reading.rules == wanted:
        return ""
    lines = difflib.unified_diff(
        print_sheet(wanted).splitlines(), print_sheet(reading.rules).splitlines(),
        "contract.json", "strategy.sheet", lineterm="", n=0,
    )  # fmt: skip
    return "\n".join(list(lines)[:MOST])
