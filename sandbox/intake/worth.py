"""What an expression is worth, where the source alone says so: numbers and texts, also in pieces.

`"no" + "w"` is a text like any other. Names count if the file gives them one meaning.
"""

from __future__ import annotations

import ast
import contextlib
import operator
import re
import string
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.intake.tree import Tree

LONGEST, LARGEST, DEEPEST, MOST_PIECES = 300, 1e30, 20, 20
HEAVIEST = 20_000
"""The most characters that a value may have as text. What is not yet made is measured first."""
A_NUMBER = 32
PLAIN = (int, float, str, tuple, frozenset)
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
CALLS: Mapping[str, Callable[..., Any]] = {
    "int": int, "float": float, "abs": abs, "round": round, "str": str, "range": range,
    "frozenset": frozenset, "set": frozenset, "tuple": tuple, "list": tuple, "len": len,
}  # fmt: skip
METHODS = frozenset({
    "capitalize", "format", "join", "lower", "lstrip", "removeprefix", "removesuffix", "replace",
    "rstrip", "strip", "swapcase", "title", "upper", "zfill",
})  # fmt: skip
COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


class Unclear(Exception):
    """Its worth is known at run time only."""


Source = Callable[[ast.AST], object]
"""The worth of a node that is assumed for the occasion; None for any other."""


class Worth:
    def __init__(self, tree: Tree, source: Source = lambda node: None) -> None:
        self._names, self._source = tree.meanings, source
        self._memory: dict[ast.AST, Any] = {}

    def of(self, node: ast.AST, depth: int = 0) -> Any:
        """Its value; raises `Unclear`."""
        if node not in self._memory:
            self._memory[node] = Unclear  # what needs itself is not clear
            with contextlib.suppress(ArithmeticError, LookupError, TypeError, ValueError, Unclear):
                self._memory[node] = self._value(node, depth + 1)
        if self._memory[node] is Unclear:
            raise Unclear
        return self._memory[node]

    def text(self, node: ast.AST) -> str:
        """The text that it is, or nothing."""
        try:
            value = self.of(node)
        except Unclear:
            return ""
        return value if isinstance(value, str) else ""

    def holds(self, node: ast.Compare) -> bool:
        if len(node.ops) != 1:
            raise Unclear
        left, right = self.of(node.left), self.of(node.comparators[0])
        try:
            return bool(COMPARISONS[type(node.ops[0])](left, right))
        except (KeyError, TypeError):
            raise Unclear from None

    def _value(self, node: ast.AST, depth: int) -> Any:
        assumed = self._source(node)
        if assumed is not None:
            return assumed
        if depth > DEEPEST:
            raise Unclear
        return self._small(self._made(node, depth))

    def _small(self, value: Any) -> Any:
        if isinstance(value, (str, tuple, frozenset, range)) and len(value) <= LONGEST:
            if _weight(value) > HEAVIEST:
                raise Unclear
            return value
        if isinstance(value, (int, float)) and abs(value) < LARGEST:
            return value
        raise Unclear

    def _made(self, node: ast.AST, depth: int) -> Any:
        match node:
            case ast.Constant(value=value) if isinstance(value, PLAIN):
                return value
            case ast.Name(id=name):
                return self._meaning(name, depth)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return self._meaning(f"self.{name}", depth)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.of(operand, depth)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.of(left, depth), self.of(right, depth))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(self.of(p, depth) for p in parts)
            case ast.Set(elts=parts):
                return frozenset(self.of(p, depth) for p in parts)
            case ast.Dict(keys=keys):
                return tuple(self.of(k, depth) for k in keys if k is not None)
            case ast.JoinedStr(values=parts):
                return "".join(str(self.of(p, depth)) for p in parts)
            case ast.FormattedValue(value=value, format_spec=None):
                return self.of(value, depth)
            case ast.Subscript(value=value, slice=at):
                return self.of(value, depth)[self._at(at, depth)]
            case ast.Call():
                return self._call(node, depth)
        raise Unclear

    def _binary(self, op: ast.operator, left: Any, right: Any) -> Any:
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if isinstance(op, ast.Pow) and not (numbers and abs(left) < 1e6 and abs(right) <= 20):
            raise Unclear
        if isinstance(op, ast.Mult) and not numbers and not _fits(left, right):
            raise Unclear
        if isinstance(op, ast.Mod) and isinstance(left, str) and re.search(r"[\d*]", left):
            raise Unclear  # "%9999999999d" is as wide as it says
        return OPERATORS[type(op)](left, right)

    def _at(self, node: ast.expr, depth: int) -> Any:
        if not isinstance(node, ast.Slice):
            return self.of(node, depth)
        return slice(*(p and self.of(p, depth) for p in (node.lower, node.upper, node.step)))

    def _call(self, node: ast.Call, depth: int) -> Any:
        if node.keywords:
            raise Unclear
        given = [self.of(a, depth) for a in node.args]
        match node.func:
            case ast.Name(id=name) if name in CALLS:
                if name == "round" and any(abs(digits) > LONGEST for digits in given[1:]):
                    raise Unclear  # round(1, -10**10) works out ten to the power of that
                return CALLS[name](*given)
            case ast.Attribute(value=value, attr=name) if name in METHODS:
                text = self.of(value, depth)
                if isinstance(text, str) and not _widens(text, name, given):
                    return getattr(text, name)(*given)
        raise Unclear

    def _meaning(self, name: str, depth: int) -> Any:
        """One binding, or a text that is added to."""
        pieces = self._names.get(name, [])
        if not 0 < len(pieces) <= MOST_PIECES or None in pieces:
            raise Unclear
        first, *more = [p for p in pieces if p is not None]
        value = self.of(first, depth)
        added = [self.of(p.value, depth) for p in more if isinstance(p, ast.Starred)]
        if len(added) < len(more) or not all(isinstance(t, str) for t in (value, *added)):
            if more:
                raise Unclear
            return value
        return "".join((value, *added))


def _weight(value: Any) -> int:
    """How long its text is at most. The parts were measured when they were made."""
    if isinstance(value, (tuple, frozenset)):
        total = 2
        for part in value:
            total += 2 + _weight(part)
            if total > HEAVIEST:
                break
        return total
    return len(value) + 2 if isinstance(value, str) else A_NUMBER


def _fits(left: Any, right: Any) -> bool:
    """A text or a tuple times a number, if that is short."""
    some, times = (right, left) if isinstance(left, int) else (left, right)
    repeats = isinstance(some, (str, tuple)) and isinstance(times, int)
    return repeats and len(some) * times <= LONGEST


def _widens(text: str, method: str, given: list[Any]) -> bool:
    """Whether a width in it makes the result longer than its parts."""
    if method == "zfill":
        return any(width > LONGEST for width in given)
    if method != "format":
        return False
    specs = [spec or "" for _, _, spec, _ in string.Formatter().parse(text)]
    numbers = [int(n) for spec in specs for n in re.findall(r"\d+", spec)]
    return any("{" in spec for spec in specs) or any(n > LONGEST for n in numbers)
