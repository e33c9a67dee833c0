"""Determinism: asked again, a strategy decides the same on every bar, to the last digit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from simbroker.causality import positions_by_bar
from simbroker.decisions import Decider, Decision, ask
from simbroker.run import Run

FIX = "use no clock, no unseeded random numbers, no hash or set order, no state outside the object"


@dataclass(frozen=True, slots=True)
class Difference:
    """A bar that was decided in two ways."""

    bar: int
    first: Decision
    second: Decision

    def __str__(self) -> str:
        return f"bar {self.bar}: first {self.first}; then {self.second}. Fix: {FIX}"


NO_BAR = Decision(error="no such bar")


def differences(
    first: Sequence[Decision], second: Sequence[Decision], most: int = 10
) -> list[Difference]:
    """Where two runs differ. The runs may come from two processes, machines or days."""
    bars = range(max(len(first), len(second)))
    one, two = ([*run, *[NO_BAR] * (len(bars) - len(run))] for run in (first, second))
    return [Difference(bar, one[bar], two[bar]) for bar in bars if one[bar] != two[bar]][:most]


def decide_all(make: Callable[[], Decider], df: pd.DataFrame, run: Run) -> list[Decision]:
    """What a new strategy decides on each bar, entries and exits."""
    strategy = make()
    indicators = strategy.prepare_indicators(df.copy())
    held = positions_by_bar(run, df)
    return [ask(strategy, df, indicators, i, held[i]) for i in range(len(df))]


def find_differences(
    make: Callable[[], Decider], df: pd.DataFrame, run: Run, most: int = 10
) -> list[Difference]:
    """Ask two new strategies in this process. Another hash seed or clock needs another process."""
    return differences(decide_all(make, df, run), decide_all(make, df, run), most)
