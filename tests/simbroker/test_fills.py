"""The fill semantics, each as a table of candles and the trades worked out by hand."""

import pytest

from simbroker.terms import Terms
from tests.simbroker.scripted import RICH, Ask, Candle, Scripted, facts, play, table

#  bar:  0                    1                     2                   3
#        4                    5
BARS: list[Candle] = [
    (100, 101, 99, 100), (101, 103, 100, 102), (102, 104, 98, 99), (95, 97, 94, 96),
    (110, 112, 109, 111), (111, 113, 90, 100),
]  # fmt: skip
L, S = 1, -1

CASES = {
    "a market order fills at the next open, never on the bar decided on": (
        {0: Ask(L)}, {}, [(0, L, 1, 101.0, 5, 100.0, "open")]),
    "an exit decided on a close fills at the next open": (
        {0: Ask(L)}, {2}, [(0, L, 1, 101.0, 3, 95.0, "signal")]),
    "an exit may be decided on the bar of the fill": (
        {0: Ask(L)}, {1}, [(0, L, 1, 101.0, 2, 102.0, "signal")]),
    "a stop inside a bar fills at the stop": (
        {0: Ask(L, sl=99.5)}, {}, [(0, L, 1, 101.0, 2, 99.5, "sl")]),
    "a stop counts on the bar of the fill": (
        {0: Ask(L, sl=100.5)}, {}, [(0, L, 1, 101.0, 1, 100.5, "sl")]),
    "touching the stop is enough": (
        {0: Ask(L, sl=98.0)}, {}, [(0, L, 1, 101.0, 2, 98.0, "sl")]),
    "a gap through the stop fills at the open": (
        {0: Ask(L, sl=97.0)}, {}, [(0, L, 1, 101.0, 3, 95.0, "sl")]),
    "a gap through the target fills at the open": (
        {2: Ask(L, tp=105.0)}, {}, [(2, L, 3, 95.0, 4, 110.0, "tp")]),
    "both touched means the stop": (
        {1: Ask(L, sl=99.0, tp=103.5)}, {}, [(1, L, 2, 102.0, 2, 99.0, "sl")]),
    "both touched means the stop, for a short too": (
        {1: Ask(S, sl=103.0, tp=99.0)}, {}, [(1, S, 2, 102.0, 2, 103.0, "sl")]),
    "a target inside a bar fills at the target": (
        {0: Ask(L, tp=102.5)}, {}, [(0, L, 1, 101.0, 1, 102.5, "tp")]),
    "a short's stop is above": (
        {0: Ask(S, sl=102.5)}, {}, [(0, S, 1, 101.0, 1, 102.5, "sl")]),
    "a short's gap through the stop": (
        {2: Ask(S, sl=100.0)}, {}, [(2, S, 3, 95.0, 4, 110.0, "sl")]),
    "a short's gap through the target": (
        {1: Ask(S, tp=97.0)}, {}, [(1, S, 2, 102.0, 3, 95.0, "tp")]),
    "an entry whose open is beyond its stop leaves at that open": (
        {2: Ask(L, sl=98.0)}, {}, [(2, L, 3, 95.0, 3, 95.0, "sl")]),
    "an entry whose open is beyond its target leaves at that open": (
        {3: Ask(L, tp=105.0)}, {}, [(3, L, 4, 110.0, 4, 110.0, "tp")]),
    "a reversal happens on one open": (
        {0: Ask(L), 2: Ask(S)}, {2},
        [(0, L, 1, 101.0, 3, 95.0, "signal"), (2, S, 3, 95.0, 5, 100.0, "open")]),
    "no entry is asked for while a position stays": (
        {0: Ask(L), 1: Ask(L)}, {}, [(0, L, 1, 101.0, 5, 100.0, "open")]),
    "an entry is asked for on the bar in which the stop was hit": (
        {0: Ask(L, sl=99.5), 2: Ask(L)}, {},
        [(0, L, 1, 101.0, 2, 99.5, "sl"), (2, L, 3, 95.0, 5, 100.0, "open")]),
    "a limit fills inside the bar at the limit": (
        {0: Ask(L, limit=100.5)}, {2}, [(0, L, 1, 100.5, 3, 95.0, "signal")]),
    "a short limit fills inside the bar at the limit": (
        {0: Ask(S, limit=102.5)}, {2}, [(0, S, 1, 102.5, 3, 95.0, "signal")]),
    "a limit that is not reached is gone after one bar": (
        {0: Ask(L, limit=99.0)}, {}, []),
    "a limit that may wait longer fills later": (
        {0: Ask(L, limit=99.0, good_for=2)}, {}, [(0, L, 2, 99.0, 5, 100.0, "open")]),
    "an open better than the limit is the price": (
        {2: Ask(L, limit=98.0)}, {}, [(2, L, 3, 95.0, 5, 100.0, "open")]),
    "a limit fill inside the bar: the stop counts, the target does not": (
        {1: Ask(L, sl=98.5, tp=103.0, limit=100.0)}, {}, [(1, L, 2, 100.0, 2, 98.5, "sl")]),
    "a limit fill inside the bar: the target counts from the next bar on": (
        {1: Ask(L, tp=103.0, limit=100.0)}, {}, [(1, L, 2, 100.0, 4, 110.0, "tp")]),
    "a limit fill at the open: the target counts at once": (
        {3: Ask(L, tp=111.5, limit=110.5)}, {}, [(3, L, 4, 110.0, 4, 111.5, "tp")]),
    "what is decided on the last bar is void": (
        {5: Ask(L)}, {}, []),
    "what the data leaves open is closed at the last close, and marked": (
        {4: Ask(L)}, {}, [(4, L, 5, 111.0, 5, 100.0, "open")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_fill(name: str) -> None:
    orders, exits, expected = CASES[name]
    reasons = dict.fromkeys(exits, "x")
    run = play(Scripted(orders, reasons, reasons), table(BARS))
    assert facts(run) == expected
    assert run.refused == 0


def three(orders: dict[int, Ask]) -> list[tuple[object, ...]]:
    terms = Terms(symbol="X", initial_balance=1e6, costs=RICH.costs, max_positions=3)
    return facts(play(Scripted(orders), table(BARS), terms))


def test_more_positions_where_the_terms_allow_it() -> None:
    assert three({0: Ask(L), 1: Ask(L)}) == [
        (0, L, 1, 101.0, 5, 100.0, "open"),
        (1, L, 2, 102.0, 5, 100.0, "open"),
    ]


def test_each_position_has_its_own_stop() -> None:
    assert three({0: Ask(L, sl=99.5), 1: Ask(L, sl=96.0)}) == [
        (0, L, 1, 101.0, 2, 99.5, "sl"),
        (1, L, 2, 102.0, 3, 95.0, "sl"),
    ]


def test_an_order_against_an_open_position_is_dropped() -> None:
    assert three({0: Ask(L), 1: Ask(S)}) == [(0, L, 1, 101.0, 5, 100.0, "open")]


def test_a_cancelled_order_never_fills() -> None:
    from simbroker.bars import tuples
    from simbroker.broker import SimBroker

    broker, bars = SimBroker(RICH), list(tuples(table(BARS)))
    broker.step_bar(bars[0])
    placed = broker.place_order(dict(Ask(L).request()))
    assert broker.cancel_order(str(placed["order_id"]))
    assert not broker.cancel_order(str(placed["order_id"]))
    broker.step_bar(bars[1])
    assert broker.positions == []
