"""An answer takes the place of what it was asked for, in the open; nothing else is given up."""

from __future__ import annotations

from bot.agents.plan_faults import plan_faults
from bot.reading.answered import read_answered
from bot.reading.read import Asked, Reading, read
from schemas import contract as c

BODY = "SPY daily. Buy on bullish RSI divergence. Sell when RSI(14) is above 60."
PLAIN = "SPY daily. Buy when RSI(14) crosses above 30. Sell when RSI(14) is above 60."


def answered(body: str, *answers: str) -> Reading:
    return read_answered("My idea", body, answers, "wf_1", "corr_1", plan_faults)


def test_without_an_answer_it_is_read_as_it_stands() -> None:
    for body in (BODY, PLAIN):
        assert answered(body) == read("My idea", body, "wf_1", "corr_1")


def test_what_was_answered_is_left_out_and_listed() -> None:
    found, plain = answered(BODY, "Buy when RSI(14) crosses above 30."), answered(PLAIN)
    assert isinstance(found, c.Contract) and isinstance(plain, c.Contract)
    assert (found.entries[0].when, found.exits[0].when) == (
        plain.entries[0].when,
        plain.exits[0].when,
    )
    [left] = [a for a in found.assumptions if a.topic == "left out"]
    assert left.taken == '"Buy on bullish RSI divergence."'


def test_an_answer_that_says_nothing_answers_nothing() -> None:
    assert isinstance(answered(BODY, "yes please"), Asked)


def test_an_answer_that_cannot_be_read_is_asked_about_and_not_dropped() -> None:
    found = answered(PLAIN, "Sell on bearish divergence too.")
    assert isinstance(found, Asked) and "divergence" in found.questions[0]
