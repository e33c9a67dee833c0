"""The indicators of a sheet: each is kept once, and named by what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from schemas import contract as c
from schemas.indicators import KINDS
from schemas.sheet.names import SMOOTHINGS


def settled(found: c.Indicator) -> c.Indicator:
    """With every setting in its fixed order, and its way of smoothing by its usual name."""
    kind = KINDS[found.kind]
    given = {p.name: p.value for p in found.parameters}
    values = {name: float(given.get(name, usual)) for name, usual in kind.parameters.items()}
    smoothing = found.smoothing or kind.smoothing
    return replace(
        found,
        source=found.source if kind.reads == "source" and not found.of else c.PriceField.CLOSE,
        parameters=tuple(c.Parameter(name=n, value=v) for n, v in values.items()),
        smoothing=SMOOTHINGS.get(smoothing.lower(), smoothing),
    )


@dataclass
class Book:
    """`add` gives back the id of an indicator that says the same, if there is one."""

    indicators: list[c.Indicator] = field(default_factory=list)

    def add(self, wanted: c.Indicator) -> str:
        wanted = settled(wanted)
        for known in self.indicators:
            if replace(known, id=wanted.id) == wanted:
                return known.id
        taken = {known.id for known in self.indicators}
        name = self._name(wanted)
        own = next(n for n in (name, *(f"{name}_{k}" for k in range(2, 100))) if n not in taken)
        self.indicators.append(replace(wanted, id=own))
        return own

    def kind_of(self, series: c.Series) -> str:
        return next(i.kind for i in self.indicators if i.id == series.indicator)

    def get(self, name: str) -> c.Indicator:
        return next(i for i in self.indicators if i.id == name)

    @staticmethod
    def _name(wanted: c.Indicator) -> str:
        """As in `rsi_2` or `sma_volume_20`: a name for the generated code, too."""
        parts = [wanted.kind]
        if wanted.of is not None:
            output = [] if wanted.of.output == "value" else [wanted.of.output]
            parts += ["of", wanted.of.indicator, *output]
        elif wanted.source is not c.PriceField.CLOSE:
            parts.append(wanted.source)
        parts += [_digits(p.value) for p in wanted.parameters if p.value >= 0]
        return re.sub(r"[^A-Za-z0-9_]", "_", "_".join(parts))[:80]


def _digits(value: float) -> str:
    return f"{value:.10g}".replace(".", "p").replace("-", "m").replace("+", "")


def renamed(part: Any, names: dict[str, str]) -> Any:
    """The same tree with other indicator ids."""
    if isinstance(part, tuple):
        return tuple(renamed(x, names) for x in part)
    if isinstance(part, c.Series):
        return replace(part, indicator=names[part.indicator])
    if isinstance(part, c.Distance):
        return replace(part, indicator=names[part.indicator]) if part.indicator else part
    if not hasattr(part, "__dataclass_fields__"):
        return part
    changed = {n: renamed(getattr(part, n), names) for n in part.__dataclass_fields__}
    return replace(part, **changed)


def used_in(part: Any) -> list[str]:
    """The ids that a tree names, in the order in which they stand in it."""
    if isinstance(part, tuple):
        return [x for child in part for x in used_in(child)]
    if isinstance(part, c.Series):
        return [part.indicator]
    if isinstance(part, c.Distance):
        return [part.indicator] if part.indicator else []
    if not hasattr(part, "__dataclass_fields__"):
        return []
    return [x for n in part.__dataclass_fields__ for x in used_in(getattr(part, n))]
