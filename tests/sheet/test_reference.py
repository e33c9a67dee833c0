"""The reference page: what it shows can be read, and its table is that of the code."""

import re
from pathlib import Path

import pytest

from schemas.indicators import KINDS
from schemas.sheet import read_sheet
from schemas.sheet.names import CALENDAR, HELD, SERIES
from schemas.sheet.reference import BEGIN, END, table

PAGE = (Path(__file__).parents[2] / "schemas/sheet/reference.md").read_text()
HEAD = "symbol EURUSD\ntimeframe M15\n"


def test_the_table_of_indicators_is_that_of_the_code() -> None:
    begin, end = PAGE.index(BEGIN) + len(BEGIN) + 1, PAGE.index(END)
    assert PAGE[begin:end] == table()
    assert all(f"`{name}" in PAGE for name in (*SERIES, *CALENDAR, *HELD))


def test_the_sheet_of_the_page_is_a_sheet() -> None:
    for sheet in re.findall(r"```sheet\n(.*?)```", PAGE, re.DOTALL):
        assert read_sheet(sheet).rules is not None


@pytest.mark.parametrize("name", SERIES)
def test_every_series_can_be_written_as_the_table_shows_it(name: str) -> None:
    kind, output = SERIES[name]
    shown = re.search(rf"`({name}(?:\([^)`]*\))?)`", PAGE)
    assert shown is not None
    found = read_sheet(f"{HEAD}enter long when {shown[1]} > close\n")
    assert found.rules is not None, found.problems
    assert [i.kind for i in found.rules.indicators] == [kind]
    assert output in KINDS[kind].outputs
