"""The check run of one commit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.text.check import check_run
from schemas.base import TaskId
from tests.text import reported
from tests.text.reported import GREEN, LEAK, RED


def test_a_red_one_names_the_check_and_points_at_the_line() -> None:
    made = check_run(reported.red_milestone(), TaskId.INDICATORS, 3)
    assert (made.sha, made.run, made.passed) == (RED, 3, False)
    assert made.title == "Compute the indicators: causality"
    (note,) = made.annotations
    assert (note.path, note.line) == ("strategies/rsi_30_70/strategy.py", 42)
    assert note.title == "causality: look_ahead"
    assert f"Fix: {LEAK.fix}" in note.message
    assert "| `causality`: no look into the future | ✘ failed |" in made.summary


def test_a_green_one() -> None:
    made = check_run(reported.repaired(), TaskId.EXIT, 1)
    assert (made.sha, made.passed, made.annotations) == (GREEN, True, ())
    assert made.title == "Leave positions: all checks passed"
    assert "| net result | +96.71 |" in made.summary


def test_the_delivery_has_one_too() -> None:
    assert check_run(reported.delivery(), None, 1).title == "The whole strategy: all checks passed"


def test_a_finding_without_a_line_is_left_to_the_comment() -> None:
    made = check_run(reported.red_milestone(replace(LEAK, line=0)), TaskId.INDICATORS, 1)
    assert made.annotations == ()
    assert not made.passed


def test_github_takes_fifty_notes() -> None:
    state = reported.red_milestone(*[LEAK] * 50)
    assert state.report is not None
    twice = tuple(replace(c, findings=(LEAK,) * 50) for c in state.report.checks[:2])
    more = replace(state.report, checks=(*twice, *state.report.checks[2:]))
    made = check_run(replace(state, report=more), TaskId.INDICATORS, 1)
    assert len(made.annotations) == 50


def test_a_report_about_another_commit_is_told_on_the_one_that_was_to_be_tested() -> None:
    state = reported.repaired()
    assert state.report is not None
    made = check_run(replace(state, report=replace(state.report, commit_sha=RED)), TaskId.EXIT, 1)
    assert (made.sha, made.passed) == (GREEN, False)


def test_without_a_report_there_is_nothing_to_show() -> None:
    with pytest.raises(ValueError, match="no report"):
        check_run(replace(reported.delivery(), report=None), None, 1)
