"""Writes the rules of a contract into a test as plain functions of a bar, one for each node."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.agents.layout import Code, statement
from bot.agents.spelling import minutes, number
from schemas import contract as c

SIGNS = {"above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "equal": "=="}
ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*"}
NAMED = {"divide": "ratio", "minimum": "lesser", "maximum": "greater"}
GIVEN = "i: int, e: int"


@dataclass
class Plain:
    """Grows by one function for each node that is more than a number or a series.

    `i` is the bar that is asked about, `e` the bar of the fill; -1 where there is no position.
    """

    functions: list[str] = field(default_factory=list)

    def operand(self, node: c.Operand, bar: str = "i") -> str:
        match node:
            case c.Constant():
                return number(node.value)
            case c.Price() | c.Calendar():
                return f'at("{node.field}", {_back(bar, node.shift)})'
            case c.Series():
                return f'at("{node.indicator}.{node.output}", {_back(bar, node.shift)})'
            case c.Held():
                return f'held("{node.field}", {bar}, e)'
            case c.Arithmetic():
                return f"{self._value(node)}({bar}, e)"

    def rule(self, node: c.Condition) -> str:
        """The name of a function that says whether it holds."""
        match node:
            case c.Compare():
                left, right = self.operand(node.left), self.operand(node.right)
                return self._add("rule", "bool", f"{left} {SIGNS[node.op]} {right}")
            case c.Cross():
                now, before = self._cross(node)
                return self._add("rule", "bool", f"now and {before}", first=f"now = {now}")
            case c.Every() | c.Either():
                joint = "and" if isinstance(node, c.Every) else "or"
                parts = [f"{self.rule(x)}(i, e)" for x in node.of]
                return self._add("rule", "bool", *parts, joint=joint)
            case c.Never():
                return self._add("rule", "bool", f"not {self.rule(node.of)}(i, e)")
            case c.InARow() | c.Within():
                how = "all" if isinstance(node, c.InARow) else "any"
                inner, first = self.rule(node.of), f"i - {node.bars - 1}"
                code = f"{how}(j >= 0 and {inner}(j, e) for j in range({first}, i + 1))"
                return self._add("rule", "bool", code)
            case c.Session():
                return self._add("rule", "bool", _session(node))
            case c.OnDays():
                return self._add("rule", "bool", f'at("weekday", i) in {node.weekdays}')

    def _cross(self, node: c.Cross) -> tuple[str, str]:
        now, before = (">", "<=") if node.direction == "above" else ("<", ">=")
        one = f"{self.operand(node.left)} {now} {self.operand(node.right)}"
        two = f"{self.operand(node.left, 'i - 1')} {before} {self.operand(node.right, 'i - 1')}"
        return one, two

    def _value(self, node: c.Arithmetic) -> str:
        left, right = self.operand(node.left), self.operand(node.right)
        if node.op in NAMED:
            return self._add("value", "float", f"{NAMED[node.op]}({left}, {right})")
        return self._add("value", "float", f"{left} {ARITHMETIC[node.op]} {right}")

    def _add(self, wish: str, returns: str, *parts: str, joint: str = "", first: str = "") -> str:
        name = f"{wish}_{len(self.functions) + 1}"
        code = Code(f" {joint} ".join(parts), parts=parts, joint=joint)
        lines = [f"def {name}({GIVEN}) -> {returns}:", *([f"    {first}"] if first else [])]
        lines += statement("return ", code, "    ")
        self.functions.append("\n".join(lines))
        return name


def _back(bar: str, shift: int) -> str:
    """`i - 1` two bars back is `i - 3`."""
    name, _, less = bar.partition(" - ")
    back = int(less or 0) + shift
    return f"{name} - {back}" if back else name


def _session(node: c.Session) -> str:
    start, end = minutes(node.start), minutes(node.end) + int(node.includes_end)
    if node.start <= node.end:
        return f'{start} <= at("minute", i) < {end}'
    return f'not {end} <= at("minute", i) < {start}'
