"""Which trades came, went or moved; and a table that somebody made up is not read."""

from __future__ import annotations

import pytest

from sandbox.changes import EXAMPLES, NotTrades, compare, rows
from simbroker.save import TRADE_COLUMNS


def trade(entered: str, left: str = "2024-02-01", price: float = 10.0, action: str = "BUY") -> str:
    told = {"position_id": "pos_1", "action": action, "volume": "1.0", "entry_time": entered,
            "exit_time": left, "entry_price": str(price), "exit_price": "11.0",
            "comment": "=HYPERLINK(1)"}  # fmt: skip
    return ",".join(told.get(name, "") for name in TRADE_COLUMNS)


def table(*trades: str) -> str:
    return "\n".join([",".join(TRADE_COLUMNS), *trades]) + "\n"


def test_trades_are_told_apart_by_entry_and_side() -> None:
    old = table(trade("2024-01-01"), trade("2024-01-02"), trade("2024-01-03"), trade("2024-01-04"))
    new = table(trade("2024-01-01"), trade("2024-01-02", left="2024-03-01"),
                trade("2024-01-03", action="SELL"), trade("2024-01-04", price=10.5))  # fmt: skip
    found = compare(old, new)
    assert (found.same, found.moved, found.added, found.removed) == (1, 2, 1, 1)
    assert found.examples[0] == "added: SELL 2024-01-03 at 10, left 2024-02-01 at 11"
    assert found.examples[1].startswith("removed: BUY 2024-01-03")
    assert found.examples[2].endswith("now BUY 2024-01-02 at 10, left 2024-03-01 at 11")


def test_the_same_is_the_same_and_twins_are_counted() -> None:
    twins = table(trade("2024-01-01"), trade("2024-01-01"))
    assert compare(twins, twins).same == 2
    one = compare(twins, table(trade("2024-01-01")))
    assert (one.same, one.removed) == (1, 1)
    many = compare(table(), table(*(trade(f"2024-01-{n:02}T10:30:00") for n in range(1, 29))))
    assert many.added == 28 and len(many.examples) == EXAMPLES
    assert "BUY 2024-01-01 10:30 at 10" in many.examples[0]


@pytest.mark.parametrize("text", [
    "", "a,b\n1,2\n", table("x"), table(trade("yesterday")), table(trade("2024-01-01", price=-1.0)),
    table(trade("2024-01-01", price=float("nan"))), table(trade("2024-01-01", action="<b>")),
    table(trade("2024-01-01") + ",more"), table('"' + trade("2024-01-01")),
    table(*[trade("2024-01-01")] * 20_001),
])  # fmt: skip
def test_a_table_that_we_would_not_write_is_not_read(text: str) -> None:
    with pytest.raises(NotTrades):
        rows(text)
