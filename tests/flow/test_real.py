"""The same way with nothing by rules: the real sandbox tests what the bot writes."""

from __future__ import annotations

import pytest

from tests.flow.test_failures import building, strategy
from tests.flow.world import Story, World
from tests.twin.running import Twin

REAL = "sandbox/work.py"


def asked(twin: Twin, tmp: pytest.TempPathFactory, auto_merge: bool) -> Story:
    """Without containers, so that it runs where there is no engine; the policy says so."""
    folder = tmp.mktemp("real")
    world = World(twin, folder, REAL, auto_merge=auto_merge, unisolated=True)
    world.patience = 1200
    world.variable("STRATBOT_BACKEND", "process")
    return building(world.ask())


def test_a_first_step_passes_the_real_checks(
    twin: Twin, tmp_path_factory: pytest.TempPathFactory
) -> None:
    story = asked(twin, tmp_path_factory, auto_merge=False)
    story.comes_to("building", "needs-human")
    report = story.report(story.pull("t1_data"))
    assert "Load the data: passed on" in report
    for check in ("flake8", "bandit", "mypy", "pytest", "secrets"):
        assert f"| {check} |" in report or f"`{check}`" in report, check


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
