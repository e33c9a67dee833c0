"""Sheets that people wrote who had seen two examples, and what of them is understood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from schemas.sheet import print_sheet, read_sheet

FILE = Path(__file__).parents[2] / "fixtures" / "sheets" / "guesses.yaml"
STANDS_IN = {
    "which symbol?": "symbol AAPL",
    "which timeframe?": "timeframe D1",
    "no entry: when does it buy or sell?": "enter long when always",
    "a size by risk needs a stop to measure it": "stop at 1",
    "R is the distance to the stop, and a side has no stop": "stop at 1",
}
"""What the whole lacks where a line that cannot be read was left out."""
ALONE = {"symbol AAPL", "timeframe D1", "enter long when close > 0", "stop at 1"}
"""The same as it is printed."""


@dataclass(frozen=True)
class Guess:
    """`asked`: line -> what is told of it; `understood`: the canonical lines of all others."""

    id: str
    sheet: str
    understood: list[str]
    asked: dict[int, str]


@cache
def guesses() -> list[Guess]:
    found = YAML(typ="safe").load(FILE.read_text())
    return [
        Guess(g["id"], g["sheet"], g["understood"].splitlines(), g.get("asked", {})) for g in found
    ]


def readable(sheet: str) -> tuple[dict[int, str], list[str]]:
    """What is asked about which line, and the canonical sheet of the lines besides."""
    asked = {p.line: p.message for p in read_sheet(sheet).problems}
    lines = sheet.splitlines()
    kept = [line for n, line in enumerate(lines, 1) if n not in asked]
    reading = read_sheet("\n".join(kept))
    added: list[str] = []
    while reading.rules is None:
        added += [STANDS_IN[p.message] for p in reading.problems]
        reading = read_sheet("\n".join([*kept, *added]))
    canonical = print_sheet(reading.rules).splitlines()
    return asked, [line for line in canonical if line not in ALONE or line in kept]
