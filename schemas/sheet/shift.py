"""The same so many bars ago: `close[1]`, `(high - low)[2]`, `squeeze[1]`."""

from __future__ import annotations

from dataclasses import replace

from schemas import contract as c
from schemas.sheet.problems import Fault

MOST = 10_000


def operand_ago(node: c.Operand, bars: int) -> c.Operand:
    match node:
        case c.Constant():
            return node
        case c.Price() | c.Series() | c.Calendar():
            if node.shift + bars > MOST:
                raise Fault(f"a bar more than {MOST} bars back cannot be read")
            return replace(node, shift=node.shift + bars)
        case c.Arithmetic():
            left, right = operand_ago(node.left, bars), operand_ago(node.right, bars)
            return replace(node, left=left, right=right)
        case c.Held():
            raise Fault("what an open position has cannot be read some bars back")


def condition_ago(node: c.Condition, bars: int) -> c.Condition:
    match node:
        case c.Compare() | c.Cross():
            left, right = operand_ago(node.left, bars), operand_ago(node.right, bars)
            return replace(node, left=left, right=right)
        case c.Every() | c.Either():
            return replace(node, of=tuple(condition_ago(x, bars) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=condition_ago(node.of, bars))
        case c.Session() | c.OnDays():
            raise Fault("a time of day or a weekday cannot be read some bars back yet")
