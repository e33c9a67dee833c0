"""The reference page against the machine: what a sentence says, on bars drawn by hand."""

import pytest

from tests.sheet.drawn import bars, fills, traded
from tests.sheet.table_meaning import ROWS

BUY = "enter long when volume = 1\n"
OUT = "exit when volume = 3\n"
LIMIT = "enter long at limit close - 2 when volume = 1\n"
STOPPED = BUY + "stop 10 % from fill\n"


@pytest.mark.parametrize(
    ("sheet", "drawn", "wanted"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_sentence_of_the_page(sheet: str, drawn: str, wanted: list[str]) -> None:
    assert fills(sheet, drawn) == wanted


@pytest.mark.parametrize(
    ("sheet", "units"),
    [
        (BUY, 1.0),
        (BUY + "size units 7", 7.0),
        (BUY + "size cash 5000", 500.0),
        (BUY + "size equity_percent 50", 500.0),
        (LIMIT + "size equity_percent 50", 625.0),
        (LIMIT + "size cash 5000", 625.0),
        (BUY + "size equity_percent 33", 330.0),
        (BUY + "size cash 15", 1.5),
        (STOPPED + "size risk_percent 1", 100.0),
        (STOPPED + "size risk_cash 50", 50.0),
        (BUY + "stop at low - 4\nsize risk_percent 1", 20.0),
        (BUY + "stop at 5\nstop 10 % from signal close\nsize risk_percent 1", 100.0),
        (LIMIT + "stop 25 % from fill\nsize risk_percent 1", 50.0),
    ],
)
def test_a_size_is_worked_out_on_the_signal_bar(sheet: str, units: float) -> None:
    """Its close is 10, its low 9; the next bar opens at 8, the account holds 10,000."""
    (trade,) = traded(sheet, bars("10 10 9 10 v1 | 8 8 7.9 8 | 8"))
    assert trade.entry_price == 8.0
    assert trade.units == pytest.approx(units)


def test_the_equity_is_that_of_the_signal_bar_open_profit_included() -> None:
    drawn = "10 v1 | 10 | 20 | 20 v1 | 10 | 10"
    sheet = BUY + "max 2 positions\nsize equity_percent 10\n"
    assert [t.units for t in traded(sheet, bars(drawn))] == [100.0, 55.0]


BY_LIMIT = "enter long at limit close when volume = 1\ntarget 10 % from fill\n"
TARGET = "10 v1 | 10 10 8 9 | 9 11 8 11 | 11"
RULE = "10 v1 | 10 12 8 10 v3 | 12 13 11 12"


@pytest.mark.parametrize(
    ("sheet", "drawn", "paid"),
    [
        (BUY + OUT + "commission 1 %", RULE, [(10.0, 0, 0), (12.0, 0, 0)]),
        (BUY + OUT + "commission 3 per trade", RULE, [(3.0, 0, 0), (0.0, 0, 0)]),
        (BUY + OUT + "commission 3 per order", RULE, [(6.0, 0, 0), (0.0, 0, 0)]),
        (BUY + OUT + "commission 0.02 per share", RULE, [(2.0, 0, 0), (2.0, 0, 0)]),
        (BUY + OUT + "spread 0.1", RULE, [(0, 5.0, 0), (0, 5.0, 0)]),
        (BUY + OUT + "slippage 0.1", RULE, [(0, 0, 10.0), (0, 0, 10.0)]),
        (BUY + OUT + "slippage 2 % of range", RULE, [(0, 0, 8.0), (0, 0, 4.0)]),
        (BY_LIMIT + "spread 0.1\nslippage 0.1", TARGET, [(0, 5.0, 0), (0, 5.0, 0)]),
        (BY_LIMIT + "commission 1 %", TARGET, [(10.0, 0, 0), (11.0, 0, 0)]),
        (BUY + "stop at 9\nspread 0.1\nslippage 0.1", RULE, [(0, 5.0, 10.0), (0, 5.0, 10.0)]),
        (BUY + OUT + "costs none", RULE, [(0, 0, 0), (0, 0, 0)]),
    ],
)
def test_what_each_fill_of_100_units_costs(
    sheet: str, drawn: str, paid: list[tuple[float, float, float]]
) -> None:
    """Commission, spread and slippage of the entry and of the exit."""
    (trade,) = traded(sheet + "\nsize units 100", bars(drawn))
    assert [trade.paid_in, trade.paid_out] == [pytest.approx(each) for each in paid]
