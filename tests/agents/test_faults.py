"""What cannot be meant is refused with a sentence, and people's words do no harm in code."""

from __future__ import annotations

import ast
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bot.agents.coder import write_strategy, write_tests
from bot.agents.faults import Unwritable, faults
from bot.agents.spelling import Names, identifier, module_name, prose, reason
from sandbox.intake import check
from schemas import contract as c
from schemas.base import TaskId
from tests.agents.making import (
    CLOSE,
    LONG,
    LOW,
    SHORT,
    above,
    at,
    calc,
    contract,
    enter,
    far,
    held,
    ind,
    leave,
    of,
    up,
)
from tests.agents.table import CONTRACTS

RISING = (enter(LONG, above(CLOSE, 1)),)
BOTH = (*RISING, enter(SHORT, above(1, CLOSE)))


def made(*indicators: c.Indicator, entries: Any = RISING, **more: Any) -> c.Contract:
    return contract("x", indicators, entries, **more)


def sized(kind: Any, amount: str) -> c.Sizing:
    return c.Sizing(kind=kind, amount=Decimal(amount))


FAULTS = [
    (made(ind("a", "sma"), ind("a", "ema")), "two indicators have the id a"),
    (made(ind("a", "magic")), "indicator a has the unknown kind magic"),
    (made(ind("a", "sma", lenght=5)), "a: sma has no parameter lenght, only length"),
    (made(ind("a", "sma", length=2.5)), "a: length must be a whole number from 1 on, not 2.5"),
    (made(ind("a", "sma", length=0)), "a: length must be a whole number from 1 on, not 0"),
    (made(ind("a", "opening_range", start=-2)), "a: start must be a whole number from -1 on"),
    (made(ind("a", "bollinger", width=-1)), "a: width must be above zero, not -1"),
    (made(ind("b", "sma"), ind("a", "atr", of=of("b"))), "a: atr reads the bars and cannot be"),
    (made(ind("a", "sma", smoothing="Wilder")), "a: sma has one way of smoothing"),
    (made(ind("a", "atr", smoothing="Hull")), "a: smoothing is Wilder, simple or exponential"),
    (made(entries=(enter(LONG, up("a", 1)),)), "entry 1 names a, which is no indicator"),
    (made(ind("a", "macd"), entries=(enter(LONG, up("a", 1)),)), "entry 1: a has no output value"),
    (made(ind("a", "sma", of=of("b")), ind("b", "sma", of=of("a"))),
     "indicator a is made of itself"),
    (made(entries=(enter(LONG, above(calc(CLOSE, "divide", calc(1, "subtract", 1)), 1)),)),
     "entry 1 divides by zero"),
    (made(stops=(at(price=held("entry_price")),)), "stop 1 reads the open position"),
    (made(entries=(enter(LONG, above(CLOSE, held("entry_price"))),), reverse=True),
     "an entry that reads the open position cannot reverse it"),
    (made(stops=(at(far("atr", 1)),)), "the stop counts in ATRs but names no indicator"),
    (made(ind("m", "macd"), stops=(at(far("atr", 1, "m")),)), "m, which has more than one output"),
    (made(stops=(at(far("r", 1)),)), "a stop cannot be counted in R"),
    (made(targets=(at(far("r", 1)),)), "the target counts in R, but not every side has a stop"),
    (made(stops=(at(far("percent", 100)),)), "the stop is 100% away: give less than 100%"),
    (made(stops=(at(),)), "a stop needs either a distance or a price"),
    (made(targets=(at(far("price", 1), CLOSE),)), "a target needs either a distance or a price"),
    (made(stops=(at(price=LOW, base="fill"),)), "a stop at a price is not measured from the fill"),
    (made(stops=(at(far("percent", 1), base="fill"),), targets=(at(far("r", 1)),)),
     "a target in R is measured from what its stop is measured from"),
    (made(sizing=sized("risk_percent", "1")), "the size is a risk, but not every side has a stop"),
    (made(entries=BOTH, sizing=sized("risk_percent", "1"),
          stops=(at(far("percent", 1), side=LONG),)), "the size is a risk, but not every side"),
    (made(sizing=sized("fixed_units", "0")), "the size must be above zero"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "said"), FAULTS, ids=[said[:50] for _, said in FAULTS])
def test_a_fault_is_named(bad: c.Contract, said: str) -> None:
    found = faults(bad)
    assert any(said in sentence for sentence in found), found
    for write in (write_strategy, write_tests):
        with pytest.raises(Unwritable, match="."):
            write(bad)


def test_the_table_has_no_faults() -> None:
    assert {name: faults(made) for name, made in CONTRACTS.items() if faults(made)} == {}


HOSTILE = [
    '"""\nimport os\n', "# noqa: E501", "'; import os #", "@octocat", "::error::x", "=1+1",
    "2024-01-01", "now", "__class__", "\u202eabc", "<script>alert(1)</script>", "[x](https://y)",
    "", " ", "{0.__class__}", "\\N{BULLET}", "a" * 500, "é ≥ →", "coding: latin-1", "| a |-|",
    "token = 'abcdefghijklmnop1234'",
]  # fmt: skip


@pytest.mark.parametrize("words", HOSTILE)
def test_words_of_people_stay_words(words: str) -> None:
    made = replace(
        contract(
            "x", (), (enter(LONG, above(CLOSE, 1), words),), (leave(None, above(2, CLOSE), words),)
        ),
        summary=words,
        assumptions=(c.Assumption(topic=words, taken=words, because=words),),
        open_questions=(words,),
    )
    strategy, tests = write_strategy(made), write_tests(made)
    assert check(strategy.encode(), tests.encode()) == ()
    assert all(len(line) <= 100 for line in (strategy + tests).splitlines())


def test_no_free_prose_of_a_contract_is_in_the_file_that_is_delivered() -> None:
    """A model writes it and no check compares it with the code: a lie or a link would stay."""
    plain = contract("x", (), (enter(LONG, above(CLOSE, 1)),), (leave(None, above(2, CLOSE)),))
    lie = "Never loses; see example.org/vip"
    told = replace(
        plain,
        summary=lie,
        assumptions=(c.Assumption(topic=lie, taken=lie, because=lie),),
        open_questions=(lie,),
    )
    for step in (TaskId.DATA, TaskId.INDICATORS, TaskId.ENTRY, TaskId.EXIT):
        assert write_strategy(told, step) == write_strategy(plain, step)
        assert write_tests(told, step) == write_tests(plain, step)
    said = ast.get_docstring(ast.parse(write_strategy(told))) or ""
    assert "Enter long at the next open when" in said and "example.org" not in said


def test_reasons_are_short_plain_words() -> None:
    assert reason("RSI < 30 & close >= SMA") == "RSI below 30 close at least SMA"
    assert reason("now") == "rule now" and reason("") == "rule"
    assert len(reason("word " * 100)) <= 60
    assert prose('say "hi"\n# and \\ go') == "say 'hi' no. and / go"


def test_names_are_names_of_python_and_each_is_its_own() -> None:
    names = Names()
    wishes = [
        "rsi",
        "rsi",
        "RSI-2",
        "9.ema",
        "class",
        "df",
        "open",
        "é",
        "x" * 99,
        "x" * 99,
        "self",
    ]
    taken = [names.take(wish) for wish in wishes]
    assert len(set(taken)) == len(taken) and all(name.isidentifier() for name in taken)
    assert not {"class", "df", "open", "self", "rsi"} & set(taken)
    assert identifier("RSI-2") == "rsi_2" and names.constant("stop r") == "STOP_R"
    assert module_name("my-plan.v2") == "my_plan_v2" and module_name("9lives") == "s_9lives"
