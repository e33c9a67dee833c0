"""The page of metrics: every figure over time, and a gap where nothing was measured."""

from __future__ import annotations

from dataclasses import replace

from bot.metrics import MEANS, Line
from bot.pages.charts import Chart
from bot.pages.measured import measured
from schemas.workflow import Phase
from tests.pages import scene
from tests.story import Story

WEEK = 7 * 86_400
FIVE = ("task_pass_rate", "avg_iterations", "avg_time_per_task", "llm_cost_per_task",
        "test_flakiness_rate")  # fmt: skip


def later(rows: list[Line], seconds: int) -> list[Line]:
    """The same, but begun and written so much later."""
    moved = []
    for row in rows:
        tasks = tuple(
            replace(t, started_at=t.started_at + seconds, finished_at=t.finished_at + seconds)
            for t in row.workflow.tasks
        )
        flow = replace(row.workflow, tasks=tasks)
        moved.append(replace(row, workflow=flow, written=row.written + seconds))
    return moved


def drawn(*histories: list[Line]) -> dict[str, Chart]:
    charts = measured(histories)["charts"]
    assert isinstance(charts, tuple)
    return {chart.id: chart for chart in charts}


def test_the_owners_five_are_drawn_first_and_a_week_without_one_is_a_gap() -> None:
    whole = scene.told_until(Phase.ROLLED_BACK)
    quiet = later(whole[:1], WEEK)  # somebody asks, and nothing is built
    charts = drawn(whole, quiet, later(whole, 2 * WEEK))
    assert list(charts) == [*FIVE, "commands", "trials", "actions_minutes", "api_calls"]
    for name in FIVE:
        [series] = charts[name].series
        first, gap, last = series.values
        assert gap is None and first == last is not None, name
        assert series.look == "dots" and "Not measured in 1 week." in charts[name].alt
    assert charts["task_pass_rate"].alt.startswith(f"{MEANS['task_pass_rate']}: 1 in ")
    assert charts["commands"].series[0].values[1] == 0.0, "an amount is zero, not unknown"


def test_a_figure_that_no_week_has_is_not_drawn() -> None:
    story = Story()
    rows = [Line(record, flow, record.at) for _, record, flow in story.store.history(7)]
    assert list(drawn(rows)) == ["commands", "trials", "actions_minutes", "api_calls"]
