"""Which pictures the comment on a pull request shows, and their words."""

from __future__ import annotations

from dataclasses import replace

from bot.text.report import Place, report_comment
from schemas.base import TaskId
from tests.text import reported

PLACE = Place("https://github.example/o/r", "e" * 40)


def test_pictures_only_on_the_delivery_once_its_results_are_committed() -> None:
    picture = (
        "![Equity over time: net +96.71, maximum drawdown 135.69.](https://github.example/o/r/blob/"
        f"{'e' * 40}/strategies/rsi_30_70/results/equity.svg?raw=true)"
    )
    assert picture in report_comment(reported.delivery(), None, PLACE)
    assert "![" not in report_comment(reported.delivery(), None)
    assert "![" not in report_comment(reported.repaired(), TaskId.EXIT, PLACE)


def test_more_pictures_are_folded_and_say_what_they_show() -> None:
    body = report_comment(reported.delivery(), None, PLACE)
    _, folded = body.split("<details><summary>More pictures</summary>\n\n![")
    folded = folded.split("\n\n</details>")[0]
    for name, alt in {
        "months": "Return per month: a row for each year.",
        "spread": "Results of 61 trades: 18 won.",
        "stress": "Net result by costs: +96.71 as agreed, +76.31 at twice the costs.",
    }.items():
        assert f"{alt}](https://github.example/o/r/blob/{'e' * 40}/" in folded
        assert f"/strategies/rsi_30_70/results/{name}.svg?raw=true)" in folded


def test_the_words_of_the_price_count_the_trades_that_are_drawn() -> None:
    state = reported.delivery()
    many = replace(reported.FIGURES, total_trades=1500)
    runs = tuple(replace(r, summary=many) for r in state.runs)
    body = report_comment(replace(state, runs=runs), None, PLACE)
    assert "![Price with the entries and exits of the last 150 of 1500 trades.](" in body
    few = report_comment(state, None, PLACE)
    assert "![Price with the entries and exits of 61 trades.](" in few


def test_without_trades_there_is_nothing_more_to_show() -> None:
    state = reported.delivery()
    none = replace(reported.FIGURES, total_trades=0)
    runs = tuple(replace(r, summary=none) for r in state.runs)
    body = report_comment(replace(state, runs=runs), None, PLACE)
    assert "equity.svg" in body and "More pictures" not in body
