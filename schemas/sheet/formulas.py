"""Names for a formula of prices: `abs(x)`, `body`, `typical`, `flat`."""

from __future__ import annotations

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet.expressions import Reader, Value
from schemas.sheet.grammar import Node
from schemas.sheet.literals import column
from schemas.sheet.problems import Fault

FORMULAS = ("abs", "body", "typical", "typical_price", "hlc3", "hl2", "median_price", "ohlc4",
            "always", "flat", "upper_wick", "lower_wick")  # fmt: skip
ONE_IS_OPEN = c.Compare(op="above", left=c.Held(field="entry_price"), right=c.Constant(value=0.0))
"""Known only while a position is open, and then always true."""


def formula(reader: Reader, name: str, arguments: list[Node], word: Token) -> Value:
    o, h, lo, cl = (c.Price(field=c.PriceField(x)) for x in ("open", "high", "low", "close"))
    if name == "abs":
        return _size_of(reader.operand(exactly(1, arguments, word)[0]))
    exactly(0, arguments, word)
    match name:
        case "body":
            return _size_of(_do("subtract", cl, o))
        case "upper_wick":
            return _do("subtract", h, _do("maximum", o, cl))
        case "lower_wick":
            return _do("subtract", _do("minimum", o, cl), lo)
        case "hl2" | "median_price":
            return _do("divide", _do("add", h, lo), c.Constant(value=2.0))
        case "ohlc4":
            total = _do("add", _do("add", _do("add", o, h), lo), cl)
            return _do("divide", total, c.Constant(value=4.0))
        case "always":
            return c.Compare(op="above", left=cl, right=c.Constant(value=0.0))
        case "flat":
            return c.Never(of=ONE_IS_OPEN)
    total = _do("add", _do("add", h, lo), cl)
    return _do("divide", total, c.Constant(value=3.0))


def _size_of(value: c.Operand) -> c.Operand:
    return _do("maximum", value, _do("subtract", c.Constant(value=0.0), value))


def _do(op: str, left: c.Operand, right: c.Operand) -> c.Arithmetic:
    return c.Arithmetic(op=op, left=left, right=right)  # type: ignore[arg-type]


def exactly(many: int | tuple[int, ...], arguments: list[Node], word: Token) -> list[Node]:
    wanted = (many,) if isinstance(many, int) else many
    if len(arguments) not in wanted:
        told = " or ".join(map(str, wanted))
        raise Fault(f"`{word}` takes {told} in its brackets", column(word), str(word))
    return arguments


def parts_of(node: Node) -> tuple[Token, list[Node]]:
    word = next(x for x in node.children if isinstance(x, Token) and x.type == "NAME")
    inside = next((x for x in node.children if isinstance(x, Tree) and x.data == "arguments"), None)
    return word, [x for x in inside.children if isinstance(x, Tree)] if inside else []
