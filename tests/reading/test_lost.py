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
    "a number taken back": PLAIN + " Actually make that 25.",
    "an average taken back": "SPY D1. Buy when the 50 SMA crosses above the 200 SMA. Wait, make"
    " that EMAs. Sell when it crosses below.",
    "one thing after another": PLAIN.replace("above 30", "above 30 and then price is above SMA(9)"),
    "signals that nobody defines": "SPY D1. Take RSI(14) buy signals only above the 200 EMA. Exit"
    " when RSI(14) > 70.",
    "near a band": "GLD D1. Buy when RSI(14) < 35 near the lower Bollinger band. Exit at the"
    " middle band.",
    "a buffer": PLAIN + " One percent buffer on both sides.",
    "a stop and none": PLAIN + " No stop. Stop loss 4%.",
    "an exit by feeling": "SPY D1. Buy when SMA(20) crosses above SMA(50). Sell when it is weak.",
    "an envelope": "GLD daily. Buy below the lower 2% envelope of SMA(20), sell at the SMA(20).",
    "which time": PLAIN.replace("above 30", "above 30 for the second time"),
    "a pullback": PLAIN.replace("above 30", "above 30 after a pullback"),
    "a regime": PLAIN.replace("above 30", "above 30 in an uptrend"),
    "how strongly": PLAIN.replace("above 30", "above 30 decisively"),
    "how much volume": PLAIN.replace("above 30", "above 30 on high volume"),
    "weekly bars": PLAIN.replace("above 30", "above 30 and weekly RSI is above 50"),
    "an unknown thing": PLAIN.replace("above 30", "above 30 and the spread is above 2"),
    "a cross in a row": PLAIN.replace("above 30", "above 30 and stays there for 3 bars"),
    "a reset": PLAIN + " RSI must go back above 50 before a new entry.",
    "trades a week": PLAIN + " Not more than 2 trades a week.",
    "a demand without a rule": PLAIN + " Trend must be up.",
    "an entry by a stop order": PLAIN.replace("above 30", "above 30 with a stop order"),
    "deviations around vwap": "SPY M5. Buy when the close is 2 std dev below vwap. Exit at vwap.",
    "break even in R": "SPY D1. Buy when RSI(2) < 10. Exit RSI(2) > 70. Breakeven after +1R.",
    "a number in a rule": PLAIN.replace("above 30", "above 30 and the mood is at 77 of its kind"),
    "a count in a row": PLAIN.replace("above 30", "above 30 after 9 quiet ones in a row"),
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
        " It should work best in strong trends.",
        " I like buying pullbacks.",
        " No volume filter.",
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


def test_the_day_that_is_excluded_and_the_signal_that_is_ignored_are_not_what_enters() -> None:
    for more in (" Ignore signals when the close is below the SMA(200).", " Excluding Fridays."):
        found = read("a strategy", PLAIN + more)
        assert isinstance(found, c.Contract)
        assert "Never(" in repr(found.entries)


def test_days_on_hourly_bars_are_listed_as_bars() -> None:
    found = read("a strategy", "EURUSD H1. Buy when RSI(14) is below 25. Sell after 2 days.")
    assert isinstance(found, c.Contract)
    assert ("2 days", "48 bars of H1") in {(a.topic, a.taken) for a in found.assumptions}


def test_vague_words_are_answered_by_exact_ones() -> None:
    vague = "Buy when it looks good and sell when it does not.\n\n"
    assert isinstance(read("a strategy", vague), Asked)
    assert isinstance(read("a strategy", vague + PLAIN), c.Contract)
