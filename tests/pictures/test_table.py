"""What a run left behind is hostile until it is parsed."""

from __future__ import annotations

import pytest

from bot.pictures import table
from tests.pictures import tables


def test_a_trade_is_read_with_all_its_costs() -> None:
    (found,) = table.trades(tables.trades(1))
    assert (found.side, found.entry, found.exit) == (1, 100.0, 100.0)
    assert (found.gross, found.costs, found.pnl) == (9.0, 0.5, 8.5)
    assert found.left.isoformat() == tables.day(4)


def test_no_trades_is_a_table_too() -> None:
    assert table.trades(tables.trades(0)) == ()


def test_the_zone_is_left_out() -> None:
    text = "timestamp,balance,equity\n2020-01-01T09:30:00-05:00,1,2\n"
    assert table.points(text)[0].at.isoformat() == "2020-01-01T09:30:00"


GOOD = tables.equity([1.0, 2.0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "timestamp,balance,equity\n",
        GOOD.replace("equity", "equality"),
        GOOD.replace("balance", "equity"),
        GOOD.replace(",1.0,1.0", ",1.0"),
        GOOD.replace(",1.0,1.0", ",1.0,nan"),
        GOOD.replace(",1.0,1.0", ",1.0,inf"),
        GOOD.replace(",1.0,1.0", ",1.0,1e13"),
        GOOD.replace(",1.0,1.0", ",1.0,1_0"),
        GOOD.replace(",1.0,1.0", ",1.0,\u0661"),
        GOOD.replace(",1.0,1.0", ",1.0,=1+1"),
        GOOD.replace(",1.0,1.0", ',1.0,"1.0'),
        GOOD.replace("2020-01-02", "2020-01-01"),
        GOOD.replace("2020-01-01", "0001-01-01"),
        GOOD.replace("2020-01-01", "yesterday"),
        GOOD + " " * table.MOST_CHARACTERS,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(table.NotReadable):
        table.points(text)


@pytest.mark.parametrize(
    ("was", "now"),
    [("BUY", "HOLD"), ("BUY", "<script>"), (tables.day(1), tables.day(9)), (",9.0,", ",,")],
)
def test_a_trade_of_another_shape_is_refused(was: str, now: str) -> None:
    with pytest.raises(table.NotReadable):
        table.trades(tables.trades(1).replace(was, now, 1))


def test_too_many_rows_are_refused() -> None:
    rows = "\n".join(["timestamp,close", *("2020-01-01,1" for _ in range(table.MOST_ROWS + 1))])
    with pytest.raises(table.NotReadable, match="rows"):
        table.bars(rows)
