"""Figures of a year are shown only where there are days enough to speak of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.pages.draw import numbers
from bot.text.measures import MEASURES, SHORT
from bot.text.report import report_comment
from schemas.figures import summary_of
from simbroker.report import report
from simbroker.statistics import DAY
from tests.simbroker.test_statistics import run_of
from tests.text import reported


@pytest.mark.parametrize("days", [29, 30])
def test_a_few_days_are_not_stretched_to_a_year(days: int) -> None:
    state, now = reported.delivery(), replace(reported.FULL, returns=days)
    runs = (replace(state.runs[0], summary=reported.FULL), replace(state.runs[1], summary=now))
    body = report_comment(replace(state, runs=runs), None)
    rows = [row.split(" | ") for row in body.splitlines() if row.startswith("| ")]
    found = {row[0].removeprefix("| "): row[1:4] for row in rows}
    for name, told in (
        ("Sharpe", "0.38"), ("Sharpe of holding", "0.75"), ("Sortino", "0.51"),
        ("return a year (CAGR)", "+0.17%"),
    ):  # fmt: skip
        assert found[name][0] == (SHORT if days < 30 else told)
        assert found[name][2].startswith("–" if days < 30 else "same")
    assert found["net result"][0] == "+96.71"
    assert ("with a Sharpe of" in body) == (days >= 30)


@pytest.mark.parametrize(("bars", "a_day", "days"), [(96, 24, 4), (29, 1, 29), (30, 1, 30)])
def test_nor_are_those_of_a_backtest_by_hand(bars: int, a_day: int, days: int) -> None:
    found = summary_of(report(run_of([100.0 + n % 5 for n in range(bars)], step=DAY // a_day)))
    assert found.returns == days
    told = {m.name: m.told(found) for m in MEASURES if m.yearly}
    assert {"Sharpe", "Sortino", "return a year (CAGR)"} < set(told)
    for name in ("Sharpe", "return a year (CAGR)"):
        assert (told[name] == SHORT) == (days < 30), name


def test_a_dash_with_its_reason_stands_among_numbers() -> None:
    assert numbers([("Sharpe", SHORT), ("trades", "61")]) == {1}
