"""The parts that conditions are made of: prices, numbers, comparisons and how they join. Pure."""

from __future__ import annotations

from typing import Literal

from schemas import contract as c

Op = Literal["above", "below", "at_least", "at_most", "equal"]


def price(field: str, back: int = 0) -> c.Price:
    return c.Price(field=c.PriceField(field), shift=back)


def number(value: float) -> c.Constant:
    return c.Constant(value=float(value))


UNITS: dict[str, Literal["percent", "price", "pips", "r"]] = {
    "percent": "percent", "pips": "pips", "r": "r", "price": "price", "money": "price", "ticks": "price",
}  # fmt: skip
OPS: dict[str, Op] = {"above": "above", "below": "below", "at_least": "at_least", "at_most": "at_most",
                      "equal": "equal"}  # fmt: skip


def compare(op: str, left: c.Operand, right: c.Operand) -> c.Compare:
    """`op` as the lexicon spells it."""
    return c.Compare(op=OPS[op], left=left, right=right)


def crossing(direction: str, left: c.Operand, right: c.Operand) -> c.Cross:
    return c.Cross(direction="above" if direction == "above" else "below", left=left, right=right)


def away(unit: str, amount: float) -> c.Distance:
    """`unit` as the lexer spells it; a tick or an amount of money is a distance in price."""
    return c.Distance(unit=UNITS[unit], amount=amount)


def above(left: c.Operand, right: c.Operand) -> c.Compare:
    return c.Compare(op="above", left=left, right=right)


def at_least(left: c.Operand, right: c.Operand) -> c.Compare:
    return c.Compare(op="at_least", left=left, right=right)


def minus(left: c.Operand, right: c.Operand) -> c.Arithmetic:
    return c.Arithmetic(op="subtract", left=left, right=right)


def times(left: c.Operand, value: float) -> c.Arithmetic:
    return c.Arithmetic(op="multiply", left=left, right=number(value))


def every(*of: c.Condition) -> c.Condition:
    said = [x for node in of for x in (node.of if isinstance(node, c.Every) else (node,))]
    flat = list(dict.fromkeys(said))
    return flat[0] if len(flat) == 1 else c.Every(of=tuple(flat))


def either(*of: c.Condition) -> c.Condition:
    flat = [x for node in of for x in (node.of if isinstance(node, c.Either) else (node,))]
    return flat[0] if len(flat) == 1 else c.Either(of=tuple(flat))


def green(back: int = 0) -> c.Condition:
    return above(price("close", back), price("open", back))


def red(back: int = 0) -> c.Condition:
    return above(price("open", back), price("close", back))


def top(back: int = 0) -> c.Operand:
    return c.Arithmetic(op="maximum", left=price("open", back), right=price("close", back))


def bottom(back: int = 0) -> c.Operand:
    return c.Arithmetic(op="minimum", left=price("open", back), right=price("close", back))


def body(back: int = 0) -> c.Operand:
    return minus(top(back), bottom(back))


def span(back: int = 0) -> c.Operand:
    return minus(price("high", back), price("low", back))
