"""Mutants of a strategy: the same file with one small thing changed, always the same ones. Pure."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

MOST = 12
FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
UNCHANGED = (ast.arg, ast.alias, ast.JoinedStr)
"""Nodes below which nothing is decided: annotations, imports, words."""


@dataclass(frozen=True, slots=True)
class Mutated:
    """`function` is "" for the lines outside of every function."""

    line: int
    function: str
    change: str
    source: str


@dataclass(frozen=True, slots=True)
class Site:
    """A node by its number, and which of its changes."""

    node: int
    way: int
    line: int
    function: str
    change: str


def mutants(source: str, most: int = MOST) -> tuple[Mutated, ...]:
    """At most so many, from all functions in turn; none where the file is not Python."""
    try:
        tree = ast.parse(source)
        sites = list(_sites(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(_made(tree, site) for site in _spread(sites)[:most])


def _sites(tree: ast.Module) -> Iterator[Site]:
    numbers = {id(node): n for n, node in enumerate(ast.walk(tree))}
    for node, function in _inside(tree, ""):
        for way, (change, _) in enumerate(_changes(node)):
            line = int(getattr(node, "lineno", 1))
            yield Site(numbers[id(node)], way, line, function, change)


def _inside(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node whose value counts, with the function that it is in."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, UNCHANGED) or _is_guard(child):
                continue
            yield child, function
            own = isinstance(child, ast.FunctionDef | ast.ClassDef)
            yield from _inside(child, _joined(function, child) if own else function)


def _joined(function: str, node: ast.AST) -> str:
    return f"{function}.{getattr(node, 'name', '')}".lstrip(".")


def _is_guard(node: ast.AST) -> bool:
    """`if TYPE_CHECKING:` and `if __name__ == "__main__":`, which no test reaches."""
    if not isinstance(node, ast.If):
        return False
    return any(
        isinstance(n, ast.Name) and n.id in ("TYPE_CHECKING", "__name__")
        for n in ast.walk(node.test)
    )


def _changes(node: ast.AST) -> list[tuple[str, ast.AST]]:
    """What a node could be instead, in words and as a node."""
    match node:
        case ast.Compare(ops=ops):
            return [_flipped(node, n) for n in range(len(ops)) if type(ops[n]) in FLIPPED]
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            swapped = ast.BoolOp(op=other, values=values)
            words = ("and became or", "or became and")[isinstance(op, ast.Or)]
            rest = [values[:n] + values[n + 1 :] for n in range(len(values))]
            dropped = [r[0] if len(r) == 1 else ast.BoolOp(op=op, values=r) for r in rest]
            return [(words, swapped), *((f"dropped {_text(v)}", d)
                                        for v, d in zip(values, dropped, strict=True))]  # fmt: skip
        case ast.BinOp(op=op) if type(op) in SWAPPED:
            turned = ast.BinOp(left=node.left, op=SWAPPED[type(op)](), right=node.right)
            changed: list[tuple[str, ast.AST]] = [(f"{_text(node)} became {_text(turned)}", turned)]
            if isinstance(op, ast.BitAnd):
                changed += [(f"dropped {_text(node.right)}", node.left),
                            (f"dropped {_text(node.left)}", node.right)]  # fmt: skip
            return changed
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert(), operand=operand):
            return [(f"{_text(node)} became {_text(operand)}", operand)]
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            nudged = value + 1 if isinstance(value, int) else round(value * 1.1, 12) or 1.0
            return [(f"{value!r} became {nudged!r}", ast.Constant(nudged))]
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            return [(f"returns None, not {_text(value)}", ast.Return(ast.Constant(None)))]
    return []


def _flipped(node: ast.Compare, n: int) -> tuple[str, ast.AST]:
    ops = [*node.ops[:n], FLIPPED[type(node.ops[n])](), *node.ops[n + 1 :]]
    turned = ast.Compare(left=node.left, ops=ops, comparators=node.comparators)
    return f"{_text(node)} became {_text(turned)}", turned


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _spread(sites: list[Site]) -> list[Site]:
    """One of each function in turn, the strategy's own methods first; the same on every machine."""
    groups: dict[str, list[Site]] = {}
    for site in sites:
        groups.setdefault(site.function, []).append(site)
    names = sorted(groups, key=lambda name: (not name.startswith("Strategy."), name != "", name))
    mixed = [sorted(groups[name], key=_shuffled) for name in names]
    return [site for row in zip_longest(*mixed) for site in row if site is not None]


def _shuffled(site: Site) -> str:
    text = f"{site.function} {site.change} {site.node} {site.way}"
    return hashlib.sha256(text.encode()).hexdigest()


def _made(tree: ast.Module, site: Site) -> Mutated:
    whole = copy.deepcopy(tree)
    target = list(ast.walk(whole))[site.node]
    other = _changes(target)[site.way][1]
    mutant = ast.fix_missing_locations(_Swap(target, other).visit(whole))
    return Mutated(site.line, site.function, site.change, ast.unparse(mutant) + "\n")


class _Swap(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else super().generic_visit(node)
