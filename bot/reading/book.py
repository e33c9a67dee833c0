"""What one reading knows so far: indicators by name, defaults taken, what "it" refers to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.reading.market import Timeframe
from schemas import contract as c
from schemas.indicators import KINDS

if TYPE_CHECKING:
    from bot.reading.conditions.cond import Cond

MINUTES = {"M1": 1, "M5": 5, "M15": 15, "M30": 30, "H1": 60, "H4": 240, "D1": 1440, "W1": 10080}
AVERAGES = ("sma", "ema", "wma", "hma", "dema", "tema", "vwma")
OWN_UNITS = {("days", "D1"), ("weeks", "W1"), ("hours", "H1")}
"""A unit of time and the bars that are one each."""
CHANNELS = ("bollinger", "keltner", "donchian")
PRICE_LIKE = {*AVERAGES, *CHANNELS, "highest", "lowest", "psar", "vwap", "pivots", "prior_day",
              "prior_week", "this_day", "opening_range", "ichimoku", "heikin_ashi"}  # fmt: skip


@dataclass
class Book:
    """One request's. Filled while reading, never shared."""

    timeframe: Timeframe = "D1"
    given: dict[str, dict[str, float]] = field(default_factory=dict)
    used: dict[str, c.Indicator] = field(default_factory=dict)
    assumed: dict[str, tuple[str, str]] = field(default_factory=dict)
    averages: list[c.Series] = field(default_factory=list)
    channel: str = ""
    average: str = "sma"
    subject: c.Operand | None = None
    object: c.Operand | None = None
    pair: tuple[c.Operand, c.Operand] | None = None
    compared: list[c.Operand] = field(default_factory=list)
    """The left sides of the comparisons so far: "if either is negative"."""
    pip: float = 0.0001
    tick: float = 0.0
    defined: dict[str, c.Condition] = field(default_factory=dict)
    has_macd: bool = False
    text: str = ""
    """The whole request, for words that are explained in one place and used in another."""
    names: dict[str, Cond] = field(default_factory=dict)
    flipper: str = ""
    golden: tuple[str, float, float] = ("sma", 50.0, 200.0)
    """The averages of a golden cross: kind, fast, slow."""
    is_fast: bool = False
    """The stochastic of this request is the fast one."""
    shown: set[str] = field(default_factory=set)
    lagged: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)
    day: float = 1440.0
    """Minutes of trading in a day: those of the session where the market closes."""
    week: int = 5
    """Days of trading in a week."""
    stretches: dict[str, int] = field(default_factory=dict)
    """Times that were told in another unit than bars, and as how many bars they were taken."""

    def assume(self, topic: str, taken: str, because: str) -> None:
        self.assumed.setdefault(topic, (taken, because))

    def series(
        self,
        kind: str,
        output: str = "value",
        values: dict[str, float] | None = None,
        source: c.PriceField = c.PriceField.CLOSE,
        of: c.Series | None = None,
        shift: int = 0,
    ) -> c.Series:
        """This indicator, computed once however often it is named."""
        if kind == "fast_stochastic":
            kind, values = "stochastic", {"smooth": 1, **(values or {})}
        kind = self.renamed.get(kind, kind)
        if kind == "stochastic" and self.is_fast:
            values = {**(values or self.given.get(kind, {})), "smooth": 1}
        shift += kind in self.lagged
        about = KINDS[kind]
        told = values if values else {**self.given.get(kind, {}), **(values or {})}
        parameters = {**about.parameters, **told}
        if about.parameters and not told:
            shown = ", ".join(f"{v:g}" for v in parameters.values())
            self.assume(about.label, shown, "the usual setting; none was given")
        name = "_".join([kind, *(_digits(v) for v in parameters.values())])
        if source is not c.PriceField.CLOSE:
            name += f"_{source}"
        if of is not None:
            name += f"_of_{of.indicator}" + ("" if of.output == "value" else f"_{of.output}")
        if name not in self.used:
            if about.smoothing:
                self.assume(f"{about.label} smoothing", about.smoothing, "the usual meaning")
            self.used[name] = c.Indicator(
                id=name,
                kind=kind,
                source=source,
                of=of,
                parameters=tuple(
                    c.Parameter(name=k, value=float(v)) for k, v in parameters.items()
                ),
                smoothing=about.smoothing,
            )
        found = c.Series(indicator=name, output=output, shift=shift)
        if kind in AVERAGES and found not in self.averages and source is c.PriceField.CLOSE:
            self.averages.append(found)
        return found

    def kind(self, node: c.Operand | None) -> str:
        return self.used[node.indicator].kind if isinstance(node, c.Series) else ""

    def length(self, node: c.Series) -> float:
        return self.used[node.indicator].parameters[0].value

    def is_price(self, node: c.Operand) -> bool:
        """A number in the units of the price, as against an oscillator or a volume."""
        match node:
            case c.Price(field=field):
                return field is not c.PriceField.VOLUME
            case c.Series(indicator=name):
                about = self.used[name]
                if about.of is not None:
                    return self.is_price(about.of)
                if about.kind == "psar" and node.output == "direction":
                    return False
                return about.kind in PRICE_LIKE and about.source is not c.PriceField.VOLUME
            case c.Arithmetic(left=left, right=right):
                return not self.is_height(node) and (self.is_price(left) or self.is_price(right))
            case c.Held(field=held):
                return held != "bars"
        return False

    def is_height(self, node: c.Operand) -> bool:
        """The way from one price to another, or some times it: a range, a body, a wick."""
        if not isinstance(node, c.Arithmetic):
            return False
        if node.op in ("multiply", "divide"):
            return self.is_height(node.left)
        return node.op == "subtract" and self.is_price(node.left) and self.is_price(node.right)

    def bars(self, value: float, unit: str) -> int:
        """A stretch of time as a number of bars of this timeframe."""
        if unit in ("", "bars"):
            return max(1, round(value))
        count = max(1, round(value * self._minutes(unit) / MINUTES[self.timeframe]))
        if (unit, self.timeframe) not in OWN_UNITS:
            self.stretches[f"{value:g} {unit[:-1] if value == 1 else unit}"] = count
        return count

    def _minutes(self, unit: str) -> float:
        """Of trading, as the bars of this timeframe count them: five days a week from D1 on."""
        if MINUTES[self.timeframe] >= 1440:
            days = {"weeks": 5, "months": 21, "years": 252, "hours": 1 / 24, "minutes": 1 / 1440}
            day = 1440.0 if self.timeframe == "D1" else 10080 / 5
            return days.get(unit, 1) * day
        days = {"days": 1, "weeks": self.week, "months": 30 if self.week == 7 else 21}
        if unit in days:
            return days[unit] * self.day
        return {"minutes": 1, "hours": 60}.get(unit, 525600)

    @property
    def counted_by(self) -> str:
        """How a stretch of time becomes bars, for people."""
        if MINUTES[self.timeframe] >= 1440:
            return "5 days a week, 21 a month"
        hours = "24 hours" if self.day == 1440 else "09:30 to 16:00"
        return f"{hours} a day, {self.week} days a week"


def _digits(value: float) -> str:
    return f"{value:g}".replace(".", "p").replace("-", "m")
