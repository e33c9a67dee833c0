"""What people guess who saw two examples: understood as they meant it, told, or asked about."""

import re

import pytest

from schemas.sheet import print_sheet, read_sheet
from schemas.sheet.names import LATER, LATER_STATEMENTS
from tests.sheet.guesses import Guess, guesses, readable

EACH = pytest.mark.parametrize("guess", guesses(), ids=lambda guess: guess.id)
HEAD = "symbol AAPL\ntimeframe M15\nenter long when close > open\n"
NOT_KNOWN = re.compile(r"I do not know `([^`]+)`|I cannot read `([^`]+)`|^`([^`]+)` begins no")


@EACH
def test_a_guess_is_understood_or_asked_about_line_by_line(guess: Guess) -> None:
    asked, understood = readable(guess.sheet)
    assert asked == guess.asked
    assert understood == guess.understood
    if not asked:
        reading = read_sheet(guess.sheet)
        assert reading.rules is not None
        assert print_sheet(reading.rules).splitlines() == understood


def test_how_many_lines_are_understood() -> None:
    assert len(guesses()) == 36
    lines = sum(len(g.sheet.splitlines()) for g in guesses())
    asked = sum(len(g.asked) for g in guesses())
    whole = sum(not g.asked for g in guesses())
    assert (lines, asked, whole) == (241, 53, 16)


@EACH
def test_a_reserved_word_is_never_called_unknown(guess: Guess) -> None:
    for message in guess.asked.values():
        for found in NOT_KNOWN.findall(message):
            word = next(x for x in found if x).lower()
            assert word not in LATER and word not in LATER_STATEMENTS


@pytest.mark.parametrize("word", LATER)
def test_a_word_for_later_is_called_not_built_yet(word: str) -> None:
    found = read_sheet(f"{HEAD}exit when {word}(close, 3) > 3").problems
    assert "not built yet" in found[0].message


@pytest.mark.parametrize("word", LATER_STATEMENTS)
def test_a_statement_for_later_is_called_not_built_yet(word: str) -> None:
    assert "not built yet" in read_sheet(f"{HEAD}{word} 3 bars").problems[0].message


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        ("a1", 0, "1 unit of the symbol"),
        ("a4", 6, "distance from the signal bar's close"),
        ("a9", 4, "that of the fill being the first"),
        ("a11", 4, "limits entries only"),
        ("a11", 5, "anew from the first bar of each day"),
        ("a11", 8, "does not rest in the market"),
        ("a12", 4, "does not rest in the market"),
        ("a12", 4, "can move away again"),
        ("b2", 5, "a day that ends earlier has no exit"),
        ("b5", 5, "worked out once, on the signal bar"),
        ("b8", 9, "does not rest in the market"),
        ("b8", 9, "follows the best price"),
        ("b9", 6, "the value of a point is 1"),
        ("c1", 5, "not rounded to whole units"),
        ("c2", 6, "worked out once, on the signal bar"),
        ("c4", 7, "worked out once, on the signal bar"),
        ("c5", 4, "does not rest in the market"),
        ("c6", 8, "by the bar on which they are decided"),
        ("c9", 6, "booked as 2 per trade"),
    ],
)
def test_what_the_author_may_have_meant_otherwise_is_told(name: str, line: int, told: str) -> None:
    sheet = next(g.sheet for g in guesses() if g.id == name)
    found = [a.text for a in read_sheet(sheet).assumed if a.line == line]
    if not line:
        found = [a.text for a in read_sheet(sheet).assumed]
    assert any(told in text for text in found), found
