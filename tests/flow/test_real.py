"""The same way with nothing by rules: the real sandbox tests what the bot writes."""

from __future__ import annotations

import json

import pytest

from tests.flow.test_failures import building, strategy
from tests.flow.world import Story, World
from tests.twin.running import Twin

REAL = "sandbox/work.py"
ORDERED = """

SEEN: list[int] = []


def test_that_it_comes_first() -> None:
    SEEN.append(1)
    assert SEEN == [1]


def test_that_it_comes_second() -> None:
    SEEN.append(1)
    assert SEEN == [1, 1]
"""
"""Two tests that pass in the order of the file only."""


def asked(twin: Twin, tmp: pytest.TempPathFactory, auto_merge: bool) -> Story:
    """Without containers, so that it runs where there is no engine; the policy says so."""
    folder = tmp.mktemp("real")
    world = World(twin, folder, REAL, auto_merge=auto_merge, unisolated=True)
    world.patience = 1200
    world.variable("STRATBOT_BACKEND", "process")
    return building(world.ask())


@pytest.fixture(scope="module")
def first(twin: Twin, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Its first step has passed and waits for a merge."""
    story = asked(twin, tmp_path_factory, auto_merge=False)
    return story.comes_to("building", "needs-human")


def told(story: Story, *kinds: str) -> list[dict[str, object]]:
    return [line for line in story.audit() if line["event_type"] in kinds]


def todos(story: Story) -> list[dict[str, str]]:
    return [line["branch_todo"] for line in story.audit() if "branch_todo" in line]


def test_a_first_step_passes_the_real_checks(first: Story) -> None:
    report = first.report(first.pull("t1_data"))
    assert "Load the data: passed on" in report
    for check in ("flake8", "bandit", "mypy", "pytest", "secrets"):
        assert f"| {check} |" in report or f"`{check}`" in report, check


def test_a_test_that_changes_its_mind_is_run_again_and_then_for_a_person(first: Story) -> None:
    path = strategy(first).replace("strategy.py", "test_strategy.py")
    text = first.file(path, first.branch("t1_data"))
    first.push(path, first.branch("t1_data"), (text, text + ORDERED))
    first.comes_to("escalated", "needs-human")
    first.world.rest()
    assert "Push tests that do not" in first.status
    [debug] = first.debug_issues()
    assert debug.state == "open" and "flaky_test" in debug.title
    assert "failed in reverse order" in debug.body
    assert [todo["target_agent"] for todo in todos(first)] == ["tester"] * 2
    ends = [line["event_type"] for line in told(first, "test.passed", "test.failed")]
    assert ends == ["test.passed", "test.failed", "test.failed"]
    figures = json.loads(first.world.printed("metrics", "--json"))
    assert figures["test_flakiness_rate"] == 0.6667


def test_a_method_of_another_name_is_for_the_architect(first: Story) -> None:
    """A person pushes it onto the branch that waits; the new plan waits for an approval."""
    path, branch = strategy(first), first.branch("t1_data")
    first.push(path, branch, ("def find_entries", "def find_entry"))
    first.comes_to("planned", "needs-human")
    first.world.rest()
    assert "so it needs a new plan" in first.status and "then `/approve` it" in first.status
    assert todos(first)[-1]["target_agent"] == "architect"
    assert any("spec_mismatch" in debug.title for debug in first.debug_issues())
    [again] = told(first, "task.dispatched")[-1:]
    assert again["agent_role"] == "architect"


@pytest.mark.soak
def test_the_whole_way_with_a_look_into_the_future_mended(
    twin: Twin, tmp_path_factory: pytest.TempPathFactory
) -> None:
    story = asked(twin, tmp_path_factory, auto_merge=False)
    for task in ("t1_data", "t2_indicators", "t3_entry", "t4_exit", "t5_tests"):
        pull = story.pull(task)
        story.box(task, "waiting for its merge")
        if task == "t2_indicators":
            wrong = ('close = df["Close"]\n', 'close = df["Close"].shift(-1)\n')
            story.push(strategy(story, task), pull.head.ref, wrong)
            story.until(story.debug_issues, lambda d: bool(d) and d[0].state == "closed")
        story.comes_to("building", "needs-human")
        story.world.rest()
        assert story.pull(task).merge().merged
        story.box(task, "merged")
    story.comes_to("delivering", "needs-human")
    report = story.report(story.pull("deliver"))
    assert "The whole strategy: passed" in report and "equity.svg" in report
