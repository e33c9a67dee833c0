"""Strange bars: other prices, volumes, dates and accounts than any that a strategy was run on.

Nothing is traded on them. Only one thing counts: that the future makes no difference there either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from sandbox import runs
from sandbox.answers import Raised
from sandbox.remote import Question, Remote, columns
from simbroker.decisions import Decision

LIFE = 20
"""Bars for which a made-up position is asked about."""


def questions(df: pd.DataFrame, symbol: str) -> list[Question]:
    """A long and a short on every bar, and an account that is as far off as the prices."""
    rows = columns(df)
    worth = 50.0 * rows["c"][0]
    money = {"balance": worth, "equity": worth}
    return [
        Question([_held(rows, bar - bar % LIFE, side, symbol) for side in (1, -1)], money)
        for bar in range(len(df))
    ]


def _held(rows: dict[str, list[Any]], bar: int, side: int, symbol: str) -> dict[str, Any]:
    return {
        "position_id": f"pos_{2 * bar + side + 1}", "symbol": symbol, "volume": 1.0, "sl": None,
        "tp": None, "comment": "", "side": side, "price": rows["o"][bar], "idx": bar,
        "time": rows["t"][bar],
    }  # fmt: skip


def whole(remote: Remote, df: pd.DataFrame, symbol: str) -> list[Decision]:
    """Empty where it cannot work with such bars at all: that is no leak."""
    try:
        return runs.ask_all(remote, df, questions(df, symbol))
    except Raised:
        return []


def past(
    remote: Remote, df: pd.DataFrame, symbol: str, whole: Sequence[Decision]
) -> list[Decision]:
    return runs.past_only(remote, df, questions(df, symbol)[: len(whole)], whole)
