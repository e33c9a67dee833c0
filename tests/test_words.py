"""Somebody else's words are shown, and nothing more: they call nobody and hide nothing."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from schemas.base import TaskId
from schemas.contract import Assumption
from schemas.report import FailureClass, Finding, Outcome
from schemas.work import PlanMade, QuestionsAsked, RequestDeclined, Tested, WorkKind
from schemas.workflow import Phase
from tests import samples
from tests.story import Story


def test_hostile_words_of_a_report_stay_words() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    bad = samples.red(TaskId.DATA, story.orders()[0].head or "", "rule")
    finding = Finding(
        failure_class=FailureClass.TEST_FAILURES, rule="rule", message=NASTY, test_name="t"
    )
    checks = (replace(bad.checks[0], outcome=Outcome.FAILED, findings=(finding,)), *bad.checks[1:])
    story.answer(Tested(report=replace(bad, checks=checks)))
    for shown in [*story.hub.status.values(), *story.hub.issue_bodies]:
        assert not alive(shown)


def test_hostile_words_of_a_plan_stay_words() -> None:
    story = Story()
    story.answer(QuestionsAsked(questions=(NASTY, "~~~")))
    assert not alive(story.status) and "1. &lt;/details&gt;" in story.status
    story.say("/answer x")
    guess = Assumption(topic=NASTY, taken=NASTY, because=NASTY)
    contract = replace(samples.contract(), summary=NASTY, assumptions=(guess,))
    items = tuple(replace(item, title=NASTY) for item in samples.todo().items)
    story.answer(PlanMade(contract=contract, todo=replace(samples.todo(), items=items)))
    assert not alive(story.status) and not alive(story.say("/plan"))


def test_the_words_of_a_refusal_stay_words() -> None:
    story = Story()
    story.answer(RequestDeclined(code="no", reason=NASTY))
    assert "octocat" in story.status
    assert not alive(story.status) and not alive(story.say("/status"))


NASTY = (
    "</details> @octocat ![x](http://x) `/nasty` &#64;octocat @&#111;ctocat #66; acme/x#66 gh-66 "
    "https://github.com/acme/x/issues/1\n/approve\n<!-- stratbot:status -->\n~~~\n```\n"
    "a title\n---\nanother\n=\n***"
)


def alive(shown: str) -> list[str]:
    """What GitHub would act on. It decodes entities before it looks for mentions."""
    shown = re.sub(r"(?ms)^```\nsymbol .*?^```$", "", shown)  # the sheet, in its fence
    read = html.unescape(shown)
    mentions = re.findall(r"@\w+|#6|(?i:gh-\d)|://|\bx#\w", read)
    markup = re.findall(r"<!-- stratbot|</details> |!\[|^\s*/|^ *```|^> ```|`/nasty`", shown, re.M)
    lines = re.findall(r"^[> ]*(?:~~~|-+|=+|\*\*\*)$", shown, re.M)
    return mentions + markup + lines
