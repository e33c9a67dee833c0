"""Spoilt sheets: nothing crashes, and nothing is accepted with a part of it unread."""

import re
from random import Random

import pytest

from schemas.sheet import print_sheet, read_sheet, rules_of
from tests.sheet.corpus import by_chance, contracts

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w:.]|\.\d)")
TOKEN = re.compile(r"\w+(?:\.\w+)*|\s+|.")
ODD = ["???", "when", "and", "not", "(", ")", "[1]", "%", "from", "fill", "long", "short", "12:00",
       "7", "close", "rsi", "at", "for", "bars", "…", "\u00a0", "=", "crosses", "above", ",", "x",
       "-", "\t", "#", "R", "pips", "stop", "\n", "let", "mon", "within", "0", "é"]  # fmt: skip


def spoilt(sheet: str, draw: Random) -> str:
    parts = TOKEN.findall(sheet)
    for _ in range(draw.choice([1, 1, 1, 2, 3, 8])):
        at = draw.randrange(len(parts))
        match draw.randrange(5):
            case 0:
                del parts[at]
                parts = parts or [" "]
            case 1:
                parts.insert(at, draw.choice(ODD) + " ")
            case 2:
                parts[at] = draw.choice(ODD)
            case 3:
                other = draw.randrange(len(parts))
                parts[at], parts[other] = parts[other], parts[at]
            case 4:
                parts.insert(at, parts[draw.randrange(len(parts))])
    return "".join(parts)


def numbers(text: str) -> set[float]:
    """Zeros say nothing, and what stands behind a # is a comment."""
    said = re.sub(r"(#|//).*", "", text)
    return {float(x) for x in NUMBER.findall(said)} - {0.0}


def check(count: int, seed: int) -> int:
    """How many of the spoilt sheets could still be read."""
    draw = Random(seed)
    sheets = [print_sheet(rules_of(c)) for c in [*contracts().values(), *by_chance(100)]]
    read = 0
    for _ in range(count):
        sheet = spoilt(draw.choice(sheets), draw)
        reading = read_sheet(sheet)
        if reading.rules is None:
            assert reading.problems or reading.holes, sheet
            assert all(p.line >= 0 and p.column >= 1 and p.message for p in reading.problems)
            continue
        read += 1
        again = print_sheet(reading.rules)
        assert read_sheet(again).rules == reading.rules, sheet
        if "][" in sheet.replace(" ", "") or re.search(r"\)\s*\[", sheet):
            continue  # bars back add up
        lost = numbers(sheet) - numbers(again)
        assert not lost, f"{lost} of this was accepted and is in no rule:\n{sheet}\n{again}"
    return read


def test_two_thousand_spoilt_sheets() -> None:
    assert 20 < check(2_000, 7) < 1_500


@pytest.mark.soak
def test_a_hundred_thousand_spoilt_sheets() -> None:
    check(100_000, 11)


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "(" * 5_000, "enter long when " + "not " * 3_000 + "close > 1", "a" * 30_000,
     "\n".join(["stop 1 %"] * 500), "symbol " + "A" * 5_000, "enter long when " + "(" * 800,
     "\x00\x01", "let a = a", "let a = close\nlet b = a\n" * 100, "size units 9" + "9" * 400,
     "enter long when close > 9" + "9" * 400, "enter long when close[99999999999] > 1",
     "enter long when " + " and ".join(["close > 1"] * 60), "symbol ../../etc", "pip 0",
     "exit after 0 bars", "max 0 positions", "target 99999999999 %"],
)  # fmt: skip
def test_nonsense_is_refused_with_a_reason(text: str) -> None:
    reading = read_sheet(text)
    assert reading.rules is None
    assert reading.problems
