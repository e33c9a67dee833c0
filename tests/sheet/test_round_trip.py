"""A contract's rules and their sheet say the same: printed and read again they are equal."""

import pytest

from schemas import codec
from schemas.contract import Contract
from schemas.sheet import canonical, print_sheet, put_into, read_sheet, rules_of
from tests.agents import making
from tests.sheet.corpus import by_chance, contracts

SMART = str.maketrans({" ": "\u00a0", "-": "\u2212", "*": "\u00d7"})


def same(contract: Contract) -> None:
    rules = rules_of(contract)
    reading = read_sheet(print_sheet(rules))
    assert reading.problems == ()
    assert reading.rules == rules
    assert all(a.line for a in reading.assumed), "a canonical sheet leaves nothing out"


def test_what_people_asked_for() -> None:
    assert len(contracts()) > 320
    for contract in contracts().values():
        same(contract)


def test_any_tree() -> None:
    for contract in by_chance(500):
        same(contract)


@pytest.mark.soak
def test_ten_thousand_trees() -> None:
    for contract in by_chance(10_000, 1_000):
        same(contract)


def test_one_form_for_the_same_rules() -> None:
    """Reading its own print changes nothing, and neither does making it canonical twice."""
    for contract in by_chance(100):
        rules = rules_of(contract)
        assert canonical(rules) == rules
        assert rules_of(put_into(contract, rules)) == rules


@pytest.mark.parametrize("kept", ["smart", "crlf", "indented", "bom"])
def test_a_sheet_copied_from_a_page_is_the_same_sheet(kept: str) -> None:
    """Editors and browsers put other characters in place of spaces, signs and line ends."""
    for contract in list(contracts().values())[::10]:
        sheet = print_sheet(rules_of(contract))
        copied = {
            "smart": sheet.translate(SMART).replace("\u2212", "-", 0),
            "crlf": sheet.replace("\n", "\r\n"),
            "indented": "".join(f"    {line}  \n" for line in sheet.splitlines()),
            "bom": "\ufeff" + sheet,
        }[kept]
        again = read_sheet(copied).rules
        assert again is not None, read_sheet(copied).problems
        assert codec.digest_of(print_sheet(again)) == codec.digest_of(sheet)


@pytest.mark.parametrize(
    ("timeframe", "decided", "line"),
    [
        ("H4", "20:00", "exit at 00:00"),
        ("H4", "22:00", "exit when time >= 22:00"),
        ("H1", "00:00", "exit when time >= 00:00"),
        ("D1", "15:00", "exit when time >= 15:00"),
    ],
)
def test_a_time_that_is_no_time_of_a_fill_is_a_rule(
    timeframe: str, decided: str, line: str
) -> None:
    buys = making.enter(making.LONG, making.above(making.CLOSE, making.OPEN))
    made = making.contract("late", entries=(buys,), timeframe=timeframe, exit_at=decided)
    same(made)
    assert line in print_sheet(rules_of(made)).splitlines()
