"""`stratbot metrics`: what the audit log says about time, cost, passes and luck."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal

import click

from bot import metrics
from bot.cli.log import Broken, histories, reads_log, store
from bot.metrics import MEANS, Counters, History, Metrics, RoleFigures, TaskFigures

Figure = int | float | Decimal | None
Figures = Metrics | TaskFigures | RoleFigures


@dataclass(frozen=True, slots=True)
class Measured:
    """The whole, the same per strategy and per week, and the parts per type of task and role."""

    whole: Metrics
    strategies: dict[str, Metrics]
    weeks: dict[str, Metrics]
    tasks: dict[str, TaskFigures]
    roles: dict[str, RoleFigures]
    counters: Counters


@click.command("metrics")
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "prometheus", "markdown"]),
    default="table", help="prometheus: OpenMetrics text; markdown: for the summary of a job.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@reads_log
def show(form: str, as_json: bool, repo: str, state: str, server: str, token: str) -> None:
    """Pass rate, iterations, time, cost, flakiness, answers and trials, from the audit log.

    Of all requests, per type of task, role, strategy and week.
    """
    broken = Broken()
    rows = histories(store(repo, state, server, token), broken)
    click.echo(FORMS["json" if as_json else form](measured(rows)), nl=False)
    broken.close()


def measured(rows: list[History]) -> Measured:
    return Measured(
        metrics.measure(rows), metrics.by_strategy(rows), metrics.by_week(rows),
        metrics.by_task(rows), metrics.by_role(rows), metrics.counters(rows),
    )  # fmt: skip


def files(rows: list[History]) -> dict[str, str]:
    """Beside the pages of the site, for programs: the page of metrics links them."""
    found = measured(rows)
    return {"metrics.json": as_json_text(found), "metrics.txt": openmetrics(found)}


def table(found: Measured) -> str:
    lines = [f"{name:<22}{_told(value)}" for name, value in figures(found.whole)]
    lines += [f"{name:<22}{value}" for name, value in _counted(found.counters)]
    for title, groups in _groups(found).items():
        if groups:
            lines += ["", *_columns(title, groups)]
    return "\n".join(lines) + "\n"


def _groups(found: Measured) -> dict[str, Mapping[str, Figures]]:
    return {
        "task": found.tasks, "role": found.roles, "strategy": found.strategies, "week": found.weeks,
    }  # fmt: skip


def _counted(of: Counters) -> Iterator[tuple[str, int]]:
    yield "tp_specs_total", of.tp_specs_total
    for result, count in of.tb_tests_total.items():
        yield f"tb_tests_{result.lower()}", count


def _columns(title: str, groups: Mapping[str, Figures]) -> Iterator[str]:
    wide = max(len(name) for name in (title, *groups)) + 2
    names = [name for name, _ in figures(next(iter(groups.values())))]
    yield title.ljust(wide) + "  ".join(names)
    for group, found in groups.items():
        cells = [_told(value, "-").rjust(len(name)) for name, value in figures(found)]
        yield group.ljust(wide) + "  ".join(cells)


def as_json_text(found: Measured) -> str:
    """The whole at the top, so that a reader of one figure needs no path."""
    told = asdict(found.whole) | {
        "strategies": {name: asdict(of) for name, of in found.strategies.items()},
        "weeks": {name: asdict(of) for name, of in found.weeks.items()},
        "by_task": {name: asdict(of) for name, of in found.tasks.items()},
        "by_role": {name: asdict(of) for name, of in found.roles.items()},
        **asdict(found.counters),
    }
    return json.dumps(told, default=str) + "\n"


def markdown(found: Measured) -> str:
    rows = ["### Stratbot so far", "", "| figure | value | what it is |", "|---|--:|---|"]
    rows += [f"| {n} | {_told(v, '–')} | {MEANS[n]} |" for n, v in figures(found.whole)]
    return "\n".join(rows) + "\n\n"


def openmetrics(found: Measured) -> str:
    from bot.cli.openmetrics import text  # its library is for this form alone

    return text(found.whole, _groups(found), found.counters)


def figures(of: Figures) -> list[tuple[str, Figure]]:
    return [(f.name, getattr(of, f.name)) for f in fields(of)]


def _told(value: Figure, unknown: str = "not measured yet") -> str:
    return unknown if value is None else str(value)


FORMS: dict[str, Callable[[Measured], str]] = {
    "table": table,
    "json": as_json_text,
    "prometheus": openmetrics,
    "markdown": markdown,
}
