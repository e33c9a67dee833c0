"""The strategy sheet: a contract's trading rules as lines that people write, review and approve."""

from schemas.sheet.agreement import disagreement, sheet_of
from schemas.sheet.printer import print_sheet
from schemas.sheet.problems import Assumed, Hole, Problem
from schemas.sheet.reader import Reading, read_sheet
from schemas.sheet.rules import Rules, canonical, put_into, rules_of

__all__ = [
    "Assumed",
    "Hole",
    "Problem",
    "Reading",
    "Rules",
    "canonical",
    "disagreement",
    "print_sheet",
    "put_into",
    "read_sheet",
    "rules_of",
    "sheet_of",
]
