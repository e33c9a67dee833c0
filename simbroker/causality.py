"""Look-ahead: a decision must not change when the bars after it are taken away. Every bar is asked.

Cost, for n bars: the indicators are prepared once on each of the n prefixes, and each prefix is
asked about its last bar. For 1,500 bars and a few rolling indicators that takes seconds, nearly
all of it pandas' cost per call. Only a bar that differs is replayed from the first bar on, to tell
a leak from a strategy that remembers what it was asked before.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from simbroker.clock import stamp
from simbroker.decisions import TOLERANCE, Decider, Decision, ask, same
from simbroker.positions import Position, position
from simbroker.run import Run

Positions = Sequence[Position]
FIX = (
    "value i may use bars 0 to i only: no shift(-n), no centred window, no back-fill, no mean, "
    "maximum or fit over the whole table, no last row; shift a resampled bar by one"
)


@dataclass(frozen=True, slots=True)
class Leak:
    """A bar on which the future changed the decision, and the indicators that gave it away.

    Each indicator comes with its value with all bars and its value with the bars up to this one.
    """

    bar: int
    with_all_bars: Decision
    with_past_bars: Decision
    indicators: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        seen = "".join(
            f"; {name} is {whole} with all bars and {past} without the later ones"
            for name, whole, past in self.indicators
        )
        return (
            f"bar {self.bar}: with all bars: {self.with_all_bars}; "
            f"with the bars up to it: {self.with_past_bars}{seen}. Fix: {FIX}"
        )


def leaks(
    whole: Sequence[Decision],
    past: Callable[[int], Decision],
    replayed: Callable[[int], Decision],
    start: int = 0,
    most: int = 10,
) -> list[Leak]:
    """Compare what was decided with all bars to what is decided without the later ones.

    `past(i)` asks a new strategy that has bars 0 to i about bar i alone; `replayed(i)` asks a new
    one about every bar from 0 to i. They may live in another process.
    """
    found: list[Leak] = []
    for bar in range(start, len(whole)):
        alone = past(bar)
        if same(whole[bar], alone):
            continue
        again = replayed(bar)
        # Too few bars to work with is no leak, unless it acted on that bar with all of them.
        unready = bool(again.error) and whole[bar].nothing
        if unready or same(whole[bar], again):
            continue
        found.append(Leak(bar, whole[bar], again))
        if len(found) == most:
            break
    return found


def find_leaks(
    make: Callable[[], Decider], df: pd.DataFrame, run: Run, start: int = 0, most: int = 10
) -> list[Leak]:
    """Check a strategy in this process on every bar. `run` is its backtest on the same bars.

    Exits are asked about the position that was open on the bar, or where there was none about one
    of each side that was opened on that bar.
    """
    held = positions_by_bar(run, df)
    strategy = make()
    indicators = strategy.prepare_indicators(df.copy())
    whole = [ask(strategy, df, indicators, i, held[i]) for i in range(len(df))]

    def prefix(first: int, bar: int) -> Decision:
        """A new strategy that has the bars up to this one, asked from `first` on."""
        try:
            fresh, seen = make(), df.iloc[: bar + 1].copy()
            own = fresh.prepare_indicators(seen.copy())
        except Exception as error:
            return Decision(error=type(error).__name__)
        return [ask(fresh, seen, own, i, held[i]) for i in range(first, bar + 1)][-1]

    found = leaks(whole, lambda bar: prefix(bar, bar), lambda bar: prefix(0, bar), start, most)
    return [_explained(leak, indicators, make, df) for leak in found]


def positions_by_bar(run: Run, df: pd.DataFrame) -> list[Positions]:
    """What was open at each close; where nothing was, a long and a short to ask about."""
    by_bar: list[list[Position]] = [[] for _ in range(len(df))]
    for t in run.trades:
        time = stamp(t.entry_micros, run.zone)
        view = position(t.position_id, run.symbol, t.side, t.volume, t.entry_price, t.entry_idx,
                        time, t.sl, t.tp, t.comment)  # fmt: skip
        last = t.exit_idx if t.kind == "open" else t.exit_idx - 1
        for bar in range(t.entry_idx, last + 1):
            by_bar[bar].append(view)
    opens = df["Open"].tolist()
    return [
        held or [_probe(side, opens[bar], bar, run) for side in (1, -1)]
        for bar, held in enumerate(by_bar)
    ]


def _probe(side: int, price: float, bar: int, run: Run) -> Position:
    time = stamp(int(run.times[bar]), run.zone)
    return position(f"probe_{side}", run.symbol, side, 1.0, price, bar, time)


def _explained(leak: Leak, indicators: Any, make: Callable[[], Decider], df: pd.DataFrame) -> Leak:
    """Name the indicators whose value on that bar the future changed."""
    try:
        past = make().prepare_indicators(df.iloc[: leak.bar + 1].copy())
        pairs = [(name, indicators[name].iloc[leak.bar], past[name].iloc[leak.bar])
                 for name in indicators]  # fmt: skip
    except Exception:
        return leak
    differ = tuple(
        (str(name), f"{a:.10g}", f"{b:.10g}")
        for name, a, b in pairs
        if not (a != a and b != b) and not math.isclose(a, b, rel_tol=TOLERANCE)
    )
    return Leak(leak.bar, leak.with_all_bars, leak.with_past_bars, differ)
