"""Metrics come from the audit log alone: per week, per strategy, in every form."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from bot.events import Tick
from bot.handle import handle
from bot.io.gitref import GitRefStore
from bot.metrics import (
    MEANS,
    Counters,
    Line,
    Metrics,
    RoleFigures,
    TaskFigures,
    answers,
    by_role,
    by_strategy,
    by_task,
    by_week,
    counters,
    measure,
    week,
)
from schemas.base import TaskId
from schemas.report import FailureClass
from schemas.work import Tested, TestsBuilt, WorkFailed, WorkKind
from schemas.workflow import Phase
from tests import samples
from tests.fakes import FakeHub, MemoryStore, lines
from tests.story import Story
from tests.world import ISSUE, STORY, play

ROOT = Path(__file__).parent.parent
MONDAY = 1_700_438_400  # 2023-11-20


def told() -> list[Line]:
    store, hub = MemoryStore(), FakeHub()
    play(hub, STORY, lambda event: handle(event, store, hub))
    return lines(store)


def test_every_command_is_answered_and_timed() -> None:
    story = Story()
    for said in ("/help", "/status", "thanks"):
        story.say(said)
    found = measure([lines(story.store)])
    assert found.commands == 2
    assert found.avg_command_seconds == 4.0 and found.max_command_seconds == 4


def test_a_command_that_was_heard_late_took_long() -> None:
    """The sweep hears it ten minutes later: the clock ran all that time."""
    story = Story()
    story.hub.comment(ISSUE, "octocat", "/help")
    story.hub.clock += 600
    handle(Tick(ISSUE, story.hub.clock), story.store, story.hub)
    [(_, wait)] = answers(lines(story.store))
    assert wait is not None and wait >= 600


def test_a_word_that_is_no_command_is_not_waited_for() -> None:
    story = Story()
    story.say("quoting:\n> /approve")
    story.answer()
    assert {line.record.asked_at for line in lines(story.store)} == {None}
    assert measure([lines(story.store)]).commands == 0


def test_weeks_add_up_to_the_whole() -> None:
    rows = told()
    half = len(rows) // 2
    moved = [Line(x.record, x.workflow, MONDAY + 5 - 10 * (n < half)) for n, x in enumerate(rows)]
    whole, weeks = measure([moved]), by_week([moved])
    assert list(weeks) == ["2023-W46", "2023-W47"] == [week(MONDAY - 5), week(MONDAY + 5)]
    for name in ("commands", "trials", "api_calls"):
        assert sum(getattr(w, name) for w in weeks.values()) == getattr(whole, name)
    minutes = sum(w.actions_minutes for w in weeks.values())
    assert minutes == pytest.approx(whole.actions_minutes, abs=0.02)  # each is rounded by itself
    assert whole.trials > 5 and whole.actions_minutes > 1 and whole.commands > 5


def fails(story: Story, rule: str) -> None:
    """The next run does, because of this."""
    story.until(Phase.BUILDING, WorkKind.TEST)
    head = story.orders()[0].head or ""
    story.answer(Tested(report=samples.red(TaskId.DATA, head, rule)))


def test_a_flaky_run_counts_in_the_week_in_which_it_ran() -> None:
    """The task began a week before: then there was no run, so there is no rate."""
    story = Story(FakeHub(clock=MONDAY - 1000)).building()
    story.until(Phase.BUILDING, WorkKind.TEST)
    story.hub.clock = MONDAY + 1000
    fails(story, "flaky_test")
    story.answer()
    rows, weeks = lines(story.store), by_week([lines(story.store)])
    assert weeks["2023-W46"].tasks and weeks["2023-W46"].test_flakiness_rate is None
    assert weeks["2023-W47"].test_flakiness_rate == measure([rows]).test_flakiness_rate == 0.5


def test_a_flaky_run_is_not_forgotten_when_the_request_is_built_again() -> None:
    story = Story().building()
    fails(story, "flaky_test")
    fails(story, "spec_mismatch")
    story.until(Phase.PLANNED).say("/approve")
    assert not any(task.todos for task in story.now.tasks), "the tasks are new"
    fails(story, "flaky_test")
    assert measure([lines(story.store)]).test_flakiness_rate == 0.6667


def test_a_strategy_has_its_own_figures() -> None:
    story = Story()  # has no contract yet
    found = by_strategy([told(), lines(story.store)])
    assert list(found) == ["rsi_30_70"]
    assert found["rsi_30_70"] == measure([told()])


def test_each_type_of_task_has_its_own_pass_rate() -> None:
    found = by_task([told()])
    assert list(found) == [str(task) for task in TaskId if task is not TaskId.DELIVERY]
    whole = measure([told()])
    assert sum(of.tasks for of in found.values()) == whole.tasks == 5
    assert found["t1_data"].avg_iterations == 1.0 and found["t2_indicators"].avg_iterations == 2.0
    assert found["t3_entry"].avg_iterations == 5.0 and whole.avg_iterations == 2.0
    story = Story().building()
    fails(story, "first")
    assert by_task([lines(story.store)])["t1_data"].task_pass_rate == 0.0


def test_each_role_has_the_time_that_its_work_took() -> None:
    story = Story().building().until(Phase.BUILDING, WorkKind.TEST)
    story.hub.clock += 500
    story.answer()
    found = by_role([lines(story.store)])
    assert set(found) == {"planner", "coder", "tester"}
    assert (found["planner"].dispatched, found["planner"].finished) == (2, 2)
    assert (found["coder"].dispatched, found["coder"].finished) == (2, 1), "one is under way"
    took = found["tester"].avg_time_per_task
    assert took is not None and took >= 500 > (found["coder"].avg_time_per_task or 0)


def test_plans_of_tests_and_added_tests_are_counted_by_how_they_ended() -> None:
    assert counters([told()]) == Counters(1, {"PASSED": 1, "FAILED": 0})
    story = Story().building()
    while story.orders()[0].kind != WorkKind.BUILD_TESTS:
        if story.answer().phase is Phase.ESCALATED:
            story.say("/debug")
    story.answer(WorkFailed(failure_class=FailureClass.SANDBOX_ERROR, message="no engine"))
    story.answer(TestsBuilt(tests=replace(samples.generated(), precheck="FAILED", notes=("x",))))
    assert counters([lines(story.store)]) == Counters(1, {"PASSED": 0, "FAILED": 2})
    assert counters([told(), lines(story.store)]) == Counters(2, {"PASSED": 1, "FAILED": 2})
    assert counters([]) == Counters(0, {"PASSED": 0, "FAILED": 0})


def test_nothing_measured_is_said_so() -> None:
    empty = measure([[]])
    assert (empty.tasks, empty.task_pass_rate, empty.avg_command_seconds) == (0, None, None)


def test_every_figure_is_explained() -> None:
    assert set(MEANS) == set(Metrics.__dataclass_fields__)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real git repository with the refs of two requests, one of them with 3 requests a line."""
    home = tmp_path_factory.mktemp("log") / "state.git"
    subprocess.run(["git", "init", "-q", "--bare", str(home)], check=True)
    hub, spent = FakeHub(), [0]
    store = GitRefStore(str(home), None, lambda: spent[0])

    def deliver(event: object) -> object:
        spent[0] += 3
        return handle(event, store, hub)  # type: ignore[arg-type]

    play(hub, STORY[:6], deliver)  # type: ignore[arg-type]
    (home / "spent").write_text(str(spent[0]))
    return home


def show(log: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bot", "metrics", "--state", str(log), *more]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_openmetrics_that_the_library_reads_back(log: Path) -> None:
    text = show(log, "--format", "prometheus").stdout
    parsed = text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
    families = {family.name: family for family in parsed}
    kinds = ("", "strategy_", "week_")
    parts = {f"stratbot_task_{name}" for name in TaskFigures.__dataclass_fields__}
    parts |= {f"stratbot_role_{name}" for name in RoleFigures.__dataclass_fields__}
    everything = {f"stratbot_{kind}{name}" for kind in kinds for name in MEANS}
    assert set(families) == everything | parts | {"tp_specs", "tb_tests"}
    rows = families["stratbot_task_task_pass_rate"].samples
    assert {row.labels["task"] for row in rows} <= {str(task) for task in TaskId}
    whole = json.loads(show(log, "--format", "json").stdout)
    assert 0 < whole["api_calls"] <= int((log / "spent").read_text())
    for name in ("api_calls", "commands"):
        for kind in kinds:  # this log is of one strategy
            told = families[f"stratbot_{kind}{name}"].samples
            assert sum(s.value for s in told) == whole[name], "counted once"
            assert {*told[0].labels} == ({kind[:-1]} if kind else set())


def test_the_forms_agree(log: Path) -> None:
    table, page = show(log).stdout, show(log, "--format", "markdown").stdout
    whole = json.loads(show(log, "--json").stdout)
    assert f"{'commands':<22}{whole['commands']}\n" in table
    assert f"| commands | {whole['commands']} | {MEANS['commands']} |" in page
    assert {"t1_data", "coder"} <= {*whole["by_task"], *whole["by_role"]}
    assert f"{'tp_specs_total':<22}{whole['tp_specs_total']}\n" in table
    assert f"{'tb_tests_passed':<22}{whole['tb_tests_total']['PASSED']}\n" in table
    assert "\ntask " in table and "\nrole " in table
    assert whole["weeks"] and list(whole["weeks"])[0] in table


def test_where_the_log_is_must_be_said() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "metrics"], capture_output=True, text=True, cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "--repo owner/name" in done.stderr
