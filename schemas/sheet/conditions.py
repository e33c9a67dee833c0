"""What is true or false on a bar: comparisons, crosses, groups, times of day."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet import literals
from schemas.sheet.compared import bars_since, hours, pair
from schemas.sheet.expressions import (
    Reader,
    Value,
    place,
    tokens,
    trees,
)
from schemas.sheet.formulas import ONE_IS_OPEN
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault, Unbound
from schemas.sheet.shift import operand_ago
from schemas.sheet.values import day_of

OPERATORS = {
    ">": "above", "<": "below", ">=": "at_least", "<=": "at_most", "≥": "at_least",
    "≤": "at_most", "=": "equal", "==": "equal",
}  # fmt: skip
CLOSED = ("group", "rising", "falling")
"""A condition that nobody takes for a part of a longer one."""


def _either(read: Reader, node: Node) -> Value:
    return c.Either(of=tuple(_parts(read, node)))


def _every(read: Reader, node: Node) -> Value:
    return c.Every(of=tuple(_parts(read, node)))


def _parts(read: Reader, node: Node) -> list[c.Condition]:
    parts = [x for x in node.children if isinstance(x, Tree)]
    if len(parts) > 20:
        raise Fault("more than 20 conditions in one group", place(node))
    for later in parts[1:]:
        inner = trees(later)[0] if later.data in ("in_a_row", "within") else None
        if inner is not None and inner.data not in CLOSED:
            word = "for" if later.data == "in_a_row" else "within"
            raise Unbound(word, place(inner), (inner.meta.end_column or 1) - 1)
    return [read.condition(x) for x in parts]


def _never(read: Reader, node: Node) -> Value:
    return c.Never(of=read.condition(trees(node)[0]))


def _in_a_row(read: Reader, node: Node) -> Value:
    return c.InARow(bars=_bars(read, node), of=_remembered(read, trees(node)[0]))


def _within(read: Reader, node: Node) -> Value:
    return c.Within(bars=_bars(read, node), of=_remembered(read, trees(node)[0]))


def _remembered(read: Reader, node: Node) -> c.Condition:
    """A condition that is looked up on earlier bars."""
    found = read.condition(node)
    if _says_flat(found):
        told = "`flat` is known of this bar alone; for a pause write `wait … bars after exit`"
        raise Fault(told, place(node))
    return found


def _says_flat(node: c.Condition) -> bool:
    match node:
        case c.Every() | c.Either():
            return any(_says_flat(x) for x in node.of)
        case c.Never() | c.InARow() | c.Within():
            return node.of == ONE_IS_OPEN or _says_flat(node.of)
    return False


def _any_within(read: Reader, node: Node) -> Value:
    """`any(x, 3)`: x held on one of the last three bars."""
    what, many = trees(node)
    bars = read.operand(many)
    if not isinstance(bars, c.Constant) or bars.value not in range(1, 100_001):
        raise Fault("the second thing in the brackets is a number of bars", place(many))
    return c.Within(bars=int(bars.value), of=_remembered(read, what))


def _any_of_last(read: Reader, node: Node) -> Value:
    return _within(read, node)


def _bars(read: Reader, node: Node) -> int:
    number, span = tokens(node, "NUMBER")[0], tokens(node, "SPAN")[0]
    return literals.bars(number, span, read.scope.timeframe)


def _compare(read: Reader, node: Node) -> Value:
    children = node.children
    pairs = [
        _compared(read, children[n], children[n + 1], children[n + 2])
        for n in range(0, len(children) - 2, 2)
    ]
    return pairs[0] if len(pairs) == 1 else c.Every(of=tuple(pairs))


def _compared(
    read: Reader, left: Node | Token, sign: Node | Token, right: Node | Token
) -> c.Condition:
    token = _last_token(sign)
    typed = str(token).lower()
    if by_the_hour := hours(left, typed, right):
        return by_the_hour
    if since := bars_since(read, left, typed, right):
        return since
    a, b = pair(read, left, right)
    if any(isinstance(x, c.Calendar) and x.field == "minute" for x in (a, b)):
        _by_stamp(read)
    if typed in ("!=", "≠"):
        return c.Never(of=c.Compare(op="equal", left=a, right=b))
    op = {"ABOVE": "above", "BELOW": "below"}.get(token.type) or OPERATORS[typed]
    return c.Compare(op=op, left=a, right=b)  # type: ignore[arg-type]


def _is_day(read: Reader, node: Node) -> Value:
    """`weekday is friday`."""
    left, day = trees(node)[0], tokens(node, "DAY")[0]
    weekday = read.operand(left)
    if not isinstance(weekday, c.Calendar) or weekday.field != "weekday":
        raise Fault("a weekday is compared with `weekday`, as in `weekday = monday`", place(day))
    return c.Compare(op="equal", left=weekday, right=c.Constant(value=float(day_of(day))))


def _cross(read: Reader, node: Node) -> Value:
    left, right = read.operand(node.children[0]), read.operand(node.children[-1])
    up = bool(tokens(node, "ABOVE") or tokens(node, "UP"))
    return c.Cross(direction="above" if up else "below", left=left, right=right)


def _cross_any(read: Reader, node: Node) -> Value:
    word = tokens(node, "CROSSES")[0]
    both = ("crosses above", "crosses below")
    told = f"which way? `{both[0]}` or `{both[1]}`"
    raise Fault(told, place(word), str(word), both)


def _rising(read: Reader, node: Node) -> Value:
    return _moves(read, node, "above")


def _falling(read: Reader, node: Node) -> Value:
    return _moves(read, node, "below")


def _moves(read: Reader, node: Node, op: str) -> Value:
    now = read.operand(node.children[0])
    return c.Compare(op=op, left=now, right=operand_ago(now, 1))  # type: ignore[arg-type]


def _between(read: Reader, node: Node) -> Value:
    tested, low, high = trees(node)
    closed = bool(tokens(node, "INCLUSIVE"))
    what = read.value(tested)
    if isinstance(what, c.Calendar) and what.field == "minute" and not what.shift:
        _by_stamp(read)
        start, end = (_clock_of(read.value(x), x) for x in (low, high))
        return c.Session(start=start, end=end, includes_end=closed)
    for node_of_clock in (low, high):
        if node_of_clock.data == "clock":
            told = "`time between …` is a stretch of the day, `highest high between …` its range"
            raise Fault(told, place(node_of_clock))
    a, b, x = read.operand(low), read.operand(high), read.operand(tested)
    return c.Every(
        of=(c.Compare(op="at_least", left=x, right=a), c.Compare(op="at_most", left=x, right=b))
    )


def _by_stamp(read: Reader) -> None:
    told = "by the opening stamp of the signal bar, whose order fills one bar later; an end is "
    read.scope.told.append(("times", told + "left out unless it says `inclusive`"))


def _among(read: Reader, node: Node) -> Value:
    tested, *members = trees(node)
    what = read.value(tested)
    if isinstance(what, c.Calendar) and what.field == "weekday" and not what.shift:
        if not all(m.data == "day" for m in members):
            raise Fault("name the days, as in `weekday in (mon, tue)`", place(members[0]))
        return c.OnDays(weekdays=tuple(day_of(tokens(m, "DAY")[0]) for m in members))
    left = read.operand(tested)
    each = tuple(c.Compare(op="equal", left=left, right=read.operand(m)) for m in members)
    return each[0] if len(each) == 1 else c.Either(of=each)


def _last_token(node: Node | Token) -> Token:
    return (
        node
        if isinstance(node, Token)
        else next(x for x in reversed(node.children) if isinstance(x, Token))
    )


def _clock_of(found: Value, node: Node) -> str:
    if not isinstance(found, c.Constant) or not 0 <= found.value < 1440:
        raise Fault("write a time of day, as in 09:30", place(node))
    return f"{int(found.value) // 60:02}:{int(found.value) % 60:02}"


MEANING: dict[str, Callable[[Reader, Node], Value]] = {
    "either": _either,
    "every": _every,
    "never": _never,
    "in_a_row": _in_a_row,
    "within": _within,
    "any_of_last": _any_of_last,
    "any_within": _any_within,
    "compare": _compare,
    "is_day": _is_day,
    "cross": _cross,
    "cross_any": _cross_any,
    "rising": _rising,
    "falling": _falling,
    "between": _between,
    "among": _among,
}
