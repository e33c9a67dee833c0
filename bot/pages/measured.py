"""The page of metrics: every figure, of the whole, per week and per strategy. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from bot import metrics
from bot.metrics import MEANS, Counters, History, Metrics, RoleFigures, TaskFigures
from bot.pages.charts import Chart, Series, Values
from bot.pages.results import Table
from bot.text.measures import NONE

RATES = (
    "task_pass_rate", "avg_iterations", "avg_time_per_task", "llm_cost_per_task",
    "test_flakiness_rate",
)  # fmt: skip
"""A week without one is a gap: nothing was measured, which is not zero."""
AMOUNTS = ("commands", "trials", "actions_minutes", "api_calls")


def measured(histories: Sequence[History]) -> dict[str, object]:
    whole, weeks = metrics.measure(histories), metrics.by_week(histories)
    strategies = metrics.by_strategy(histories)
    tasks, roles = metrics.by_task(histories), metrics.by_role(histories)
    by = (("Task", tasks), ("Role", roles), ("Week", weeks), ("Strategy", strategies))
    rows = tuple((spelled(n), told(getattr(whole, n)), says) for n, says in MEANS.items())
    rows += _counted(metrics.counters(histories))
    return {
        "whole": Table("All requests", ("Figure", "Value", "What it is"), rows),
        "groups": [_grouped(name, group) for name, group in by if group],
        "charts": _over_time(weeks) if weeks else (),
    }


def _counted(of: Counters) -> tuple[tuple[str, str, str], ...]:
    ends = ", ".join(f"{count} {result.lower()}" for result, count in of.tb_tests_total.items())
    return (
        ("test plans", told(of.tp_specs_total), "Plans of the test planner: tp_specs_total"),
        ("added tests", ends, "Answers of the test builder by their precheck: tb_tests_total"),
    )


def _grouped(name: str, groups: Mapping[str, Metrics | TaskFigures | RoleFigures]) -> Table:
    names = [field.name for field in fields(next(iter(groups.values())))]
    head = (name, *map(spelled, names))
    rows = tuple((key, *(told(getattr(of, n)) for n in names)) for key, of in groups.items())
    return Table(f"Every figure by {name.lower()}", head, rows)


def _over_time(weeks: Mapping[str, Metrics]) -> tuple[Chart, ...]:
    """A figure that no week has is left out."""
    rows = {n: _values(weeks, n) for n in (*RATES, *AMOUNTS)}
    drawn = (_chart(n, tuple(weeks), v) for n, v in rows.items() if any(x is not None for x in v))
    return tuple(drawn)


def _values(weeks: Mapping[str, Metrics], name: str) -> Values:
    found = (getattr(of, name) for of in weeks.values())
    return tuple(None if value is None else float(value) for value in found)


def _chart(name: str, weeks: tuple[str, ...], values: Values) -> Chart:
    label, says = spelled(name), _rate if name in RATES else _amount
    return Chart(
        name, f"{label[0].upper()}{label[1:]} per week", f"{MEANS[name]}: {says(weeks, values)}",
        tuple(float(n) for n in range(len(weeks))),
        (Series(label, values, "dots" if name in RATES else "bars"),), weeks, across="week",
    )  # fmt: skip


def _amount(weeks: tuple[str, ...], values: Values) -> str:
    known = [v for v in values if v is not None]
    return f"{sum(known):,.4g} in {_weeks(len(weeks))}, {known[-1]:,.4g} in {weeks[-1]}."


def _rate(weeks: tuple[str, ...], values: Values) -> str:
    """The newest that was measured, and how many weeks have none."""
    known = [(week, v) for week, v in zip(weeks, values, strict=True) if v is not None]
    newest, value = known[-1]
    gaps = len(weeks) - len(known)
    missing = f" Not measured in {_weeks(gaps)}." if gaps else ""
    return f"{value:,.4g} in {newest}.{missing}"


def _weeks(count: int) -> str:
    return f"{count} week{'s' * (count > 1)}"


def spelled(name: str) -> str:
    """The name of a figure as people write it."""
    words = name.replace("_", " ").replace("llm", "LLM").replace("api", "API")
    return words.replace("avg", "average").replace("max", "longest")


def told(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    return NONE if value is None else f"{value:,}" if isinstance(value, int) else str(value)
