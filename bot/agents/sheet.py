"""The sheet that generated code is written on: names, constants, lines, pieces, columns."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.agents.layout import WIDTH, Code, assign
from bot.agents.spelling import Names, identifier, number, whole
from bot.agents.tree import SMOOTHINGS, WHOLE, parameters
from schemas import contract as c
from schemas.indicators import KINDS

COLUMNS = {"open": "open_", "high": "high", "low": "low", "close": "close", "volume": "volume"}
ARGUMENTS = {"day": "times", **COLUMNS}
CALENDAR = {
    "minute": "minute_of_day",
    "weekday": "weekday",
    "day": "day_of_month",
    "month": "month_of_year",
    "bar_of_day": "bar_of_day",
    "trading_day": "trading_day",
}
"""Calendar field -> the piece that makes it."""
SETTINGS = {"units", "max_positions", "pip_size"}
"""Numbers that `cfg` has under a name of its own: these stay constants of the file."""
PIECES = {"range": "bar_range"}
"""Kind -> piece, where the names differ."""


@dataclass
class Sheet:
    """Grows while a contract is written down. `lines` are those of prepare_indicators."""

    contract: c.Contract
    names: Names = field(default_factory=Names)
    constants: dict[str, str] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    returns: dict[str, str] = field(default_factory=dict)
    pieces: set[str] = field(default_factory=set)
    columns: set[str] = field(default_factory=set)
    timed: bool = False
    outputs: dict[tuple[str, str], str] = field(default_factory=dict)
    calendar: dict[str, str] = field(default_factory=dict)

    def piece(self, name: str) -> str:
        self.pieces.add(name)
        return name

    def column(self, name: str) -> str:
        self.columns.add(name)
        return COLUMNS[name]

    def constant(self, wish: str, literal: str) -> str:
        """What to write for a number of the rules; the same for the same number of one thing."""
        if identifier(wish) in SETTINGS or literal.startswith("("):
            return self._named(self.constants, identifier(wish).upper(), wish, literal)
        return f"self.params.{self._named(self.params, identifier(wish), wish, literal)}"

    def _named(self, known: dict[str, str], same: str, wish: str, literal: str) -> str:
        if known.get(same) == literal:
            return same
        free = self.names.constant(wish)
        name = free if known is self.constants else free.lower()
        known[name] = literal
        return name

    def keep(self, wish: str, code: Code, instead: str = "") -> str:
        """A line that gives the series a name, and the same name among the indicators."""
        name = self.local(wish, code, instead)
        self.returns[name] = f"{name}.astype(float)" if code.rule else name
        return name

    def local(self, wish: str, code: Code, instead: str = "") -> str:
        name = self.names.take(wish, instead)
        self.lines += assign(name, code)
        return name

    def when(self, name: str) -> str:
        """A field of the calendar as a series."""
        if name not in self.calendar:
            self.timed = True
            made = Code(f"{self.piece(CALENDAR[name])}(times, df.index)")
            self.calendar[name] = self.keep(f"{name}_of_bar", made)
        return self.calendar[name]

    def indicators(self) -> None:
        """All that the contract names; each after the one that it is made of."""
        waiting = list(self.contract.indicators)
        while waiting:
            found = waiting.pop(0)
            if found.of is not None and any(found.of.indicator == w.id for w in waiting):
                waiting.append(found)
            else:
                self._indicator(found)

    def series(self, node: c.Series) -> str:
        return self.outputs[node.indicator, node.output]

    def _indicator(self, found: c.Indicator) -> None:
        kind, values = KINDS[found.kind], parameters(found)
        call = Code(
            f"{self.piece(PIECES.get(found.kind, found.kind))}({', '.join(self._arguments(found))})"
        )
        if len(kind.outputs) == 1:
            first = next(iter(values.values()), None)
            instead = f"{found.id}_{whole(first)}" if first is not None else f"{found.id}_line"
            self.outputs[found.id, kind.outputs[0]] = self.keep(found.id, call, instead)
            return
        targets = [self.names.take(f"{found.id}_{output}") for output in kind.outputs]
        self.outputs |= {(found.id, o): t for o, t in zip(kind.outputs, targets, strict=True)}
        self.returns |= {target: target for target in targets}
        together = ", ".join(targets)
        if len(f"        {together} = {call.text}") <= WIDTH or len(together) < WIDTH - 40:
            self.lines += assign(together, call)
            return
        every = self.local(f"{found.id}_all", call)
        for n, target in enumerate(targets):
            self.lines += assign(target, Code(f"{every}[{n}]"))

    def _arguments(self, found: c.Indicator) -> list[str]:
        kind = KINDS[found.kind]
        if kind.reads != "source":
            given = [x.strip() for x in kind.reads.split(",")]
            self.timed = self.timed or "day" in given
            self.columns.update(x for x in given if x in COLUMNS)
            arguments = [ARGUMENTS[x] for x in given]
        elif found.of is not None:
            shifted = f".shift({found.of.shift})" if found.of.shift else ""
            arguments = [self.series(found.of) + shifted]
        else:
            arguments = [self.column(found.source)]
        for name, value in parameters(found).items():
            literal = whole(value) if name in WHOLE else number(value)
            arguments.append(self.constant(f"{found.id}_{name}", literal))
        average = SMOOTHINGS.get(found.smoothing.lower(), "rma")
        if kind.smoothing and average != "rma":
            arguments.append(self.piece(average))
        return arguments
