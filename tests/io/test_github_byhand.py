"""Pull requests of people: what no strategy is touched by may be merged, and the rest says how."""

from __future__ import annotations

import pytest

from bot.byhand import MOST, standing
from bot.io.github import byhand
from bot.text.byhand import has_strategy
from schemas.acts import CommitStatus, OpenPull
from tests.io.desk import BRANCH, DELIVER, Desk, publish

SHA = "a" * 40


@pytest.mark.parametrize(
    ("paths", "state"),
    [
        (["README.md", "docs/strategies/x.md", "strategies.md"], "success"),
        (["README.md", "strategies/x/strategy.py"], "failure"),
        ([f"docs/{n}" for n in range(MOST - 1)], "success"),
        ([f"docs/{n}" for n in range(MOST)], "failure"),
    ],
    ids=["none", "one", "many", "too many to know"],
)
def test_only_what_touches_no_strategy_is_green(paths: list[str], state: str) -> None:
    status = standing(SHA, paths)
    assert status.state == state and len(status.description) <= 140
    assert state == "success" or "run_in_sandbox.py" in has_strategy()


def pull(desk: Desk, branch: str, *paths: str, base: str = "main") -> str:
    desk.world.refs[branch] = desk.world.refs["main"]
    sha = desk.world.commit(branch, dict.fromkeys(paths, "x"), "by hand")
    desk.world.pull(desk.octocat, branch, base, branch, "")
    return sha


def states(desk: Desk) -> dict[str, str]:
    return {s["sha"]: s["state"] for s in desk.world.statuses}


def test_each_gets_its_status_once(desk: Desk) -> None:
    text, code = pull(desk, "fix", "README.md"), pull(desk, "mine", "strategies/x/strategy.py")
    said = [(number, view.state) for number, view in byhand.posted(desk.hub.site)]
    assert sorted(said) == [(2, "success"), (3, "failure")]
    assert states(desk) == {text: "success", code: "failure"}
    assert list(byhand.posted(desk.another().site)) == []
    pushed = desk.world.commit("fix", {"strategies/y": "x"}, "more")
    assert [view.sha for _, view in byhand.posted(desk.hub.site)] == [pushed]
    assert states(desk)[pushed] == "failure"


def test_a_file_that_left_the_strategies_touched_them(desk: Desk) -> None:
    sha = pull(desk, "fix", "old.py")
    desk.world.renamed["old.py"] = "strategies/x/strategy.py"
    list(byhand.posted(desk.hub.site))
    assert states(desk) == {sha: "failure"}


def test_what_somebody_said_already_stays(desk: Desk) -> None:
    sha = pull(desk, "mine", "strategies/x/strategy.py")
    desk.hub.show(desk.workflow, CommitStatus(sha=sha, state="success", description="I ran it"))
    assert not list(byhand.posted(desk.hub.site)) and states(desk) == {sha: "success"}


def test_the_bots_own_and_those_to_other_branches_are_left_alone(desk: Desk) -> None:
    desk.hub.perform(desk.workflow, publish())
    desk.hub.perform(desk.workflow, OpenPull(branch=BRANCH, base=DELIVER, title="t", body=""))
    pull(desk, DELIVER, "README.md")
    pull(desk, "aside", "README.md", base="next")
    assert not list(byhand.posted(desk.hub.site)) and not desk.world.statuses


def test_a_copy_of_the_bots_branch_in_a_fork_is_a_persons(desk: Desk) -> None:
    sha = pull(desk, DELIVER, "README.md")
    desk.world.forks[DELIVER] = "stranger/desk"
    assert [view.sha for _, view in byhand.posted(desk.hub.site)] == [sha]
