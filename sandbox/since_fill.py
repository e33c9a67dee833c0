"""What a contract means for one open position: rules that read it, trailing, break-even, time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.reference import Reference, Unknown
from sandbox.rounding import undecided
from schemas import contract as c

Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]
COMPARE = {
    "above": np.greater,
    "below": np.less,
    "at_least": np.greater_equal,
    "at_most": np.less_equal,
    "equal": np.equal,
}
COMBINE = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "minimum": np.minimum,
    "maximum": np.maximum,
}


class SinceFill:
    """The bars from the fill to bar `last`. A rule that reads the position is about these bars
    only; any other rule is about all bars, and is looked up. Without a position nothing is known.
    """

    def __init__(self, reference: Reference, position: Mapping[str, Any] | None, last: int) -> None:
        first = int(position["entry_idx"]) if position else last
        self.reference, self.window = reference, slice(first, last + 1)
        self.price = float(position["entry_price"]) if position else np.nan
        self.stop = float(position.get("sl") or np.nan) if position else np.nan
        self.side = c.Side.SHORT if position and position["action"] == "SELL" else c.Side.LONG
        self.way = 1.0 if self.side is c.Side.LONG else -1.0
        self.open, self.count = position is not None, last + 1 - first

    def _price(self, name: str) -> Floats:
        return self.operand(c.Price(field=c.PriceField(name)))

    def held(self, field: str) -> Floats:
        match field:
            case "entry_price":
                values = np.full(self.count, self.price, dtype=np.float64)
            case "bars":
                values = np.arange(self.count, dtype=float)
            case _:
                most, _, column = field.partition("_")
                edge = np.maximum if most == "highest" else np.minimum
                values = edge.accumulate(self._price(column))
        return values if self.open else values * np.nan

    def operand(self, node: c.Operand) -> Floats:
        if not reads_position(node):
            return self.reference.operand(node).to_numpy(dtype=np.float64)[self.window]
        match node:
            case c.Held():
                return self.held(node.field)
            case c.Arithmetic():
                with np.errstate(divide="ignore", invalid="ignore"):
                    made: Floats = COMBINE[node.op](
                        self.operand(node.left), self.operand(node.right)
                    )
                return made
        raise Unknown(node.kind)

    def holds(self, node: c.Condition) -> Bools:
        if not reads_position(node):
            return self.reference.holds(node).to_numpy(dtype=bool)[self.window]
        match node:
            case c.Compare():
                told: Bools = COMPARE[node.op](self.operand(node.left), self.operand(node.right))
                return told
            case c.Cross():
                gap = self.operand(node.left) - self.operand(node.right)
                gap = gap if node.direction == "above" else -gap
                before = np.concatenate(([np.nan], gap[:-1]))
                return np.asarray((gap > 0) & (before <= 0), dtype=bool)
            case c.Every() | c.Either():
                how = np.logical_and if isinstance(node, c.Every) else np.logical_or
                return np.asarray(how.reduce([self.holds(x) for x in node.of]), dtype=bool)
            case c.Never():
                return ~self.holds(node.of)
            case c.InARow() | c.Within():
                return self._counted(node)
        raise Unknown(node.kind)

    def _counted(self, node: c.InARow | c.Within) -> Bools:
        rule, told = self.holds(node.of), []
        for bar in range(self.count):
            last = rule[max(0, bar + 1 - node.bars) : bar + 1]
            whole = len(last) == node.bars and bool(last.all())
            told.append(whole if isinstance(node, c.InARow) else bool(last.any()))
        return np.array(told, dtype=bool)

    def leaves(self) -> Bools:
        """On which closes the contract closes it, apart from its stop and target."""
        return self.by_rule() | self.by_stop() | self.by_time()

    def undecided(self) -> Bools:
        """On which closes a rule of all bars hangs on the last digits."""
        rules = [rule for rule in self._rules() if not reads_position(rule)]
        return self._any([undecided(self.reference, rule)[self.window] for rule in rules])

    def by_rule(self) -> Bools:
        return self._any([self.holds(rule) for rule in self._rules()])

    def _rules(self) -> list[c.Condition]:
        contract = self.reference.contract
        rules = [e.when for e in contract.exits if e.side in (self.side, None)]
        if contract.reverse:
            rules += [e.when for e in contract.entries if e.side is not self.side]
        return rules

    def by_stop(self) -> Bools:
        """Trailing and break-even exits, which are stops that are looked at on the close."""
        risk = self.reference.contract.risk
        found = [self._trailed(t) for t in risk.trailing if t.side in (self.side, None)]
        if risk.break_even_after is not None:
            close = self._price("close")
            armed = self._gained(close, risk.break_even_after)
            found.append(armed & (self.way * (close - self.price) <= 0.0))
        return self._any(found)

    def by_time(self) -> Bools:
        risk, found = self.reference.contract.risk, []
        if risk.exit_after_bars is not None:
            found.append(np.arange(self.count) >= risk.exit_after_bars)
        if risk.exit_at is not None:
            hour, minute = risk.exit_at.split(":")
            stamped = self.operand(c.Calendar(field="minute"))
            found.append(stamped >= int(hour) * 60 + int(minute))
        return self._any(found)

    def _trailed(self, trail: c.Trailing) -> Bools:
        close = self._price("close")
        extreme = "high" if self.way > 0.0 else "low"
        mark = close if trail.mark == "close" else self._price(extreme)
        best = (np.maximum if self.way > 0.0 else np.minimum).accumulate(mark)
        beyond = self.way * close < self.way * best - self._reach(trail.distance, best)
        if trail.starts_after is not None:
            beyond &= self._gained(mark, trail.starts_after)
        return beyond

    def _gained(self, mark: Floats, far: c.Distance) -> Bools:
        """Whether it was so far in profit on this bar or on one before."""
        reach = self._reach(far, np.full(self.count, self.price))
        return np.logical_or.accumulate(self.way * (mark - self.price) >= reach)

    def _reach(self, far: c.Distance, of: Floats) -> Floats:
        match far:
            case c.Distance(unit="percent", amount=amount):
                return amount / 100.0 * of
            case c.Distance(unit="r", amount=amount):
                return np.full(self.count, amount * abs(self.price - self.stop), dtype=np.float64)
        return self.reference.reach(far).to_numpy(dtype=np.float64)[self.window]

    def _any(self, rules: list[Bools]) -> Bools:
        found = np.zeros(self.count, dtype=bool)
        for rule in rules:
            found |= rule
        return found


def reads_position(node: c.Operand | c.Condition) -> bool:
    match node:
        case c.Held():
            return True
        case c.Compare() | c.Cross() | c.Arithmetic():
            return reads_position(node.left) or reads_position(node.right)
        case c.Every() | c.Either():
            return any(reads_position(x) for x in node.of)
        case c.Never() | c.InARow() | c.Within():
            return reads_position(node.of)
    return False
