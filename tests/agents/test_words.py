"""Contracts in plain words: every node has its sentence, and nothing is left out."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from bot.agents.phrases import condition, operand
from bot.agents.words import explain, rules
from schemas import contract as c
from tests.agents.making import (
    CLOSE,
    HIGH,
    LONG,
    LOW,
    SHORT,
    VOLUME,
    above,
    at,
    below,
    calc,
    compare,
    contract,
    down,
    either,
    enter,
    every,
    far,
    held,
    ind,
    leave,
    of,
    price,
    up,
    when,
)
from tests.agents.requests import REQUESTS
from tests.agents.table import CONTRACTS

KNOWN = contract(
    "words",
    (
        ind("rsi", "rsi", length=14),
        ind("cutler", "rsi", length=9, smoothing="simple"),
        ind("trend", "sma", length=200),
        ind("usual", "sma", "volume", length=20),
        ind("of_rsi", "ema", of=of("rsi"), length=5),
        ind("top", "highest", "high", length=20),
        ind("bands", "bollinger", width=2.5),
        ind("stoch", "stochastic"),
        ind("opening", "opening_range", minutes=30),
        ind("later", "opening_range", start=600, minutes=15),
        ind("atr", "atr"),
    ),
    (enter(LONG, down("rsi", 30)),),
)
OPERANDS: list[tuple[c.Operand, str]] = [
    (c.Constant(value=30.0), "30"),
    (c.Constant(value=-0.00015), "-0.00015"),
    (c.Constant(value=0.0), "0"),
    (CLOSE, "the close"),
    (price("high", 1), "the high one bar before"),
    (price("volume", 3), "the volume 3 bars before"),
    (of("rsi"), "RSI(14, Wilder)"),
    (of("cutler"), "RSI(9, simple)"),
    (of("trend", shift=2), "simple moving average(200) 2 bars before"),
    (of("usual"), "simple moving average(20) of the volume"),
    (of("of_rsi"), "exponential moving average(5) of RSI(14, Wilder)"),
    (of("top", shift=1), "the highest high of 20 bars one bar before"),
    (of("bands", "lower"), "the lower of Bollinger Bands(20, 2.5)"),
    (of("bands", "percent"), "the %b of Bollinger Bands(20, 2.5)"),
    (of("stoch", "k"), "the %K of stochastic(14, 3, 3)"),
    (of("opening", "high"),
     "the high of opening range(from the first bar of the day, 30 minutes)"),
    (of("later", "low"), "the low of opening range(from 10:00, 15 minutes)"),
    (held("entry_price"), "the entry price"),
    (held("bars"), "the number of bars since the fill"),
    (held("lowest_close"), "the lowest close since the fill"),
    (when("trading_day"), "the number of the trading day in its month"),
    (when("minute", 1), "the minute of the day one bar before"),
    (calc(CLOSE, "subtract", calc("atr", "multiply", 2)),
     "the close minus (ATR(14, Wilder) times 2)"),
    (calc(HIGH, "minimum", 5), "the lower of the high and 5"),
    (calc(LOW, "maximum", 5), "the higher of the low and 5"),
    (calc(VOLUME, "divide", "usual"),
     "the volume divided by simple moving average(20) of the volume"),
    (calc(1, "add", 2), "1 plus 2"),
    (calc(CLOSE, "add", calc(CLOSE, "multiply", 0.02)), "2% above the close"),
    (calc(CLOSE, "subtract", calc(CLOSE, "multiply", 0.005)), "0.5% below the close"),
    (calc(CLOSE, "subtract", calc(HIGH, "multiply", 0.1)), "the close minus (the high times 0.1)"),
]  # fmt: skip
CONDITIONS: list[tuple[c.Condition, str]] = [
    (above(CLOSE, "trend"), "the close is above simple moving average(200)"),
    (below(CLOSE, 5), "the close is below 5"),
    (compare(CLOSE, "at_least", 5), "the close is at or above 5"),
    (compare(CLOSE, "at_most", 5), "the close is at or below 5"),
    (compare(CLOSE, "equal", 5), "the close equals 5"),
    (down("rsi", 30), "RSI(14, Wilder) crosses below 30"),
    (up("rsi", 70), "RSI(14, Wilder) crosses above 70"),
    (every(above(CLOSE, 1), below(CLOSE, 2)), "the close is above 1 and the close is below 2"),
    (either(above(CLOSE, 1), every(below(CLOSE, 2), below(LOW, 3))),
     "the close is above 1 or (the close is below 2 and the low is below 3)"),
    (c.Never(of=either(above(CLOSE, 1), above(LOW, 1))),
     "it is not so that (the close is above 1 or the low is above 1)"),
    (c.InARow(bars=3, of=below(CLOSE, price("close", 1))),
     "the close is below the close one bar before on 3 bars in a row"),
    (c.Within(bars=5, of=up("rsi", 50)),
     "RSI(14, Wilder) crosses above 50 on one of the last 5 bars"),
    (c.Session(start="10:00", end="15:00"), "the bar is stamped from 10:00 to before 15:00"),
    (c.Session(start="07:00", end="16:00", includes_end=True),
     "the bar is stamped from 07:00 to 16:00"),
    (c.OnDays(weekdays=(0, 4)), "it is Monday or Friday"),
    (compare(when("minute"), "at_least", 930), "the minute of the day is at or above 15:30"),
    (compare(when("weekday"), "equal", 4), "the weekday equals Friday"),
    (compare(when("month"), "at_most", 5), "the month is at or below May"),
    (above(held("entry_price"), 0), "a position is open"),
    (c.Never(of=above(held("entry_price"), 0)), "no position is open"),
    (above(held("entry_price"), 5), "the entry price is above 5"),
]  # fmt: skip


@pytest.mark.parametrize(("node", "said"), OPERANDS)
def test_an_operand_has_its_words(node: c.Operand, said: str) -> None:
    assert operand(node, KNOWN) == said


@pytest.mark.parametrize(("node", "said"), CONDITIONS)
def test_a_condition_has_its_words(node: c.Condition, said: str) -> None:
    assert condition(node, KNOWN) == said


def test_what_is_added_is_told_from_what_is_opened() -> None:
    open_ = above(held("entry_price"), 0)
    more = compare(CLOSE, "at_least", calc(held("entry_price"), "add", "atr"))
    told = every(up("rsi", 50), c.Never(of=open_)), more, every(up("rsi", 60), open_)
    entries = [c.Entry(side=c.Side.LONG, when=when, reason="r") for when in told]
    assert rules(replace(KNOWN, entries=tuple(entries), exits=())) == [
        "Enter long at the next open when RSI(14, Wilder) crosses above 50 and "
        "no position is open.",
        "Add to the long at the next open when the close is at or above "
        "the newest position's entry price plus ATR(14, Wilder).",
        "Add to the long at the next open when RSI(14, Wilder) crosses above 60 and "
        "a position is open.",
    ]


def test_a_simple_request_reads_like_one() -> None:
    assert explain(REQUESTS["V01"]).splitlines() == [
        "v01: SPY, D1 bars.",
        "Enter long at the next open when RSI(14, Wilder) crosses below 30.",
        "Leave the long at the next open when RSI(14, Wilder) crosses above 70.",
        "No resting stop.",
        "Size: 1 unit a trade, unless the account's settings say otherwise.",
        "One position at a time.",
        "Costs: none, which flatters the result.",
    ]


FULL = replace(
    contract(
        "full", (ind("atr", "atr"),),
        (enter(LONG, above(CLOSE, 1), limit=calc(CLOSE, "multiply", 0.99)),
         enter(SHORT, below(CLOSE, 1))),
        (leave(None, above(CLOSE, 9)),),
        reverse=True, timeframe="H1", symbol="EURUSD",
        sizing=c.Sizing(kind="risk_percent", amount=Decimal("1.5")),
        costs=c.Costs(commission_per_trade=Decimal(1), commission_per_unit=Decimal("0.01"),
                      commission_percent=Decimal("0.05"), spread=Decimal("0.0002"),
                      slippage=Decimal("0.0001"), slippage_percent_of_range=Decimal(2)),
        stops=(at(far("atr", 2, "atr")), at(price=LOW, side=LONG)),
        targets=(at(far("r", 2)), at(far("percent", 5)), at(far("pips", 50)), at(far("price", 3))),
        trailing=(c.Trailing(side=LONG, distance=far("percent", 4), starts_after=far("r", 1)),
                  c.Trailing(side=None, distance=far("atr", 3, "atr"), mark="extreme")),
        break_even_after=far("pips", 20), exit_after_bars=5, exit_at="20:00", max_positions=3,
        cooldown_bars=4, cooldown_after="loss", max_entries_per_day=2,
    ),
    assumptions=(c.Assumption(topic="session", taken="UTC", because="none was given"),),
    open_questions=("Which broker?",),
)  # fmt: skip
SAID = [
    "Enter long with a limit order at the close times 0.99, good for the next bar, when the close "
    "is above 1.",
    "Enter short at the next open when the close is below 1.",
    "Leave any position at the next open when the close is above 9.",
    "An entry of the other side closes the position and opens the other at once.",
    "Stop: 2 x ATR(14, Wilder) against, from the close decided on or the limit price.",
    "Stop of a long: at the low.",
    "Target: 2 R (R is the distance to the stop) in favour, from the close decided on or the "
    "limit price.",
    "Target: 5% of the price decided on in favour, from the close decided on or the limit price.",
    "Target: 50 pips of 0.0001 in favour, from the close decided on or the limit price.",
    "Target: 3 in price in favour, from the close decided on or the limit price.",
    "Of several stops or targets the one that is reached first counts.",
    "Trailing exit of a long: leave at the next open when a close is more than 4% of the best mark "
    "from the best close since the fill; only once it was 1 R (R is the distance to the stop) in "
    "profit.",
    "Trailing exit: leave at the next open when a close is more than 3 x ATR(14, Wilder) from the "
    "best high (of a short: low) since the fill.",
    "Break even: once a close was 20 pips of 0.0001 in profit, leave at the next open when a close "
    "is back at the entry price or worse.",
    "Time exit: 6 bars after entry, at the open.",
    "Leave on bars stamped 20:00 or later.",
    "Size: 1.5% of the equity is lost when the stop is hit.",
    "At most 3 positions at a time.",
    "No entry before 4 bars have passed since a losing trade.",
    "At most 2 entries a day.",
    "Costs: 1 per trade, 0.01 per unit and fill, 0.05% of the value of each fill, a spread of "
    "0.0002, slippage of 0.0001 per fill, slippage of 2% of the bar's range.",
    "Assumed: session: UTC (none was given).",
    "Open question: Which broker?",
]


def test_every_setting_is_said() -> None:
    assert explain(FULL).splitlines()[1:] == SAID


def test_what_is_said_once_is_said_in_every_contract_that_has_it() -> None:
    for made in (*CONTRACTS.values(), *REQUESTS.values()):
        said = explain(made)
        assert said.count("Enter ") + said.count("Add to ") == len(made.entries)
        assert said.count("Leave ") >= len(made.exits)
        assert ("Stop" in said) == bool(made.risk.stops)
        assert ("Trailing" in said) == bool(made.risk.trailing)


def test_two_contracts_that_differ_are_told_apart() -> None:
    """A setting that nobody can see in the words could not be approved."""
    said = [explain(made).split(": ", 1)[1] for made in CONTRACTS.values()]
    assert len(set(said)) == len(said)
