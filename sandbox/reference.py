"""What a contract means on given bars, worked out apart from any strategy. Pure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sandbox.oracle import INDICATORS
from sandbox.oracle.averages import SMOOTHINGS
from sandbox.oracle.days import CALENDAR, stamps
from sandbox.oracle.windows import Floats
from schemas import contract as c
from schemas.indicators import KINDS


class Unknown(Exception):
    """The reference cannot work this out; its text says what, and fails the acceptance check."""


COUNTS = {"width", "step", "cap"}
"""The parameters that are no whole numbers."""


class Reference:
    """One contract on one table of bars."""

    def __init__(self, contract: c.Contract, df: pd.DataFrame) -> None:
        self.contract, self.df = contract, df
        self.times = stamps(df)
        self._made: dict[str, tuple[pd.Series[float], ...]] = {}
        self._values: dict[c.Operand, pd.Series[float]] = {}
        self._rules: dict[c.Condition, pd.Series[bool]] = {}
        self._prices: dict[c.Entry, dict[str, pd.Series[float]]] = {}

    def series(self, name: str, output: str = "value") -> pd.Series[float]:
        found = next((i for i in self.contract.indicators if i.id == name), None)
        kind = KINDS.get(found.kind) if found else None
        if found is None or kind is None or output not in kind.outputs:
            raise Unknown(f"{name}.{output}, which no indicator gives")
        if name not in self._made:
            self._made[name] = ()  # an indicator that is made of itself finds nothing here
            made = INDICATORS[found.kind](*self._arguments(found))
            made = made if isinstance(made, tuple) else (made,)
            self._made[name] = tuple(self._on_bars(x) for x in made)
        if not self._made[name]:
            raise Unknown(f"indicator {name}, which is made of itself")
        return self._made[name][kind.outputs.index(output)]

    def _arguments(self, found: c.Indicator) -> list[object]:
        kind = KINDS[found.kind]
        given = {p.name: p.value for p in found.parameters}
        if set(given) - set(kind.parameters):
            raise Unknown(f"a setting of {found.id} that {found.kind} does not have")
        arguments: list[object]
        if kind.reads != "source":
            reads = [name.strip() for name in kind.reads.split(",")]
            arguments = [self.times if n == "day" else self._array(n) for n in reads]
        elif found.of is not None:
            arguments = [self.operand(found.of).to_numpy(dtype=float)]
        else:
            arguments = [self._array(found.source)]
        for name, value in {**kind.parameters, **given}.items():
            arguments.append(float(value) if name in COUNTS else int(value))
        if kind.smoothing:
            arguments.append(self._average(found.smoothing))
        elif found.smoothing:
            raise Unknown(f"the smoothing {found.smoothing} of {found.kind}, which has none")
        return arguments

    def _average(self, name: str) -> object:
        if name.lower() not in SMOOTHINGS:
            raise Unknown(f"the smoothing {name}, which is not known")
        return SMOOTHINGS[name.lower()]

    def _on_bars(self, values: Floats) -> pd.Series[float]:
        return pd.Series(values, index=self.df.index, dtype=float)

    def _array(self, name: str) -> Floats:
        return self._column(name).to_numpy(dtype=float)

    def _column(self, name: str) -> pd.Series[float]:
        return self.df[name.capitalize()].astype(float)

    def operand(self, node: c.Operand) -> pd.Series[float]:
        """Worked out once: the same node is asked for again for every position."""
        if node not in self._values:
            self._values[node] = self._operand(node)
        return self._values[node]

    def holds(self, node: c.Condition) -> pd.Series[bool]:
        if node not in self._rules:
            self._rules[node] = self._holds(node)
        return self._rules[node]

    def _operand(self, node: c.Operand) -> pd.Series[float]:
        match node:
            case c.Constant():
                return pd.Series(node.value, index=self.df.index)
            case c.Price():
                return self._column(node.field).shift(node.shift)
            case c.Series():
                return self.series(node.indicator, node.output).shift(node.shift)
            case c.Calendar():
                told = CALENDAR[node.field](self.times)
                return pd.Series(told, index=self.df.index).shift(node.shift)
            case c.Arithmetic():
                return combine(node.op, self.operand(node.left), self.operand(node.right))
        raise Unknown(f"{node.kind}, which only an open position has")

    def _holds(self, node: c.Condition) -> pd.Series[bool]:
        match node:
            case c.Compare():
                return compare(node.op, self.operand(node.left), self.operand(node.right))
            case c.Cross():
                return cross(node.direction, self.operand(node.left), self.operand(node.right))
            case c.Every():
                return fold([self.holds(x) for x in node.of], np.logical_and)
            case c.Either():
                return fold([self.holds(x) for x in node.of], np.logical_or)
            case c.Never():
                return ~self.holds(node.of)
            case c.InARow():
                return self.holds(node.of).rolling(node.bars).sum() == node.bars
            case c.Within():
                return self.holds(node.of).rolling(node.bars, min_periods=1).max() > 0
            case c.OnDays():
                stamped = self.times.day_of_week.isin(node.weekdays)
                return pd.Series(stamped, index=self.df.index)
            case c.Session():
                return self._session(node)
        raise Unknown(node.kind)

    def _session(self, node: c.Session) -> pd.Series[bool]:
        """Past midnight where the end is earlier than the start."""
        stamped = self.times.strftime("%H:%M")
        after = stamped >= node.start
        before = (stamped <= node.end) if node.includes_end else (stamped < node.end)
        inside = (after & before) if node.start <= node.end else (after | before)
        return pd.Series(inside, index=self.df.index)

    def entries(self, side: c.Side) -> pd.Series[bool]:
        return self._any([e.when for e in self.contract.entries if e.side is side])

    def exits(self, side: c.Side) -> pd.Series[bool]:
        """The rules of the contract, and the entries of the other side where it reverses."""
        rules = [e.when for e in self.contract.exits if e.side in (side, None)]
        if self.contract.reverse:
            rules += [e.when for e in self.contract.entries if e.side is not side]
        return self._any(rules)

    def _any(self, rules: list[c.Condition]) -> pd.Series[bool]:
        if not rules:
            return pd.Series(False, index=self.df.index)
        return fold([self.holds(rule) for rule in rules], np.logical_or)

    def prices(self, entry: c.Entry) -> dict[str, pd.Series[float]]:
        """Limit, stop and target of an order; what the contract does not give is absent."""
        if entry not in self._prices:
            self._prices[entry] = self._order_prices(entry)
        return self._prices[entry]

    def _order_prices(self, entry: c.Entry) -> dict[str, pd.Series[float]]:
        found: dict[str, pd.Series[float]] = {}
        base = self._column("close")
        if entry.limit is not None:
            base = found["price"] = self.operand(entry.limit)
        risk, way = self.contract.risk, 1 if entry.side is c.Side.LONG else -1
        for name, levels, away in (("sl", risk.stops, -way), ("tp", risk.targets, way)):
            given = [x for x in levels if x.side in (entry.side, None)]
            if given:
                each = [self._level(x, base, away, found.get("sl")) for x in given]
                nearest = np.maximum if away < 0 else np.minimum
                values: Any = nearest.reduce([x.to_numpy() for x in each])
                found[name] = pd.Series(values, index=self.df.index)
        return found

    def _level(
        self, level: c.Level, base: pd.Series[float], away: int, stop: pd.Series[float] | None
    ) -> pd.Series[float]:
        """From the close that is decided on, or from the limit price."""
        if level.price is not None:
            return self.operand(level.price)
        if level.distance is None:
            raise Unknown("a level without a distance")
        match level.distance:
            case c.Distance(unit="percent", amount=amount):
                return base * (1.0 + away * amount / 100.0)
            case c.Distance(unit="r", amount=amount) if stop is not None:
                return base + away * amount * (base - stop).abs()
        return base + away * self.reach(level.distance)

    def reach(self, far: c.Distance) -> pd.Series[float]:
        """A distance that is the same from every price."""
        match far:
            case c.Distance(unit="price", amount=amount):
                return pd.Series(amount, index=self.df.index)
            case c.Distance(unit="pips", amount=amount):
                return pd.Series(amount * self.contract.pip_size, index=self.df.index)
            case c.Distance(unit="atr", amount=amount, indicator=str(name)):
                return amount * self.series(name)
        raise Unknown(f"a distance in {far.unit} that names no indicator")


def combine(op: str, left: pd.Series[float], right: pd.Series[float]) -> pd.Series[float]:
    match op:
        case "add":
            return left + right
        case "subtract":
            return left - right
        case "multiply":
            return left * right
        case "divide":
            return left / right
        case "minimum":
            return left.where(left <= right, right).where(left.notna())
    return left.where(left >= right, right).where(left.notna())


def compare(op: str, left: pd.Series[float], right: pd.Series[float]) -> pd.Series[bool]:
    match op:
        case "above":
            return left > right
        case "below":
            return left < right
        case "at_least":
            return left >= right
        case "at_most":
            return left <= right
    return left == right


def cross(way: str, left: pd.Series[float], right: pd.Series[float]) -> pd.Series[bool]:
    gap = left - right if way == "above" else right - left
    return (gap > 0) & (gap.shift(1) <= 0)


def fold(rules: list[pd.Series[bool]], how: np.ufunc) -> pd.Series[bool]:
    folded: Any = how.reduce([r.to_numpy() for r in rules])
    return pd.Series(folded, index=rules[0].index, dtype=bool)
