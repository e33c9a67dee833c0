"""Reads one condition: what is compared with what, and how. Pure."""

from __future__ import annotations

from bot.reading.conditions.candles import chain, new_extreme, shown
from bot.reading.conditions.comparisons import compared
from bot.reading.conditions.cond import Cond
from bot.reading.conditions.crosses import named
from bot.reading.conditions.elliptic import elliptic
from bot.reading.cursor import Cursor


def condition(cur: Cursor) -> Cond | None:
    start = cur.at
    for read in (named, shown, new_extreme, chain, compared, elliptic):
        found = read(cur)
        if found is not None:
            cur.read.update(range(start, cur.at))
            return found
        cur.back_to(start)
    return None
