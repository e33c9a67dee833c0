"""Metrics as OpenMetrics text: a family per figure, labelled by strategy and week."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prometheus_client.core import CollectorRegistry, GaugeMetricFamily, Metric
from prometheus_client.openmetrics.exposition import generate_latest

from bot.metrics import MEANS, Metrics

Group = tuple[list[str], Metrics]


class Collected:
    """What the library asks: all families at once."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = groups

    def collect(self) -> Iterator[Metric]:
        for name, meaning in MEANS.items():
            family = GaugeMetricFamily(f"stratbot_{name}", meaning, labels=["strategy", "week"])
            for labels, of in self.groups:
                value = getattr(of, name)
                if value is not None:
                    family.add_metric(labels, float(value))
            yield family


def text(groups: Sequence[Group]) -> str:
    registry = CollectorRegistry()
    registry.register(Collected(groups))
    told: bytes = generate_latest(registry)  # type: ignore[no-untyped-call]
    return told.decode()
