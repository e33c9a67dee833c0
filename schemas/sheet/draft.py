"""What the statements of a sheet have said so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from schemas import contract as c
from schemas.sheet.expressions import Reader, Scope
from schemas.sheet.meaning import reader
from schemas.sheet.problems import Assumed, Fault

ONCE = {
    "symbol": "symbol", "timeframe": "timeframe", "pip": "pip", "tick": "tick",
    "exit_after": "exit after",
    "exit_at": "exit at", "breakeven": "breakeven", "size": "size", "positions": "max positions",
    "trades_per_day": "max trades per day", "cooldown": "wait", "session": "session",
}  # fmt: skip


@dataclass
class Draft:
    scope: Scope
    line: int = 0
    said: dict[str, Any] = field(default_factory=dict)
    said_on: dict[str, int] = field(default_factory=dict)
    entries: list[c.Entry] = field(default_factory=list)
    exits: list[c.Exit] = field(default_factory=list)
    stops: list[c.Level] = field(default_factory=list)
    targets: list[c.Level] = field(default_factory=list)
    like_their_stops: list[c.Level] = field(default_factory=list)
    """Targets in R that do not say from where."""
    trailing: list[c.Trailing] = field(default_factory=list)
    costs: dict[str, Decimal] = field(default_factory=dict)
    filters: list[c.Condition] = field(default_factory=list)
    """What every entry needs besides: hours and weekdays."""
    reverse: bool = False
    no_costs: bool = False
    assumed: list[Assumed] = field(default_factory=list)
    one_sided: list[tuple[int, c.Side, str]] = field(default_factory=list)
    """What was said for one side and can only be for all: (line, side, words)."""

    @property
    def read(self) -> Reader:
        return reader(self.scope)

    def once(self, name: str, value: Any) -> None:
        """A statement that may be there once."""
        if name in self.said_on:
            raise Fault(f"`{ONCE[name]}` is said on line {self.said_on[name]} already")
        self.said[name] = value
        self.said_on[name] = self.line

    def cost(self, name: str, amount: Decimal) -> None:
        if name in self.costs:
            raise Fault("this cost is said already")
        if self.no_costs:
            raise Fault("`costs none` says that there are none")
        self.costs[name] = amount

    def tell(self) -> None:
        """What the words of the statement were taken to mean, each once in a sheet."""
        for topic, text in self.scope.told:
            if all(a.topic != topic or a.text != text for a in self.assumed):
                self.assume(topic, text)
        self.scope.told.clear()

    def assume(self, topic: str, text: str) -> None:
        self.assumed.append(Assumed(self.line, topic, text))
