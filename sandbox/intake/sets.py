"""Sets are for membership. Their order differs from run to run, so nothing may walk them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.intake.rules import found
from sandbox.intake.tree import Tree
from schemas.report import Finding

ORDERLESS = {"all", "any", "bool", "frozenset", "isinstance", "len", "max", "min", "set", "sorted"}
ORDERLESS_METHODS = {
    "add", "clear", "copy", "difference", "difference_update", "discard", "intersection",
    "isdisjoint", "isin", "issubset", "issuperset", "remove", "symmetric_difference", "union",
    "update",
}  # fmt: skip
MAKES_SETS = {"copy", "difference", "intersection", "symmetric_difference", "union"}


def check_sets(tree: Tree) -> Iterator[Finding]:
    """A set, or a name that the file binds to a set, where its order would count."""
    kept = {_name(t) for n in tree.nodes for t, v in _bindings(n) if _is_set(v, set())} - {""}
    kept |= {name for n in tree.nodes for name in _annotated(n)}
    for node in tree.nodes:
        if isinstance(node, ast.expr) and _is_set(node, kept) and not _orderless(node, tree):
            yield found("set_order", node.lineno)


def _bindings(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        return [(t, node.value) for t in node.targets]
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return [(node.target, node.value)]
    return []


def _annotated(node: ast.AST) -> Iterator[str]:
    """What the file says is a set: a field, an argument, what a function returns."""
    match node:
        case ast.AnnAssign(target=target, annotation=kind) if _says_set(kind):
            yield from (name for name in (_name(target), f"self.{_name(target)}") if name)
        case ast.arg(arg=name, annotation=kind) if kind is not None and _says_set(kind):
            yield name
        case ast.FunctionDef(name=name, returns=kind) if kind is not None and _says_set(kind):
            yield from (f"{name}()", f"self.{name}()")


def _says_set(kind: ast.expr) -> bool:
    plain = kind.value if isinstance(kind, ast.Subscript) else kind
    return _name(plain) in ("set", "frozenset", "Set", "FrozenSet", "AbstractSet")


def _name(node: ast.AST) -> str:
    """`x` or `self.x`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"self.{node.attr}" if node.value.id == "self" else ""
    return node.id if isinstance(node, ast.Name) else ""


def _is_set(node: ast.expr, kept: set[str]) -> bool:
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.Call):
        if _name(node.func) in ("set", "frozenset") or f"{_name(node.func)}()" in kept:
            return True
        made = isinstance(node.func, ast.Attribute) and node.func.attr in MAKES_SETS
        return made and isinstance(node.func, ast.Attribute) and _is_set(node.func.value, kept)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.Sub)):
        return any(_is_set(side, kept) or _is_keys(side) for side in (node.left, node.right))
    loads = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    return loads and _name(node) in kept


def _is_keys(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (
        node.func.attr == "keys"
    )  # fmt: skip


def _orderless(node: ast.expr, tree: Tree) -> bool:
    match tree.parent(node):
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub()):
            return True  # that makes another set
        case ast.Compare(ops=ops, left=left):
            return node is not left or not isinstance(ops[0], (ast.In, ast.NotIn))
        case ast.Call(func=ast.Name(id=name)):
            return name in ORDERLESS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ORDERLESS_METHODS or name == "field"
        case ast.Attribute(attr=name):
            return name in ORDERLESS_METHODS
        case ast.comprehension() | ast.For() | ast.Starred() | ast.YieldFrom():
            return False
        case ast.Assign(targets=[ast.Tuple() | ast.List(), *_]):
            return False
        case ast.FormattedValue():
            return False
    return True
