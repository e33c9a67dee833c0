"""How the trades of two runs differ. The older file comes from a commit: strictly read, or not."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from schemas.report import Changes
from simbroker.save import TRADE_COLUMNS

MOST = 20_000
EXAMPLES = 10


class NotTrades(ValueError):
    """The text is not a table of trades as we write it."""


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One trade as far as it is compared: nothing in it is anybody's words."""

    entered: datetime
    action: str
    left: datetime
    entry: float
    exit: float
    volume: float

    @property
    def key(self) -> tuple[datetime, str]:
        return self.entered, self.action

    def told(self) -> str:
        way = f"{self.action} {_day(self.entered)} at {self.entry:.6g}"
        return f"{way}, left {_day(self.left)} at {self.exit:.6g}"


def compare(before: str, after: str) -> Changes:
    """Trades of one entry and side belong together, in their order; the rest came or went."""
    old, new = rows(before), rows(after)
    pairs, gone, come = _paired(old, new)
    moved = [(a, b) for a, b in pairs if a != b]
    examples = [f"added: {r.told()}" for r in come] + [f"removed: {r.told()}" for r in gone]
    examples += [f"moved: {a.told()}; now {b.told()}" for a, b in moved]
    return Changes(
        added=len(come), removed=len(gone), moved=len(moved), same=len(pairs) - len(moved),
        examples=tuple(examples[:EXAMPLES]),
    )  # fmt: skip


def rows(text: str) -> list[Row]:
    """Raises `NotTrades` for anything that we would not have written."""
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        if tuple(table.fieldnames or ()) != TRADE_COLUMNS:
            raise NotTrades("the columns are others")
        return sorted(_read(table))
    except (csv.Error, ValueError, TypeError, OverflowError) as error:
        raise NotTrades(str(error)[:200]) from None


def _read(table: csv.DictReader[str]) -> Iterator[Row]:
    for n, row in enumerate(table):
        if n >= MOST or None in row:
            raise NotTrades("too many trades or columns")
        if row["action"] not in ("BUY", "SELL"):
            raise NotTrades("a trade is neither BUY nor SELL")
        numbers = [float(row[name]) for name in ("entry_price", "exit_price", "volume")]
        if not all(math.isfinite(x) and x > 0.0 for x in numbers):
            raise NotTrades("a price or a volume is no positive number")
        entered, left = (_time(row[name]) for name in ("entry_time", "exit_time"))
        yield Row(entered, row["action"], left, *numbers)


def _time(text: str) -> datetime:
    """Compared without its zone: a table has one for all of its trades."""
    return datetime.fromisoformat(text).replace(tzinfo=None)


def _day(at: datetime) -> str:
    whole = (at.hour, at.minute) == (0, 0)
    return at.strftime("%Y-%m-%d") if whole else at.strftime("%Y-%m-%d %H:%M")


def _paired(old: list[Row], new: list[Row]) -> tuple[list[tuple[Row, Row]], list[Row], list[Row]]:
    waiting: dict[tuple[datetime, str], list[Row]] = {}
    for row in old:
        waiting.setdefault(row.key, []).append(row)
    pairs, come = [], []
    for row in new:
        if left := waiting.get(row.key):
            pairs.append((left.pop(0), row))
        else:
            come.append(row)
    return pairs, sorted(r for left in waiting.values() for r in left), come
