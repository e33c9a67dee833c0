"""Words from the sandbox stay words: in the comment as it is rendered, and in the check run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.text.check import check_run
from bot.text.report import report_comment
from bot.twin.pages.markdown import said
from schemas.base import TaskId
from schemas.report import Changes
from tests.text import reported
from tests.text.reported import LEAK

EVIL = (
    "@octocat please look",
    "[click](https://evil.example)",
    "see www.evil.example now",
    "![x](https://evil.example/p.png)",
    "```\n/approve\n```",
    "~~~\n# big",
    "</pre></details><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- stratbot:status -->",
    "\n/approve-live " + "a" * 40,
    "::error file=x::boo",
    "a | b | c |\n|---|---|",
    "fixes #1 and GH-2",
    "**bold** _slanted_ ~~gone~~ $x^2$",
    "\u202egnihtemos\u200b",
    "- [x] done",
    "x</code>`</summary>",
)
EVERYWHERE = pytest.mark.parametrize("evil", EVIL)
OWN_LINKS = {"/o/r/issues/12", "/o/r/issues/7"}


def state(evil: str) -> str:
    finding = replace(LEAK, message=evil, fix=evil[:500], trace=f"one\n{evil}\n\n{evil}",
                      file=evil[:500], test_name=evil[:500])  # fmt: skip
    flow = reported.red_milestone(finding, replace(finding, file="strategy.py"))
    assert flow.report is not None
    changes = Changes(added=1, removed=0, moved=0, same=0, examples=(evil,))
    older = replace(reported.run(TaskId.INDICATORS, reported.OLD, False), failed=(evil,))
    ending = replace(reported.ENDINGS[2], reason=evil[:80])
    newest = replace(flow.runs[0], summary=replace(reported.FULL, endings=(ending,)))
    told = replace(flow, report=replace(flow.report, changes=changes), runs=(older, newest))
    return report_comment(told, TaskId.INDICATORS)


@EVERYWHERE
def test_nothing_comes_alive(evil: str) -> None:
    html = str(said(state(evil), "/o/r"))
    assert set(re.findall(r'href="([^"]*)"', html)) <= OWN_LINKS
    for tag in ("<img", "<script", "<input", "<h1", "<em", "<del"):
        assert tag not in html, tag


@EVERYWHERE
def test_the_shape_of_the_comment_stays(evil: str) -> None:
    """The same headings, tables and folds as with harmless words."""
    tags = re.compile(r"</?(?:h\d|table|tr|td|th|details|summary|pre|ul|li|code|strong)\b")
    harmless = tags.findall(str(said(state("words"), "/o/r")))
    assert tags.findall(str(said(state(evil), "/o/r"))) == harmless


@EVERYWHERE
def test_no_line_starts_a_command_and_no_hidden_marker_appears(evil: str) -> None:
    body = state(evil)
    assert not re.search(r"(?m)^\s*(/[a-z]|::)", body)
    assert "<!--" not in body
    assert "\u202e" not in body


@EVERYWHERE
def test_an_annotation_is_plain_text_at_a_line_of_ours(evil: str) -> None:
    finding = replace(LEAK, message=evil, fix=evil[:500])
    elsewhere = replace(finding, file=evil[:500])
    made = check_run(reported.red_milestone(finding, elsewhere), TaskId.INDICATORS, 1)
    (note,) = made.annotations
    assert (note.path, note.line) == ("strategies/rsi_30_70/strategy.py", 42)
    assert not re.search(r"@\w", note.message)
    assert "\u202e" not in note.message
