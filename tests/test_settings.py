"""Settings: variables of the repository, checked in one place and kept with each request."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from bot import settings
from bot.settings import BadSetting, in_force, model_of, most_cost, policy_of, problems
from bot.wanted import LIMITS, wanted
from schemas import codec
from schemas.report import FailureClass
from schemas.work import WorkFailed
from schemas.workflow import Phase, Policy, Workflow
from tests.fakes import FakeHub
from tests.story import Story
from tests.test_metrics import fails

SET = {
    "MAX_RETRIES": "5",
    "MAX_DEBUG_ATTEMPTS": "1",
    "TASK_TIMEOUT": "600",
    "SANDBOX_TIMEOUT": "120",
    "MIN_LINE_COV": "92.5",
}


def story(**variables: str) -> Story:
    """A request that was opened where these variables are set."""
    return Story(FakeHub(policy=policy_of(variables))).building()


def test_each_variable_says_what_a_request_is_held_to() -> None:
    assert policy_of(SET) == Policy(
        max_retries=5, max_debug_attempts=1, task_timeout=600, sandbox_timeout=120,
        min_line_coverage=92.5,
    )  # fmt: skip
    assert policy_of(dict.fromkeys(SET, "")) == policy_of({}) == Policy()


def test_a_variable_of_its_own_comes_before_the_policy() -> None:
    policy = json.dumps({"max_retries": 4, "sandbox_timeout": 60, "solo": True})
    found = policy_of({"STRATBOT_POLICY": policy, "MAX_RETRIES": " 1 "})
    assert (found.max_retries, found.sandbox_timeout, found.solo) == (1, 60, True)


BAD = {
    "MAX_RETRIES": ("many", "-1", "21", "1.5", "007", "1e3", "true", "[]", "9" * 30),
    "MAX_DEBUG_ATTEMPTS": ("0", "4"),
    "TASK_TIMEOUT": ("59", "21601", "10 minutes", "null"),
    "SANDBOX_TIMEOUT": ("9", "1801", "NaN"),
    "MIN_LINE_COV": ("101", "-0.1", "80%", "inf"),
    "MODEL_NAME": ("two words", "a\nb", "x" * 201),
    "TEST_MODEL": ("\u202egpt",),
    "STRATBOT_MAX_COST": ("0", "1001", "2 USD", "-2", "NaN", "1e2"),
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in BAD.items() for v in values])
def test_nonsense_is_refused_by_its_name(name: str, value: str) -> None:
    [said] = problems({name: value, **{n: v for n, v in SET.items() if n != name}})
    assert said.startswith(f"{name}: ") and len(said) < 200


def test_nonsense_stops_the_bot() -> None:
    with pytest.raises(BadSetting, match="MIN_LINE_COV: '80%' cannot be used"):
        policy_of({**SET, "MIN_LINE_COV": "80%"})
    assert most_cost({"STRATBOT_MAX_COST": "0.5"}) == Decimal("0.5") and most_cost({}) == 2
    assert model_of({"TEST_MODEL": "gpt-5.1/mini:free"}, "TEST_MODEL") == "gpt-5.1/mini:free"


def test_the_values_in_force_say_where_they_come_from() -> None:
    variables = {"STRATBOT_POLICY": '{"min_line_coverage": 70, "solo": true}', "MAX_RETRIES": "5"}
    found = {v.name: (v.value, v.source) for v in in_force(variables)}
    assert found["MAX_RETRIES"] == ("5", "variable")
    assert found["MIN_LINE_COV"] == ("70", "STRATBOT_POLICY")
    assert found["SANDBOX_TIMEOUT"] == ("300", "default")
    assert found["TEST_MODEL"] == ("MODEL_NAME", "default")
    assert (found["solo"], found["gate"]) == (
        ("yes", "STRATBOT_POLICY"),
        ("environment", "default"),
    )


def test_every_setting_of_a_request_is_a_field_and_every_field_is_told() -> None:
    known = {s.field for s in settings.OF_REQUESTS}
    assert known <= set(Policy.__dataclass_fields__)
    told = {v.name for v in in_force({})} | known | settings.DERIVED
    assert set(Policy.__dataclass_fields__) <= told


def test_a_state_without_settings_keeps_its_name() -> None:
    assert "max_retries" not in codec.line(Workflow(issue=7))
    assert codec.digest(Policy()) == codec.digest(replace(Policy(), max_retries=2))
    assert codec.digest(Policy()) != codec.digest(replace(Policy(), max_retries=5))


@pytest.mark.parametrize("retries", [0, 2, 4])
def test_lost_work_is_retried_as_often_as_the_setting_says(retries: int) -> None:
    told = story(MAX_RETRIES=str(retries))
    gone = WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine")
    for _ in range(retries):
        assert told.answer(gone).phase is Phase.BUILDING
    assert told.answer(gone).phase is Phase.ESCALATED and "no engine" in told.status


def test_work_is_lost_after_the_time_of_the_setting() -> None:
    told = story(TASK_TIMEOUT="600")
    first = told.orders()[0]
    told.look(after=500)
    assert told.orders() == [first]
    assert told.look(after=200) and told.orders()[0].key != first.key
    assert LIMITS[first.kind] > 700, "without the setting it would still be waited for"


def test_a_person_is_asked_after_the_repairs_of_the_setting() -> None:
    told = story(MAX_DEBUG_ATTEMPTS="1")
    phases = []
    for rule in ("first", "second"):
        fails(told, rule)
        phases.append(told.now.phase)
    assert phases == [Phase.BUILDING, Phase.ESCALATED]


def test_the_order_carries_what_its_worker_needs() -> None:
    told = story(SANDBOX_TIMEOUT="120", MIN_LINE_COV="90")
    [order] = wanted(told.now)
    assert (order.sandbox_timeout, order.min_line_coverage) == (120, 90.0)
    [plain] = wanted(story().now)
    assert "sandbox_timeout" not in codec.line(plain) and plain.sandbox_timeout == 300
