"""Writes the contract's rules once more for its tests: one bar at a time, in plain Python.

Nothing of the strategy's own expressions is used: a fault in one of the two shows in the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.agents.phrases import condition, operand
from bot.agents.spelling import minutes, number, prose
from bot.agents.tree import COMPARE, SIGNS, TURNED, asks_position, constant
from schemas import contract as c

ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*"}
EDGES = {
    "highest_high": ("max", "HIGH"),
    "lowest_low": ("min", "LOW"),
    "highest_close": ("max", "CLOSE"),
    "lowest_close": ("min", "CLOSE"),
}


@dataclass
class Plain:
    """Grows while rules are written. A function for each node, of the bar `i`; where the node
    reads the position, also of the bar and the price of its fill."""

    contract: c.Contract
    series: dict[tuple[str, str], str]
    functions: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    written: dict[tuple[str, c.Operand | c.Condition], str] = field(default_factory=dict)
    count: int = 0

    def rule(self, node: c.Condition) -> str:
        """The name of the function that says whether it holds."""
        if ("rule", node) not in self.written:
            body, says = self._rule(node), condition(node, self.contract)
            self.written["rule", node] = self._function("rule", "bool", node, body, says)
        return self.written["rule", node]

    def value(self, node: c.Operand) -> str:
        """The name of the function that gives its value."""
        if ("value", node) not in self.written:
            body, says = [f"return {self._operand(node, 'i')}"], operand(node, self.contract)
            self.written["value", node] = self._function("value", "float", node, body, says)
        return self.written["value", node]

    def call(self, name: str, node: c.Operand | c.Condition, i: str) -> str:
        return f"{name}({i}, first, price)" if asks_position(node) else f"{name}({i})"

    def _function(
        self, kind: str, returns: str, node: c.Operand | c.Condition, body: list[str], says: str
    ) -> str:
        self.count += 1
        name = f"{kind}_{self.count}"
        given = "i: int, first: int, price: float" if asks_position(node) else "i: int"
        about = prose(says)
        about = about if len(about) <= 80 else about[:77].rsplit(" ", 1)[0] + " ..."
        head = [f"def {name}({given}) -> {returns}:", f'    """{about[0].upper()}{about[1:]}."""']
        self.functions.append("\n".join([*head, *(f"    {line}" for line in body)]))
        return name

    def _rule(self, node: c.Condition) -> list[str]:
        match node:
            case c.Compare():
                return [f"return {self._compared(node)}"]
            case c.Cross():
                above = node.direction == "above"
                over, under = (node.left, node.right) if above else (node.right, node.left)
                over_name, under_name = self.value(over), self.value(under)
                now = [self.call(n, x, "i") for n, x in ((over_name, over), (under_name, under))]
                was = [
                    self.call(n, x, "i - 1") for n, x in ((over_name, over), (under_name, under))
                ]
                return [f"before = {was[0]} <= {was[1]}", f"return before and {now[0]} > {now[1]}"]
            case c.Every() | c.Either():
                word = "and" if isinstance(node, c.Every) else "or"
                parts = [self.call(self.rule(x), x, "i") for x in node.of]
                lines = [f"told = {parts[0]}"]
                lines += [f"told = told {word} {part}" for part in parts[1:]]
                return [*lines, "return told"] if len(parts) > 1 else [f"return {parts[0]}"]
            case c.Never():
                return [f"return not {self.call(self.rule(node.of), node.of, 'i')}"]
            case c.InARow() | c.Within():
                return self._counted(node)
            case c.Session():
                return self._session(node)
            case c.OnDays():
                return [f"return TIMES[i].day_of_week in {node.weekdays!r}"]

    def _compared(self, node: c.Compare) -> str:
        one, two = constant(node.left), constant(node.right)
        if one is not None and two is not None:
            return str(COMPARE[node.op](one, two))
        left, right = self._side(node.left, "i"), self._side(node.right, "i")
        if one is not None:
            return f"{right} {TURNED[SIGNS[node.op]]} {left}"
        return f"{left} {SIGNS[node.op]} {right}"

    def _counted(self, node: c.InARow | c.Within) -> list[str]:
        earliest = "first" if asks_position(node) else "0"
        inner = self.call(self.rule(node.of), node.of, "j")
        start = f"start = i + 1 - {node.bars}"
        if isinstance(node, c.InARow):
            told = f"all({inner} for j in range(start, i + 1))"
            return [start, f"return start >= {earliest} and {told}"]
        return [start, f"return any({inner} for j in range(max({earliest}, start), i + 1))"]

    def _session(self, node: c.Session) -> list[str]:
        start, end = minutes(node.start), minutes(node.end)
        last = "<=" if node.includes_end else "<"
        word = "and" if node.start <= node.end else "or"
        stamped = "minute = TIMES[i].hour * 60 + TIMES[i].minute"
        return [stamped, f"return minute >= {start} {word} minute {last} {end}"]

    def _side(self, node: c.Operand, i: str) -> str:
        if isinstance(node, c.Arithmetic | c.Held) and constant(node) is None:
            return self.call(self.value(node), node, i)
        return self._operand(node, i)

    def _operand(self, node: c.Operand, i: str) -> str:
        value = constant(node)
        if value is not None:
            return number(value)
        match node:
            case c.Price():
                return self._now(node.field.upper(), i, node.shift)
            case c.Series():
                return self._now(self.series[node.indicator, node.output], i, node.shift)
            case c.Calendar():
                self.used.add("calendar")
                return self._now(f"CALENDAR[{node.field!r}]".replace("'", '"'), i, node.shift)
            case c.Held():
                return self._held(node.field, i)
            case c.Arithmetic():
                left, right = self._side(node.left, i), self._side(node.right, i)
                return self._arithmetic(node.op, left, right)
        return number(node.value)

    def _arithmetic(self, op: str, left: str, right: str) -> str:
        if op in ARITHMETIC:
            return f"{left} {ARITHMETIC[op]} {right}"
        self.used.add(op)
        return f"{op}({left}, {right})"

    def _now(self, name: str, i: str, shift: int) -> str:
        self.used.add("at")
        return f"at({name}, {i}{f' - {shift}' if shift else ''})"

    def _held(self, name: str, i: str) -> str:
        """Known from the fill on, and only with a position."""
        self.used.add("seen")
        if name == "entry_price":
            return f"seen(price, {i}, first, price)"
        if name == "bars":
            return f"seen(float({i} - first), {i}, first, price)"
        how, column = EDGES[name]
        return f"seen({how}([*{column}[first : {i} + 1], {column}[first]]), {i}, first, price)"
