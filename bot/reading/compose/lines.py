"""A price is compared with the Supertrend's line; its direction is for what turns. Pure."""

from __future__ import annotations

from dataclasses import replace

from bot.reading.book import Book
from schemas import contract as c


def beside_the_line(node: c.Condition, book: Book) -> c.Condition:
    """The condition with the line wherever a price stands on the other side."""
    match node:
        case c.Compare() | c.Cross():
            left, right = node.left, node.right
            return replace(node, left=_line(left, right, book), right=_line(right, left, book))
        case c.Every() | c.Either():
            return replace(node, of=tuple(beside_the_line(x, book) for x in node.of))
        case c.Never() | c.InARow() | c.Within():
            return replace(node, of=beside_the_line(node.of, book))
    return node


def _line(node: c.Operand, other: c.Operand, book: Book) -> c.Operand:
    if isinstance(node, c.Series) and book.kind(node) == "supertrend" and book.is_price(other):
        return replace(node, output="line")
    return node
