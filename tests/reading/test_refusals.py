"""A request is refused for what a rule of it needs, and not because a word occurs."""

from __future__ import annotations

import pytest

from bot.reading.read import Declined, read

PLAIN = "SPY daily. Buy when RSI(2) < 10. Sell when RSI(2) > 70. "
HARMLESS = [
    "There will be days with no trades, that's fine.",
    "The stop will be 5% below the close.",
    "It will be my first bot.",
    "No lookahead please.",
    "Make sure it is free of look-ahead bias.",
    "Please avoid any look ahead.",
    "Ignore the news.",
    "I don't predict anything.",
    "There is no guarantee that it wins, I know.",
    "My uncle reads the news all day.",
]
NEEDS = {
    "Buy if the price will close higher tomorrow.": "needs_the_future",
    "Buy when it is going to rise.": "needs_the_future",
    "Buy at the lowest price of the day.": "needs_the_future",
    "Buy when the next bar's close is higher.": "needs_the_future",
    "Buy after good news.": "no_such_data",
    "Buy on a positive earnings surprise.": "no_such_data",
    "Buy when twitter sentiment is bullish.": "no_such_data",
}


@pytest.mark.parametrize("more", HARMLESS)
def test_a_word_alone_is_no_reason(more: str) -> None:
    assert not isinstance(read("an idea", PLAIN + more), Declined)


@pytest.mark.parametrize("rule", NEEDS)
def test_a_rule_that_needs_it_is_refused(rule: str) -> None:
    found = read("an idea", f"SPY daily. {rule} Sell after 3 days.")
    assert isinstance(found, Declined) and found.code == NEEDS[rule]
