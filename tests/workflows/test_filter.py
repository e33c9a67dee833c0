"""Who passes the first job of stratbot.yml: all that the bot would answer, and little else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import registry
from bot.twin.actions.expressions import holds
from tests.workflows.files import HOME, jobs

CONDITION = jobs(HOME / "workflows" / "stratbot.yml")["filter"]["if"]


def passes(name: str, payload: dict[str, Any]) -> bool:
    event = {"sender": {"type": "User"}, "issue": {"labels": []}, **payload}
    github = {"event_name": name, "event": event}
    return holds(CONDITION, {"github": github, "vars": {}, "success": True})


def commented(body: str, *labels: str, kind: str = "User", action: str = "created") -> bool:
    issue = {"labels": [{"name": label} for label in labels]}
    comment = {"body": body, "user": {"type": kind}}
    return passes("issue_comment", {"action": action, "issue": issue, "comment": comment})


@given(st.text(alphabet=" /a.!2_\n", max_size=8))
def test_whatever_is_a_command_passes(body: str) -> None:
    assert registry.parse(body) is None or commented(body)


@pytest.mark.parametrize("body", ["/help", " /help", "  /help", "   /help", "/help."])
def test_commands_pass(body: str) -> None:
    assert registry.parse(body) and commented(body)


@pytest.mark.parametrize("label", ["debug", "incident"])
def test_of_an_incident_only_commands_pass(label: str) -> None:
    """It is what a trader is told of: there `/rollback flatten` must not be silence."""
    assert commented("/rollback flatten", label)
    assert not commented("what now?", label)
    assert not commented("edited", label, kind="Bot", action="edited")
    assert not passes("issues", {"action": "edited", "issue": {"labels": [{"name": label}]}})
    assert passes("issues", {"action": "edited"}) and commented("x", kind="Bot", action="edited")


@pytest.mark.parametrize(
    ("label", "by", "heard"),
    [("not-a-request", "User", True), ("incident", "User", True), ("bug", "User", False),
     ("stratbot:held", "User", False), ("debug", "Bot", False)],
)  # fmt: skip
def test_a_label_that_says_it_is_no_request_is_heard(label: str, by: str, heard: bool) -> None:
    issue = {"labels": [{"name": "stratbot:opened"}, {"name": label}]}
    payload = {"action": "labeled", "label": {"name": label}, "sender": {"type": by}}
    assert passes("issues", {**payload, "issue": issue}) is heard
    never_one = {"labels": [{"name": label}]}
    assert not passes("issues", {**payload, "issue": never_one})


def test_what_is_left_alone_stays_alone() -> None:
    assert not commented("/rollback flatten", "not-a-request")


@pytest.mark.parametrize("body", ["", "help", "> /help", "see /help", "    /help", "\n/help"])
def test_talk_among_people_starts_nothing(body: str) -> None:
    assert not commented(body)
