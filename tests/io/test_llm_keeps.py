"""What is already there is kept: a usable first answer, and the question that a note answers."""

from __future__ import annotations

import json

import pytest

from bot.io.llm.shown import for_planner
from schemas.work import TestsBuilt, WorkKind
from tests.io.model_desk import ModelDesk, order
from tests.io.model_server import Reply, answers, fails, recorded, says
from tests.story import Story

BUILD = order(WorkKind.BUILD_TESTS)
DIFF = json.loads(recorded("test_builder")["choices"][0]["message"]["content"])["diff"]
DOUBTFUL = answers("test_builder", diff=DIFF.replace("test_gap", "test_hole"))
EMPTIER = answers(
    "test_builder", diff=DIFF.replace("test_gap", "test_hole").replace("+from strategies", "+# ")
)
WORSE = [
    ("no answer", fails(401, "the key was withdrawn")),
    ("a refusal", says(None, refusal="I will not.")),
    ("no JSON", says("Sorry, here are the tests as text.")),
    ("another file", answers("test_builder", diff=DIFF.replace("+++ b/", "+++ b/other/"))),
    ("cut off", says('{"diff": "--- /dev', "length")),
    ("more doubts", EMPTIER),
]


@pytest.mark.parametrize("second", [w[1] for w in WORSE], ids=[w[0] for w in WORSE])
def test_a_usable_answer_stays_when_the_second_is_worse(model: ModelDesk, second: Reply) -> None:
    product, usage = model.ask(BUILD, DOUBTFUL, second)
    assert isinstance(product, TestsBuilt), product
    assert "def test_hole" in product.tests.tests and "import Strategy" in product.tests.tests
    assert product.tests.precheck == "FAILED"
    assert product.tests.notes == ("there is no test test_gap",)
    assert len(model.server.seen) == 2 and product.tests.usage == usage


def test_a_better_second_answer_is_taken(model: ModelDesk) -> None:
    product, _ = model.ask(BUILD, DOUBTFUL, answers("test_builder"))
    assert isinstance(product, TestsBuilt)
    assert product.tests.precheck == "PASSED" and "def test_gap" in product.tests.tests


def test_a_question_goes_back_with_its_answer() -> None:
    story = Story()
    story.answer()
    asked = story.now.questions
    assert asked
    story.say("/answer daily bars")
    planned = story.orders()[0]
    assert planned.request and planned.request.notes[-1].asked == asked
    shown = for_planner(planned).splitlines()
    answer = next(n for n, line in enumerate(shown) if line.endswith(": daily bars"))
    assert shown[answer - len(asked) : answer] == [f"asked: {question}" for question in asked]


def test_a_note_on_a_plan_has_no_question_above_it() -> None:
    story = Story()
    story.planned()
    story.say("/revise use a 2 % stop")
    planned = story.orders()[0]
    assert planned.request and planned.request.notes[-1].asked == ()
    assert for_planner(planned).count("asked: ") == len(planned.request.notes[0].asked)
