"""`doctor` asks GitHub twice, with two clients: what they agree on, and what it says if not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.checkup import Settings
from bot.io.github import second
from bot.second_look import Second, compared
from tests.twin.desk import TOKENS, Desk
from tests.twin.running import Twin
from tests.workflows.preparing import run

ASKED = frozenset({"sandbox", "lint"})


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("second")) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Desk:
    return Desk(twin, tmp_path)


def protected(desk: Desk) -> None:
    desk.repo().create_label("strategy", "ededed")
    desk.repo().create_file("a.txt", "Add a", "a\n")
    path = desk.at("/branches/main/protection")
    told: dict[str, Any] = {
        "required_status_checks": {"strict": False, "contexts": sorted(ASKED)},
        "enforce_admins": None, "required_pull_request_reviews": None, "restrictions": None,
    }  # fmt: skip
    assert desk.api("PUT", path, **told).status_code == 200


def looked(desk: Desk, login: str = "octocat") -> Second:
    found = second.look(TOKENS + login, desk.twin.url, desk.full_name, 20)
    assert isinstance(found, Second), found
    return found


def test_the_other_client_reads_labels_the_branch_and_its_protection(desk: Desk) -> None:
    protected(desk)
    found = looked(desk)
    assert (found.default_branch, found.private, found.has_issues) == ("main", False, True)
    assert found.labels == {label.name for label in desk.repo().get_labels()}
    assert "strategy" in found.labels and found.checks == ASKED


def test_it_says_why_it_could_not_look(desk: Desk) -> None:
    said = second.look(TOKENS + "octocat", desk.twin.url, "octocat/nowhere", 20)
    assert isinstance(said, str) and said.startswith("NotFoundError")
    said = second.look(TOKENS + "octocat", "http://127.0.0.1:9", "octocat/x", 2)
    assert isinstance(said, str) and "127.0.0.1" in said


def test_the_doctor_says_that_both_read_the_same(desk: Desk) -> None:
    protected(desk)
    told = json.loads(run(desk, "doctor", "--json").stdout)["findings"]
    said = [f for f in told if f["name"] == "second-client"]
    assert [f["ok"] for f in said] == [True]
    assert said[0]["says"].startswith("github3.py reads the same as PyGithub")


FIRST = Settings(
    name="o/r", page="https://github.example/o/r", default_branch="main", has_issues=True,
    private=False, labels=frozenset({"a", "b"}), checks=frozenset({"sandbox", "a ruleset's"}),
)  # fmt: skip
SAME = Second("main", False, True, frozenset({"a", "b"}), frozenset({"sandbox"}))


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (replace(SAME, default_branch="trunk"), "PyGithub reads main, github3.py reads trunk"),
        (replace(SAME, private=True), "private: PyGithub reads False, github3.py reads True"),
        (replace(SAME, has_issues=False), "issues open: PyGithub reads True"),
        (replace(SAME, labels=frozenset()), "only PyGithub sees the labels a, b"),
        (replace(SAME, labels=frozenset({*SAME.labels, "c"})), "only github3.py sees the label c"),
        (replace(SAME, checks=frozenset({"x"})), "only github3.py sees the required check x"),
        ("NotFoundError: 404", "github3.py could not look: NotFoundError: 404"),
    ],
)
def test_a_difference_is_said_and_is_nobodys_lack(other: Second | str, says: str) -> None:
    found = compared(FIRST, other)
    assert not found.ok and not found.needed and says in found.says and found.fix


@pytest.mark.parametrize("same", [SAME, replace(SAME, checks=None)])
def test_what_only_one_of_them_can_see_is_no_difference(same: Second) -> None:
    """Rulesets are newer than github3.py, and a token may see no protection."""
    assert compared(FIRST, same).ok
