"""The two sides of a comparison: a weekday is compared with `weekday`, a rate with a percent."""

from __future__ import annotations

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import literals
from schemas.sheet.expressions import (
    OPERANDS,
    Amount,
    Reader,
    Value,
    lost_unit,
    place,
    tokens,
)
from schemas.sheet.formulas import parts_of
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault


def bars_since(
    read: Reader, left: Node | Token, sign: str, right: Node | Token
) -> c.Condition | None:
    """`bars_since(x) <= 5`: x held on this bar or on one of the five before."""
    if not isinstance(left, Tree) or left.data != "call":
        return None
    word, arguments = parts_of(left)
    if str(word).lower() not in ("barssince", "bars_since", "ta.barssince"):
        return None
    number = read.value(right)
    if len(arguments) != 1 or not isinstance(number, c.Constant):
        return None
    bars = int(number.value) + (sign in ("<=", "≤", ">"))
    if sign not in ("<=", "<", "≤", ">", ">=", "≥") or bars < 1:
        return None
    recent = c.Within(bars=bars, of=read.condition(arguments[0]))
    return recent if sign in ("<=", "<", "≤") else c.Never(of=recent)


def pair(read: Reader, left: Node | Token, right: Node | Token) -> tuple[c.Operand, c.Operand]:
    """A percent beside a rate of change is that rate: both count in percent."""
    a, b = read.value(left), read.value(right)
    a, b = _rate(read, a, b), _rate(read, b, a)
    a, b = in_price(read, a, left), in_price(read, b, right)
    for found, other, node in ((a, b, left), (b, a, right)):
        if isinstance(found, Amount):
            raise Fault(lost_unit(found), place(node))
        if not isinstance(found, OPERANDS):
            raise Fault("a condition cannot be compared; put `and` or `or`", place(node))
        comparable(node, found, other)
        _tell_impossible(read, found, other)
    return a, b  # type: ignore[return-value]


def in_price(read: Reader, found: Value, node: Node | Token) -> Value:
    """Pips and points beside a price are prices."""
    if not isinstance(found, Amount) or found.unit not in ("pips", "price"):
        return found
    if found.unit == "price":
        return c.Constant(value=found.value)
    if read.scope.pip is None:
        raise Fault("how large is a pip here? Add a line such as `pip 0.01`", place(node))
    return c.Constant(value=round(found.value * read.scope.pip, 12))


def _rate(read: Reader, found: Value, other: Value) -> Value:
    if not isinstance(found, Amount) or found.unit != "percent":
        return found
    if isinstance(other, c.Series) and read.scope.book.kind_of(other) == "roc":
        return c.Constant(value=found.value)
    return found


def hours(left: Node | Token, sign: str, right: Node | Token) -> c.Condition | None:
    """`hour >= 10` is `time >= 10:00`."""
    is_hour = isinstance(left, Tree) and left.data == "name"
    is_hour = is_hour and str(left.children[0]).lower() == "hour"  # type: ignore[union-attr]
    if not is_hour or not (isinstance(right, Tree) and right.data == "number"):
        return None
    hour = literals.whole(tokens(right, "NUMBER")[0])
    if not 0 <= hour <= 23:
        raise Fault("an hour is 0 to 23", place(right))
    if sign in ("=", "=="):
        end = f"{hour + 1:02}:00" if hour < 23 else "00:00"
        return c.Session(start=f"{hour:02}:00", end=end)
    op = {">=": ("at_least", 0), "≥": ("at_least", 0), ">": ("at_least", 1), "<": ("below", 0),
          "<=": ("below", 1), "≤": ("below", 1)}.get(sign)  # fmt: skip
    if op is None:
        return None
    now, then = c.Calendar(field="minute"), c.Constant(value=float(60 * (hour + op[1])))
    return c.Compare(op=op[0], left=now, right=then)  # type: ignore[arg-type]


BOUNDS = {"day": (1, 31), "month": (1, 12), "trading_day": (1, 23), "bar_of_day": (1, 1440)}


def _tell_impossible(read: Reader, found: Value, other: Value) -> None:
    """A fourth-last trading day is no trading day -4: such a rule is decided for ever."""
    if not isinstance(found, c.Constant) or not isinstance(other, c.Calendar):
        return
    low, high = BOUNDS.get(other.field, (found.value, found.value))
    if not low <= found.value <= high:
        told = f"counts from {low} to {high}; {found.value:g} is outside, so this never changes"
        read.scope.told.append((f"{other.field} of a bar", told))


def comparable(node: Node | Token, found: Value, other: Value) -> None:
    """A time of day is compared with `time`, a weekday with `weekday`, and with nothing else."""
    kind = node.data if isinstance(node, Tree) else ""
    field = other.field if isinstance(other, c.Calendar) else ""
    if kind == "day" and field != "weekday":
        raise Fault("a weekday is compared with `weekday`, as in `weekday = monday`", place(node))
    if kind == "clock" and field != "minute":
        raise Fault("a time of day is compared with `time`, as in `time >= 10:00`", place(node))
    if kind != "number" or not isinstance(found, c.Constant) or found.value != int(found.value):
        return
    if field == "weekday" and 0 <= found.value < 7:
        raise Fault("name the day, as in `weekday = monday`", place(node))
    if field == "minute" and 0 <= found.value < 1440:
        raise Fault("write a time of day, as in `time >= 10:00`", place(node))
