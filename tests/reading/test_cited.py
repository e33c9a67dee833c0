"""Which sentence became which statement: links that are there, and none that is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.agents import sheet_plan
from bot.reading.cited.links import KINDS
from bot.reading.cited.rows import Row, Table, table
from bot.reading.cited.sentences import sentences
from bot.reading.cited.statements import lines
from schemas.contract import Contract
from schemas.sheet import put_into, read_sheet, rules_of
from schemas.work import PlanMade
from tests.agents.test_sheet_plan import order
from tests.sheet.corpus import by_chance, contracts

SHEET = """symbol SPY
timeframe D1
enter long when rsi(2) < 10 and close > sma(200)
exit long when rsi(2) > 70
exit after 10 bars
stop 5 % from fill
size risk_percent 1
commission 0.05 %
"""
BODY = """Buy SPY when RSI(2) is below 10 and the close is above the 200 day SMA.
Sell when RSI(2) is above 70, or after 10 days. Stop 5% below the fill. Daily bars, long only.
Risk 1% of the account on each trade, 5 bps commission."""


def contract(changed: tuple[str, str] = ("", "")) -> Contract:
    """As a writer of any kind could have made it."""
    made = sheet_plan.planned(order(f"```sheet\n{SHEET}```"))
    assert isinstance(made, PlanMade)
    rules = read_sheet(SHEET.replace(*changed)).rules
    assert rules is not None
    return put_into(made.contract, rules)


def rows(body: str, *notes: str, changed: tuple[str, str] = ("", "")) -> Table:
    return table("A title", body, notes, contract(changed))


def only(body: str, changed: tuple[str, str] = ("", "")) -> Row:
    (row,) = rows(body, changed=changed).rows
    return row


def test_each_sentence_has_its_statements_and_its_own_words() -> None:
    found = rows(BODY)
    assert [row.typed for row in found.rows] == [s.typed for s in sentences(BODY)]
    assert all(row.typed in BODY for row in found.rows)
    assert [row.cited for row in found.rows] == [
        ("symbol SPY", "enter long when rsi(2) < 10 and close > sma(200)"),
        ("exit long when rsi(2) > 70", "exit after 10 bars"),
        ("stop 5 % from fill",),
        ("timeframe D1",),
        ("size risk_percent 1", "commission 0.05 %"),
    ]
    assert not any(row.missing for row in found.rows) and found.unsaid == ()


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("Buy when RSI(2) is below 10.", ("rsi(2) < 10 and", "rsi(2) > 10 and")),
        ("Buy when RSI(2) is below 10.", ("rsi(2) < 10 and", "rsi(2) < 15 and")),
        ("Buy when RSI(2) is below 10.", ("rsi(2) < 10 and", "cci(2) < 10 and")),
        ("Sell when RSI(2) is above 70.", ("exit long when rsi(2) > 70\n", "")),
        ("Stop 5% below the fill.", ("stop 5 %", "stop 50 %")),
        (
            "Stop 5% below the fill.",
            ("stop 5 % from fill\nsize risk_percent 1", "target 5 % from fill"),
        ),
        ("Exit after 10 days.", ("exit after 10 bars", "exit after 9 bars")),
        ("Buy when it is down more than 5%.", ("rsi(2) < 10 and", "rsi(2) < 12 and")),
        ("Trade QQQ.", ("", "")),
        ("Risk 2% of the account.", ("", "")),
        ("No trades around earnings.", ("", "")),
        ("Only in the first hour after the open.", ("", "")),
    ],
)
def test_no_link_where_number_name_direction_or_side_differ(
    sentence: str, changed: tuple[str, str]
) -> None:
    assert not only(sentence, changed).used


def test_a_number_that_only_a_condition_has_is_no_stop() -> None:
    """ "If it is down more than 1%" never stands beside "stop 1 %"."""
    row = only("Buy if SPY is down more than 1%.", ("stop 5 %", "stop 1 %"))
    assert row.cited == ("symbol SPY",) and row.missing == ("1%",)


@pytest.mark.parametrize(
    ("sentence", "cited", "missing"),
    [
        ("RSI(2) under 10 and ADX(14) over 25: buy.", ("rsi(2) < 10",), ("14", "25")),
        ("Sell above 70, but not before earnings.", ("exit long when rsi(2) > 70",), ("earnings",)),
        ("Stop 5%, target 12%.", ("stop 5 % from fill",), ("12%",)),
        ("Hold it for two weeks at most.", ("exit after 10 bars",), ()),
        ("RSI of 2 bars.", ("rsi(2)",), ()),
    ],
)
def test_what_a_sentence_says_besides_is_named(
    sentence: str, cited: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    row = only(sentence)
    assert (row.cited, row.missing) == (cited, missing)


def test_what_nobody_said_is_listed() -> None:
    found = rows(
        "Buy SPY when RSI(2) is below 10.", changed=("\nexit after", "\ntarget 3 %\nexit after")
    )
    assert "target 3 % from fill" in found.unsaid and "timeframe D1" in found.unsaid


def test_a_later_note_takes_the_place_of_a_sentence() -> None:
    found = rows("Stop 8% below the close.", "use a 5 % stop")
    assert [(r.instead, r.cited) for r in found.rows] == [
        (("stop 5 % from fill",), ()),
        ((), ("stop 5 % from fill",)),
    ]


def test_headings_of_the_form_give_a_sentence_its_subject() -> None:
    found = rows("### Stop\n\n5%\n\n### Exit\n\nRSI(2) above 70\n\n### Notes\n\n_No response_\n")
    assert [(r.under, r.typed, r.cited) for r in found.rows] == [
        ("Stop", "5%", ("stop 5 % from fill",)),
        ("Exit", "RSI(2) above 70", ("exit long when rsi(2) > 70",)),
    ]


def test_another_language_is_read_and_shown_unaltered() -> None:
    body = (
        "SPY, Tageschart. Kaufen, wenn der RSI(2) unter 10 liegt. Verkaufen, wenn er über 70 liegt."
    )
    found = rows(body)
    assert found.rows[1].typed == "Kaufen, wenn der RSI(2) unter 10 liegt."
    assert found.rows[1].cited == ("rsi(2) < 10",)


def test_courtesy_is_no_row_and_a_wrapped_line_is_one() -> None:
    rule = "Buy SPY when RSI(2) is below 10 and also when the close is above\nthe 200 day SMA."
    body = f"Hello!\n{rule}\nThanks a lot!"
    (row,) = rows(body).rows
    assert row.cited == ("symbol SPY", "enter long when rsi(2) < 10 and close > sma(200)")


def test_every_statement_of_every_contract_has_a_rule_of_its_own() -> None:
    for made in [*contracts().values(), *by_chance(60)]:
        for line in lines(rules_of(made)):
            assert line.kind in KINDS or line.kind in ("enter", "exit"), line
    table("x", "a | b `c` 5% 10:30 0x1 \x00 stop", ["/revise"], replace(contract(), summary="x"))
