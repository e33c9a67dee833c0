"""A private repository on each plan of GitHub: `setup` and `doctor` ask for what it offers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.checkup import WORKFLOWS
from tests.twin.desk import Desk
from tests.twin.openapi import checked_exchanges
from tests.twin.running import Twin
from tests.workflows.preparing import lacks, run, ways
from tests.workflows.test_prepare import FLOW


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("plans")) as running:
        yield running


@pytest.fixture
def desk(twin: Twin, tmp_path: Path) -> Iterator[Desk]:
    with checked_exchanges():
        desk = Desk(twin, tmp_path, private=True)
        for name in WORKFLOWS:
            desk.repo().create_file(f".github/workflows/{name}", f"Add {name}", FLOW)
        yield desk


def pays(desk: Desk, plan: str | None) -> None:
    """None: for everything, as with GitHub Enterprise."""
    said = desk.api("PATCH", "/_twin/plans/octocat", "root", plan=plan)
    assert said.status_code == 200, said.text


def test_free(desk: Desk) -> None:
    pays(desk, "free")
    done, again, found = run(desk, "setup"), run(desk, "setup"), lacks(desk)
    told = run(desk, "doctor")
    assert (done.exit_code, told.exit_code) == (0, 0), done.output + told.output
    no = ["no plan"] * 3
    assert ways(done)[2:] == ["done", *no, "done"] and ways(again)[2:] == [
        "already",
        *no,
        "already",
    ]
    off = {name for name, finding in found.items() if finding["off_plan"]}
    assert off == {"environment-live", "rules"}
    assert not any(f["needed"] for f in found.values())
    _, _, last = told.stdout.partition("\n\nNot on your plan:\n")
    assert "merged without its check" in last and "no environments on GitHub Free" in last
    assert "needs a public repository or GitHub Enterprise; or GitHub Pro or Team" in last
    assert "keygen" not in told.stdout and "MISS" not in told.stdout


def test_pro_and_team(desk: Desk) -> None:
    """GitHub gives both the same answers; the environment is made, and open."""
    pays(desk, "pro")
    done, again = run(desk, "setup"), run(desk, "setup")
    assert (done.exit_code, again.exit_code) == (0, 0), done.output + again.output
    assert ways(done)[2:] == ["done", "no plan", "done", "done", "done"]
    assert ways(again)[2:] == ["already", "no plan", *["already"] * 3]
    live = desk.repo().get_environment("live")
    assert [rule.type for rule in live.protection_rules] == ["branch_policy"]
    found = lacks(desk)
    assert {name for name, f in found.items() if f["off_plan"]} == {"environment-live"}
    assert "GitHub Enterprise alone" in found["environment-live"]["fix"]
    assert set(found) == {"environment-live", "signing-key", "minutes", "site"}
    assert run(desk, "doctor").exit_code == 0


def test_pro_and_team_where_comments_are_the_gate(desk: Desk) -> None:
    pays(desk, "pro")
    desk.repo().create_variable("STRATBOT_POLICY", '{"gate": "comment"}')
    done = run(desk, "setup")
    assert done.exit_code == 0 and "no plan" not in ways(done)
    assert set(lacks(desk)) == {"signing-key", "minutes", "site"}


def test_enterprise(desk: Desk) -> None:
    pays(desk, None)
    done = run(desk, "setup", "--reviewer", "hubot")
    assert done.exit_code == 0 and "no plan" not in ways(done)
    assert set(lacks(desk)) == {"signing-key", "minutes", "site"}


def test_a_token_that_may_not_is_not_a_plan(desk: Desk) -> None:
    """The same status for another reason: that one is for a person to mend."""
    pays(desk, None)
    fault = {"path": "/rulesets|/protection$|/environments", "status": 403, "times": 1000}
    words = "Resource not accessible by personal access token"
    assert desk.api("POST", "/_twin/faults", "root", **fault, message=words).status_code == 201
    try:
        done, told = run(desk, "setup"), run(desk, "doctor")
    finally:
        desk.api("DELETE", "/_twin/faults", "root")
    assert done.exit_code == 1 and ways(done)[3:6] == ["by hand"] * 3
    assert told.exit_code == 1 and "Not on your plan" not in told.stdout
    assert "Administration, Contents, Issues and Variables to write" in told.stdout
