"""`stratbot metrics`: what the audit log says about time, cost, passes and luck."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal

import click

from bot import metrics
from bot.cli.log import Broken, histories, reads_log, store
from bot.metrics import MEANS, History, Metrics

Figure = int | float | Decimal | None


@dataclass(frozen=True, slots=True)
class Measured:
    """The whole, and the same per strategy and per week."""

    whole: Metrics
    strategies: dict[str, Metrics]
    weeks: dict[str, Metrics]


@click.command("metrics")
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "prometheus", "markdown"]),
    default="table", help="prometheus: OpenMetrics text; markdown: for the summary of a job.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@reads_log
def show(form: str, as_json: bool, repo: str, state: str, server: str, token: str) -> None:
    """Pass rate, iterations, time, cost, flakiness, answers and trials, from the audit log.

    Of all requests, per strategy and per week.
    """
    broken = Broken()
    rows = histories(store(repo, state, server, token), broken)
    click.echo(FORMS["json" if as_json else form](measured(rows)), nl=False)
    broken.close()


def measured(rows: list[History]) -> Measured:
    return Measured(metrics.measure(rows), metrics.by_strategy(rows), metrics.by_week(rows))


def files(rows: list[History]) -> dict[str, str]:
    """Beside the pages of the site, for programs: the page of metrics links them."""
    found = measured(rows)
    return {"metrics.json": as_json_text(found), "metrics.txt": openmetrics(found)}


def table(found: Measured) -> str:
    lines = [f"{name:<22}{_told(value)}" for name, value in figures(found.whole)]
    for title, groups in (("strategy", found.strategies), ("week", found.weeks)):
        if groups:
            lines += ["", *_columns(title, groups)]
    return "\n".join(lines) + "\n"


def _columns(title: str, groups: dict[str, Metrics]) -> Iterator[str]:
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
    }
    return json.dumps(told, default=str) + "\n"


def markdown(found: Measured) -> str:
    rows = ["### Stratbot so far", "", "| figure | value | what it is |", "|---|--:|---|"]
    rows += [f"| {n} | {_told(v, '–')} | {MEANS[n]} |" for n, v in figures(found.whole)]
    return "\n".join(rows) + "\n\n"


def openmetrics(found: Measured) -> str:
    from bot.cli.openmetrics import text  # its library is for this form alone

    return text(found.whole, {"strategy": found.strategies, "week": found.weeks})


def figures(of: Metrics) -> list[tuple[str, Figure]]:
    return [(name, getattr(of, name)) for name in MEANS]


def _told(value: Figure, unknown: str = "not measured yet") -> str:
    return unknown if value is None else str(value)


FORMS: dict[str, Callable[[Measured], str]] = {
    "table": table,
    "json": as_json_text,
    "prometheus": openmetrics,
    "markdown": markdown,
}
