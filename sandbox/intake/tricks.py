"""Tricks that show only on other bars or in other places: dates, exact prices, texts that act."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from sandbox.intake.rules import found
from sandbox.intake.tree import Tree, arguments
from sandbox.intake.worth import Worth
from schemas.report import Finding

DECIDES = {"find_entries", "find_exits"}
A_DATE = re.compile(r"(?:19|20|21)\d\d(?:[-/.]\d|$)")
A_TIME = re.compile(r"\s*\d{1,2}:\d\d")
MAKES_DATES = {"Timestamp", "datetime", "date", "Period", "datetime64"}
FIRST_YEAR = 1900
ACTS = re.compile(
    r"[\x00-\x1f\x7f-\x9f]|::|##\[|```|\]\(|://|\|-|<!--|<[a-z/][^<>]*>|(?:^|\s)@\w|^\s*[=@]\w",
    re.IGNORECASE,
)


def check_tricks(tree: Tree) -> Iterator[Finding]:
    worth = Worth(tree)
    for node in tree.nodes:
        if isinstance(node, ast.expr) and not isinstance(tree.parent(node), ast.Expr):
            yield from _text(node, worth.text(node))
        match node:
            case ast.Call():
                yield from _date(node)
                yield from _today(node, tree)
            case ast.Compare():
                yield from _compare(node)
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                yield from _writes(node, tree)


def _text(node: ast.expr, text: str) -> Iterator[Finding]:
    if A_DATE.match(text):
        yield found("calendar", node.lineno)
    if ACTS.search(text):
        yield found("live_text", node.lineno)


def _date(node: ast.Call) -> Iterator[Finding]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    name = node.func.id if isinstance(node.func, ast.Name) else name
    years = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "year")]
    if name in MAKES_DATES | {"replace"} and any(_is_year(y) for y in years):
        yield found("calendar", node.lineno, name)


def _today(node: ast.Call, tree: Tree) -> Iterator[Finding]:
    """`pd.Timestamp("16:00")` is today at four. Only its `.time()` is the same tomorrow."""
    match node:
        case ast.Call(func=ast.Attribute(attr="Timestamp" | "to_datetime"), args=[first, *_]):
            text = first.value if isinstance(first, ast.Constant) else None
            if isinstance(text, str) and A_TIME.match(text) and not _takes_time(node, tree):
                yield found("clock", node.lineno, "text")


def _takes_time(node: ast.Call, tree: Tree) -> bool:
    parent = tree.parent(node)
    return isinstance(parent, ast.Attribute) and parent.attr in ("time", "hour", "minute")


def _compare(node: ast.Compare) -> Iterator[Finding]:
    sides = [node.left, *node.comparators]
    exact = any(isinstance(op, (ast.Eq, ast.NotEq)) for op in node.ops)
    if exact and any(_is_fraction(side) for side in sides):
        yield found("exact_price", node.lineno)


def _writes(node: ast.Subscript | ast.Attribute, tree: Tree) -> Iterator[Finding]:
    """Into the table or the indicators, from a method that only decides."""
    base: ast.expr = node
    while isinstance(base, (ast.Subscript, ast.Attribute)):
        base = base.value
    if not isinstance(base, ast.Name) or base.id not in ("df", "indicators"):
        return
    around = (up for up in tree.above(node) if isinstance(up, ast.FunctionDef))
    if any(f.name in DECIDES and base.id in arguments(f) for f in around):
        yield found("writes_bars", node.lineno, base.id)


def _is_year(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value >= FIRST_YEAR


def _is_fraction(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, float) and not value.is_integer()
