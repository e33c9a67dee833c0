"""One condition as it was read, and the same some bars earlier. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.reading.nodes import price
from schemas import contract as c


@dataclass(frozen=True)
class Cond:
    """`node` for a long or for anybody; `other` is what a short needs where that differs.

    `either` is a cross that named no direction.
    """

    node: c.Condition
    other: c.Condition | None = None
    either: bool = False
    bearish: bool = False
    calendar: bool = False
    """About the clock alone: it is meant for every entry of its sentence."""
    touch: bool = False
    """A line to be reached, from whichever side: which one it is depends on the entry."""
    through: bool = False
    """Back across a line: to which side of it depends on where the entry was."""
    soft: bool = False
    """Said with "falls below" and the like: to leave, being below is enough."""


def earlier(node: c.Condition, steps: int) -> c.Condition:
    """The same condition, as it was some bars ago."""
    if not steps:
        return node
    match node:
        case c.Compare() | c.Cross():
            return replace(
                node, left=bars_before(node.left, steps), right=bars_before(node.right, steps)
            )
        case c.Every() | c.Either():
            return replace(node, of=tuple(earlier(x, steps) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=earlier(node.of, steps))
    return node


def bars_before(node: c.Operand, steps: int) -> c.Operand:
    match node:
        case c.Price() | c.Series() | c.Calendar():
            return replace(node, shift=node.shift + steps)
        case c.Arithmetic():
            return replace(
                node, left=bars_before(node.left, steps), right=bars_before(node.right, steps)
            )
    return node


def reaches(line: c.Operand) -> Cond:
    """A close at or beyond this line, from whichever side the position is on."""
    close = price("close")
    return Cond(
        c.Compare(op="at_least", left=close, right=line),
        c.Compare(op="at_most", left=close, right=line),
        touch=True,
    )


def is_itself(left: c.Operand, right: c.Operand) -> bool:
    """ "The EMA is higher than 5 bars ago ... above it": it is the EMA of now."""
    return isinstance(left, c.Series) and replace(left, shift=0) == _now(right) != right


def _now(node: c.Operand) -> c.Operand:
    return replace(node, shift=0) if isinstance(node, c.Series) else node
