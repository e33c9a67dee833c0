"""Metrics as OpenMetrics text. The whole and each grouping are families of their own: what is
summed over one of them is counted once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from prometheus_client.core import (
    CollectorRegistry,
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
)
from prometheus_client.openmetrics.exposition import generate_latest

from bot.metrics import MEANS, ROLE_MEANS, Counters, Metrics, RoleFigures, TaskFigures

Figures = Metrics | TaskFigures | RoleFigures
Groups = Mapping[str, Mapping[str, Figures]]
"""Label -> its values, and the figures of each."""


class Collected:
    """What the library asks: all families at once."""

    def __init__(self, whole: Metrics, groups: Groups, counters: Counters) -> None:
        self.whole, self.groups, self.counters = whole, groups, counters

    def collect(self) -> Iterator[Metric]:
        for name, meaning in MEANS.items():
            yield _family(f"stratbot_{name}", meaning, name, [], [([], self.whole)])
        for label, group in self.groups.items():
            rows = [([value], of) for value, of in group.items()]
            for name in _names(label):
                says = f"{_means(label)[name]}, per {label}"
                yield _family(f"stratbot_{label}_{name}", says, name, [label], rows)
        yield from _counted(self.counters)


def _means(label: str) -> Mapping[str, str]:
    return ROLE_MEANS if label == "role" else MEANS


def _names(label: str) -> list[str]:
    """Those of a group without members are told too, so that a reader knows of them."""
    kinds = {"role": RoleFigures, "task": TaskFigures}
    return [f.name for f in fields(kinds.get(label, Metrics))]


def _counted(of: Counters) -> Iterator[Metric]:
    """By the names that agents of their own would count under."""
    yield CounterMetricFamily("tp_specs", "Test plans", value=of.tp_specs_total)
    built = CounterMetricFamily("tb_tests", "Answers of the test builder", labels=["result"])
    for result, count in of.tb_tests_total.items():
        built.add_metric([result], count)
    yield built


def _family(
    family: str, says: str, name: str, labels: list[str], rows: list[tuple[list[str], Figures]]
) -> Metric:
    """What was not measured has no line: zero would be a claim."""
    found = GaugeMetricFamily(family, says, labels=labels)
    for values, of in rows:
        value = getattr(of, name)
        if value is not None:
            found.add_metric(values, float(value))
    return found


def text(whole: Metrics, groups: Groups, counters: Counters) -> str:
    registry = CollectorRegistry()
    registry.register(Collected(whole, groups, counters))
    told: bytes = generate_latest(registry)  # type: ignore[no-untyped-call]
    return told.decode()
