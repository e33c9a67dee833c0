"""Numbers, prices and what is made of them."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import calls, literals, names
from schemas.sheet.compared import in_price
from schemas.sheet.expressions import (
    OPERANDS,
    Amount,
    Reader,
    Value,
    lost_unit,
    place,
    tokens,
    trees,
)
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault, HoleFound
from schemas.sheet.shift import condition_ago, operand_ago
from schemas.sheet.unknown import known

STEPS = {"add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide"}


def _add(read: Reader, node: Node) -> Value:
    return _sum(read, node)


def _subtract(read: Reader, node: Node) -> Value:
    return _sum(read, node)


def _multiply(read: Reader, node: Node) -> Value:
    return _sum(read, node)


def _divide(read: Reader, node: Node) -> Value:
    return _sum(read, node)


def _sum(read: Reader, node: Node) -> Value:
    left, right = trees(node)
    a = _term(read, left)
    if right.data == "percent" and node.data in ("add", "subtract"):
        share = c.Constant(value=literals.percent(tokens(right, "NUMBER")[0]))
        b: c.Operand = c.Arithmetic(op="multiply", left=a, right=share)
    else:
        b = _term(read, right)
    return c.Arithmetic(op=STEPS[str(node.data)], left=a, right=b)  # type: ignore[arg-type]


def _term(read: Reader, node: Node | Token) -> c.Operand:
    """In a sum of prices pips and points are prices."""
    found = in_price(read, read.value(node), node)
    return found if isinstance(found, c.Constant) else read.operand(node)


def _negative(read: Reader, node: Node) -> Value:
    found = read.value(trees(node)[0])
    if isinstance(found, Amount):
        return Amount(-found.value, found.unit)
    if isinstance(found, c.Constant):
        return c.Constant(value=-found.value if found.value else 0.0)
    if not isinstance(found, OPERANDS):
        raise Fault("a condition has no sign; write `not (…)`", place(node))
    return c.Arithmetic(op="subtract", left=c.Constant(value=0.0), right=found)


def _number(read: Reader, node: Node) -> Value:
    return c.Constant(value=literals.real(tokens(node, "NUMBER")[0]))


def _amount(read: Reader, node: Node, unit: str) -> Amount:
    return Amount(literals.real(tokens(node, "NUMBER")[0]), unit)


def _percent(read: Reader, node: Node) -> Value:
    return _amount(read, node, "percent")


def _multiple_of_risk(read: Reader, node: Node) -> Value:
    return _amount(read, node, "r")


def _points(read: Reader, node: Node) -> Value:
    return _amount(read, node, "price")


def _pips(read: Reader, node: Node) -> Value:
    read.scope.uses_pips = True
    return _amount(read, node, "pips")


def _ticks(read: Reader, node: Node) -> Value:
    if read.scope.tick is None:
        raise Fault("how large is a tick here? Add a line such as `tick 0.01`", place(node))
    many = literals.real(tokens(node, "NUMBER")[0])
    return Amount(round(many * read.scope.tick, 12), "price")


def _cents(read: Reader, node: Node) -> Value:
    return Amount(round(literals.real(tokens(node, "NUMBER")[0]) / 100.0, 12), "price")


def _percent_above(read: Reader, node: Node) -> Value:
    return _away(read, node, "add")


def _percent_below(read: Reader, node: Node) -> Value:
    return _away(read, node, "subtract")


def _away(read: Reader, node: Node, op: str) -> Value:
    share = literals.percent(tokens(node, "NUMBER")[0])
    base = read.operand(trees(node)[0])
    part = c.Arithmetic(op="multiply", left=base, right=c.Constant(value=share))
    return c.Arithmetic(op=op, left=base, right=part)  # type: ignore[arg-type]


def _times_name(read: Reader, node: Node) -> Value:
    return _times(read, node, _name(read, node))


def _times_call(read: Reader, node: Node) -> Value:
    return _times(read, node, _call(read, node))


def _times(read: Reader, node: Node, found: Value) -> Value:
    """`2 atr(14)`: only an ATR is counted like that."""
    if not isinstance(found, c.Series) or read.scope.book.kind_of(found) != "atr":
        word = tokens(node, "NAME")[0]
        raise Fault(f"put a sign between the number and `{word}`", place(word), str(word))
    times = c.Constant(value=literals.real(tokens(node, "NUMBER")[0]))
    return c.Arithmetic(op="multiply", left=times, right=found)


def _range_of_values(read: Reader, node: Node) -> Value:
    raise Fault("trying several values is not built yet; write one number", place(node))


def _clock(read: Reader, node: Node) -> Value:
    return c.Constant(value=float(literals.minute(tokens(node, "CLOCK")[0])))


def _day(read: Reader, node: Node) -> Value:
    return c.Constant(value=float(day_of(tokens(node, "DAY")[0])))


def _group(read: Reader, node: Node) -> Value:
    return read.value(trees(node)[0])


def _hole(read: Reader, node: Node) -> Value:
    raise HoleFound(place(node))


def _ago(read: Reader, node: Node) -> Value:
    found = read.value(trees(node)[0])
    bars = literals.whole(tokens(node, "NUMBER")[0])
    if isinstance(found, Amount):
        raise Fault(lost_unit(found), place(node))
    if isinstance(found, OPERANDS):
        return operand_ago(found, bars)
    return condition_ago(found, bars)


def _at_signal_name(read: Reader, node: Node) -> Value:
    """`low of signal bar`."""
    if not read.scope.ordering:
        raise Fault("a value kept from the signal bar is not built yet", place(node))
    return _name(read, node)


def _at_signal(read: Reader, node: Node) -> Value:
    """`low[signal]` in a price of an order: it is worked out on the signal bar anyway."""
    if not read.scope.ordering:
        raise Fault("a value kept from the signal bar is not built yet", place(node))
    return read.value(trees(node)[0])


def _output(read: Reader, node: Node) -> Value:
    """`bollinger(20, 2).lower`: the outputs of an indicator, as many write them."""
    base, output = node.children
    if isinstance(base, Tree) and base.data in ("call", "name"):
        return calls.series(read, base, str(output).lower())
    raise Fault(f"what has `.{output}`?", place(output), str(output))


def _call(read: Reader, node: Node) -> Value:
    return calls.call(read, node)


def _name(read: Reader, node: Node) -> Value:
    word = tokens(node, "NAME")[0]
    name = str(word).lower()
    if name in read.scope.lets:
        return read.scope.lets[name]
    if name in read.scope.unread:
        told = f"`{word}` waits for line {read.scope.unread[name]} to be readable"
        raise Fault(told, place(word), str(word))
    name = known(name)
    if name in names.PRICES:
        return c.Price(field=c.PriceField(name))
    if name in names.CALENDAR:
        return c.Calendar(field=names.CALENDAR[name])  # type: ignore[arg-type]
    if name in names.HELD:
        return c.Held(field=names.HELD[name])  # type: ignore[arg-type]
    if name in names.MONTHS:
        return c.Constant(value=float(names.MONTHS.index(name) + 1))
    return calls.call(read, node)


def day_of(token: Token) -> int:
    return names.DAYS.index(str(token).lower()[:3])


MEANING: dict[str, Callable[[Reader, Node], Value]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "negative": _negative,
    "number": _number,
    "percent": _percent,
    "multiple_of_risk": _multiple_of_risk,
    "points": _points,
    "pips": _pips,
    "ticks": _ticks,
    "cents": _cents,
    "percent_above": _percent_above,
    "percent_below": _percent_below,
    "times_name": _times_name,
    "times_call": _times_call,
    "range_of_values": _range_of_values,
    "clock": _clock,
    "day": _day,
    "group": _group,
    "hole": _hole,
    "ago": _ago,
    "at_signal": _at_signal,
    "output": _output,
    "call": _call,
    "name": _name,
    "of_signal_bar": _at_signal_name,
}
