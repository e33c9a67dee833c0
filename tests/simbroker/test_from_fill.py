"""Stops and targets that are measured from the fill: candles and trades worked out by hand."""

from typing import Any

import numpy as np
import pytest

from simbroker.arrays import Signals, columns, run_signals
from simbroker.bars import tuples
from simbroker.broker import SimBroker
from simbroker.from_fill import FromFill
from simbroker.kernel import compiled
from tests.simbroker.scripted import RICH, Ask, Candle, Scripted, facts, play, table

L, S = 1, -1
UP: list[Candle] = [
    (100, 101, 99, 100),
    (110, 112, 104, 108),
    (108, 109, 98, 100),
    (90, 91, 80, 85),
]
"""Decided at 100, filled at 110."""
DOWN: list[Candle] = [
    (100, 101, 99, 100),
    (90, 95, 86, 92),
    (92, 103, 91, 100),
    (110, 121, 109, 115),
]
"""Decided at 100, filled at 90."""

# candles, order, what ends it: bar, price and kind
CASES: dict[str, tuple[list[Candle], Ask, tuple[int, float, str]]] = {
    "gap up, long, stop in percent: 104.5, not 95": (
        UP, Ask(L, sl=95.0, from_fill={"sl_percent": 5.0}), (1, 104.5, "sl")),
    "gap up, long, the same stop from the close": (
        UP, Ask(L, sl=95.0), (3, 90.0, "sl")),
    "gap up, long, stop so far in price: 102, not 92": (
        UP, Ask(L, sl=92.0, from_fill={"sl_distance": 8.0}), (2, 102.0, "sl")),
    "gap down beyond the old stop, long: it stays open with the new one": (
        DOWN, Ask(L, sl=95.0, from_fill={"sl_percent": 5.0}), (3, 115.0, "open")),
    "gap down beyond the old stop, long, the same stop from the close": (
        DOWN, Ask(L, sl=95.0), (1, 90.0, "sl")),
    "gap down, long: the new stop counts in the bar of the fill": (
        DOWN, Ask(L, sl=97.0, from_fill={"sl_distance": 3.0}), (1, 87.0, "sl")),
    "gap up beyond the old target, long: it stays open with the new one": (
        UP, Ask(L, tp=105.0, from_fill={"tp_percent": 5.0}), (3, 85.0, "open")),
    "gap down, long, target in percent: 99, not 110": (
        DOWN, Ask(L, tp=110.0, from_fill={"tp_percent": 10.0}), (2, 99.0, "tp")),
    "gap down, long, target so far in price: 94 in the bar of the fill": (
        DOWN, Ask(L, tp=104.0, from_fill={"tp_distance": 4.0}), (1, 94.0, "tp")),
    "gap up, short, stop in percent: 115.5, the old one was gone through": (
        UP, Ask(S, sl=105.0, from_fill={"sl_percent": 5.0}), (3, 85.0, "open")),
    "gap down, short, stop in percent: 94.5, not 105": (
        DOWN, Ask(S, sl=105.0, from_fill={"sl_percent": 5.0}), (1, 94.5, "sl")),
    "gap down, short, target so far in price: 87, not 97": (
        DOWN, Ask(S, tp=97.0, from_fill={"tp_distance": 3.0}), (1, 87.0, "tp")),
    "gap up, short, target in percent: 99, not 90": (
        UP, Ask(S, tp=90.0, from_fill={"tp_percent": 10.0}), (2, 99.0, "tp")),
    "both touched means the stop": (
        DOWN, Ask(L, sl=97.0, tp=104.0, from_fill={"sl_distance": 3.0, "tp_distance": 4.0}),
        (1, 87.0, "sl")),
    "R is the distance from the fill to the stop from the fill: 90 + 2 x 5": (
        DOWN, Ask(L, sl=95.0, tp=110.0, from_fill={"sl_distance": 5.0, "tp_r": 2.0}),
        (2, 100.0, "tp")),
    "R to a stop that does not move: 90 + 2 x 6": (
        DOWN, Ask(L, sl=84.0, tp=132.0, from_fill={"tp_r": 2.0}), (2, 102.0, "tp")),
    "R to a stop that does not move, short: 110 - 1 x 10": (
        UP, Ask(S, sl=120.0, tp=80.0, from_fill={"tp_r": 1.0}), (2, 100.0, "tp")),
    "of two stops from the fill the nearer one": (
        UP, Ask(L, sl=95.0, from_fill={"sl_percent": 10.0, "sl_distance": 5.0}), (1, 105.0, "sl")),
    "a fixed stop that is nearer than the one from the fill": (
        UP, Ask(L, sl=99.0, from_fill={"sl_percent": 20.0, "sl_fixed": 99.0}), (2, 99.0, "sl")),
    "a fixed stop that is farther than the one from the fill": (
        UP, Ask(L, sl=95.0, from_fill={"sl_percent": 5.0, "sl_fixed": 90.0}), (1, 104.5, "sl")),
    "a fixed stop that the fill is beyond ends it at the open": (
        DOWN, Ask(L, sl=95.0, from_fill={"sl_percent": 20.0, "sl_fixed": 95.0}), (1, 90.0, "sl")),
    "a fixed target that is nearer, short": (
        UP, Ask(S, tp=99.0, from_fill={"tp_percent": 50.0, "tp_fixed": 99.0}), (2, 99.0, "tp")),
    "a level that is not above zero moves nothing": (
        DOWN, Ask(L, sl=91.0, from_fill={"sl_distance": 95.0}), (1, 90.0, "sl")),
    "a limit that fills at its price moves nothing; the target waits a bar": (
        DOWN, Ask(L, limit=88.0, sl=83.6, tp=92.4,
                  from_fill={"sl_percent": 5.0, "tp_percent": 5.0}), (2, 92.4, "tp")),
    "a limit that fills at a better open: 90 - 3, where 92 - 3 was asked for": (
        DOWN, Ask(L, limit=92.0, sl=89.0, from_fill={"sl_distance": 3.0}), (1, 87.0, "sl")),
    "a short limit that fills at a better open: 110 - 8, where 105 - 8 was asked for": (
        UP, Ask(S, limit=105.0, tp=97.0, from_fill={"tp_distance": 8.0}), (2, 102.0, "tp")),
}  # fmt: skip


def arrays(candles: list[Candle], ask: Ask) -> Any:
    n = len(candles)
    entry = np.zeros(n, dtype="int64")
    entry[0] = ask.side

    def whole(price: float | None) -> Any:
        return np.full(n, np.nan if price is None else price)

    moved = {name: whole(amount) for name, amount in (ask.from_fill or {}).items()}
    signals = Signals(entry, np.ones(1), whole(ask.limit), whole(ask.sl), whole(ask.tp),
                      from_fill=moved)  # fmt: skip
    return run_signals(columns(table(candles)), signals, RICH, compiled())


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name: str) -> None:
    candles, ask, (bar, price, kind) = CASES[name]
    for run in (play(Scripted({0: ask}), table(candles)), arrays(candles, ask)):
        [(_, side, entry, _, *ended)] = facts(run)
        assert (side, entry, ended) == (ask.side, 1, [bar, pytest.approx(price), kind])
        assert run.refused == 0


def test_the_position_shows_the_levels_that_count() -> None:
    broker, (first, second, *_) = SimBroker(RICH), tuples(table(DOWN))
    broker.step_bar(first)
    moved = {"sl_percent": 20.0, "tp_r": 3.0}
    assert broker.place_order(Ask(L, sl=80.0, tp=160.0, from_fill=moved).request())["success"]
    broker.step_bar(second)
    [position] = broker.positions
    assert (position["sl"], position["tp"]) == (72.0, 144.0)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no level until the fill": ({"sl_percent": 5.0}, "sl_percent needs sl too"),
    "no target until the fill": ({"tp_distance": 5.0}, "tp_distance needs tp too"),
    "R without a stop": ({"tp": 110.0, "tp_r": 2.0}, "tp_r counts distances to the stop"),
    "all of the price": ({"sl": 1.0, "sl_percent": 100.0}, "give less than 100"),
    "negative": ({"sl": 95.0, "sl_percent": -5.0}, "above zero"),
    "unknown": ({"sl": 95.0, "sl_distance": float("nan")}, "warming up"),
    "text": ({"sl": 95.0, "sl_distance": "5"}, "give a number"),
    "only what does not move": ({"sl": 95.0, "sl_fixed": 95.0}, "counts beside sl_percent"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_makes_no_sense_is_refused(name: str) -> None:
    change, says = BAD[name]
    broker = SimBroker(RICH)
    broker.step_bar(next(tuples(table(UP))))
    result = broker.place_order({**Ask(L).request(), **change})
    assert not result["success"] and says in str(result["error"])


def test_none_and_zero_mean_that_nothing_moves() -> None:
    for nothing in (None, 0, 0.0):
        given: dict[str, Any] = dict.fromkeys(FromFill._fields, nothing)
        run = play(Scripted({0: Ask(L, sl=95.0, from_fill=given)}), table(UP))
        assert facts(run)[0][4:] == (3, 90.0, "sl")


def test_an_unknown_column_is_refused() -> None:
    signals = Signals(np.ones(4, dtype="int64"), np.ones(1), from_fill={"sl_prozent": np.ones(4)})
    with pytest.raises(ValueError, match="use sl_percent"):
        run_signals(columns(table(UP)), signals, RICH)
