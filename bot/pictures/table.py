"""The tables that a run leaves behind, read strictly: hostile until they are parsed."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

MOST_CHARACTERS = 300_000
MOST_ROWS = 20_000
MOST_NUMBER = 1e12
YEARS = range(1900, 2201)
TRADE = ("action", "entry_time", "entry_price", "exit_time", "exit_price", "gross_pnl",
         "commission", "spread", "slippage", "pnl")  # fmt: skip
EQUITY = ("timestamp", "balance", "equity")
BARS = ("timestamp", "close")
SIDES = {"BUY": 1, "SELL": -1}


class NotReadable(ValueError):
    """Not a table of ours; the sentence says where."""


@dataclass(frozen=True, slots=True)
class Point:
    """The account at the close of one bar."""

    at: datetime
    balance: float
    equity: float


@dataclass(frozen=True, slots=True)
class Bar:
    at: datetime
    close: float


@dataclass(frozen=True, slots=True)
class Trade:
    side: int
    entered: datetime
    entry: float
    left: datetime
    exit: float
    gross: float
    costs: float
    pnl: float


def points(text: str) -> tuple[Point, ...]:
    """equity_curve.csv"""
    rows = [Point(_time(r[0]), _number(r[1]), _number(r[2])) for r in _rows(text, EQUITY)]
    _in_order([p.at for p in rows])
    return tuple(rows)


def bars(text: str) -> tuple[Bar, ...]:
    """bars.csv: only the times and the closes are read."""
    rows = [Bar(_time(r[0]), _number(r[1])) for r in _rows(text, BARS)]
    _in_order([b.at for b in rows])
    return tuple(rows)


def trades(text: str) -> tuple[Trade, ...]:
    """trades.csv: words in it are not read, so they cannot be shown."""
    return tuple(_trade(row) for row in _rows(text, TRADE))


def _trade(row: list[str]) -> Trade:
    if row[0] not in SIDES:
        raise NotReadable("an action is neither BUY nor SELL")
    entered, left = _time(row[1]), _time(row[3])
    if left < entered:
        raise NotReadable("a trade ends before it starts")
    entry, leave, gross, *costs, pnl = (_number(row[n]) for n in (2, 4, 5, 6, 7, 8, 9))
    return Trade(SIDES[row[0]], entered, entry, left, leave, gross, sum(costs), pnl)


def _rows(text: str, wanted: tuple[str, ...]) -> Iterator[list[str]]:
    """The wanted columns of every row, whatever else the table has."""
    if len(text) > MOST_CHARACTERS:
        raise NotReadable(f"{len(text)} characters, at most {MOST_CHARACTERS} are read")
    try:
        table = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise NotReadable(f"not a table: {error}") from None
    head = table[0] if table else []
    if len(set(head)) != len(head) or not set(wanted) <= set(head):
        raise NotReadable(f"the first line must name {', '.join(wanted)}, each once")
    if len(table) - 1 > MOST_ROWS:
        raise NotReadable(f"{len(table) - 1} rows, at most {MOST_ROWS} are read")
    places = [head.index(name) for name in wanted]
    for number, row in enumerate(table[1:], 2):
        if len(row) != len(head):
            raise NotReadable(f"line {number} has {len(row)} columns, not {len(head)}")
        yield [row[place] for place in places]


def _number(word: str) -> float:
    try:
        value = float(word) if word.isascii() and len(word) < 40 and "_" not in word else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST_NUMBER:
        raise NotReadable("a number is missing, too large or not a number")
    return value


def _time(word: str) -> datetime:
    """As the exchange's clock shows it: the zone is left out."""
    try:
        at = datetime.fromisoformat(word[:40]).replace(tzinfo=None)
    except ValueError:
        raise NotReadable("a time is not a time") from None
    if at.year not in YEARS:
        raise NotReadable("a time is centuries away")
    return at


def _in_order(times: list[datetime]) -> None:
    if not times:
        raise NotReadable("there are no rows")
    if any(b <= a for a, b in pairwise(times)):
        raise NotReadable("times do not go forward")
