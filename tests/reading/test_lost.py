"""What a request says is never dropped without a word: it is asked about."""

from __future__ import annotations

import pytest

from bot.reading.read import Asked, read
from schemas import contract as c

PLAIN = "AAPL daily, long only. Buy when RSI(14) crosses above 30. Sell when RSI(14) is above 60."
BOTH = "EURUSD H4. Buy when RSI(14) is below 25. Short when RSI(14) is above 75. "
LOST = {
    "a number": PLAIN.replace("above 30", "above 30 gazump 17%"),
    "an earlier bar": PLAIN.replace("above 30", "above 30 as on the previous bar it wobbled"),
    "an indicator": PLAIN.replace("above 30", "above 30 with a nice CCI"),
    "an exit that says nothing": PLAIN.replace("Sell when RSI(14) is above 60", "Sell at the ADX"),
    "whose exit": BOTH + "Exit when the close is above the SMA(20).",
    "the other side's exit": BOTH + "Exit longs when RSI(14) is above 50.",
    "two days at once": PLAIN.replace("above 60", "above 60 on Monday and it is Friday"),
    "a sequence": PLAIN.replace("above 30", "above 30 and then crosses below 25"),
    "a rule to add": PLAIN + " Add a position each time the close is 3% higher. Max 4 positions.",
    "a rule taken back": PLAIN + " Scratch that, use 20.",
    "a stop and none": PLAIN + " No stop. Stop loss 4%.",
    "an exit by feeling": "SPY D1. Buy when SMA(20) crosses above SMA(50). Sell when it is weak.",
    "an envelope": "GLD daily. Buy below the lower 2% envelope of SMA(20), sell at the SMA(20).",
}


@pytest.mark.parametrize("what", LOST)
def test_what_no_rule_was_made_of_is_asked_about(what: str) -> None:
    assert isinstance(read("a strategy", LOST[what]), Asked)


@pytest.mark.parametrize(
    "more",
    [
        " No stop loss, i don't need a target.",
        " RSI(14) is the usual one (that's 14 bars).",
        " I am 58 and have 3 kids.",
        " One position at a time.",
    ],
)
def test_what_changes_nothing_is_not_asked_about(more: str) -> None:
    plain, longer = read("a strategy", PLAIN), read("a strategy", PLAIN + more)
    assert isinstance(plain, c.Contract) and isinstance(longer, c.Contract)
    assert (plain.entries, plain.exits) == (longer.entries, longer.exits)


def test_a_question_that_is_answered_keeps_what_it_asked_about() -> None:
    answered = read("a strategy", PLAIN + " Stop = ATR? no, just 5%")
    plainly = read("a strategy", PLAIN + " Stop 5%")
    assert isinstance(answered, c.Contract) and isinstance(plainly, c.Contract)
    assert answered.risk.stops == plainly.risk.stops != ()
