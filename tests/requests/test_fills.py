"""Fills worked out by hand."""

import pandas as pd
import pytest

from tests.requests.bars import Bars, bars_of
from tests.requests.engine import Book, Held, Order, play

FLAT = (100.0, 101.0, 99.0, 100.0)
BEFORE = 300


class Script:
    """Orders and exits by bar, counted from the first that may decide."""

    def __init__(self, orders: dict[int, Order], exits: tuple[int, ...] = ()) -> None:
        self.wanted, self.exits = orders, exits
        self.asked: list[int] = []

    def leaves(self, held: Held, idx: int) -> bool:
        return idx - BEFORE in self.exits

    def orders(self, idx: int, book: Book) -> Order | None:
        self.asked.append(idx - BEFORE)
        return self.wanted.get(idx - BEFORE)


def bars(*rows: tuple[float, float, float, float]) -> Bars:
    """Open, high, low, close from bar 300 on."""
    at = pd.bdate_range("2020-01-01", periods=BEFORE + len(rows))
    frame = pd.DataFrame([FLAT] * BEFORE + list(rows), at, ["Open", "High", "Low", "Close"])
    return bars_of(frame.assign(Volume=1.0))


def told(script: Script, *rows: tuple[float, float, float, float], slots: int = 1) -> list[str]:
    return [
        f"{t.side:+d} {t.entry - BEFORE}@{t.entry_price:g}"
        f" {t.exit - BEFORE}@{t.exit_price:g} {t.kind}"
        for t in play(bars(*rows), script, slots)
    ]


LONG, SHORT = Order(1), Order(-1)
CASES = {
    "a market order fills at the next open": (
        Script({0: LONG}),
        [FLAT, (102, 103, 101, 102.5), FLAT],
        ["+1 1@102 2@100 open"],
    ),
    "an exit fills at the next open": (
        Script({0: LONG}, (1,)),
        [FLAT, (102, 103, 101, 102.5), (104, 105, 103, 103.5)],
        ["+1 1@102 2@104 signal"],
    ),
    "a reversal happens on one open": (
        Script({0: LONG, 1: SHORT}, (1,)),
        [FLAT, (102, 103, 101, 102), (104, 105, 103, 103.5), FLAT],
        ["+1 1@102 2@104 signal", "-1 2@104 3@100 open"],
    ),
    "nothing is decided on the last bar": (Script({1: LONG}), [FLAT, FLAT], []),
    "the stop is hit in the bar of the fill": (
        Script({0: Order(1, stop=99.5)}),
        [FLAT, FLAT, FLAT],
        ["+1 1@100 1@99.5 sl"],
    ),
    "of stop and target in one bar it is the stop": (
        Script({0: Order(1, stop=99.5, target=100.5)}),
        [FLAT, FLAT, FLAT],
        ["+1 1@100 1@99.5 sl"],
    ),
    "a short's stop is above": (
        Script({0: Order(-1, stop=100.5, target=98.0)}),
        [FLAT, FLAT, FLAT],
        ["-1 1@100 1@100.5 sl"],
    ),
    "a gap through the stop fills at the open": (
        Script({0: Order(1, stop=98.0)}),
        [FLAT, FLAT, (95, 96, 94, 95), FLAT],
        ["+1 1@100 2@95 sl"],
    ),
    "a gap through the target fills at the open": (
        Script({0: Order(1, target=102.0)}),
        [FLAT, FLAT, (103, 104, 102.5, 103), FLAT],
        ["+1 1@100 2@103 tp"],
    ),
    "an entry that opens beyond its stop leaves at once": (
        Script({0: Order(1, stop=98.0)}),
        [FLAT, (97, 99, 96, 98), FLAT],
        ["+1 1@97 1@97 sl"],
    ),
    "a limit fills at its price": (
        Script({0: Order(1, limit=99.5)}),
        [FLAT, FLAT, FLAT],
        ["+1 1@99.5 2@100 open"],
    ),
    "a limit fills at a better open": (
        Script({0: Order(1, limit=99.5)}),
        [FLAT, (99, 100, 98, 99), FLAT],
        ["+1 1@99 2@100 open"],
    ),
    "a limit works for one bar": (
        Script({0: Order(1, limit=99.5)}),
        [FLAT, (101, 102, 100.5, 101), FLAT, FLAT],
        [],
    ),
    "a sell limit waits above": (
        Script({0: Order(-1, limit=100.5)}),
        [FLAT, FLAT, FLAT],
        ["-1 1@100.5 2@100 open"],
    ),
    "after a limit fill inside the bar its target waits for the next": (
        Script({0: Order(1, limit=99.5, target=100.8)}),
        [FLAT, FLAT, FLAT],
        ["+1 1@99.5 2@100.8 tp"],
    ),
    "after a limit fill inside the bar its stop counts": (
        Script({0: Order(1, limit=99.5, stop=99.2)}),
        [FLAT, FLAT, FLAT],
        ["+1 1@99.5 1@99.2 sl"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_fills(name: str) -> None:
    script, rows, trades = CASES[name]
    assert told(script, *rows) == trades


def test_no_entry_is_asked_for_while_a_position_stays() -> None:
    script = Script({0: LONG}, (2,))
    told(script, *[FLAT] * 5)
    assert script.asked == [0, 2, 3]


def test_an_entry_is_asked_for_on_the_close_of_the_bar_of_the_stop() -> None:
    script = Script({0: Order(1, stop=99.5)})
    told(script, *[FLAT] * 4)
    assert script.asked == [0, 1, 2]


def test_slots_hold_that_many_positions() -> None:
    orders = dict.fromkeys(range(5), LONG)
    assert len(told(Script(orders), *[FLAT] * 6, slots=3)) == 3


def test_an_order_against_an_open_position_is_dropped() -> None:
    script = Script({0: LONG, 1: SHORT, 2: LONG})
    assert told(script, *[FLAT] * 4, slots=2) == ["+1 1@100 3@100 open", "+1 3@100 3@100 open"]
