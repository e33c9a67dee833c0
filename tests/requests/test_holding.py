"""Rules that depend on the position or on past trades, worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from tests.requests.bars import Bars, bars_of
from tests.requests.engine import Book, Held, Order, Trade
from tests.requests.holding import (
    after,
    at_most,
    best_close,
    cool_down,
    first_in,
    gained,
    trail_by,
    trail_percent,
)

CLOSES = [100.0, 90.0, 104.0, 110.0, 101.0, 98.0]
LONG = Held(1, Order(1), 0, 1, 106.0, True)
SHORT = Held(1, Order(-1), 0, 1, 89.0, True)


def bars() -> Bars:
    at = pd.date_range("2024-01-01", periods=len(CLOSES), freq="12h")
    frame = pd.DataFrame(dict.fromkeys(("Open", "High", "Low", "Close", "Volume"), CLOSES), at)
    return bars_of(frame)


@pytest.mark.parametrize(
    ("held", "since", "marks"),
    [
        (LONG, "fill", [90, 104, 110, 110]),
        (LONG, "signal", [100, 104, 110, 110]),
        (LONG, "price", [106, 106, 110, 110]),
        (SHORT, "fill", [90, 90, 90, 90]),
        (SHORT, "price", [89, 89, 89, 89]),
    ],
)
def test_the_mark_of_a_trail(held: Held, since: str, marks: list[float]) -> None:
    assert [best_close(bars(), held, idx, since) for idx in (1, 2, 3, 4)] == marks


def test_a_trail_leaves_that_far_from_the_mark() -> None:
    late = trail_percent(bars(), 10.0, "fill")
    assert [idx for idx in range(1, 6) if late(LONG, idx)] == [5]
    wide = np.array([9.0, 9.0, 9.0, 9.0, 9.0, 9.0])
    assert [idx for idx in range(1, 6) if trail_by(bars(), wide, "fill")(LONG, idx)] == [4, 5]
    assert [idx for idx in range(1, 6) if trail_by(bars(), wide, "fill")(SHORT, idx)] == [2, 3, 4]


def test_time_counts_from_the_fill_or_from_the_signal() -> None:
    assert [idx for idx in range(1, 6) if after(3)(LONG, idx)] == [4, 5]
    assert [idx for idx in range(1, 6) if after(3, "signal")(LONG, idx)] == [3, 4, 5]


def test_gains_are_of_the_side() -> None:
    assert gained(bars(), LONG, 3).tolist() == [-16, -2, 4]
    assert gained(bars(), SHORT, 2).tolist() == [-1, -15]


def trade(signal: int, exit: int, kind: str) -> Trade:
    return Trade(signal, 1, signal + 1, 1.0, exit, 1.0, kind, None)


def test_so_many_trades_in_a_day() -> None:
    dates = bars().date
    book = Book(trades=[trade(1, 2, "sl")])
    by_signal, by_fill = at_most(dates), at_most(dates, by="fill")
    assert [idx for idx in (1, 2, 3, 4) if by_signal(idx, 1, book)] == [2, 3, 4]
    assert [idx for idx in (1, 2, 3, 4) if by_fill(idx, 1, book)] == [3, 4]
    assert at_most(dates, 2)(1, 1, book)
    assert not at_most(dates)(0, 1, Book(held=[LONG]))


def test_only_the_first_of_a_day() -> None:
    mask = np.array([False, True, True, True, False, True])
    assert np.flatnonzero(first_in(bars().date, mask)).tolist() == [1, 2, 5]


def test_a_cool_down_counts_from_the_bar_of_the_exit() -> None:
    book = Book(trades=[trade(0, 2, "sl"), trade(2, 3, "tp")])
    assert [idx for idx in range(3, 7) if cool_down(3)(idx, 1, book)] == [6]
    assert [idx for idx in range(3, 7) if cool_down(3, ("sl",))(idx, 1, book)] == [5, 6]
