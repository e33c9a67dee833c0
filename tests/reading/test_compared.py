"""What a rule compares: a price with a line, not with a sign; one bar's high, not the highest."""

from __future__ import annotations

from bot.agents.words import rules
from bot.reading.read import Asked, read
from schemas import contract as c


def _rules(title: str, body: str) -> list[str]:
    found = read(title, body)
    assert isinstance(found, c.Contract), found
    return rules(found)


def test_a_price_crosses_the_line_of_the_supertrend() -> None:
    said = "Buy when the close crosses above the supertrend(10,3). Exit when it crosses below it."
    line = "the line of Supertrend(10, 3, Wilder)"
    assert _rules("trend", f"BTCUSD H4. {said}") == [
        f"Enter long at the next open when the close crosses above {line}.",
        f"Leave the long at the next open when the close crosses below {line}.",
    ]


def test_the_high_some_bars_ago_is_of_one_bar() -> None:
    found = _rules(
        "high", "spy daily. buy when the close is above the high 3 bars ago. exit after 2 bars."
    )
    assert found == ["Enter long at the next open when the close is above the high 3 bars before."]


def test_a_title_that_says_both_makes_a_sell_a_short() -> None:
    crosses = "rsi(14) crosses above 30 -> buy. rsi(14) crosses below 70 -> sell."
    body = f"eurusd h1. {crosses} sl 20 pips, tp 40 pips"
    assert [x[:11] for x in _rules("rsi both ways", body)] == ["Enter long ", "Enter short"]
    assert [x[:11] for x in _rules("rsi", body)] == ["Enter long ", "Leave the l"]


def test_an_hour_a_size_and_a_risk_that_nothing_was_made_of_are_asked_about() -> None:
    plain = "eurusd h1. buy when rsi(14) crosses above 30. sell after 5 bars. stop 20 pips."
    assert isinstance(read("plain", plain), c.Contract)
    for more in ("position size 3 gazillion", "gladly until 15:00", "fees 3 gazump"):
        assert isinstance(read("more", f"{plain} {more}."), Asked), more
