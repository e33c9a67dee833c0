"""Metrics as OpenMetrics text. The whole, each strategy and each week are families of their own:
what is summed over one of them is counted once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client.core import CollectorRegistry, GaugeMetricFamily, Metric
from prometheus_client.openmetrics.exposition import generate_latest

from bot.metrics import MEANS, Metrics

Groups = Mapping[str, Mapping[str, Metrics]]
"""Label -> its values, and the figures of each."""


class Collected:
    """What the library asks: all families at once."""

    def __init__(self, whole: Metrics, groups: Groups) -> None:
        self.whole, self.groups = whole, groups

    def collect(self) -> Iterator[Metric]:
        for name, meaning in MEANS.items():
            yield _family(f"stratbot_{name}", meaning, name, [], [([], self.whole)])
        for label, group in self.groups.items():
            rows = [([value], of) for value, of in group.items()]
            for name, meaning in MEANS.items():
                family, says = f"stratbot_{label}_{name}", f"{meaning}, per {label}"
                yield _family(family, says, name, [label], rows)


def _family(
    family: str, says: str, name: str, labels: list[str], rows: list[tuple[list[str], Metrics]]
) -> Metric:
    """What was not measured has no line: zero would be a claim."""
    found = GaugeMetricFamily(family, says, labels=labels)
    for values, of in rows:
        value = getattr(of, name)
        if value is not None:
            found.add_metric(values, float(value))
    return found


def text(whole: Metrics, groups: Groups) -> str:
    registry = CollectorRegistry()
    registry.register(Collected(whole, groups))
    told: bytes = generate_latest(registry)  # type: ignore[no-untyped-call]
    return told.decode()
