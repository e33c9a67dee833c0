"""What a filled form becomes, and whether the reader understands it as it is meant."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bot.agents.clean import clean
from bot.reading.read import Asked, Declined, Reading, read
from schemas.contract import Contract
from tests.workflows.files import HOME, load

FORM = HOME / "ISSUE_TEMPLATE" / "strategy.yml"
NOTHING = "_No response_"
ENTRY = "Buy when RSI(2) is below 10 and the close is above the 200-day SMA. Long only."
EXIT = "Sell when RSI(2) is above 70, or after 10 bars."
RISK = "Stop loss 5% below the entry price."


def fields() -> list[dict[str, Any]]:
    return [part for part in load(FORM)["body"] if part["type"] != "markdown"]


def filled(title: str = "", **given: str) -> Reading:
    """As GitHub writes it: a heading for each field; what was left out says so."""
    unknown = set(given) - {str(part["id"]) for part in fields()}
    assert not unknown, unknown
    body = "\n\n".join(
        f"### {part['attributes']['label']}\n\n{given.get(str(part['id']), NOTHING)}"
        for part in fields()
    )
    return read(clean(load(FORM)["title"] + title), clean(body))


def contract(found: Reading) -> Contract:
    assert not isinstance(found, Asked | Declined), found
    return found


def test_the_example_of_the_form_is_a_strategy() -> None:
    """What the grey text of each field says, typed in."""
    hints = {str(part["id"]): str(part["attributes"].get("placeholder", "")) for part in fields()}
    given = {key: text for key, text in hints.items() if text}
    found = contract(filled("Dips", timeframe="Daily", **given))
    assert (found.symbol, found.timeframe) == ("SPY", "D1")
    assert found.risk.stops and found.exits
    assert found.risk.exit_after_bars == 9  # from the bar of the fill on: held for ten
    assert (found.costs.commission_percent, found.risk.sizing.kind) == (
        Decimal("0.05"),
        "risk_percent",
    )


@pytest.mark.parametrize("label", load(FORM)["body"][2]["attributes"]["options"])
def test_every_timeframe_that_can_be_chosen_is_known(label: str) -> None:
    found = contract(filled(symbol="SPY", timeframe=label, entry=ENTRY, exit=EXIT, risk=RISK))
    number, _, unit = label.lower().partition(" ")
    wanted = {"daily": "D1", "weekly": "W1"}.get(number) or f"{unit[0].upper()}{number}"
    assert found.timeframe == wanted


@pytest.mark.parametrize(
    ("symbol", "means"),
    [("SPY", "SPY"), ("EUR/USD", "EURUSD"), ("btcusd", "BTCUSD"), ("Gold", "XAUUSD")],
)
def test_symbols_as_people_type_them(symbol: str, means: str) -> None:
    found = contract(filled(symbol=symbol, timeframe="Daily", entry=ENTRY, exit=EXIT, risk=RISK))
    assert found.symbol == means


def test_an_empty_field_is_nothing_said() -> None:
    short = contract(filled(symbol="SPY", timeframe="Daily", entry=ENTRY, exit=EXIT, risk=RISK))
    said = {k: "none" for k in ("costs", "more")}
    long = filled(symbol="SPY", timeframe="Daily", entry=ENTRY, exit=EXIT, risk=RISK, **said)
    assert replace(short, summary="") == replace(contract(long), summary="")
    assert "response" not in short.summary and "costs" not in short.summary
    assert "entry: buy when" in short.summary and "#" not in short.summary


def test_lists_and_several_lines() -> None:
    found = contract(
        filled(
            "Cross", symbol="QQQ", timeframe="1 hour",
            entry="- EMA 20 crosses above EMA 50\n- only above the SMA 200\n- long only",
            exit="* EMA 20 crosses below EMA 50\n* after 30 bars at the latest",
            risk="- stop: 2 x ATR(14)\n- take profit: 4 x ATR(14)",
            costs="commission 0.1%, slippage 2 ticks",
        )
    )  # fmt: skip
    assert (found.symbol, found.timeframe) == ("QQQ", "H1")
    assert found.risk.stops and found.risk.targets
    assert found.costs.commission_percent == Decimal("0.1")


def test_a_form_without_an_entry_is_asked_about() -> None:
    found = filled(symbol="SPY", timeframe="Daily", exit=EXIT, risk=RISK)
    assert isinstance(found, Asked) and "entry" in " ".join(found.questions).lower()


def test_without_a_risk_it_is_built_or_asked_about_but_never_with_a_stop() -> None:
    found = filled(symbol="SPY", timeframe="Daily", entry=ENTRY, exit=EXIT)
    assert isinstance(found, Asked) or (isinstance(found, Contract) and not found.risk.stops)


def test_an_incident_is_no_request() -> None:
    assert load(HOME / "ISSUE_TEMPLATE" / "incident.yml")["labels"] == ["incident"]
