"""From the tree of an expression to the nodes of a contract: what each word means.

Nothing is guessed: what two readers could take differently is a fault with both spellings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lark import Token, Tree

from schemas import contract as c
from schemas.sheet.book import Book
from schemas.sheet.grammar import Node
from schemas.sheet.problems import Fault


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with a unit: only levels, sizes and costs take one."""

    value: float
    unit: str


OPERANDS = (c.Constant, c.Price, c.Series, c.Held, c.Calendar, c.Arithmetic)
Value: TypeAlias = "c.Operand | c.Condition | Amount"


@dataclass
class Scope:
    """What the statements above have named, and what all of them share."""

    book: Book
    symbol: str = ""
    timeframe: str = ""
    pip: float | None = None
    tick: float | None = None
    told: list[tuple[str, str]] = field(default_factory=list)
    """What words of this statement were taken to mean: (topic, text)."""
    lets: dict[str, Value] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    """Names whose own line could not be read, and that line."""
    uses_pips: bool = False
    ordering: bool = False
    """The statement is decided on the signal bar itself: what it has there is simply its value."""


def place(node: Node | Token) -> int:
    """The column at which it begins."""
    if isinstance(node, Token):
        return (node.column or 1) - 1
    return (node.meta.column or 1) - 1 if not node.meta.empty else 0


@dataclass(frozen=True)
class Reader:
    """Reads expressions: `meaning` has a function for each rule of the grammar."""

    scope: Scope
    meaning: Mapping[str, Callable[[Reader, Node], Value]]

    def value(self, node: Node | Token) -> Value:
        if isinstance(node, Token):
            raise Fault(f"`{node}` is no value", place(node), str(node))
        try:
            found = self.meaning[str(node.data)](self, node)
        except Fault as fault:
            if not fault.column and not fault.word:
                fault.column = place(node)
            raise
        return found

    def operand(self, node: Node | Token) -> c.Operand:
        found = self.value(node)
        if isinstance(found, Amount):
            raise Fault(lost_unit(found), place(node))
        if not isinstance(found, OPERANDS):
            raise Fault("this is a condition; a price or a number belongs here", place(node))
        return found

    def condition(self, node: Node | Token) -> c.Condition:
        if isinstance(node, Tree) and node.data == "day":
            today = c.Calendar(field="weekday")
            return c.Compare(op="equal", left=today, right=self.operand(node))
        found = self.value(node)
        if isinstance(found, (*OPERANDS, Amount)):
            raise Fault(
                "this is a value; compare it with another, as in `rsi(14) < 30`", place(node)
            )
        return found


def trees(node: Node) -> list[Node]:
    return [x for x in node.children if isinstance(x, Tree)]


def tokens(node: Node, kind: str) -> list[Token]:
    return [x for x in node.children if isinstance(x, Token) and x.type == kind]


def lost_unit(found: Amount) -> str:
    if found.unit == "percent":
        return "a percent of what? For 2 % above a price write `2 % above close` or `close * 1.02`"
    if found.unit == "r":
        return "R belongs to a target, a trail or a break-even"
    return f"{found.unit} belong to a stop, a target or a trail; in a price write the number"


def token_of(node: Node, kind: str) -> Token:
    return tokens(node, kind)[0]


def maybe_token(node: Node, kind: str) -> Token | None:
    return next(iter(tokens(node, kind)), None)
