"""Keeps what a backtest asked and what it heard, so that the same can be asked where no bar of
the future is. What a strategy says when it is questioned may differ from what it did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from adapters.base_adapter import ExitRequest, Indicators, OrderRequest, Position
from sandbox.remote import Proxy, Question, told
from simbroker.decisions import Decision, decision, same


@dataclass(slots=True)
class Close:
    """One close of the backtest, as it is being asked about."""

    held: list[Mapping[str, Any]] = field(default_factory=list)
    exits: list[ExitRequest | None] = field(default_factory=list)
    money: Mapping[str, float] | None = None
    entry: OrderRequest | None = None


@dataclass(frozen=True, slots=True)
class Acted:
    """The questions of a run, one for each close, and what was decided."""

    questions: Sequence[Question] = ()
    decisions: Sequence[Decision] = ()

    def money(self, bar: int) -> Mapping[str, float]:
        asked = self.questions[bar].money if bar < len(self.questions) else None
        return asked or {}

    def agrees(self, asked: Sequence[Decision]) -> bool:
        """Whether it said the same when it was asked about every bar. Only then is what it said
        proof of what it did."""
        rows = zip(self.questions, self.decisions, asked, strict=False)
        return all(same(did, _part(question, said)) for question, did, said in rows)


def _part(question: Question, said: Decision) -> Decision:
    """Of what was said, the part that the backtest asked for."""
    return replace(
        said,
        exits=said.exits if question.held else (),
        entry=said.entry if question.money is not None else (),
    )


class Witness:
    """A remote strategy as the loop wants it, with a memory of its own."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self.closes: dict[int, Close] = {}

    def prepare_indicators(self, df: pd.DataFrame) -> Indicators:
        return self.proxy.prepare_indicators(df)

    def find_entries(
        self, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> OrderRequest | None:
        close = self.closes.setdefault(idx, Close())
        close.money = self.proxy.remote.money()
        close.entry = self.proxy.find_entries(df, indicators, idx)
        return close.entry

    def find_exits(
        self, position: Position, df: pd.DataFrame, indicators: Indicators, idx: int
    ) -> ExitRequest | None:
        close = self.closes.setdefault(idx, Close())
        close.held.append(told(position))
        close.exits.append(self.proxy.find_exits(position, df, indicators, idx))
        return close.exits[-1]

    def acted(self, bars: int) -> Acted:
        """On every close but the last, on which nothing is decided."""
        closes = [self.closes.get(bar, Close()) for bar in range(bars - 1)]
        return Acted(
            [Question(c.held, c.money) for c in closes],
            [decision(c.entry, c.exits) for c in closes],
        )
